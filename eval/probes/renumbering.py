"""The probe `renumbered`: other numbers, whose key is computed again."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from ansatz.errors import ExpressionError, UnitError
from ansatz.eval.probes.statements import (
    find_statements,
    number_targets,
    replace_given,
    replace_statement,
    without_solution,
)
from ansatz.eval.problem import NumberTarget, Problem, Target
from ansatz.knowledge_base.equation import Expression
from ansatz.quantities.units import convert_number, quantity

_AGREEMENT = 1e-4
"""How well the steps must reproduce the key with the original numbers."""
_LEAST_CHANGE = 0.02
_TRIES = 40


def choose_other_instance(problem: Problem, others: Sequence[Problem]) -> Problem | None:
    """Return a problem of the same family with other numbers: the same id first, else the same targets."""
    form = [(each.name, each.kind, getattr(each, "unit", "")) for each in problem.targets]
    same = [
        each
        for each in others
        if each.family == problem.family
        and each.question != problem.question
        and [(target.name, target.kind, getattr(target, "unit", "")) for target in each.targets] == form
        and len(each.follows) == len(problem.follows)
    ]
    return min(same, key=lambda each: each.id != problem.id, default=None)


def renumber_by_steps(problem: Problem, rng: random.Random) -> Problem | str:
    """Draw new numbers near the old ones and evaluate the steps of the reference solution again."""
    statements = find_statements(problem)
    if not statements or not problem.reference.steps:
        return "it needs givens stated as symbol = number unit, and a reference solution with steps"
    try:
        wrong = find_wrong_key(problem, recompute_by_steps(problem, get_numbers(problem)))
    except (ExpressionError, UnitError, ValueError, KeyError) as error:
        return f"its steps cannot be evaluated: {error}"
    if wrong:
        return f"its steps do not give the key of {wrong}"
    for _ in range(_TRIES):
        changed = problem
        for statement in statements:
            digits = max(2, sum(each.isdigit() for each in statement.number.split("e")[0].strip("0.")))
            value = float(f"{float(statement.given.value) * rng.uniform(0.8, 1.25):.{min(digits, 5)}g}")
            unit = f" {statement.unit}" if statement.unit else ""
            written = f"{value:g}" if 1e-4 <= abs(value) < 1e6 else f"{value:.6g}".replace("e+0", "e")
            changed = replace_statement(changed, statement, f"{statement.given.name} = {written}{unit}")
            changed = replace_given(changed, statement.given.name, value=value)
        try:
            values = recompute_by_steps(problem, get_numbers(changed))
            targets = tuple(_with_value(each, values) for each in problem.targets)
        except (ExpressionError, UnitError, ValueError, KeyError):
            continue
        if _differs(problem, targets) and _within_bounds(problem, targets):
            reference = without_solution(changed.reference)
            return changed.model_copy(update={"targets": targets, "reference": reference})
    return f"no valid numbers in {_TRIES} tries"


def get_numbers(problem: Problem) -> dict[str, float]:
    """Return the givens that are numbers, by name, each in its unit."""
    return {each.name: float(each.value) for each in problem.givens if not isinstance(each.value, str)}


def find_wrong_key(problem: Problem, values: Mapping[str, float]) -> str:
    """Return the first number target whose key differs from its value; empty if there is none."""
    for target in number_targets(problem):
        found = values.get(target.name)
        if found is None or not math.isclose(found, target.value or 0.0, rel_tol=_AGREEMENT):
            return target.name
    return ""


def recompute_by_steps(problem: Problem, numbers: Mapping[str, float]) -> dict[str, float]:
    """Evaluate the steps of the reference solution, and return the number targets.

    `numbers` are the givens by name, in the units of the problem. Raises ExpressionError, UnitError,
    ValueError or KeyError if a step cannot be evaluated.
    """
    described = {each.name: each for each in problem.givens}
    values = {name: _to_si(value, described[name]) for name, value in numbers.items()}
    for step in problem.reference.steps:
        name, equals, formula = step.expression.partition(" = ")
        if not equals or name.strip() != step.symbol:
            raise ExpressionError(f"{step.expression!r} is not symbol = formula")
        values[step.symbol] = Expression.parse(formula)(values)
    return {each.name: _from_si(values[each.name], each) for each in number_targets(problem)}


def _to_si(value: float, described: object) -> float:
    """Convert a value to SI units; a difference of temperatures without the offset of its scale."""
    unit = getattr(described, "unit", "-")
    base = quantity(1.0, unit).to_base_units()
    return convert_number(value, unit, f"{base.units:~C}" or "-", getattr(described, "difference", False))


def _from_si(value: float, target: NumberTarget) -> float:
    base = quantity(1.0, target.unit).to_base_units()
    return convert_number(value, f"{base.units:~C}" or "-", target.unit, target.difference)


def _with_value(target: Target, values: Mapping[str, float]) -> Target:
    if not isinstance(target, NumberTarget) or target.value is None:
        return target
    return target.model_copy(update={"value": values[target.name]})


def _differs(problem: Problem, targets: Sequence[object]) -> bool:
    """Whether every key differs enough that the old one would be wrong."""
    new = {each.name: each.value for each in targets if isinstance(each, NumberTarget)}
    return all(
        abs((new[each.name] or 0.0) / each.value - 1) > _LEAST_CHANGE
        for each in number_targets(problem)
        if each.value
    )


def _within_bounds(problem: Problem, targets: Sequence[object]) -> bool:
    new = {each.name: each.value or 0.0 for each in targets if isinstance(each, NumberTarget)}
    return all(
        (bound.low is None or new[bound.target] >= bound.low)
        and (bound.high is None or new[bound.target] <= bound.high)
        for bound in problem.reference.bounds
        if bound.target in new
    )
