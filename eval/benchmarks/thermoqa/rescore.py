"""Scores stored answers: by both rules, from their text with and without its units, and from `extracted`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

from pydantic import BaseModel, ValidationError, model_validator

from ansatz.eval.benchmarks.thermoqa.published_reading import Value, is_balance
from ansatz.eval.benchmarks.thermoqa.questions import published_key
from ansatz.eval.benchmarks.thermoqa.score import (
    JudgedTarget,
    problem_score,
    published,
    strict,
    value_in_unit,
)
from ansatz.eval.benchmarks.thermoqa.stated_values import Reading, from_text, in_unit
from ansatz.eval.benchmarks.thermoqa.steps import unit_aware, unit_blind
from ansatz.eval.benchmarks.validation import InvalidData, faulty_fields
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Target
from ansatz.eval.problem_files import read_objects
from ansatz.quantities.did_you_mean import nearest

RULES = ("published", "strict")
SOURCES = {"from_text": "text", "from_text_unit_blind": "unit-blind", "from_extracted": "extracted"}
"""Where values come from, and how tables head it."""
WAYS = {"first_pass": "first pass", "agreement": "agreement", "take_max": "take-max"}
"""Ways to combine our reading of a text with another; they are sources too."""
VARIANTS = {
    "all": (True, True),
    "no free items": (False, True),
    "no open references": (True, False),
    "neither": (False, False),
}
"""Which faulty parts count: items that the answer 0 passes, and questions with an open reference state."""

_AGREEMENT = 1e-3  # relative: two readings of one number differ by rounding at most
_GROUPS = {  # by tier: tags, and what they are called there
    "1": {"category": "category"},
    "2": {"category": "component", "subcategory": "depth", "fluid": "fluid"},
    "3": {"category": "cycle", "subcategory": "depth", "fluid": "fluid"},
}

Readings = Mapping[str, Reading]


class Response(BaseModel):
    """A stored answer: its text, the thinking before it, and values extracted from it by published key."""

    id: str
    response_text: str | None = None
    thinking_text: str | None = None
    extracted: dict[str, float | str | None] | None = None

    @model_validator(mode="before")
    @classmethod
    def _says_something(cls, line: Mapping[str, Any]) -> Mapping[str, Any]:
        if not {"response_text", "extracted"} & line.keys():
            raise ValueError(f"response_text is missing{nearest('response_text', line)}")
        return line

    @property
    def text(self) -> str | None:
        """None where the line has none, which is not the same as an answer that says nothing."""
        return (self.response_text or "") if "response_text" in self.model_fields_set else None


@dataclass(frozen=True)
class Rescored:
    """One answered question: what was read of its text, and by rule and source what each target was judged.

    A target is missing from a column where there is nothing to judge: no such source, or a target its rule
    leaves out. `free` are the targets that the published rule passes for the answer 0.
    """

    problem: Problem
    readings: Readings
    columns: Mapping[tuple[str, str], Mapping[str, JudgedTarget]]
    free: frozenset[str]

    def score(self, rule: str, source: str, with_free: bool = True) -> float | None:
        """Passed weight over the weight judged in a column; None where nothing is judged."""
        judged = self.columns.get((rule, source), {})
        kept = {name: one for name, one in judged.items() if with_free or name not in self.free}
        return problem_score(self.problem, kept)


def read_responses(
    file: Path, problems: Mapping[str, Problem]
) -> tuple[dict[str, Response], dict[str, list[str]]]:
    """The answers by question id, and lines on ids that are missing, unknown or double, and on keys ignored.

    `problems` are the questions by where they stand. Of several answers to a question the first counts.
    Raises InvalidData for a line that is no answer.
    """
    asked = {problem.id: problem for problem in problems.values()}
    found: dict[str, Response] = {}
    notes: dict[str, list[str]] = {"missing": [], "unknown": [], "duplicate": [], "ignored": []}
    for place, content in read_objects(file, finite=False):  # the published files hold an Infinity
        try:
            if isinstance(content, str):
                raise InvalidData(f"{place}: {content}")
            response = Response.model_validate(content)
        except ValidationError as problem:
            raise InvalidData(f"{place}: {faulty_fields(problem, Response)[0]}") from None
        id = response.id
        if id not in asked:
            notes["unknown"].append(f"{place}: id: {id!r} is not among the questions{nearest(id, asked, 0)}")
        elif id in found:
            notes["duplicate"].append(f"{place}: id: {id!r} has an answer before this one, which counts")
        else:
            values, ignored = _extracted(response, asked[id], place)
            found[id] = response.model_copy(update={"extracted": values})
            notes["ignored"] += ignored
    notes["missing"] = [
        f"{place}: id: {each.id!r} has no response"
        for place, each in problems.items()
        if each.id not in found
    ]
    return found, notes


def _extracted(response: Response, problem: Problem, place: str) -> tuple[dict[str, Value] | None, list[str]]:
    """Values by target name, from published keys or target names; a null is a value not found."""
    if response.extracted is None:
        return None, []
    targets = {published_key(problem, target): target for target in problem.targets}
    targets |= {target.name: target for target in problem.targets}
    values: dict[str, Value] = {}
    ignored = []
    for key, value in response.extracted.items():
        field = f"{place}: extracted.{key}"
        if key not in targets:
            ignored.append(f"{field}: {problem.id} does not ask for it{nearest(key, targets, 0)}")
        elif isinstance(targets[key], LabelTarget) and value is not None:
            values[targets[key].name] = str(value)
        elif value is not None:
            try:
                number = float(value)
            except ValueError:
                raise InvalidData(f"{field}: must be a number, not {value!r}") from None
            values |= {targets[key].name: number} if math.isfinite(number) else {}
    return values, ignored


def rescore(problem: Problem, response: Response, second: Readings | None = None) -> Rescored:
    """One answer scored in every column there is material for.

    `second` is another extraction of its text; the two are then combined in each of the ways there are.
    """
    first = from_text(problem, response.text or "", response.thinking_text or "")
    sources: dict[str, tuple[Mapping[str, Value], Readings]] = {}
    if response.text is not None:
        sources["from_text"] = unit_aware(problem, first), first
        bare = {name: replace(reading, unit="") for name, reading in first.items()}
        sources["from_text_unit_blind"] = unit_blind(problem, first), bare
    if response.extracted is not None:
        values = {name: value for name, value in response.extracted.items() if value is not None}
        stored = {name: Reading(value, "", "extracted") for name, value in values.items()}
        sources["from_extracted"] = values, stored
    if second is not None and response.text is not None:
        combined = (first, by_agreement(problem, first, second), take_max(problem, first, second))
        sources |= {way: (unit_aware(problem, each), each) for way, each in zip(WAYS, combined, strict=True)}
    columns = {}
    for source, (found, readings) in sources.items():
        columns["published", source] = published(problem, found)
        columns["strict", source] = strict(problem, readings)
    return Rescored(problem, first, columns, free_items(problem))


def by_agreement(problem: Problem, first: Readings, second: Readings) -> dict[str, Reading]:
    """What both state; what only one states; of two that differ, the one whose unit fits, else the first.

    The first quotes the text and the second may not, which is why it has the last word. No key is looked at.
    """
    combined = {}
    for target in problem.targets:
        one, other = first.get(target.name), second.get(target.name)
        if one and other and not _agree(target, one, other):
            combined[target.name] = other if _fits(target, other) and not _fits(target, one) else one
        elif stated := one or other:
            combined[target.name] = stated
    return combined


def take_max(problem: Problem, first: Readings, second: Readings) -> dict[str, Reading]:
    """The publisher's way, key in hand: the second unless only the first passes the published rule.

    A second extraction can then only raise a score.
    """
    ours, theirs = (published(problem, unit_aware(problem, each)) for each in (first, second))
    kept = (name for name in first if ours[name].passed and not theirs[name].passed)
    return {**first, **second, **{name: first[name] for name in kept}}


def _agree(target: Target, one: Reading, other: Reading) -> bool:
    """Whether two readings of a target are the same value, by units too."""
    if not isinstance(target, NumberTarget):
        return one.value == other.value
    values = in_unit(one, target), in_unit(other, target)
    if values[0] is None or values[1] is None:
        return one == other
    return math.isclose(values[0], values[1], rel_tol=_AGREEMENT, abs_tol=1e-12)


def _fits(target: Target, reading: Reading) -> bool:
    return not isinstance(target, NumberTarget) or in_unit(reading, target) is not None


def free_items(problem: Problem) -> frozenset[str]:
    """The targets that the published rule passes for the answer 0, such as any specific volume."""
    numbers = (target.name for target in problem.targets if isinstance(target, NumberTarget))
    judged = published(problem, {name: 0.0 for name in numbers if not is_balance(name)})
    return frozenset(name for name, one in judged.items() if one.passed)


def lacks_reference_state(problem: Problem) -> bool:
    """Whether a refrigerant's question leaves its reference state open: the key is then one of several."""
    fluid = str(problem.tags.get("fluid", ""))
    words = ("reference", "iir", "ashrae", "nbp")
    return fluid.lower().startswith("r") and not any(word in problem.question.lower() for word in words)


