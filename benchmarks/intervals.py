"""How often intervals hold the truth and stars are false, in made worlds: before and after edge cases are minded.

    python benchmarks/intervals.py [--studies 1000] [--reports 200]

"Before" is the studentised cluster bootstrap with Student's floor alone, which has no width where nothing varied;
"after" is what reports show. A star is an interval clear of zero with p below 0.05. Then worlds in which scores
are missing, in which somebody looks at an unfinished run, and in which a judge scores what people did not. Seeded;
prints tables.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ansatz.eval.statistics import PairedDelta, clustered_mean, judge_together, with_prior
from ansatz.eval.statistics.missing import missing_pairs
from ansatz.eval.statistics.prediction_powered import Rated, calibrated_delta

Floats = NDArray[np.float64]
Study = tuple[Floats, NDArray[np.intp]]
"""A difference for each problem, and the number of its family."""
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
    """Scores in four bands; problems of a family share an ability and a response."""

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
    """Right or wrong: so many problems turn right, so many wrong, of the rest half are right in both arms."""

    def draw(rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.intp]]:
        drawn, both = rng.random(families), rng.random(families) < 0.5
        turned, lost = drawn < better, drawn > 1 - worse
        tied = both & ~turned & ~lost
        return (turned | tied) * 1.0, (lost | tied) * 1.0, np.arange(families)

    return draw


def few_differ(families: int, share: float) -> Pairs:
    """Three problems a family, all wrong at first; in a share of families seven in ten turn right."""

    def draw(rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.intp]]:
        responds = np.repeat(rng.random(families) < share, 3)
        turned = (responds & (rng.random(3 * families) < 0.7)) * 1.0
        return turned, np.zeros(3 * families), np.repeat(np.arange(families), 3)

    return draw


def repeated(families: int, repeats: int) -> Pairs:
    """Without an effect: right with a chance of its own, Beta(0.2, 0.2), over some repeats."""

    def draw(rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.intp]]:
        chance = rng.beta(0.2, 0.2, families)
        treated, control = (rng.binomial(repeats, chance) / repeats for _ in range(2))
        return treated, control, np.arange(families)

    return draw


def alike(sizes: list[int], better: float, worse: float, correlation: float) -> World:
    """Right and wrong: families have chances of their own to turn either way, Dirichlet around the mean."""

    def draw(rng: np.random.Generator) -> Study:
        family = np.repeat(np.arange(len(sizes)), sizes)
        mean = np.maximum([worse, 1 - better - worse, better], 1e-12)
        weights = rng.gamma(mean * (1 - correlation) / correlation, size=(len(sizes), 3)) + 1e-300
        edges = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)[family]
        drawn = rng.random(len(family))
        return (drawn > edges[:, 0]) * 1.0 + (drawn > edges[:, 1]) * 1.0 - 1.0, family

    return draw


def logarithms(families: int) -> World:
    """Skewed amounts without an effect, compared by their ratio."""

    def draw(rng: np.random.Generator) -> Study:
        return rng.normal(size=families) * 0.7 - rng.normal(size=families) * 0.7, np.arange(families)

    return draw


def right(number: int, chance: float) -> World:
    """One arm's own scores."""
    return lambda rng: ((rng.random(number) < chance) * 1.0, np.arange(number))


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
BELIEVED: dict[str, tuple[World, float]] = {
    **{name: (less(PAIRED[name][0]), PAIRED[name][1] or 0.0) for name in PAIRED
       if name.startswith(("0/1", "effect", "1 repeat")) and "250" not in name},
    **{f"{name}, +{up:.0%} −{down:.0%}, correlation {rho}": (alike(sizes, up, down, rho), up - down)
       for name, sizes in (("8 families of 5", [5] * 8), ("12 of 20 to 1", UNEQUAL), ("one of 40, 20 of 1", ONE_LARGE))
       for up, down in ((0.1, 0.0), (0.2, 0.1)) for rho in (0.5, 0.9)},
}  # fmt: skip
"""Worlds of right and wrong, for the posterior."""
UNSCORED: dict[str, tuple[float, float, float]] = {
    "at random, effect": (0.2, 0.3, 0.3),
    "wrong ones, treated 50 %, control 10 %, effect": (0.2, 0.5, 0.1),
    "wrong ones, treated 10 %, control 50 %, effect": (0.2, 0.1, 0.5),
    "wrong ones, treated 50 %, control 10 %, no effect": (0.0, 0.5, 0.1),
    "wrong ones, treated 10 %, control 50 %, no effect": (0.0, 0.1, 0.5),
}
"""The effect, and the chance of a missing score in either arm: of any answer at random, else of wrong ones."""


