"""Simulated worlds for intervals and stars, with a known truth.

A world draws a study from a generator of random numbers: `intervals.py` asks how often an interval holds the truth in
it, `peers.py` what other tools make of it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Study = tuple[Floats, NDArray[np.intp]]
"""The difference of each problem, and the number of its family."""
World = Callable[[np.random.Generator], Study]
Pairs = Callable[[np.random.Generator], tuple[Floats, Floats, NDArray[np.intp]]]
"""Treated and control scores, and families."""
BANDS = np.array([0.0, 0.3, 0.7, 1.0])


def less(pairs: Pairs) -> World:
    def draw(rng: np.random.Generator) -> Study:
        treated, control, family = pairs(rng)
        return treated - control, family

    return draw


def banded(sizes: list[int], effect: float, shared: float = 0.6) -> Pairs:
    """Draw scores in four bands; problems of a family share an ability and a response."""

    def draw(rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.intp]]:
        family = np.repeat(np.arange(len(sizes)), sizes)
        ability = rng.normal(size=len(sizes))[family]
        response = effect * (1 + shared * rng.normal(size=len(sizes)))[family]
        treated, control = (
            BANDS[np.digitize(a + rng.logistic(size=len(family)), [-1, 0, 1])]
            for a in (ability + response, ability)
        )
        return treated, control, family

    return draw


def normal(sizes: list[int], between: float) -> World:
    def draw(rng: np.random.Generator) -> Study:
        family = np.repeat(np.arange(len(sizes)), sizes)
        return between * rng.normal(size=len(sizes))[family] + rng.normal(size=len(family)), family

    return draw


def discordant(families: int, better: float, worse: float) -> Pairs:
    """Draw right and wrong answers with given numbers that turn right or wrong; half of the rest are right."""

    def draw(rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.intp]]:
        drawn, both = rng.random(families), rng.random(families) < 0.5
        turned, lost = drawn < better, drawn > 1 - worse
        tied = both & ~turned & ~lost
        return (turned | tied) * 1.0, (lost | tied) * 1.0, np.arange(families)

    return draw


def few_differ(families: int, share: float) -> Pairs:
    """Draw families of three wrong problems; in a share of families, seven in ten turn right."""

    def draw(rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.intp]]:
        responds = np.repeat(rng.random(families) < share, 3)
        turned = (responds & (rng.random(3 * families) < 0.7)) * 1.0
        return turned, np.zeros(3 * families), np.repeat(np.arange(families), 3)

    return draw


def repeated(families: int, repeats: int) -> Pairs:
    """Draw repeats without an effect; each problem has a probability from Beta(0.2, 0.2)."""

    def draw(rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.intp]]:
        chance = rng.beta(0.2, 0.2, families)
        treated, control = (rng.binomial(repeats, chance) / repeats for _ in range(2))
        return treated, control, np.arange(families)

    return draw


def logarithms(families: int) -> World:
    """Draw skewed amounts without an effect, which are compared by their ratio."""

    def draw(rng: np.random.Generator) -> Study:
        return rng.normal(size=families) * 0.7 - rng.normal(size=families) * 0.7, np.arange(families)

    return draw


def right(number: int, chance: float) -> World:
    """Draw the scores of one arm."""
    return lambda rng: ((rng.random(number) < chance) * 1.0, np.arange(number))


def judged(rng: np.random.Generator, labelled: int, useful: bool, right: float) -> tuple[Floats, Floats]:
    """Draw human and judge scores of 60 problems in two arms, of shape (2, 60); humans score some.

    A share of 0.3 turns right and of 0.1 wrong where `right` is ½; else 0.1 turn right. A useful judge errs in
    one answer of ten, a useless one tosses a coin.
    """
    control, drawn = rng.random(60) < right, rng.random(60)
    up, down = (0.3, 0.1) if right == 0.5 else (0.1, 0.0)
    treated = np.where(control, drawn >= down, drawn < up)
    people = np.array([treated, control]) * 1.0
    judge = np.abs(people - (rng.random((2, 60)) < 0.1)) if useful else (rng.random((2, 60)) < 0.5) * 1.0
    return judge, np.where(np.arange(60) < labelled, people, np.nan)


SIZES = {count: [2, 3, 4] * (count // 3) + [3] * (count % 3) for count in (8, 15)}
UNEQUAL = [20, 10, 8, 6, 5, 4, 3, 2, 2, 1, 1, 1]
ONE_LARGE = [40] + [1] * 20
PAIRED: dict[str, tuple[Pairs, float | None]] = {
    **{f"{g} families of 2-4, banded": (banded(SIZES[g], 0.8), None) for g in (8, 15)},
    **{f"{g} families of 2-4, banded, no effect": (banded(SIZES[g], 0.0), 0.0) for g in (8, 15)},
    "12 families, sizes 20 to 1, no effect": (banded(UNEQUAL, 0.0), 0.0),
    **{
        f"0/1, +{up:.0%} −{down:.0%}, G {g}": (discordant(g, up, down), up - down)
        for up, down in ((0.02, 0.0), (0.05, 0.0), (0.04, 0.01))
        for g in (30, 60, 250)
    },
    **{f"effect in {share:.0%} of G {g}": (few_differ(g, share), 0.7 * share) for share in (0.05, 0.1, 0.2) for g in (30, 60)},
    **{f"5 repeats, G {g}, no effect": (repeated(g, 5), 0.0) for g in (15, 30, 60)},
    **{f"1 repeat, G {g}, no effect": (repeated(g, 1), 0.0) for g in (15, 30)},
}  # fmt: skip
WORLDS: dict[str, tuple[World, float | None, tuple[float, float] | None]] = {
    **{name: (less(pairs), truth, (-1.0, 1.0)) for name, (pairs, truth) in PAIRED.items()},
    **{f"one family 40 of 60, sd {sd}, no effect": (normal(ONE_LARGE, sd), 0.0, None) for sd in (0.0, 0.5, 1.0)},
    **{f"ratios of amounts, G {g}, no effect": (logarithms(g), 0.0, None) for g in (8, 30, 100)},
    **{f"a mean, p {p}, n {n}": (right(n, p), p, (0, 1)) for p in (0.98, 0.9) for n in (15, 30, 100)},
}  # fmt: skip
UNSCORED: dict[str, tuple[float, float, float]] = {
    "at random, effect": (0.2, 0.3, 0.3),
    "wrong ones, treated 50 %, control 10 %, effect": (0.2, 0.5, 0.1),
    "wrong ones, treated 10 %, control 50 %, effect": (0.2, 0.1, 0.5),
    "wrong ones, treated 50 %, control 10 %, no effect": (0.0, 0.5, 0.1),
    "wrong ones, treated 10 %, control 50 %, no effect": (0.0, 0.1, 0.5),
}
"""The effect, and the probability of a missing score in each arm, at random or of wrong answers only."""
