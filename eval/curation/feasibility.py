"""Stage 3: whether a candidate can be scored at all, before a person spends time on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ansatz.eval.curation.candidates import Candidate, Note
from ansatz.eval.curation.dimensions import Span, misnamed
from ansatz.eval.curation.semantics import Finding
from ansatz.eval.curation.stated import (
    is_bare,
    is_number,
    names_value,
    stated_in_other_unit,
    stated_numbers,
    unit_problem,
)

_FALLBACK = re.compile(
    r"(?:the\s+)?(?:final\s+)?(?:answer|result|value|target|output|quantity|unknown|solution|number|ans|res|todo|"
    r"n/?a|none|null|tbd|item|variable|final|结果|答案|数值|目标|未知量?|所求量?)s?[\s_\-#]*\d*",
    re.IGNORECASE,
)
# Fewest and most steps that a level may have, then the wider range that a reviewer is asked about.
# TPS-CalcBench, table 4: one step; two to four; results of several domains; iterative or coupled.
# Two to four intermediate results of L2 are up to five steps.
STEPS = {"L1": (1, 1, 1, 2), "L2": (2, 5, 1, 7), "L3": (2, 12, 1, 20), "L4": (3, 30, 2, 60)}
_CONSTANTS = re.compile(
    r"(?:sigma(?:_SB)?|k_?B|N_?A|R_?u|R_?univ|g_?0|h_?P|h_?bar|c_?0|pi|e|eps_?0|mu_?0|q_?e|m_?e)"
)
_TABULATED = re.compile(
    r"\b(?:air|nitrogen|oxygen|helium|hydrogen|argon|carbon dioxide|water|steam|earth|mars|venus|titan|"
    r"jupiter|standard atmosphere|stefan|boltzmann|planck|gas constant|avogadro|sutherland|black ?body|"
    r"gravity)\b"
    r"|空气|氮|氧|氦|标准大气|地球|火星|黑体|常数",
    re.IGNORECASE,
)


def rejection(candidate: Candidate) -> Finding | None:
    """Why a candidate cannot be scored, or None."""
    return next((found for found in _faults(candidate) if found), None)


def notes(candidate: Candidate) -> Iterator[Note]:
    """What is borderline and needs a reviewer's eye."""
    yield from _target_notes(candidate)
    yield from _given_notes(candidate)
    if (span := _unspanned(candidate)) and _TABULATED.search(candidate.text):
        yield Note("dimensions", f"{span}; perhaps a constant or a table supplies it")
    yield from _level_notes(candidate)


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


def unstated_givens(candidate: Candidate) -> tuple[str, ...]:
    """The declared givens whose number the text does not hold."""
    stated = set(stated_numbers(candidate.text))
    return tuple(
        str(given["name"])
        for given in candidate.given
        if is_number(given.get("value"))
        and not any(abs(number - given["value"]) <= 1e-6 * abs(given["value"]) for number in stated)
        and not stated_in_other_unit(candidate.text, given)
    )


def _faults(candidate: Candidate) -> Iterator[Finding | None]:
    yield _fallback_targets(candidate)
    yield _missing_givens(candidate)
    yield _level_mismatch(candidate)


def _fallback_targets(candidate: Candidate) -> Finding | None:
    """No target has both a name of its own and, if it is a number, a unit that can be resolved."""
    if not candidate.targets:
        return "fallback_target", "there is no target"
    problems = [_target_problem(target) for target in candidate.targets]
    if all(problems):
        return "fallback_target", "; ".join(filter(None, problems))
    return None


def _target_problem(target: Mapping[str, Any]) -> str | None:
    name = str(target.get("name", "")).strip()
    if not name or _FALLBACK.fullmatch(name):
        return f"{name!r} names no quantity"
    if target.get("kind", "number") != "number":
        return None
    if "unit" not in target:
        return f"{name} has no unit"
    return f"{name}: {problem}" if (problem := unit_problem(target["unit"])) else None


def _target_notes(candidate: Candidate) -> Iterator[Note]:
    for target in candidate.targets:
        if problem := _target_problem(target):
            yield Note("target", problem)
        elif target.get("kind", "number") == "number" and (wrong := misnamed(target, candidate.text)):
            yield Note("unit", wrong)
        if "value" not in target:
            yield Note("reference", f"{target.get('name') or 'a target'} has no reference value")


def _missing_givens(candidate: Candidate) -> Finding | None:
    if missing := missing_names(candidate):
        return "missing_givens", f"the reference solution uses {', '.join(missing)}, which nothing states"
    numeric = [target for target in candidate.targets if target.get("kind", "number") == "number"]
    if not numeric or candidate.fields.get("task_type") == "derivation":
        return None
    stated = any(is_number(given.get("value")) for given in candidate.given)
    if not stated and not list(stated_numbers(candidate.text)):
        return "missing_givens", "no quantity is given"
    span = _unspanned(candidate)
    return ("missing_givens", span) if span and not _TABULATED.search(candidate.text) else None


def _unspanned(candidate: Candidate) -> str | None:
    """Which targets have dimensions that no product of powers of the givens has, or None."""
    span = Span.of(candidate)
    outside = [
        f"{target['name']} [{target['unit']}]"
        for target in candidate.targets
        if target.get("kind", "number") == "number"
        and "unit" in target
        and not unit_problem(target["unit"])
        and not span.holds(str(target["unit"]))
    ]
    return f"the givens do not span the dimensions of {', '.join(outside)}" if outside else None


def _given_notes(candidate: Candidate) -> Iterator[Note]:
    if unstated := unstated_givens(candidate):
        yield Note("self_contained", f"the question does not state the value of {', '.join(unstated)}")
    for given in candidate.given:
        if is_number(given.get("value")) and (problem := unit_problem(given.get("unit", "-"))):
            yield Note("unit", f"{given['name']}: {problem}")
        if is_number(given.get("value")) and "unit" not in given:
            yield Note("unit", f"{given['name']} has no unit")
        if is_bare(candidate.text, given):
            yield Note("unit", f"the question states {given['name']} without its unit {given['unit']}")
        if "value" not in given:
            yield Note("given", f"{given['name'] or 'a given'} has no value")


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


def _level_mismatch(candidate: Candidate) -> Finding | None:
    count, limits = _steps(candidate), STEPS.get(str(candidate.fields.get("level")))
    # The lines of a derivation are algebra, not steps of a calculation.
    if count is None or limits is None or candidate.fields.get("task_type") == "derivation":
        return None
    if count[0] > limits[3] or count[1] < limits[2]:
        return (
            "level_mismatch",
            f"{candidate.fields['level']} with {_range(count)} steps, not {_range(limits)}",
        )
    return None


def _level_notes(candidate: Candidate) -> Iterator[Note]:
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


def _range(limits: tuple[int, ...]) -> str:
    return str(limits[0]) if limits[0] == limits[1] else f"{limits[0]} to {limits[1]}"


def _names(step: Mapping[str, Any]) -> frozenset[str]:
    """The symbols that a step uses; none where its expression is prose."""
    from ansatz.knowledge_base.expression import Expression, ExpressionError

    left, _, right = str(step.get("expression", "")).split(", solved for")[0].partition("=")
    # An equation solved for another symbol than its own has a known quantity on the left.
    known = {left.strip()} - {str(step["symbol"])} if left.strip().isidentifier() else set()
    try:
        return Expression.parse(right.strip()).names | known
    except ExpressionError:
        return frozenset()