def before(study: Study, found: PairedDelta) -> tuple[float, float]:
    """No width where nothing varied, and Student's t with the plain error between families as the floor."""
    values, family = study
    sums, counts = np.bincount(family, values), np.bincount(family)
    residuals, n = sums - counts * values.mean(), len(counts)
    error = float(np.sqrt(n / (n - 1) * (residuals**2).sum()) / len(values))
    if error < 1e-12 or found.low is None or found.high is None or found.error is None:
        return values.mean(), values.mean()
    ours = float(stdtrit(found.degrees, 0.975)) * found.error
    floor = float(stdtrit(n - 1, 0.975)) * error
    reach = [
        floor if abs(side - ours) < 1e-12 else side
        for side in (values.mean() - found.low, found.high - values.mean())
    ]
    return values.mean() - reach[0], values.mean() + reach[1]


def of_world(name: str, studies: int) -> str:
    draw, truth, ends = WORLDS[name]
    if truth is None:
        values, _ = zip(*(draw(np.random.default_rng([1, n])) for n in range(20_000)), strict=True)
        truth = float(np.mean(np.concatenate(values)))
    held = {"before": 0, "after": 0}
    flat = stars = stars_before = 0
    for number in range(studies):
        study = draw(np.random.default_rng([7, number]))
        found = clustered_mean(*study, seed=number % 16, resamples=1000, ends=ends)
        assert found.low is not None and found.high is not None and found.p is not None
        low, high = before(study, found)
        held["before"] += low <= truth <= high
        held["after"] += found.low - 1e-12 <= truth <= found.high + 1e-12
        flat += low == high
        stars += found.p < 0.05 and not found.low <= 0 <= found.high
        stars_before += found.p < 0.05 and not low <= 0 <= high
    shares = (held["before"], held["after"], flat, stars_before, stars)
    return f"| {name} | " + " | ".join(f"{each / studies:.3f}" for each in shares) + " |"


def of_posterior(name: str, studies: int) -> str:
    """Coverage of the interval with Jeffreys' prior beside that without one, and their lengths."""
    draw, truth = BELIEVED[name]
    held, length = np.zeros(2), np.zeros(2)
    for number in range(studies):
        values, family = draw(np.random.default_rng([23, number]))
        plain = clustered_mean(values, family, seed=number % 16, resamples=500, ends=(-1, 1))
        for at, each in enumerate((plain, with_prior(plain, values, family, 0.5))):
            assert each.low is not None and each.high is not None
            held[at] += each.low - 1e-12 <= truth <= each.high + 1e-12
            length[at] += each.high - each.low
    cells = [*(held / studies), length[1] / length[0]]
    return f"| {name} | " + " | ".join(f"{each:.3f}" for each in cells) + " |"


def of_unscored(name: str, studies: int) -> str:
    """120 problems in 60 families of two: coverage of the difference alone, and what a warning leaves."""
    effect, *chances = UNSCORED[name]
    held = starred = warned = unwarned = bounded = 0
    for number in range(studies):
        rng = np.random.default_rng([13, number])
        family = np.repeat(np.arange(60), 2)
        ability = rng.beta(2, 2, 60)[family] * (1 - effect)
        scores = [(rng.random(120) < ability + gain) * 1.0 for gain in (effect, 0.0)]
        lost = [
            (rng.random(120) < chance) & ((each == 0) | name.startswith("at random"))
            for each, chance in zip(scores, chances, strict=True)
        ]
        treated, control = (np.where(gone, np.nan, each) for each, gone in zip(scores, lost, strict=True))
        both = ~np.isnan(treated) & ~np.isnan(control)
        found = clustered_mean((treated - control)[both], family[both], seed=0, resamples=500, ends=(-1, 1))
        pairs = missing_pairs(treated, control, family, seed=0)
        assert None not in (found.p, found.low, found.high, pairs.p, pairs.low, pairs.high)
        star = found.p < 0.05 and not found.low <= 0 <= found.high  # type: ignore[operator]
        warning = pairs.p < 0.05  # type: ignore[operator]
        either = ~np.isnan(treated) | ~np.isnan(control)
        held += found.low <= effect <= found.high  # type: ignore[operator]
        bounded += pairs.low <= (scores[0] - scores[1])[either].mean() <= pairs.high  # type: ignore[operator]
        starred, warned, unwarned = starred + star, warned + warning, unwarned + (star and not warning)
    shares = (held, starred, warned, unwarned, bounded)
    return f"| {name} | " + " | ".join(f"{each / studies:.3f}" for each in shares) + " |"


def judged(rng: np.random.Generator, labelled: int, useful: bool, right: float) -> tuple[Floats, Floats]:
    """60 problems right or wrong in two arms, by people and by a judge, of shape (2, 60); people score a few.

    A share of 0.3 turns right and of 0.1 wrong where `right` is ½; else 0.1 turn right. A useful judge errs in
    one answer of ten, a useless one tosses a coin.
    """
    control, drawn = rng.random(60) < right, rng.random(60)
    up, down = (0.3, 0.1) if right == 0.5 else (0.1, 0.0)
    treated = np.where(control, drawn >= down, drawn < up)
    people = np.array([treated, control]) * 1.0
    judge = np.abs(people - (rng.random((2, 60)) < 0.1)) if useful else (rng.random((2, 60)) < 0.5) * 1.0
    return judge, np.where(np.arange(60) < labelled, people, np.nan)


