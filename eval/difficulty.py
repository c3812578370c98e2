"""Measures of difficulty that need no model: steps, laws, distance of the traps, retrieval rank."""

from __future__ import annotations

import re
from collections.abc import Callable

from ansatz.eval.problem import NumberTarget, Problem

_COMPARISON = re.compile(r"(>=|<=|>|<|==)\s*([-+]?\d+(?:\.\d+)?)")
_LISTED = 50  # equations among which the right one is looked for


def count_steps(problem: Problem) -> float | None:
    """Return the number of steps of the reference solution; None without one."""
    return float(len(problem.reference.steps)) or None


def count_laws(problem: Problem) -> float | None:
    """Return the number of laws that the set states, else of right equations; None if it is unknown."""
    stated = problem.tags.get("laws")
    return float(stated) if isinstance(stated, str) else float(len(problem.reference.gold_equations)) or None


def find_trap_distance(problem: Problem) -> float | None:
    """Return the relative error of the least wrong trap, in its worst target; None without traps."""
    numbers = [each for each in problem.targets if isinstance(each, NumberTarget)]
    right = {each.name: each.value for each in numbers if each.value}
    errors = [
        max(abs(trap.values[name] / value - 1) for name, value in right.items())
        for trap in problem.reference.traps
        if right.keys() <= trap.values.keys()
    ]
    return min(errors, default=None)


def find_retrieval_rank(problem: Problem) -> float | None:
    """Return the rank of the first right equation in a search for the question; 51 if it is not among 50.

    None if the reference names no equation.
    """
    from ansatz.knowledge_base.search import get_searcher

    gold = set(problem.reference.gold_equations)
    if not gold:
        return None
    text = f"{problem.context}\n{problem.question}"
    hits = get_searcher("regime").search(text, _LISTED, traps=False, prerequisites=False).hits
    ranks = (float(rank) for rank, hit in enumerate(hits, start=1) if hit.equation.id in gold)
    return next(ranks, float(_LISTED + 1))


MEASURES: dict[str, Callable[[Problem], float | None]] = {
    "steps": count_steps,
    "laws": count_laws,
    "trap_distance": find_trap_distance,
    "retrieval_rank": find_retrieval_rank,
}
"""The measures by name. A study filters by them as by tags: `where: {steps: ">=5"}`."""


def measure_difficulty(problem: Problem) -> dict[str, float | None]:
    """Return all measures by name.

    Example: `measure_difficulty(problem)["steps"]`.
    """
    return {name: measure(problem) for name, measure in MEASURES.items()}


def parse_comparison(text: str) -> Callable[[str], bool] | None:
    """Return whether a value fulfils a comparison such as ">=5"; None if the text is no comparison."""
    found = _COMPARISON.fullmatch(text.strip())
    if found is None:
        return None
    sign, limit = found[1], float(found[2])

    def holds(value: str) -> bool:
        try:
            number = float(value)
        except ValueError:
            return False
        return {
            ">=": number >= limit,
            "<=": number <= limit,
            ">": number > limit,
            "<": number < limit,
            "==": number == limit,
        }[sign]

    return holds
