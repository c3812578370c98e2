"""Select the problems of a benchmark by its settings."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ansatz.eval.problem import Problem


def select_by_tags(problems: Iterable[Problem], **wanted: Collection[str]) -> tuple[Problem, ...]:
    """Return the problems with one of the wanted values in every tag; an empty collection accepts all."""
    return tuple(
        problem
        for problem in problems
        if all(problem.tags.get(tag) in values for tag, values in wanted.items() if values)
    )
