"""Contextual variants: questions of `physbench` with the names, places and objects of three regions.

PhysBench pairs each of 900 questions with one variant per region. A variant belongs to the family of its
original, and the report compares the two pair by pair. Each region is also a probe, for any problems that
have `entities`: `probes: [asia, africa]`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench.variants.generator import Variant, make_variant
from ansatz.eval.benchmarks.physbench.variants.packs import REGIONS, read_pack
from ansatz.eval.probes import ORIGINAL, ORIGINAL_ID, PROBE
from ansatz.eval.problem import Problem
from ansatz.settings import Count

COUNT = 90
"""A tenth of the 900 questions that the paper varies."""


def load(
    count: Count = COUNT,
    seed: int = 0,
    regions: Sequence[str] = (),
    topics: Sequence[str] = (),
    kinds: Sequence[str] = ("problem_solving",),
) -> tuple[Problem, ...]:
    """Return `count` originals, each followed by one variant for every region in `regions` (default: all).

    The originals are spread over the set. A question that cannot be varied in every region is skipped.
    The tag `probe` is the region, or "original", and `original_id` names the original of a variant.

    Raises
    ------
    InvalidData
        If a region is unknown, or fewer than `count` questions can be varied.
    """
    packs = [read_pack(region) for region in dict.fromkeys(regions or REGIONS)]
    groups = []
    for problem in physbench.load(seed=seed, topics=topics, kinds=kinds):
        variants = [made for pack in packs if (made := make_variant(problem, pack, seed).problem)]
        if len(variants) == len(packs):
            groups.append([_tag_original(problem), *variants])
    if len(groups) < count:
        raise InvalidData(f"count: {len(groups)} questions can be varied, not {count}")
    chosen = [groups[place * len(groups) // count] for place in range(count)]
    return tuple(problem for group in chosen for problem in group)


def _tag_original(problem: Problem) -> Problem:
    return problem.model_copy(update={"tags": {**problem.tags, PROBE: ORIGINAL, ORIGINAL_ID: problem.id}})


def _vary(region: str, problem: Problem, rng: random.Random) -> Problem | str:
    """Return the variant of a problem for a region, or the reason why it has none."""
    made = make_variant(problem, read_pack(region), rng.randrange(2**31))
    return made.problem or next(iter(made.unchanged.values()), "nothing can be replaced")


asia = partial(_vary, "asia")
africa = partial(_vary, "africa")
south_america_oceania = partial(_vary, "south_america_oceania")

__all__ = ["REGIONS", "Variant", "load", "make_variant", "read_pack"]
