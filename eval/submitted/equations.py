"""The equations that a stranger's problem names in plain words, and steps to recognise them by.

A name is looked up among the ids, names and aliases of the knowledge base. Where that has no such entry, the
formula of a reference step stands for it. A problem without steps gets some: those stated in its worked
solution, else its named equations evaluated at its given values, else its targets' own values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ansatz.agents import Transcript
from ansatz.eval.problem import NumberTarget, Problem, SolutionStep
from ansatz.eval.submitted.names import EquationNames
from ansatz.eval.verifier.equivalence import letter, likeness
from ansatz.eval.verifier.formulas import value_at_givens
from ansatz.eval.verifier.working import Working, close, si
from ansatz.knowledge_base.library import Library, library
from ansatz.quantities.chains import chains, read_value
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.expression import read_formula
from ansatz.quantities.markup import plain
from ansatz.quantities.scales import scale

_SAME = 0.01  # relative: an equation evaluated at rounded givens against the stated key
_INSTEAD = {
    "gold_equations": "the reference steps stand for it",
    "trap_equations": "it cannot be recognised",
}
_NOTHING = Transcript(answer="", stop="empty", messages=(), model_calls=(), tool_calls=(), seconds=0.0)


class Resolver:
    """Resolves problems against one knowledge base."""

    def __init__(self, base: Library | None = None) -> None:
        self._base = base or library()
        self._names = EquationNames(self._base)

    def resolve(self, problem: Problem) -> tuple[Problem, list[str]]:
        """The problem by ids and with steps, and a line on each name that is no entry's own."""
        reference = problem.reference
        gold, told = self._meanings("gold_equations", reference.gold_equations)
        traps, odd = self._meanings("trap_equations", reference.trap_equations)
        right = tuple(dict.fromkeys(id for ids in gold for id in ids))
        changed = reference.model_copy(
            update={
                "gold_equations": right,
                "trap_equations": tuple(dict.fromkeys(id for ids in traps for id in ids if id not in right)),
                "steps": tuple(map(self._named, reference.steps)),
            }
        )
        vague = frozenset(id for ids in gold if len(ids) > 1 for id in ids)
        problem = problem.model_copy(update={"reference": changed})
        return self._with_steps(problem, vague), [*told, *odd]

    def _meanings(self, field: str, names: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
        """For each name every id that it may mean, or itself where no entry fits."""
        found = []
        told = []
        for index, name in enumerate(names):
            meaning = self._names.find(name)
            found.append(meaning.ids or (name,))
            if meaning.ids and meaning.by_words:
                told.append(f"{field}[{index}]: {name!r} is taken for {' or '.join(meaning.ids)}")
            elif not meaning.ids:
                hint = nearest(name, [each.id for each in self._base], shown=0)
                told.append(f"{field}[{index}]: no entry is called {name!r}{hint}; {_INSTEAD[field]}")
        return found, told

    def _named(self, step: SolutionStep) -> SolutionStep:
        """The step under the entry it names; among several, under the one whose formula it is."""
        ids = self._names.find(step.equation).ids if step.equation else ()
        formula = read_formula(plain(step.expression.partition("=")[2])) if len(ids) > 1 else None
        if formula is not None:
            ids = tuple(id for id in ids if likeness(formula, self._base.get(id)) == "same")
        return step.model_copy(update={"equation": ids[0]}) if len(ids) == 1 else step

    def _with_steps(self, problem: Problem, vague: frozenset[str]) -> Problem:
        """Steps that say which equation they are; those of a problem that has such are left alone."""
        steps = problem.reference.steps or tuple(_steps_of(problem.reference.text))
        if not any(step.equation for step in steps):
            gold = problem.reference.gold_equations
            steps = tuple(self._labelled(step, gold, number) for number, step in enumerate(steps, start=1))
        problem = _with(problem, steps)
        if problem.reference.gold_equations and not any(step.equation for step in steps):
            problem = _with_values_of_targets(self._evaluated(problem, vague))
        return problem

    def _labelled(self, step: SolutionStep, gold: Sequence[str], number: int) -> SolutionStep:
        """The step under the entry that its formula is; one that computes in symbols is an equation too."""
        formula = read_formula(plain(step.expression.partition("=")[2]))
        if formula is None or not formula.names or formula.operations < 2:
            return step
        same = (id for id in gold if id in self._base and likeness(formula, self._base.get(id)) == "same")
        unknown = [name for name in gold if name not in self._base]
        spare = unknown[0] if len(gold) == len(unknown) == 1 else f"reference step {number}"
        return step.model_copy(update={"equation": next(same, spare)})

    def _evaluated(self, problem: Problem, vague: frozenset[str]) -> Problem:
        """With a step for every gold entry that the givens, and the steps before it, determine.

        A `vague` one, which shares its name with others, must come to the value of a target.
        """
        waiting = [id for id in problem.reference.gold_equations if id in self._base]
        while waiting:
            made = [
                (id, step) for id in waiting if (step := self._step(problem, id, id in vague)) is not None
            ]
            if not made:
                break
            id, step = made[0]
            waiting.remove(id)
            problem = _with(problem, (*problem.reference.steps, step))
        return problem

    def _step(self, problem: Problem, id: str, vague: bool) -> SolutionStep | None:
        equation = self._base.get(id)
        unit = equation.symbols[equation.output].unit
        known = scale(unit)
        value = value_at_givens(equation, Working(problem, _NOTHING, self._base))
        if value is None or known is None:
            return None
        target = next(
            (each for each in _numbers(problem) if letter(each.name) == letter(equation.output)), None
        )
        if (target is not None and not _agrees(target, value)) or (vague and target is None):
            return None  # the problem means another quantity, or another convention
        symbol = target.name if target else equation.output
        return SolutionStep(
            equation=id,
            symbol=symbol,
            expression=f"{symbol} = {equation.expr or equation.name}",
            value=(value - known.offset) / known.factor,
            unit=unit,
        )


def _steps_of(text: str) -> Iterator[SolutionStep]:
    """What a worked solution computes: each `symbol = formula = value unit`, and `symbol = formula` with
    the value that it states for the symbol elsewhere."""
    found = chains(plain(text))
    stated = {name: chain.values[-1] for chain in found if chain.values for name in chain.names}
    for chain in found:
        formulas = [term for term in chain.terms if read_value(term) is None and _computes(term)]
        for name in chain.names[:1]:
            if formulas and name in stated:
                value, unit, _ = stated[name]
                yield SolutionStep(
                    equation="",
                    symbol=name,
                    expression=f"{name} = {formulas[0]}",
                    value=value,
                    unit=unit or "-",
                )


def _computes(term: str) -> bool:
    formula = read_formula(term)
    return formula is not None and formula.operations > 0


def _with(problem: Problem, steps: tuple[SolutionStep, ...]) -> Problem:
    return problem.model_copy(update={"reference": problem.reference.model_copy(update={"steps": steps})})


def _with_values_of_targets(problem: Problem) -> Problem:
    """Equations that could not be evaluated are taken to give the targets without a step, last to last."""
    steps = problem.reference.steps
    waiting = [name for name in problem.reference.gold_equations if name not in {s.equation for s in steps}]
    reached = {step.symbol for step in steps if step.equation}
    targets = [each for each in _numbers(problem) if each.value is not None and each.name not in reached]
    made = [
        SolutionStep(
            equation=name,
            symbol=target.name,
            expression=target.name,
            value=target.value or 0.0,
            unit=target.unit,
        )
        for name, target in zip(reversed(waiting), reversed(targets), strict=False)
    ]
    return _with(problem, (*steps, *reversed(made)))


def _numbers(problem: Problem) -> list[NumberTarget]:
    return [target for target in problem.targets if isinstance(target, NumberTarget)]


def _agrees(target: NumberTarget, value: float) -> bool:
    key = si(target.value, target.unit) if target.value is not None else None
    return key is not None and close(value, key, _SAME)
