"""All entries through all gates, with what the base holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ansatz.knowledge_base.equation.canonical_form import distinct
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.grammar import Expression
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.gates.checks import check, survives
from ansatz.knowledge_base.gates.mutation import alterations

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Inspection:
    """What a check found: failures by id, and the counts of what was checked."""

    entries: int
    unique_formulas: int
    instances: int
    by_domain: dict[str, int]
    failures: dict[str, list[str]]

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def inspect(
    chosen: Callable[[str], bool], *, full: bool = False, progress: Progress | None = None
) -> Inspection:
    """Check the shipped entries whose id is chosen; `full` also alters every number and sign of each."""
    library = Library.read()
    equations = [equation for equation in library if chosen(equation.id)]
    failures = {id: list(lines) for id, lines in library.problems.items() if chosen(id)}
    for done, equation in enumerate(equations, 1):
        lines = check(equation, library)
        if full:
            lines += [f"mutation: no test tells it from {one.text}" for one in undetected(equation)]
        if lines:
            failures[equation.id] = lines
        if progress:
            progress("gates", done, len(equations))
    return Inspection(
        entries=len(equations),
        unique_formulas=len(distinct(equations)),
        instances=sum(equation.family is not None for equation in equations),
        by_domain=dict(sorted(Counter(equation.domain for equation in equations).items())),
        failures=dict(sorted(failures.items())),
    )


def undetected(equation: Equation) -> list[Expression]:
    """The alterations of an exponent, number or sign that none of the entry's test vectors tells from it."""
    return [
        altered
        for altered in alterations(equation.formula)
        if all(survives(equation, altered, test) for test in equation.tests)
    ]


def sampled_mutations(
    library: Library, count: int = 100, seed: int = 0
) -> list[tuple[Equation, Expression, bool]]:
    """For `count` entries drawn at random one alteration each, and whether a test vector tells it."""
    draw = random.Random(seed)
    rows = []
    for equation in draw.sample(list(library), min(count, len(library))):
        altered = draw.choice(alterations(equation.formula))
        caught = not all(survives(equation, altered, test) for test in equation.tests)
        rows.append((equation, altered, caught))
    return rows