def of_judge(labelled: int, useful: bool, right: float, studies: int) -> str:
    """Coverage of people's own difference and of the corrected one, and their lengths."""
    truth = 0.1 if right == 0.5 else 0.1 * (1 - right)
    held, length = np.zeros(2), np.zeros(2)
    for number in range(studies):
        judge, people = judged(np.random.default_rng([21, number]), labelled, useful, right)
        known = (people[0] - people[1])[:labelled]
        alone = clustered_mean(known, np.arange(labelled), seed=0, resamples=400, ends=(-1, 1))
        arms = [Rated(*each) for each in zip(judge, people, strict=True)]
        both = calibrated_delta(*arms, list(range(60)), seed=number % 16, resamples=400)
        for at, each in enumerate((alone, both)):
            assert each.low is not None and each.high is not None
            held[at] += each.low - 1e-12 <= truth <= each.high + 1e-12
            length[at] += each.high - each.low
    name = f"{'useful' if useful else 'useless'}, {labelled} labels, {right:.0%} right"
    cells = [*(held / studies), length[1] / length[0]]
    return f"| {name} | " + " | ".join(f"{each:.3f}" for each in cells) + " |"


def of_peeking(studies: int) -> str:
    """100 families without an effect, looked at after 20, 40, … 100 % of them."""
    once = last = 0
    for number in range(studies):
        values = np.random.default_rng([15, number]).normal(size=100)
        looks = [
            clustered_mean(values[:n], np.arange(n), seed=0, resamples=500) for n in (20, 40, 60, 80, 100)
        ]
        stars = [
            each.p is not None
            and each.p < 0.05
            and each.low is not None
            and each.low * (each.high or 0.0) > 0
            for each in looks
        ]
        once, last = once + any(stars), last + stars[-1]
    return (
        f"five looks at a run without an effect: a star at some look in {once / studies:.3f} (before); only the "
        f"complete run stars: {last / studies:.3f} (after)"
    )


def of_reports(reports: int) -> Iterator[str]:
    """Eight arms on thirteen correlated dimensions, 60 families, without any effect; and 40 arms with a large one."""
    starred = clear = 0
    for number in range(reports):
        rng = np.random.default_rng([9, number])
        common = rng.normal(size=(60, 1, 13)) + rng.normal(size=(60, 1, 1))
        noise = rng.normal(size=(60, 8, 13)) + rng.normal(size=(60, 8, 1)) - common
        deltas = {
            at: clustered_mean(noise[:, *at], np.arange(60), seed=0, resamples=500)
            for at in np.ndindex(8, 13)
        }
        verdicts = judge_together(deltas, seed=0, flips=10_000).verdicts.values()
        starred += any(each.is_significant for each in verdicts)
        clear += any(each.is_clear for each in verdicts)
    yield f"complete null, 104 comparisons: {starred / reports:.3f} of {reports} reports hold a star, {clear / reports:.3f} a clear interval"
    rng = np.random.default_rng(3)
    gains = {
        at: clustered_mean((rng.random(60) < 0.5) * 1.0, np.arange(60), seed=0, ends=(-1, 1))
        for at in np.ndindex(40, 13)
    }
    verdicts = judge_together(gains, seed=0).verdicts.values()
    yield f"40 arms × 13 dimensions with +50 points: {sum(each.is_significant for each in verdicts)} of {len(gains)} starred"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--studies", type=int, default=1000)
    asked.add_argument("--reports", type=int, default=200)
    chosen = asked.parse_args()
    started = time.perf_counter()
    print("| world | coverage before | after | no width before | star before | star |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in WORLDS:
        # a false star is told from 5 % by many studies alone
        more = 4 if name.startswith("ratios") else 1
        print(of_world(name, more * chosen.studies), flush=True)
    print("\n| right and wrong | coverage, bootstrap | posterior, prior ½ | length beside it |")
    print("| --- | ---: | ---: | ---: |")
    for name in BELIEVED:
        print(of_posterior(name, 2 * chosen.studies // 5), flush=True)
    print(
        "\n| scores missing of 120 problems | coverage | star | warned | star without warning | bounds hold |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in UNSCORED:
        print(of_unscored(name, chosen.studies), flush=True)
    print(f"\n{of_peeking(chosen.studies)}", flush=True)
    print("\n| judge | coverage, people alone | corrected | length beside people |")
    print("| --- | ---: | ---: | ---: |")
    for labelled, useful, right in product((8, 15, 30), (True, False), (0.5, 0.9)):
        print(of_judge(labelled, useful, right, chosen.studies), flush=True)
    for line in of_reports(chosen.reports):
        print(line, flush=True)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