def tables(rescored: Sequence[Rescored]) -> Iterator[list[dict[str, str]]]:
    """What a person reads: scores by tier, rule and variant, then by group under each rule."""
    heads = SOURCES | WAYS
    tiers = [*_tiers(rescored), *([("all", rescored)] if len(_tiers(rescored)) > 1 else [])]

    def cells(members: Sequence[Rescored], rule: str, variant: str) -> dict[str, str]:
        found = _means(members, _sources(rescored), variant)[rule]
        return {heads[source]: "–" if each is None else f"{each:.4f}" for source, each in found.items()}

    yield [
        {"tier": tier, "n": str(len(own)), "rule": rule, "items": variant, **cells(own, rule, variant)}
        for tier, own in tiers
        for rule in RULES
        for variant in VARIANTS
    ]
    for rule in RULES:
        yield [
            {"tier": tier, "by": by, rule: group, "n": str(len(own)), **cells(own, rule, "all")}
            for tier, by, group, own in _groups(rescored)
        ]


def to_json(rescored: Sequence[Rescored]) -> dict[str, Any]:
    """The scores and every item, as `ansatz benchmark thermoqa rescore --json` prints them."""
    sources = _sources(rescored)
    tiers = [int(tier) for tier, _ in _tiers(rescored)]
    return {
        "tier": tiers[0] if len(tiers) == 1 else tiers or None,
        "n": len(rescored),
        **_means(rescored, sources),
        "variants": {name: _means(rescored, sources, name) for name in VARIANTS if name != "all"},
        "tiers": [
            {"tier": int(tier), "n": len(own), **_means(own, sources)} for tier, own in _tiers(rescored)
        ],
        "groups": [
            {"tier": int(tier), "by": by, "group": group, "n": len(own), **_means(own, sources)}
            for tier, by, group, own in _groups(rescored)
        ],
        "questions": [
            {"id": one.problem.id, "tier": int(tier), **_means([one], sources)}
            for tier, own in _tiers(rescored)
            for one in own
        ],
        "items": [item for one in rescored for item in _items(one, sources)],
    }


