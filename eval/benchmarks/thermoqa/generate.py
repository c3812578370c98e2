"""As many ThermoQA questions as wanted: the same for the same seed.

By default the paper's 110, 101 and 82 questions of tiers 1 to 3, in the published proportions of
categories, components, cycles, depths and fluids (counted in the published files, commit f0d2c21c). The
`even` mix asks every kind in turn, those beyond the published set too (R-134a in tier 1, for one).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Literal, get_args

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.shares import apportion, proportional_order
from ansatz.eval.benchmarks.templates.draw import draw
from ansatz.eval.benchmarks.thermoqa import lookups, plant_questions
from ansatz.eval.benchmarks.thermoqa.generated import Slot
from ansatz.eval.benchmarks.thermoqa.questions import PublishedQuestion, check_tiers
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices

Counts = int | Sequence[int] | None
Mix = Literal["published", "even"]

_DRAWS = 3000  # of one question; a slot that needs more has its ranges wrong
_ATTEMPTS = 200  # to find a question that was not asked before


def load(
    tiers: Sequence[int] = (), seed: int = 0, counts: Counts = None, mix: str = "published"
) -> tuple[Problem, ...]:
    """ThermoQA questions of our own making, as many of each tier as in the paper unless `counts` says.

    `counts` is one number a tier, or a total that is split in the paper's proportions.
    """
    return tuple(question.problem() for question in generate(tiers, seed, counts, mix))


def generate(
    tiers: Sequence[int] = (), seed: int = 0, counts: Counts = None, mix: str = "published"
) -> Iterator[PublishedQuestion]:
    """Questions tier by tier, no two alike; a smaller count gives the first of the same questions.

    Raises InvalidData for an unknown tier or mix, or counts that fit no tier.
    """
    check_choices("mix", [mix], get_args(Mix))
    wanted = counts_by_tier(tiers, counts)
    return (each for tier, count in wanted.items() for each in _unlike(tier, seed, count, mix))


def counts_by_tier(tiers: Sequence[int], counts: Counts) -> dict[int, int]:
    """How many questions of each tier, in ascending order of tiers."""
    tiers = check_tiers(tiers)
    if len(set(tiers)) != len(tiers):
        raise InvalidData("name each tier once, as in 1,2,3")
    published = {one: sum(slots(one).values()) for one in tiers}
    wanted = apportion(published, counts) if isinstance(counts, int) else published
    if isinstance(counts, Sequence):
        if len(counts) != len(tiers):
            raise InvalidData(f"{len(counts)} counts for {len(tiers)} tiers; give one count a tier")
        wanted = dict(zip(tiers, counts, strict=True))
    if min(wanted.values()) < 0 or sum(wanted.values()) == 0:
        raise InvalidData("counts are whole numbers, none below 0 and one at least above")
    return dict(sorted(wanted.items()))


def slots(tier: int) -> Mapping[Slot, int]:
    """How often the published set asks each kind of question of a tier; 0 is asked by an even mix only."""
    return lookups.slots() if tier == 1 else plant_questions.slots(tier)


@cache
def order(tier: int, mix: str) -> tuple[Slot, ...]:
    """The slots in the order they are asked, over and over."""
    return tuple(slots(tier)) if mix == "even" else proportional_order(slots(tier))


def question(
    tier: int, slot: Slot, seed: int, number: int, mix: str = "even", attempt: int = 0
) -> PublishedQuestion:
    """Question `number`, from 0, of a seed; another `attempt` replaces one that was asked before."""
    key = f"thermoqa {mix} {seed} {tier} {number} {attempt}"
    make = partial(lookups.make, slot) if tier == 1 else partial(plant_questions.make, tier, slot)
    made = draw(f"tier {tier}, {slot}", key, _DRAWS, make)
    letter = "S" if mix == "published" else "E"
    id = f"T{tier}-{made.metadata.template_id}-{letter}{seed}-{number + 1:05d}"
    return made.model_copy(update={"id": id})


def _unlike(tier: int, seed: int, count: int, mix: str) -> Iterator[PublishedQuestion]:
    """Questions of a tier; where one was asked before, another in its place."""
    seen = set()
    asked = order(tier, mix)
    for number in range(count):
        slot = asked[number % len(asked)]
        for attempt in range(_ATTEMPTS):
            made = question(tier, slot, seed, number, mix, attempt)
            content = made.metadata.template_id, *sorted(made.given.items())  # however it is worded
            if content not in seen:
                break
        else:
            raise InvalidData(
                f"tier {tier} has no further question of the kind {made.metadata.template_id};"
                f" ask for fewer than {number + 1}"
            )
        seen.add(content)
        yield made
