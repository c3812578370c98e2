"""All entries through all gates, with what the base holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ansatz.knowledge_base.equation.canonical_form import group_by_formula
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.gates.checks import check_entry

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class BaseReport:
    """What a check found: failures by id, and the counts of what was checked."""

    entries: int
    unique_formulas: int
    instances: int
    by_domain: dict[str, int]
    failures: dict[str, list[str]]

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def check_base(chosen: Callable[[str], bool], progress: Progress | None = None) -> BaseReport:
    """Check the shipped entries whose id is chosen."""
    library = Library.read()
    equations = [equation for equation in library if chosen(equation.id)]
    failures = {id: list(lines) for id, lines in library.problems.items() if chosen(id)}
    for done, equation in enumerate(equations, 1):
        lines = check_entry(equation, library)
        if lines:
            failures[equation.id] = lines
        if progress:
            progress("gates", done, len(equations))
    return BaseReport(
        entries=len(equations),
        unique_formulas=len(group_by_formula(equations)),
        instances=sum(equation.family is not None for equation in equations),
        by_domain=dict(sorted(Counter(equation.domain for equation in equations).items())),
        failures=dict(sorted(failures.items())),
    )
