"""How many questions of each template make a set with the paper's shares of topics and kinds."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence

from ansatz.eval.benchmarks.physbench.instance import variety
from ansatz.eval.benchmarks.physbench.template import Template
from ansatz.eval.benchmarks.validation import InvalidData

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


def allocate(templates: Sequence[Template], count: int, seed: int) -> dict[str, int]:
    """Instances by template id: topics in the paper's shares, kinds in its shares within each topic.

    Every template is asked once where that is possible; beyond that, the more often the more questions of
    its cognitive level the paper has for each template here. Equals are drawn with the seed. Raises
    InvalidData where a topic has too few values to draw.
    """
    if count < len(TOPIC_COUNTS):
        raise InvalidData(f"count: must be {len(TOPIC_COUNTS)} or more, one of each topic, not {count}")
    present = {
        topic: share for topic, share in TOPIC_COUNTS.items() if any(t.topic == topic for t in templates)
    }
    levels = Counter(one.cognitive for one in templates)
    weights = {one.id: COGNITIVE_COUNTS[one.cognitive] / levels[one.cognitive] for one in templates}
    counts: dict[str, int] = {}
    for topic, wanted in apportion(present, count).items():
        cells = {
            kind: [one for one in templates if (one.topic, one.kind) == (topic, kind)] for kind in KIND_COUNTS
        }
        shares = {kind: KIND_COUNTS[kind] for kind, members in cells.items() if members}
        for kind, number in apportion(shares, wanted).items():
            counts |= _spread(cells[kind], number, weights, f"physbench/{seed}/{topic}/{kind}")
    return counts


def apportion(shares: Mapping[str, float], count: int) -> dict[str, int]:
    """`count` divided in proportion to the shares, by largest remainder; the first of equals gains."""
    total = math.fsum(shares.values())
    exact = {name: count * share / total for name, share in shares.items()}
    counts = {name: math.floor(part) for name, part in exact.items()}
    by_remainder = sorted(exact, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: count - sum(counts.values())]:
        counts[name] += 1
    return counts


def _spread(
    templates: Sequence[Template], number: int, weights: Mapping[str, float], key: str
) -> dict[str, int]:
    """`number` instances over templates: one each if possible, then by weight, none beyond its variety."""
    order = sorted(templates, key=lambda one: one.id)
    random.Random(key).shuffle(order)
    counts = dict.fromkeys((one.id for one in order), 0)
    for left in range(number, 0, -1):
        able = [one.id for one in order if counts[one.id] < variety(one)]
        if not able:
            raise InvalidData(f"count: the templates of {key} give {left} questions too few")
        counts[max(able, key=lambda id: (not counts[id], weights[id] / (counts[id] + 1)))] += 1
    return counts
