"""Make problems of a template: sample its givens, solve it, and write the question."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Sequence

from ansatz.eval.benchmarks.tps.asked import answer_block, find_line, make_targets
from ansatz.eval.benchmarks.tps.derivation import misvalued
from ansatz.eval.benchmarks.tps.solution import Infeasible, Solution, solve
from ansatz.eval.benchmarks.tps.template import Calculation, GivenSpec, Template, round_to
from ansatz.eval.benchmarks.tps.trap import weak_trap
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.item import METADATA
from ansatz.eval.problem import Formulation, Given, Problem, ReferenceSolution, Target
from ansatz.knowledge_base.equation import Library

_TRIES = 300
_SUFFIX = {"en": "", "zh": ".zh"}  # a study may ask both: one id each, one family together

Values = dict[str, float | str]


def make_problems(
    template: Template, instances: int, seed: int, library: Library, language: str = "en"
) -> list[Problem]:
    """`instances` different problems. Each depends on the template, the seed and its index alone.

    The same problem in another language has the same numbers.
    Raises InvalidData when no feasible set of values is found in a bounded number of tries.
    """
    seen: list[Values] = []
    problems = []
    provenance = _provenance(template, library)
    for index in range(instances):
        values, solution = draw(
            template, f"{template.id}/{seed}/{index}", seen, library, _acceptable(template)
        )
        seen.append(values)
        problem = _problem(template, index, values, solution, language)
        problems.append(problem.model_copy(update={"tags": problem.tags | provenance}))
    return problems


def format_number(value: float) -> str:
    """A number as a question states it: 0.6, 101325, 3.1e-4."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return f"{value:.12f}".rstrip("0").rstrip(".")
    mantissa, exponent = f"{value:.12e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def _acceptable(template: Template) -> Callable[[Solution], None]:
    def check(solution: Solution) -> None:
        make_targets(template, solution.numbers)
        if wrong := misvalued(template, solution.numbers):
            raise InvalidData(f"{template.id}: derivation.closed_form: {wrong}")

    return check


def draw(
    template: Calculation,
    key: str,
    seen: Sequence[Values],
    library: Library,
    check: Callable[[Solution], None],
) -> tuple[Values, Solution]:
    """Values that are not among those seen, and their solution; the key seeds the draw.

    `check` raises Infeasible for a solution that cannot be asked. Raises InvalidData when a bounded number
    of tries finds none.
    """
    rng = random.Random(key)  # seeded by text: the same on every platform and in every process
    reason = ""
    for _ in range(_TRIES):
        values = {name: _sample(given, rng) for name, given in template.givens.items()}
        if values in seen:
            reason = reason or "there are no further values to draw"
            continue
        try:
            solution = solve(template, values, library)
            check(solution)
        except Infeasible as infeasible:
            reason = str(infeasible)
            continue
        weak = weak_trap(template, solution.numbers, library)
        if weak is None:
            return values, solution
        reason = weak
    raise InvalidData(f"{template.id}: no feasible instance in {_TRIES} tries; the last failed: {reason}")


def _sample(given: GivenSpec, rng: random.Random) -> float | str:
    if given.among:
        return rng.choice(given.among)
    if given.between is None:
        assert given.value is not None
        return given.value
    low, high = given.between
    if given.sampled == "log":
        drawn = math.exp(rng.uniform(math.log(low), math.log(high)))
    else:
        drawn = rng.uniform(low, high)
    return round_to(given.digits, min(max(drawn, low), high))


def _problem(template: Template, index: int, values: Values, solution: Solution, language: str) -> Problem:
    targets = make_targets(template, solution.numbers)
    givens = tuple(
        Given(name=name, value=values[name], unit=given.unit, description=given.description)
        for name, given in template.givens.items()
    )
    wanted = template.derivation
    equations = dict.fromkeys(step.equation for step in solution.steps if step.equation)
    return Problem(
        id=f"{template.id}#{index}" + _SUFFIX[language],
        family=template.id,
        benchmark="tps",
        question=f"{_statement(template, values, language)}\n\n{answer_block(template, targets, language)}",
        givens=givens,
        targets=targets,
        reference=ReferenceSolution(
            formulation=_formulation(template, givens, targets, language),
            steps=solution.steps,
            derivation=tuple(step.record() for step in wanted.argument) if wanted else (),
            gold_equations=tuple(equations),
            trap_equations=template.trap.equations,
            trap=template.trap.note,
            bounds=solution.bounds,
        ),
        tags={
            "level": template.level,
            "domain": template.domains[0],
            "domains": template.domains,
            "task_type": template.task_type,
            "language": language,
        },
    )


def _provenance(template: Template, library: Library) -> dict[str, str]:
    """How an item came about, and where its equations are published."""
    equations = [library.get(step.equation) for step in template.steps if step.equation]
    published = dict.fromkeys(each.text for equation in equations for each in equation.references)
    return {
        f"{METADATA}method": "executed template",
        **({f"{METADATA}references": "; ".join(published)} if published else {}),
    }


def _statement(template: Template, values: Values, language: str) -> str:
    statement = template.statement_zh if language == "zh" else template.statement
    return re.sub(r"\{(\w+)\}", lambda found: _text(values[found[1]]), statement).strip()


def _formulation(
    template: Template, givens: tuple[Given, ...], targets: tuple[Target, ...], language: str
) -> Formulation:
    stated = (
        f"{given.description}: {given.name} = {_text(given.value)} {given.unit}".removesuffix(" -")
        for given in givens
    )
    return Formulation(
        given="; ".join(stated),
        find=find_line(targets),
        approach=template.formulation.approach,
        assumptions=template.formulation.assumptions,
        language="zh" if language == "zh" else "en",
    )


def _text(value: float | str) -> str:
    return value if isinstance(value, str) else format_number(value)
