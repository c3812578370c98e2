"""Any number of ThermoQA questions; a seed determines them.

The default is the paper's 110, 101 and 82 questions of tiers 1 to 3. Their categories, components, cycles,
depths and fluids have the published proportions (counted in the published files, commit f0d2c21c). The
`even` mix has every kind equally often, including kinds that the published set does not have, such as
R-134a in tier 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, zip_longest
from typing import Literal, get_args

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.selection import apportion, proportional_order
from ansatz.eval.benchmarks.templates.draw import draw
from ansatz.eval.benchmarks.thermoqa import lookups, plant_questions
from ansatz.eval.benchmarks.thermoqa.questions import PublishedQuestion, QuestionKind, check_tiers
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices

Counts = int | Sequence[int] | None
Mix = Literal["published", "even"]

_DRAWS = 3000  # of one question; if a kind needs more, its ranges are wrong
_ATTEMPTS = 200  # to find a question that differs from all before


def load(
    tiers: Sequence[int] = (),
    seed: int = 0,
    counts: Counts = None,
    mix: str = "published",
    fluids: Sequence[str] = (),
) -> tuple[Problem, ...]:
    """Return generated ThermoQA questions as problems; the parameters are those of `generate`.

    Problems of tier 1 have a reference formulation and bounds.
    """
    return tuple(
        lookups.add_reference(question) if question.tier == 1 else question.problem()
        for question in generate(tiers, seed, counts, mix, fluids)
    )


def generate(
    tiers: Sequence[int] = (),
    seed: int = 0,
    counts: Counts = None,
    mix: str = "published",
    fluids: Sequence[str] = (),
) -> Iterator[PublishedQuestion]:
    """Return questions tier by tier, all different; a smaller count gives the first of the same questions.

    Parameters
    ----------
    tiers: 1, 2 and 3; empty for all.
    seed: Determines every question.
    counts: One number per tier, or a total in the paper's proportions of tiers; None for the paper's numbers.
    mix: The kinds of questions in "published" proportions, or "even".
    fluids: Published names, such as "Water"; empty for all.

    Raises InvalidData for an invalid value, and for a tier that has no questions about the fluids.
    """
    check_choices("mix", [mix], get_args(Mix))
    by_tier = counts_by_tier(tiers, counts)
    known = {kind[-1] for tier in by_tier for kind in count_published(tier)}
    check_choices("fluids", fluids, sorted(known))
    for tier in by_tier:
        if not order_kinds(tier, mix, tuple(fluids)):
            raise InvalidData(
                f"fluids: the {mix} mix of tier {tier} has no questions about {', '.join(fluids)}"
            )
    return (
        question
        for tier, count in by_tier.items()
        for question in _different(tier, seed, count, mix, tuple(fluids))
    )


def counts_by_tier(tiers: Sequence[int], counts: Counts) -> dict[int, int]:
    """Return the number of questions of each tier, in ascending order of tiers. Raises InvalidData."""
    tiers = check_tiers(tiers)
    if len(set(tiers)) != len(tiers):
        raise InvalidData("name each tier once, as in 1,2,3")
    published = {one: sum(count_published(one).values()) for one in tiers}
    by_tier = apportion(published, counts) if isinstance(counts, int) else published
    if isinstance(counts, Sequence):
        if len(counts) != len(tiers):
            raise InvalidData(f"{len(counts)} counts for {len(tiers)} tiers; give one count a tier")
        by_tier = dict(zip(tiers, counts, strict=True))
    if min(by_tier.values()) < 0 or sum(by_tier.values()) == 0:
        raise InvalidData(f"counts: must be one or more in total and none negative, not {counts!r}")
    return dict(sorted(by_tier.items()))


def count_published(tier: int) -> Mapping[QuestionKind, int]:
    """Return the number of published questions by kind; kinds with 0 are in the even mix only."""
    return lookups.count_published() if tier == 1 else plant_questions.count_published(tier)


@cache
def order_kinds(tier: int, mix: str, fluids: tuple[str, ...] = ()) -> tuple[QuestionKind, ...]:
    """Return the kinds in the order of the questions, which repeats.

    An even mix takes the categories, components or cycles in turn.
    """
    counts = {kind: n for kind, n in count_published(tier).items() if not fluids or kind[-1] in fluids}
    if mix == "published":
        return proportional_order(counts)
    by_name: dict[str, list[QuestionKind]] = {}
    for kind in counts:
        by_name.setdefault(kind[0], []).append(kind)
    return tuple(kind for kind in chain(*zip_longest(*by_name.values())) if kind)


def make_numbered(
    tier: int, kind: QuestionKind, seed: int, number: int, mix: str = "even", attempt: int = 0
) -> PublishedQuestion:
    """Return question `number`, from 0, of a seed. A repeated question is replaced by the next `attempt`."""
    key = f"thermoqa {mix} {seed} {tier} {number} {attempt}"
    make = partial(lookups.make, kind) if tier == 1 else partial(plant_questions.make, tier, kind)
    question = draw(f"tier {tier}, {kind}", key, _DRAWS, make)
    letter = "S" if mix == "published" else "E"
    id = f"T{tier}-{question.metadata.template_id}-{letter}{seed}-{number + 1:05d}"
    return question.model_copy(update={"id": id})


def _different(
    tier: int, seed: int, count: int, mix: str, fluids: tuple[str, ...]
) -> Iterator[PublishedQuestion]:
    """Yield questions of a tier, replacing each repetition."""
    found = set()
    kinds = order_kinds(tier, mix, fluids)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        for attempt in range(_ATTEMPTS):
            question = make_numbered(tier, kind, seed, number, mix, attempt)
            content = question.metadata.template_id, *sorted(question.given.items())  # in whatever words
            if content not in found:
                break
        else:
            raise InvalidData(
                f"tier {tier} has no further question of the kind {question.metadata.template_id};"
                f" ask for fewer than {number + 1}"
            )
        found.add(content)
        yield question
