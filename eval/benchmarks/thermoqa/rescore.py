"""Scores stored answers: by both rules, from the text with and without its units, and from `extracted`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from ansatz.eval.benchmarks.thermoqa.balance import is_balance
from ansatz.eval.benchmarks.thermoqa.combination import WAYS, combine
from ansatz.eval.benchmarks.thermoqa.published_reading import Value
from ansatz.eval.benchmarks.thermoqa.questions import published_key
from ansatz.eval.benchmarks.thermoqa.responses import Response
from ansatz.eval.benchmarks.thermoqa.score import Judged, published, score_of, strict_of
from ansatz.eval.benchmarks.thermoqa.stated_values import Reading, from_text
from ansatz.eval.benchmarks.thermoqa.steps import Step, judge, unit_aware, unit_blind
from ansatz.eval.problem import NumberTarget, Problem

RULES = ("published", "strict")
SOURCES = {"from_text": "text", "unit_blind": "unit-blind", "from_extracted": "extracted"}
"""Where values come from, and how tables head it; the ways to combine two extractions are sources too."""
VARIANTS = {
    "all": (True, True),
    "no free items": (False, True),
    "no open references": (True, False),
    "neither": (False, False),
}
"""Which faulty parts count: items that the answer 0 passes, and questions with an open reference state."""

Column = tuple[str, str]
"""A rule and a source."""

_HEADS = SOURCES | {way: way.replace("_", " ").replace("take max", "take-max") for way in WAYS}
_JSON_NAMES = {"unit_blind": "from_text_unit_blind"}
_GROUPS = {  # by tier: tags, and what they are called there
    "1": {"category": "category"},
    "2": {"category": "component", "subcategory": "depth", "fluid": "fluid"},
    "3": {"category": "cycle", "subcategory": "depth", "fluid": "fluid"},
}


@dataclass(frozen=True)
class Rescored:
    """One answered question: its steps, and by column and target what was judged there.

    A target is missing from a column where there is nothing to judge: no such source, or a target its rule
    leaves out. `free` are the targets that the published rule passes for the answer 0.
    """

    problem: Problem
    steps: tuple[Step, ...]
    columns: Mapping[Column, Mapping[str, Judged]]
    free: frozenset[str]

    @property
    def tier(self) -> str:
        return str(self.problem.tags["tier"])

    def score(self, column: Column, with_free: bool = True) -> float | None:
        """Passed weight over the weight judged in a column; None where nothing is judged."""
        judged = self.columns.get(column, {})
        return score_of(
            (step.weight, judged[step.name].status)
            for step in self.steps
            if step.name in judged and (with_free or step.name not in self.free)
        )

    def passed(self, rule: str, source: str, name: str) -> bool | None:
        judged = self.columns.get((rule, source), {}).get(name)
        return judged.passed if judged else None


def rescore(problem: Problem, response: Response, second: Mapping[str, Reading] | None = None) -> Rescored:
    """One answer scored in every column there is material for.

    `second` is another extraction of its text; the two are then combined in each of the ways there are.
    """
    first = from_text(problem, response.text or "", response.reasoning)
    columns: dict[Column, Mapping[str, Judged]] = {}

    def add(source: str, values: Mapping[str, Value], readings: Mapping[str, Reading]) -> None:
        columns["published", source] = published(problem, values)
        columns["strict", source] = strict_of(problem, readings)

    if response.text is not None:
        add("from_text", unit_aware(problem, first), first)
        bare = {name: replace(reading, unit="") for name, reading in first.items()}
        add("unit_blind", unit_blind(problem, first), bare)
    if response.extracted is not None:
        stored = {name: Reading(value, "", "extracted") for name, value in response.extracted.items()}
        add("from_extracted", response.extracted, stored)
    if second is not None and response.text is not None:
        for way in WAYS:
            combined = combine(way, problem, first, second)
            add(way, unit_aware(problem, combined), combined)
    return Rescored(problem, judge(problem, first), columns, free_items(problem))


def free_items(problem: Problem) -> frozenset[str]:
    """The targets that the published rule passes for the answer 0, such as any specific volume."""
    zeros: dict[str, Value] = {
        target.name: 0.0
        for target in problem.targets
        if isinstance(target, NumberTarget) and not is_balance(target.name)
    }
    return frozenset(name for name, judged in published(problem, zeros).items() if judged.passed)


def lacks_reference_state(problem: Problem) -> bool:
    """Whether a refrigerant's question leaves its reference state open: the key is then one of several."""
    fluid = str(problem.tags.get("fluid", ""))
    words = ("reference", "iir", "ashrae", "nbp")
    return fluid.lower().startswith("r") and not any(word in problem.question.lower() for word in words)


