"""As many ThermoQA questions as wanted: the same for the same seed, however many workers make them.

By default the paper's 110, 101 and 82 questions of tiers 1 to 3, in the published proportions of
categories, components, cycles, depths and fluids (counted in the published files, commit f0d2c21c). The
`even` mix asks every kind in turn, those beyond the published set too (R-134a in tier 1, for one).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import cast, get_args

from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.thermoqa import lookups, plant_questions
from ansatz.eval.benchmarks.thermoqa.generated import GeneratedQuestion, Mix, Tier
from ansatz.eval.problem import Problem
from ansatz.quantities.did_you_mean import nearest

TIERS = (1, 2, 3)
Counts = int | Sequence[int] | None
Batch = tuple[int, int, Mix, range]

_BATCH = 50  # questions a worker makes at a time
_POOL_FROM = 40  # batches; fewer are made before other processes have started
_ATTEMPTS = 200  # to find a question that was not asked before


class GenerationError(AnsatzError, ValueError):
    """Questions that cannot be made; the message says which setting to change."""


def load(
    tiers: Sequence[int] = TIERS, seed: int = 0, counts: Counts = None, mix: str = "published"
) -> tuple[Problem, ...]:
    """ThermoQA questions of our own making, as many of each tier as in the paper unless `counts` says.

    `counts` is one number a tier, or a total that is split in the paper's proportions.
    """
    return tuple(question.problem() for question in generate(tiers, seed, counts, mix))


def generate(
    tiers: Sequence[int] = TIERS,
    seed: int = 0,
    counts: Counts = None,
    mix: str = "published",
    workers: int = 1,
) -> Iterator[GeneratedQuestion]:
    """Questions tier by tier, no two alike; a smaller count gives the first of the same questions.

    Raises GenerationError for an unknown tier or mix, or counts that fit no tier.
    """
    known = _mix(mix)
    wanted = counts_by_tier(tiers, counts)
    batches = [
        (tier, seed, known, range(start, min(start + _BATCH, count)))
        for tier, count in wanted.items()
        for start in range(0, count, _BATCH)
    ]
    return _unlike(_made(batches, workers), seed, known)


def counts_by_tier(tiers: Sequence[int], counts: Counts) -> dict[int, int]:
    """How many questions of each tier, in ascending order of tiers."""
    for one in tiers:
        if one not in TIERS:
            raise GenerationError(f"there is no tier {one}; the tiers are 1, 2 and 3")
    if not tiers or len(set(tiers)) != len(tiers):
        raise GenerationError("name each tier once, as in 1,2,3")
    sizes = {one: tier(one).size for one in tiers}
    if isinstance(counts, int):
        shares = _split(counts, tuple(sizes.values()))
    else:
        shares = tuple(sizes.values()) if counts is None else tuple(counts)
    if len(shares) != len(tiers):
        raise GenerationError(f"{len(shares)} counts for {len(tiers)} tiers; give one count a tier")
    if min(shares) < 0 or sum(shares) == 0:
        raise GenerationError("counts are whole numbers, none below 0 and one at least above")
    return dict(sorted(zip(tiers, shares, strict=True)))


def tier(number: int) -> Tier:
    """The slots and the maker of a tier."""
    return lookups.TIER if number == 1 else plant_questions.tier(number)


def _mix(name: str) -> Mix:
    for mix in get_args(Mix):
        if mix == name:
            return cast(Mix, mix)
    raise GenerationError(f"there is no mix {name!r}{nearest(name, get_args(Mix))}")


def _split(total: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """A total by the largest remainders of its proportional shares."""
    exact = [total * size / sum(sizes) for size in sizes]
    shares = [int(share) for share in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda index: shares[index] - exact[index])
    for index in by_remainder[: total - sum(shares)]:
        shares[index] += 1
    return tuple(shares)


def _made(batches: Sequence[Batch], workers: int) -> Iterator[tuple[int, GeneratedQuestion]]:
    """Each number with its question, in order; in worker processes where that pays."""
    if workers <= 1 or len(batches) < _POOL_FROM:
        for batch in batches:
            yield from _make(batch)
        return
    # spawned, not forked: CoolProp and numerical libraries may have started threads here
    with ProcessPoolExecutor(min(workers, len(batches)), mp_context=get_context("spawn")) as pool:
        for questions in pool.map(_make, batches):
            yield from questions


def _make(batch: Batch) -> list[tuple[int, GeneratedQuestion]]:
    number, seed, mix, questions = batch
    maker = tier(number)
    return [(index, maker.question(seed, index, mix)) for index in questions]


def _unlike(
    made: Iterator[tuple[int, GeneratedQuestion]], seed: int, mix: Mix
) -> Iterator[GeneratedQuestion]:
    """The same questions, where one was asked before another in its place."""
    seen: set[tuple[object, ...]] = set()
    for index, question in made:
        fresh = question
        for attempt in range(1, _ATTEMPTS):
            if fresh.content not in seen:
                break
            fresh = tier(question.tier).question(seed, index, mix, attempt)
        else:
            raise GenerationError(
                f"tier {question.tier} has no further question of the kind {question.template_id};"
                f" ask for fewer than {index + 1}"
            )
        seen.add(fresh.content)
        yield fresh
