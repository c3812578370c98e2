"""Stage 3: targets with a name and a unit, givens that are stated, dimensions that can come of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ansatz.eval.curation.candidates import Candidate, Note
from ansatz.eval.curation.dimensions import Span, misnamed
from ansatz.eval.curation.stated import is_number, stated_in_other_unit, stated_numbers, unit_problem

_FALLBACK = re.compile(
    r"(?:the\s+)?(?:final\s+)?(?:answer|result|value|target|output|quantity|unknown|solution|number|ans|res|todo|"
    r"n/?a|none|null|tbd|item|variable|final|结果|答案|数值|目标|未知量?|所求量?)s?[\s_\-#]*\d*",
    re.IGNORECASE,
)


def rejection(candidate: Candidate) -> str | None:
    """Why a candidate cannot be scored: no target has a name and, if it is a number, a unit; or None."""
    if not candidate.targets:
        return "there is no target"
    problems = [_target_problem(target) for target in candidate.targets]
    return "; ".join(filter(None, problems)) if all(problems) else None


def notes(candidate: Candidate) -> Iterator[Note]:
    """What needs a reviewer's eye."""
    yield from _target_notes(candidate)
    yield from _given_notes(candidate)
    if span := _unspanned(candidate):
        yield Note("dimensions", f"{span}; perhaps a constant or a table supplies it")


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
        if "value" not in given:
            yield Note("given", f"{given['name'] or 'a given'} has no value")