def tables(rescored: Sequence[Rescored]) -> Iterator[list[dict[str, str]]]:
    """What a person reads: scores by tier, rule and variant, ways to combine two extractions, and groups."""
    parts = _parts(rescored)

    def row(named: Mapping[str, str], members: Sequence[Rescored], rule: str, *of: Any) -> dict[str, str]:
        return {**named, **_cells(_means(members, *of)[rule])}

    yield [
        row({"tier": tier, "n": str(len(own)), "rule": rule, "items": variant}, own, rule, SOURCES, variant)
        for tier, own in parts
        for rule in RULES
        for variant in VARIANTS
    ]
    if len(_sources(rescored)) > len(SOURCES):
        yield [
            row({"tier": tier, "n": str(len(own)), "rule": rule}, own, rule, WAYS)
            for tier, own in parts
            for rule in RULES
        ]
    for rule in RULES:
        yield [
            row({"tier": tier, "by": by, rule: group, "n": str(len(own))}, own, rule, SOURCES)
            for tier, by, group, own in _groups(rescored)
        ]


def to_json(rescored: Sequence[Rescored]) -> dict[str, Any]:
    """The scores and every item, as `ansatz benchmark thermoqa rescore --json` prints them."""
    sources = _sources(rescored)

    def scored(members: Sequence[Rescored], variant: str = "all") -> dict[str, Any]:
        return _named(_means(members, sources, variant))

    found = [int(tier) for tier in _tiers(rescored)]
    return {
        "tier": found[0] if len(found) == 1 else found or None,
        "n": len(rescored),
        **scored(rescored),
        "variants": {name: scored(rescored, name) for name in VARIANTS if name != "all"},
        "tiers": [
            {"tier": int(tier), "n": len(own), **scored(own)} for tier, own in _tiers(rescored).items()
        ],
        "groups": [
            {"tier": int(tier), "by": by, "group": group, "n": len(own), **scored(own)}
            for tier, by, group, own in _groups(rescored)
        ],
        "questions": [
            {"id": one.problem.id, "tier": int(one.tier)}
            | _named({rule: {source: one.score((rule, source)) for source in sources} for rule in RULES})
            for one in rescored
        ],
        "items": [item for one in rescored for item in _items(one, sources)],
    }


def _tiers(rescored: Sequence[Rescored]) -> dict[str, list[Rescored]]:
    """The answers by tier, in ascending order."""
    return {
        tier: [one for one in rescored if one.tier == tier] for tier in sorted({one.tier for one in rescored})
    }


def _parts(rescored: Sequence[Rescored]) -> list[tuple[str, list[Rescored]]]:
    """Each tier, and all of several."""
    found = list(_tiers(rescored).items())
    return [*found, ("all", list(rescored))] if len(found) > 1 else found


def _groups(rescored: Sequence[Rescored]) -> Iterator[tuple[str, str, str, list[Rescored]]]:
    """Tier, what it is grouped by, the group, and its answers."""
    for tier, members in _tiers(rescored).items():
        for tag, called in _GROUPS[tier].items():
            for value in sorted({str(one.problem.tags[tag]) for one in members}):
                yield tier, called, value, [one for one in members if one.problem.tags[tag] == value]


def _sources(rescored: Sequence[Rescored]) -> tuple[str, ...]:
    """The three sources that always have a column, then the ways two extractions were combined in, if any."""
    present = {source for one in rescored for _, source in one.columns}
    return (*SOURCES, *(way for way in WAYS if way in present))


def _means(
    rescored: Sequence[Rescored], sources: Sequence[str] | Mapping[str, str], variant: str = "all"
) -> dict[str, dict[str, float | None]]:
    """The mean question score by rule and source; None where no question has one."""
    with_free, with_open = VARIANTS[variant]
    counted = [one for one in rescored if with_open or not lacks_reference_state(one.problem)]

    def of(column: Column) -> float | None:
        scores = [score for one in counted if (score := one.score(column, with_free)) is not None]
        return mean(scores) if scores else None

    return {rule: {source: of((rule, source)) for source in sources} for rule in RULES}


def _cells(values: Mapping[str, float | None]) -> dict[str, str]:
    return {_HEADS[source]: "–" if value is None else f"{value:.4f}" for source, value in values.items()}


def _named(by_rule: Mapping[str, Mapping[str, float | None]]) -> dict[str, Any]:
    return {
        rule: {_JSON_NAMES.get(source, source): value for source, value in values.items()}
        for rule, values in by_rule.items()
    }


def _items(one: Rescored, sources: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Booleans: `from_text` and `from_extracted` by the published rule, `strict` from the text."""
    further = [source for source in sources if source not in ("from_text", "from_extracted")]
    for step, target in zip(one.steps, one.problem.targets, strict=True):
        yield {
            "id": one.problem.id,
            "key": published_key(one.problem, target),
            "from_text": one.passed("published", "from_text", step.name),
            "from_extracted": one.passed("published", "from_extracted", step.name),
            "strict": one.passed("strict", "from_text", step.name),
            "strict_from_extracted": one.passed("strict", "from_extracted", step.name),
            **{_JSON_NAMES.get(name, name): one.passed("published", name, step.name) for name in further},
            "expected": target.value,
            "value": step.value,
            "unit": step.unit,
            "published_status": step.published,
            "strict_status": step.strict,
            "free": step.name in one.free,
            "evidence": step.evidence,
        }
