"""Measure coverage, length and false stars in simulated worlds.

    python -m benchmarks.intervals [--studies 1000] [--reports 200]

The first table has the interval of reports, before and after its cut at the exact bound of the families that
lost or gained. A star is an interval without zero and p below 0.05.
Further worlds have missing scores, interim analyses, or a judge that scores problems without human scores.
The results are seeded and printed as tables.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

from ansatz.eval.statistics import PairedDelta, adjust_familywise, clustered_mean
from ansatz.eval.statistics.paired import compare_missing
from ansatz.eval.statistics.prediction_powered import CalibratedDelta, Rated, calibrated_delta
from benchmarks.worlds import UNSCORED, WORLDS, judged


def _row(name: str, cells: Iterable[float]) -> str:
    return f"| {name} | " + " | ".join(f"{each:.3f}" for each in cells) + " |"


def _holds(found: PairedDelta | CalibratedDelta, truth: float) -> bool:
    assert found.low is not None and found.high is not None
    return found.low - 1e-12 <= truth <= found.high + 1e-12


def _is_starred(found: PairedDelta) -> bool:
    assert found.low is not None and found.high is not None and found.p is not None
    return found.p < 0.05 and not found.low <= 0 <= found.high


def without_bound(found: PairedDelta) -> tuple[float, float]:
    """Return the interval before its cut at the exact bound: within the possible range only."""
    assert found.estimate is not None and found.totals is not None
    measured, (least, greatest) = found.totals.spread, found.totals.ends or (-math.inf, math.inf)
    if not measured.error and found.low is not None and found.high is not None:
        return found.low, found.high
    return max(least, found.estimate - measured.below), min(greatest, found.estimate + measured.above)


def of_world(name: str, studies: int) -> str:
    draw, truth, ends = WORLDS[name]
    if truth is None:
        values, _ = zip(*(draw(np.random.default_rng([1, n])) for n in range(20_000)), strict=True)
        truth = float(np.mean(np.concatenate(values)))
    found = [
        clustered_mean(*draw(np.random.default_rng([7, n])), seed=n % 16, resamples=1000, ends=ends)
        for n in range(studies)
    ]
    before = [without_bound(each) for each in found]
    cells = (
        np.mean([low - 1e-12 <= truth <= high + 1e-12 for low, high in before]),
        np.mean([_holds(each, truth) for each in found]),
        np.mean([high - low for low, high in before]),
        np.mean([each.high - each.low for each in found]),  # type: ignore[operator]
        np.mean([_is_starred(each) for each in found]),
    )
    return _row(name, map(float, cells))


def of_unscored(name: str, studies: int) -> str:
    """Measure the coverage of the difference for 60 families of two, with all and without warned studies."""
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
        pairs = compare_missing(treated, control, family, seed=0)
        assert pairs.p is not None and pairs.low is not None and pairs.high is not None
        star, warning = _is_starred(found), pairs.p < 0.05
        either = ~np.isnan(treated) | ~np.isnan(control)
        held += _holds(found, effect)
        bounded += pairs.low <= (scores[0] - scores[1])[either].mean() <= pairs.high
        starred, warned, unwarned = starred + star, warned + warning, unwarned + (star and not warning)
    shares = (held, starred, warned, unwarned, bounded)
    return _row(name, (each / studies for each in shares))


def of_judge(labelled: int, useful: bool, right: float, studies: int) -> str:
    """Measure coverage and length of the human and the corrected interval."""
    truth = 0.1 if right == 0.5 else 0.1 * (1 - right)
    held, length = np.zeros(2), np.zeros(2)
    for number in range(studies):
        judge, people = judged(np.random.default_rng([21, number]), labelled, useful, right)
        known = (people[0] - people[1])[:labelled]
        alone = clustered_mean(known, np.arange(labelled), seed=0, resamples=400, ends=(-1, 1))
        arms = [Rated(*each) for each in zip(judge, people, strict=True)]
        both = calibrated_delta(*arms, list(range(60)), seed=number % 16, resamples=400)
        for at, each in enumerate((alone, both)):
            held[at] += _holds(each, truth)
            length[at] += each.high - each.low  # type: ignore[operator]
    name = f"{'useful' if useful else 'useless'}, {labelled} labels, {right:.0%} right"
    cells = [*(held / studies), length[1] / length[0]]
    return _row(name, cells)


def of_peeking(studies: int) -> str:
    """Measure false stars for 100 families without an effect, with interim analyses after every fifth."""
    once = last = 0
    for number in range(studies):
        values = np.random.default_rng([15, number]).normal(size=100)
        stars = [
            _is_starred(clustered_mean(values[:n], np.arange(n), seed=0, resamples=500))
            for n in (20, 40, 60, 80, 100)
        ]
        once, last = once + any(stars), last + stars[-1]
    return (
        f"five interim analyses without an effect: a star in some of them in {once / studies:.3f} (before); only the "
        f"complete run stars: {last / studies:.3f} (after)"
    )


def of_reports(reports: int) -> Iterator[str]:
    """Measure false stars of eight arms on thirteen correlated dimensions, and of 40 arms with one large effect."""
    starred = clear = 0
    for number in range(reports):
        rng = np.random.default_rng([9, number])
        common = rng.normal(size=(60, 1, 13)) + rng.normal(size=(60, 1, 1))
        noise = rng.normal(size=(60, 8, 13)) + rng.normal(size=(60, 8, 1)) - common
        deltas = {
            at: clustered_mean(noise[:, *at], np.arange(60), seed=0, resamples=500)
            for at in np.ndindex(8, 13)
        }
        verdicts = adjust_familywise(deltas, seed=0, flips=10_000).verdicts.values()
        starred += any(each.is_significant for each in verdicts)
        clear += any(each.is_clear for each in verdicts)
    yield f"complete null, 104 comparisons: {starred / reports:.3f} of {reports} reports hold a star, {clear / reports:.3f} a clear interval"
    rng = np.random.default_rng(3)
    gains = {
        at: clustered_mean((rng.random(60) < 0.5) * 1.0, np.arange(60), seed=0, ends=(-1, 1))
        for at in np.ndindex(40, 13)
    }
    verdicts = adjust_familywise(gains, seed=0).verdicts.values()
    yield f"40 arms × 13 dimensions with +50 points: {sum(each.is_significant for each in verdicts)} of {len(gains)} starred"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--studies", type=int, default=1000)
    asked.add_argument("--reports", type=int, default=200)
    chosen = asked.parse_args()
    started = time.perf_counter()
    print("| world | coverage before the cut | after | length before | after | star |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in WORLDS:
        # only many studies can distinguish a false star rate from 5 %
        more = 4 if name.startswith("ratios") else 1
        print(of_world(name, more * chosen.studies), flush=True)
    print(
        "\n| scores missing of 120 problems | coverage | star | warned | star without warning | bounds hold |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in UNSCORED:
        print(of_unscored(name, chosen.studies), flush=True)
    print(f"\n{of_peeking(chosen.studies)}", flush=True)
    print("\n| judge | coverage, people alone | corrected | length relative to people |")
    print("| --- | ---: | ---: | ---: |")
    for labelled, useful, right in product((8, 15, 30), (True, False), (0.5, 0.9)):
        print(of_judge(labelled, useful, right, chosen.studies), flush=True)
    for line in of_reports(chosen.reports):
        print(line, flush=True)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
