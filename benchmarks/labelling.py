"""Labels drawn at random and where the scores are doubtful: bias, coverage and length in simulated studies.

    python -m benchmarks.labelling [--studies 300]

Each study has 60 families of two problems and two arms. A judge errs in 3 % of the plain answers and in 40 % of
the doubtful ones (a quarter), more often in favour of the treated arm. A second scorer, which errs on other
answers, shows where the scores disagree. The true difference is that of human scores over the population.
"Naive" ignores the probabilities of a doubtful draw. The last table is what `ansatz label --status` predicts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from ansatz.eval.statistics import clustered_mean
from ansatz.eval.statistics.prediction_powered import CalibratedDelta, Rated, calibrated_delta
from ansatz.experiments.labelling.sample import draw_sample, weigh_doubt
from ansatz.experiments.labelling.status import count_further_labels

FAMILIES, SIZE, EFFECT = 60, 2, 0.12
POINTS = np.array([0.0, 0.5, 1.0])


def simulate(seed: int) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray], np.ndarray]:
    """Return human, judge's and second scores of the two arms, and the families."""
    random = np.random.default_rng([3, seed])
    families = np.repeat(np.arange(FAMILIES), SIZE)
    ability = random.normal(0.0, 0.8, FAMILIES)[families]
    human, judge, second = [], [], []
    for arm in range(2):
        level = ability + random.normal(0.0, 0.7, len(families)) + (1.0 if arm else 0.62)
        true = POINTS[np.digitize(level, [0.3, 1.0])]
        doubtful = random.random(len(families)) < 0.25
        errs = random.random(len(families)) < np.where(doubtful, 0.4, 0.03)
        up = random.random(len(families)) < (0.75 if arm else 0.4)
        wrong = np.clip(true + np.where(up, 0.5, -0.5), 0.0, 1.0)
        other = random.random(len(families)) < np.where(doubtful, 0.5, 0.02)
        human.append(true)
        judge.append(np.where(errs, wrong, true))
        second.append(np.where(other, np.clip(true - 0.5, 0.0, 1.0), true))
    return human, judge, second, families


def estimate(seed: int, number: int, pick: str) -> tuple[CalibratedDelta, int | None]:
    """Return the corrected difference of one study, and how many more labels would halve its interval."""
    human, judge, second, families = simulate(seed)
    total = 2 * len(families)
    ids = [str(place) for place in range(total)]
    strata = [(arm, int(family)) for arm in range(2) for family in families]
    columns = np.stack([np.concatenate(judge), np.concatenate(second)], axis=1)
    sizes = None if pick == "random" else weigh_doubt([columns])
    drawn, chances = draw_sample(ids, strata, number, seed, sizes)
    labelled = np.zeros(total, dtype=bool)
    labelled[[int(each) for each in drawn]] = True
    probability = np.array([chances[each] for each in ids]) if pick == "doubtful" else np.ones(total)
    arms = [
        Rated(
            judge[arm],
            np.where(labelled[arm * len(families) :][: len(families)], human[arm], np.nan),
            probability[arm * len(families) :][: len(families)],
        )
        for arm in range(2)
    ]
    found = calibrated_delta(arms[1], arms[0], families.tolist(), seed=seed % 16, resamples=500)
    plain = clustered_mean(judge[1] - judge[0], families, seed=seed % 16, resamples=500, ends=(-1.0, 1.0))
    assert plain.low is not None and plain.high is not None
    return found, count_further_labels(found, plain.high - plain.low)


def measure(studies: int) -> Iterator[tuple[str, int, float, float, float, float | None]]:
    """Yield pick, labels, bias, coverage, length, and the labels predicted to halve the interval."""
    truth = float(np.mean([np.mean(human[1] - human[0]) for human, *_ in map(simulate, range(20_000))]))
    for pick in ("random", "doubtful", "naive"):
        for number in (30, 60, 120):
            found = [estimate(seed, number, pick) for seed in range(studies)]
            known = [each for each, _ in found if each.low is not None and each.high is not None]
            bias = float(np.mean([each.estimate for each in known])) - truth  # type: ignore[misc]
            covered = float(np.mean([each.low <= truth <= each.high for each in known]))  # type: ignore[operator]
            length = float(np.mean([each.high - each.low for each in known]))  # type: ignore[operator]
            more = [each for _, each in found if each is not None]
            yield (
                pick,
                number,
                bias,
                covered,
                length,
                float(np.median(more)) if len(more) > studies / 2 else None,
            )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--studies", type=int, default=300)
    studies = asked.parse_args().studies
    print("| pick | labels | bias | coverage | length | labels predicted to halve it |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    lengths: dict[str, list[tuple[int, float]]] = {}
    for pick, number, bias, covered, length, more in measure(studies):
        lengths.setdefault(pick, []).append((number, length))
        predicted = "–" if more is None else f"{number + more:.0f}"
        print(f"| {pick} | {number} | {bias:+.3f} | {covered:.3f} | {length:.3f} | {predicted} |", flush=True)
    print(
        "\nLabels for the same length, by interpolation:\n\n| length | random | doubtful |\n| ---: | ---: | ---: |"
    )
    plain, doubtful = (np.array(lengths[pick]) for pick in ("random", "doubtful"))
    for length in doubtful[:-1, 1]:
        at = [np.interp(-length, -each[:, 1], each[:, 0]) for each in (plain, doubtful)]
        print(f"| {length:.3f} | {at[0]:.0f} | {at[1]:.0f} |")


if __name__ == "__main__":
    main()
