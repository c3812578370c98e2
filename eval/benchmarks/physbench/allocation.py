"""Number of questions of each template, for a set with the paper's shares of topics and kinds."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.physbench.template import PhysBenchTemplate
from ansatz.eval.benchmarks.selection import apportion
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
"""Questions by kind in the paper, section 3.2; the paper does not give the joint table."""

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
    """Return the number of instances by template id, with the paper's shares of topics, and of kinds in each.

    Cognitive levels are as near to the paper's shares as the templates allow, and templates of a level take
    turns. The seed decides between equals. Raises InvalidData if a topic has too few possible questions.
    """
    if count < len(TOPIC_COUNTS):
        raise InvalidData(f"count: must be {len(TOPIC_COUNTS)} or more, one of each topic, not {count}")
    order = sorted(templates, key=lambda one: one.id)
    random.Random(f"physbench/{seed}").shuffle(order)
    counts = dict.fromkeys((one.id for one in order), 0)
    by_level = dict.fromkeys(COGNITIVE_COUNTS, 0)
    for topic, kind in _slots(templates, count):
        available = [
            one for one in order if (one.topic, one.kind) == (topic, kind) and counts[one.id] < variety(one)
        ]
        if not available:
            raise InvalidData(f"count: the {kind} templates of {topic} give too few questions for {count}")
        chosen = min(
            available,
            key=lambda one: (by_level[one.cognitive] / COGNITIVE_COUNTS[one.cognitive], counts[one.id]),
        )
        counts[chosen.id] += 1
        by_level[chosen.cognitive] += 1
    return counts


def _slots(templates: Sequence[PhysBenchTemplate], count: int) -> list[tuple[str, str]]:
    """Return the topic and kind of every question, mixed evenly."""
    present = {(one.topic, one.kind) for one in templates}
    topics = {name: share for name, share in TOPIC_COUNTS.items() if any(name == one for one, _ in present)}
    placed: list[tuple[float, tuple[str, str]]] = []
    for topic, wanted in apportion(topics, count).items():
        kinds = {kind: share for kind, share in KIND_COUNTS.items() if (topic, kind) in present}
        for kind, number in apportion(kinds, wanted).items():
            placed += [((place + 0.5) / number, (topic, kind)) for place in range(number)]
    return [cell for _, cell in sorted(placed)]
