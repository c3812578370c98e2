"""Contextual variants: the questions of `physbench` told anew with words of three regions.

PhysBench pairs each of 900 questions with one variant per region. Here too a variant belongs to the family
of its original, stands beside it, and is compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench.variants.generator import (
    NO_REGION,
    ORIGINAL_ID,
    REGION,
    Variant,
    vary,
)
from ansatz.eval.benchmarks.physbench.variants.packs import REGIONS, pack
from ansatz.eval.problem import Problem
from ansatz.eval.validation import InvalidData
from ansatz.settings import Count

COUNT = 90
"""A tenth of the 900 questions that the paper tells anew."""


def load(
    count: Count = COUNT,
    seed: int = 0,
    regions: Sequence[str] = (),
    topics: Sequence[str] = (),
    kinds: Sequence[str] = ("problem_solving",),
) -> tuple[Problem, ...]:
    """`count` originals, each followed by one variant for every region, or for those named.

    Originals are spread over the set; those that cannot be told anew in every region are passed over. The tag
    `region` is "original" for originals, and `original_id` names them. Raises InvalidData where there are
    fewer than `count`.
    """
    packs = [pack(region) for region in dict.fromkeys(regions or REGIONS)]
    found = physbench.load(seed=seed, topics=topics, kinds=kinds)
    groups = []
    for problem in found:
        variants = [vary(problem, each, seed).problem for each in packs]
        if all(variants):
            groups.append([_original(problem), *(each for each in variants if each)])
    if len(groups) < count:
        raise InvalidData(f"count: {len(groups)} questions can be told anew, not {count}")
    chosen = [groups[place * len(groups) // count] for place in range(count)]
    return tuple(problem for group in chosen for problem in group)


def _original(problem: Problem) -> Problem:
    return problem.model_copy(update={"tags": {**problem.tags, REGION: NO_REGION, ORIGINAL_ID: problem.id}})


__all__ = ["NO_REGION", "ORIGINAL_ID", "REGION", "REGIONS", "Variant", "load", "pack", "vary"]
