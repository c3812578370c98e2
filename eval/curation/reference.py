"""What a reference solution shows: the values it arrives at, the symbols it lacks, the level of its steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ansatz.eval.curation.candidates import Candidate, Note
from ansatz.eval.curation.stated import names_value
from ansatz.eval.item import Item
from ansatz.eval.problem import NumberTarget

_SAME = 1e-6  # relative difference below which two values are one
# Fewest and most steps that a level may have, then the wider range that a reviewer is asked about.
# TPS-CalcBench, table 4: one step; two to four; results of several domains; iterative or coupled.
# Two to four intermediate results of L2 are up to five steps.
STEPS = {"L1": (1, 1, 1, 2), "L2": (2, 5, 1, 7), "L3": (2, 12, 1, 20), "L4": (3, 30, 2, 60)}
_CONSTANTS = re.compile(
    r"(?:sigma(?:_SB)?|k_?B|N_?A|R_?u|R_?univ|g_?0|h_?P|h_?bar|c_?0|pi|e|eps_?0|mu_?0|q_?e|m_?e)"
)


def has_solution(item: Item) -> bool:
    """Whether the reference solution has steps, and they give each number of the key in its unit."""
    found = {step.symbol: (step.value, step.unit) for step in item.reference_solution.steps}
    numbers = [target for target in item.targets if isinstance(target, NumberTarget)]
    return bool(found or not numbers) and all(
        target.value is not None
        and target.name in found
        and found[target.name][1] == target.unit
        and abs(found[target.name][0] - target.value) <= _SAME * abs(target.value)
        for target in numbers
    )


def missing_names(candidate: Candidate) -> tuple[str, ...]:
    """The symbols that the reference steps use though nothing states or finds them."""
    known = {str(given["name"]) for given in candidate.given} | {
        str(step["symbol"]) for step in candidate.steps
    }
    used = dict.fromkeys(name for step in candidate.steps for name in _names(step))
    return tuple(
        name
        for name in used
        if name not in known and not _CONSTANTS.fullmatch(name) and not names_value(candidate.text, name)
    )


def level_mismatch(candidate: Candidate) -> str | None:
    """Why a level cannot be that of its reference solution, or None."""
    count, limits = _steps(candidate), STEPS.get(str(candidate.fields.get("level")))
    # The lines of a derivation are algebra, not steps of a calculation.
    if count is None or limits is None or candidate.fields.get("task_type") == "derivation":
        return None
    if count[0] > limits[3] or count[1] < limits[2]:
        return f"{candidate.fields['level']} with {_range(count)} steps, not {_range(limits)}"
    return None


def level_notes(candidate: Candidate) -> Iterator[Note]:
    """What a reviewer should know of a level that is missing or unusual."""
    level, count = str(candidate.fields.get("level") or ""), _steps(candidate)
    if level not in STEPS:
        yield Note(
            "level", f"level {level!r} is none of {', '.join(STEPS)}" if level else "there is no level"
        )
    elif candidate.fields.get("task_type") != "derivation":
        limits = STEPS[level]
        if count is None and len(candidate.targets) > 3 and level == "L1":
            yield Note("level", f"L1 with {len(candidate.targets)} targets")
        elif count is not None and (count[0] > limits[1] or count[1] < limits[0]):
            yield Note("level", f"{level} with {_range(count)} steps, not {_range(limits)}")


def _steps(candidate: Candidate) -> tuple[int, int] | None:
    """The least and the most that the steps of the reference solution may be counted as.

    The least are the equations of its longest chain, as results may stand side by side; the most all steps.
    What is called a single step has one equation, unless it compares two. Without steps the equations that
    the record names are counted.
    """
    if candidate.steps:
        single = candidate.fields.get("level") == "L1" and candidate.fields.get("task_type") != "comparison"
        equations = sum(bool(step.get("equation")) for step in candidate.steps)
        return equations if single and equations else _longest_chain(candidate), len(candidate.steps)
    named = len(candidate.listed("gold_equations"))
    return (named, named) if named else None


def _longest_chain(candidate: Candidate) -> int:
    """The most equations that build on each other; plain arithmetic between them is none."""
    depth: dict[str, int] = {}
    for step in candidate.steps:
        below = max((depth.get(name, 0) for name in _names(step)), default=0)
        depth[str(step["symbol"])] = below + bool(step.get("equation"))
    return max(depth.values()) or len(candidate.steps)


def _range(limits: tuple[int, ...]) -> str:
    return str(limits[0]) if limits[0] == limits[1] else f"{limits[0]} to {limits[1]}"


def _names(step: Mapping[str, Any]) -> frozenset[str]:
    """The symbols that a step uses; none where its expression is prose."""
    from ansatz.knowledge_base.equation import Expression, ExpressionError

    left, _, right = str(step.get("expression", "")).split(", solved for")[0].partition("=")
    # An equation solved for another symbol than its own has a known quantity on the left.
    known = {left.strip()} - {str(step["symbol"])} if left.strip().isidentifier() else set()
    try:
        return Expression.parse(right.strip()).names | known
    except ExpressionError:
        return frozenset()
