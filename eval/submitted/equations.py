"""The equations that a stranger's problem names in plain words, and steps to recognise them by.

A name is looked up among the ids, names and aliases of the knowledge base. Where that has no such entry, the
formula of a reference step stands for it. A problem without steps gets some: those stated in its worked
solution, else its named equations evaluated at its given values, else its targets' own values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ansatz.agents import Transcript
from ansatz.eval.chains import chains, read_value
from ansatz.eval.markup import plain
from ansatz.eval.problem import NumberTarget, Problem, SolutionStep
from ansatz.eval.quantities import scale
from ansatz.eval.rubrics.arithmetic import read_formula
from ansatz.eval.rubrics.equivalence import letter, likeness
from ansatz.eval.rubrics.values import trap_value
from ansatz.eval.rubrics.working import Working, close, si
from ansatz.knowledge_base.evaluation.questions import Names
from ansatz.knowledge_base.library import Library, library
from ansatz.knowledge_base.nearest import nearest

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
        self._names = Names(self._base)

    def resolve(self, problem: Problem) -> tuple[Problem, list[str]]:
        """The problem by ids and with steps, and a line on each name that no entry bears."""
        reference = problem.reference
        gold, told = self._ids("gold_equations", reference.gold_equations)
        traps, unknown = self._ids("trap_equations", reference.trap_equations)
        changed = reference.model_copy(
            update={
                "gold_equations": gold,
                "trap_equations": tuple(id for id in traps if id not in gold),
                "steps": tuple(map(self._named, reference.steps)),
            }
        )
        problem = problem.model_copy(update={"reference": changed})
        return self._with_steps(problem), [*told, *unknown]

    def _ids(self, field: str, names: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
        """Every id that a name may mean; a name that no entry bears stays as it is."""
        found: list[str] = []
        told = []
        for index, name in enumerate(names):
            ids = self._names.find(name)
            found += ids or (name,)
            if not ids:
                hint = nearest(name, [each.id for each in self._base], shown=0)
                told.append(f"{field}[{index}]: no entry is called {name!r}{hint}; {_INSTEAD[field]}")
        return tuple(dict.fromkeys(found)), told

    def _named(self, step: SolutionStep) -> SolutionStep:
        ids = self._names.find(step.equation) if step.equation else ()
        return step.model_copy(update={"equation": ids[0]}) if ids else step

    def _with_steps(self, problem: Problem) -> Problem:
        """Steps that say which equation they are; those of a problem that has such are left alone."""
        steps = problem.reference.steps or tuple(_steps_of(problem.reference.text))
        if not any(step.equation for step in steps):
            gold = problem.reference.gold_equations
            steps = tuple(self._labelled(step, gold, number) for number, step in enumerate(steps, start=1))
        problem = _with(problem, steps)
        if problem.reference.gold_equations and not any(step.equation for step in steps):
            problem = _with_values_of_targets(self._evaluated(problem))
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

    def _evaluated(self, problem: Problem) -> Problem:
        """With a step for every gold entry that the givens, and the steps before it, determine."""
        waiting = [id for id in problem.reference.gold_equations if id in self._base]
        while waiting:
            made = [(id, step) for id in waiting if (step := self._step(problem, id)) is not None]
            if not made:
                break
            id, step = made[0]
            waiting.remove(id)
            problem = _with(problem, (*problem.reference.steps, step))
        return problem

    def _step(self, problem: Problem, id: str) -> SolutionStep | None:
        equation = self._base.get(id)
        unit = equation.symbols[equation.output].unit
        known = scale(unit)
        value = trap_value(equation, Working(problem, _NOTHING, self._base))
        if value is None or known is None:
            return None
        target = next(
            (each for each in _numbers(problem) if letter(each.name) == letter(equation.output)), None
        )
        if target is not None and not _agrees(target, value):
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
    reached = {step.symbol for step in steps}
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
