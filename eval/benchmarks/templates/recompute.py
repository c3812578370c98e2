"""Compute the targets of a problem again from other values of its givens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.solution import components, solve
from ansatz.eval.benchmarks.templates.template import Template
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.knowledge_base.equation import library


def recompute_targets(
    templates: Mapping[str, Template], problem: Problem, numbers: Mapping[str, float]
) -> dict[str, float]:
    """Solve the template of the problem's family for these values, and return the number targets.

    `templates` are by family; `numbers` are the stated givens by name. All values are in the units of the
    problem. Raises InvalidData if no template has the family, if it needs a value that the problem does not
    state, or if the values exclude its solution.
    """
    template = templates.get(problem.family)
    if template is None:
        raise InvalidData(f"no template has the family {problem.family}")
    words = {each.name: each.value for each in problem.givens if isinstance(each.value, str)}
    fixed = {name: given.value for name, given in template.givens.items() if given.value is not None}
    found: dict[str, Any] = {}
    try:
        solved = solve(template, {**fixed, **words, **numbers}, library())
        for name in template.units.keys() & solved.keys():
            found |= components(name, solved[name])
        return {each.name: found[each.name] for each in problem.targets if isinstance(each, NumberTarget)}
    except (Infeasible, KeyError) as error:
        raise InvalidData(f"{template.id}: {error}") from error