def _tiers(rescored: Sequence[Rescored]) -> list[tuple[str, list[Rescored]]]:
    """The answers by tier, in ascending order."""
    found = sorted({str(one.problem.tags["tier"]) for one in rescored})
    return [(tier, [one for one in rescored if one.problem.tags["tier"] == tier]) for tier in found]


def _groups(rescored: Sequence[Rescored]) -> Iterator[tuple[str, str, str, list[Rescored]]]:
    """Tier, what it is grouped by, the group, and its answers."""
    for tier, members in _tiers(rescored):
        for tag, called in _GROUPS[tier].items():
            for value in sorted({str(one.problem.tags[tag]) for one in members}):
                yield tier, called, value, [one for one in members if one.problem.tags[tag] == value]


def _sources(rescored: Sequence[Rescored]) -> list[str]:
    """The three sources that always have a column, then the ways two extractions were combined in, if any."""
    present = {source for one in rescored for _, source in one.columns}
    return [*SOURCES, *(way for way in WAYS if way in present)]


def _means(
    rescored: Sequence[Rescored], sources: Sequence[str], variant: str = "all"
) -> dict[str, dict[str, float | None]]:
    """The mean question score by rule and source; None where no question has one."""
    with_free, with_open = VARIANTS[variant]
    counted = [one for one in rescored if with_open or not lacks_reference_state(one.problem)]

    def of(rule: str, source: str) -> float | None:
        scores = [one.score(rule, source, with_free) for one in counted]
        known = [score for score in scores if score is not None]
        return mean(known) if known else None

    return {rule: {source: of(rule, source) for source in sources} for rule in RULES}


def _items(one: Rescored, sources: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Booleans: each source by the published rule, and `strict` from the text and from `extracted`."""
    for target in one.problem.targets:
        name = target.name
        judged = {column: found[name] for column, found in one.columns.items() if name in found}
        passed = {column: each.passed for column, each in judged.items()}
        status = {rule: judged[rule, "from_text"].status for rule, at in judged if at == "from_text"}
        reading = one.readings.get(name)
        value, unit = value_in_unit(target, reading)
        yield {
            "id": one.problem.id,
            "key": published_key(one.problem, target),
            **{source: passed.get(("published", source)) for source in sources},
            "strict": passed.get(("strict", "from_text")),
            "strict_from_extracted": passed.get(("strict", "from_extracted")),
            "expected": target.value,
            "value": value,
            "unit": unit,
            "published_status": status.get("published"),
            "strict_status": status.get("strict"),
            "free": name in one.free,
            "evidence": reading.evidence if reading else "",
        }
