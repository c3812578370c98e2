"""How many questions of each template make a set with the paper's shares of topics and kinds."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.physbench.template import PhysBenchTemplate
from ansatz.eval.benchmarks.shares import apportion
from ansatz.eval.benchmarks.templates import variety

TOPIC_COUNTS = {
    "introduction": 65,
    "mechanics": 919,
    "electricity_magnetism": 658,
    "thermodynamics": 295,
    "waves_acoustics": 279,
    "optics": 361,
    "modern": 585,
}
"""Questions by topic in the paper, table 4."""

KIND_COUNTS = {"problem_solving": 2590, "conceptual": 572}
"""Questions by kind in the paper, section 3.2; it leaves the joint table open."""

COGNITIVE_COUNTS = {
    "remember": 216,
    "understand": 429,
    "apply": 1981,
    "analyze": 443,
    "evaluate": 52,
    "create": 41,
}
"""Questions by cognitive level in the paper, table 2."""


def allocate(templates: Sequence[PhysBenchTemplate], count: int, seed: int) -> dict[str, int]:
    """Instances by template id: topics in the paper's shares, kinds in its shares within each topic.

    Within these, cognitive levels come as near to the paper's shares as the templates allow, and templates
    of a level take turns. Equals are drawn with the seed. Raises InvalidData where a topic has too few
    values to draw.
    """
    if count < len(TOPIC_COUNTS):
        raise InvalidData(f"count: must be {len(TOPIC_COUNTS)} or more, one of each topic, not {count}")
    order = sorted(templates, key=lambda one: one.id)
    random.Random(f"physbench/{seed}").shuffle(order)
    counts = dict.fromkeys((one.id for one in order), 0)
    asked = dict.fromkeys(COGNITIVE_COUNTS, 0)
    for topic, kind in _slots(templates, count):
        able = [
            one for one in order if (one.topic, one.kind) == (topic, kind) and counts[one.id] < variety(one)
        ]
        if not able:
            raise InvalidData(f"count: the {kind} templates of {topic} give too few questions for {count}")
        chosen = min(
            able, key=lambda one: (asked[one.cognitive] / COGNITIVE_COUNTS[one.cognitive], counts[one.id])
        )
        counts[chosen.id] += 1
        asked[chosen.cognitive] += 1
    return counts


def _slots(templates: Sequence[PhysBenchTemplate], count: int) -> list[tuple[str, str]]:
    """The topic and kind of every question, mixed evenly."""
    there = {(one.topic, one.kind) for one in templates}
    topics = {topic: share for topic, share in TOPIC_COUNTS.items() if any(topic == one for one, _ in there)}
    placed: list[tuple[float, tuple[str, str]]] = []
    for topic, wanted in apportion(topics, count).items():
        kinds = {kind: share for kind, share in KIND_COUNTS.items() if (topic, kind) in there}
        for kind, number in apportion(kinds, wanted).items():
            placed += [((place + 0.5) / number, (topic, kind)) for place in range(number)]
    return [cell for _, cell in sorted(placed)]
