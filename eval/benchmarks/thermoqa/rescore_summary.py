"""What rescored answers come to: means with and without faulty items, per group, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean
from typing import Any

from ansatz.eval.benchmarks.thermoqa.combination import WAYS
from ansatz.eval.benchmarks.thermoqa.rescore import (
    RULES,
    SOURCES,
    Column,
    Item,
    Rescored,
    lacks_reference_state,
)

Means = dict[str, dict[str, float | None]]

_GROUPS = {
    "1": ("category",),
    "2": ("category", "subcategory", "fluid"),
    "3": ("category", "subcategory", "fluid"),
}
_NAMES = {
    ("1", "category"): "category",
    ("2", "category"): "component",
    ("3", "category"): "cycle",
    ("2", "subcategory"): "depth",
    ("3", "subcategory"): "depth",
}
_TITLES = {
    "from_text": "text",
    "unit_blind": "unit-blind",
    "from_extracted": "extracted",
    "first_pass": "first pass",
    "agreement": "agreement",
    "take_max": "take-max",
}
_JSON_NAMES = {"unit_blind": "from_text_unit_blind"}

VARIANTS = {
    "all": (True, True),
    "no free items": (False, True),
    "no open references": (True, False),
    "neither": (False, False),
}
"""Which faulty parts count: items that the answer 0 passes, and questions with an open reference state."""


def means(rescored: Sequence[Rescored], sources: Sequence[str], variant: str = "all") -> Means:
    """The mean question score by rule and source; None where no question has one."""
    free, open_states = VARIANTS[variant]
    counted = [one for one in rescored if open_states or not lacks_reference_state(one.problem)]
    return {rule: {source: _mean(counted, (rule, source), free) for source in sources} for rule in RULES}


def groups(rescored: Sequence[Rescored]) -> Iterator[tuple[str, str, str, list[Rescored]]]:
    """Tier, what it is grouped by, the group, and its questions."""
    for tier in tiers(rescored):
        members = of_tier(rescored, tier)
        for tag in _GROUPS[str(tier)]:
            values = sorted({str(one.problem.tags[tag]) for one in members})
            for value in values:
                chosen = [one for one in members if one.problem.tags[tag] == value]
                yield str(tier), _NAMES.get((str(tier), tag), tag), value, chosen


def tiers(rescored: Sequence[Rescored]) -> list[int]:
    """The tiers there are answers of."""
    return sorted({int(str(one.problem.tags["tier"])) for one in rescored})


def of_tier(rescored: Sequence[Rescored], tier: int) -> list[Rescored]:
    """The answers to one tier's questions."""
    return [one for one in rescored if one.problem.tags["tier"] == str(tier)]


def sources(rescored: Sequence[Rescored]) -> tuple[str, ...]:
    """The three sources that always have a column, then the ways two extractions were combined in, if any."""
    present = {source for one in rescored for item in one.items for _, source in item.passed}
    return (*SOURCES, *(way for way in WAYS if way in present))


def score_rows(rescored: Sequence[Rescored]) -> list[dict[str, str]]:
    """The table of scores: a row for each tier, rule and variant, a column for each source."""
    return [
        {"tier": name, "n": str(len(members)), "rule": rule, "items": variant}
        | _cells(means(members, SOURCES, variant)[rule])
        for name, members in _parts(rescored)
        for rule in RULES
        for variant in VARIANTS
    ]


def combination_rows(rescored: Sequence[Rescored]) -> list[dict[str, str]]:
    """The table of the ways to combine two extractions: a row for each tier and rule."""
    return [
        {"tier": name, "n": str(len(members)), "rule": rule} | _cells(means(members, WAYS)[rule])
        for name, members in _parts(rescored)
        for rule in RULES
    ]


def group_rows(rescored: Sequence[Rescored], rule: str) -> list[dict[str, str]]:
    """The table of groups under a rule: categories, components, cycles, depths and fluids."""
    return [
        {"tier": tier, "by": by, rule: group, "n": str(len(members))} | _cells(means(members, SOURCES)[rule])
        for tier, by, group, members in groups(rescored)
    ]


def to_json(rescored: Sequence[Rescored], sources: Sequence[str]) -> dict[str, Any]:
    """The scores and every item, as `ansatz benchmark thermoqa rescore --json` prints them."""
    found = tiers(rescored)
    return {
        "tier": found[0] if len(found) == 1 else found or None,
        "n": len(rescored),
        **_named(means(rescored, sources)),
        "variants": {name: _named(means(rescored, sources, name)) for name in VARIANTS if name != "all"},
        "tiers": [
            {"tier": tier, "n": len(members), **_named(means(members, sources))}
            for tier, members in ((tier, of_tier(rescored, tier)) for tier in found)
        ],
        "groups": [
            {
                "tier": int(tier),
                "by": by,
                "group": group,
                "n": len(members),
                **_named(means(members, sources)),
            }
            for tier, by, group, members in groups(rescored)
        ],
        "questions": [_question(one, sources) for one in rescored],
        "items": [_item(one.problem.id, item, sources) for one in rescored for item in one.items],
    }


def _parts(rescored: Sequence[Rescored]) -> list[tuple[str, list[Rescored]]]:
    """Each tier, and all of several."""
    found = [(str(tier), of_tier(rescored, tier)) for tier in tiers(rescored)]
    return [*found, ("all", list(rescored))] if len(found) > 1 else found


def _cells(values: Mapping[str, float | None]) -> dict[str, str]:
    return {_TITLES[source]: _shown(value) for source, value in values.items()}


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _mean(rescored: Sequence[Rescored], column: Column, with_free: bool) -> float | None:
    scores = [score for one in rescored if (score := one.score(column, with_free)) is not None]
    return mean(scores) if scores else None


def _named(by_rule: Means) -> Mapping[str, dict[str, float | None]]:
    return {
        rule: {_JSON_NAMES.get(source, source): value for source, value in values.items()}
        for rule, values in by_rule.items()
    }


def _question(one: Rescored, sources: Sequence[str]) -> dict[str, Any]:
    scores = {rule: {source: one.score((rule, source)) for source in sources} for rule in RULES}
    return {"id": one.problem.id, "tier": int(str(one.problem.tags["tier"])), **_named(scores)}


def _item(id: str, item: Item, sources: Sequence[str]) -> dict[str, Any]:
    """Booleans: `from_text` and `from_extracted` by the published rule, `strict` from the text."""
    judgement, passed = item.judgement, item.passed
    further = [source for source in sources if source not in ("from_text", "from_extracted")]
    return {
        "id": id,
        "key": judgement.key,
        "from_text": passed.get(("published", "from_text")),
        "from_extracted": passed.get(("published", "from_extracted")),
        "strict": passed.get(("strict", "from_text")),
        "strict_from_extracted": passed.get(("strict", "from_extracted")),
        **{_JSON_NAMES.get(source, source): passed.get(("published", source)) for source in further},
        "expected": judgement.expected,
        "value": judgement.value,
        "unit": judgement.unit,
        "published_status": judgement.published,
        "strict_status": judgement.strict,
        "free": item.free,
        "evidence": judgement.evidence,
    }
