"""Which problems of a benchmark its settings choose."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ansatz.eval.problem import Problem


def of_tags(problems: Iterable[Problem], **wanted: Collection[str]) -> tuple[Problem, ...]:
    """Those that have, of every tag, one of the values wanted; where none is named, any."""
    return tuple(
        problem
        for problem in problems
        if all(problem.tags.get(tag) in values for tag, values in wanted.items() if values)
    )
