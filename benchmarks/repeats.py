"""Measure rules for repeats: which attempts they take, and whether differences stay unbiased.

    python -m benchmarks.repeats [--studies 2000]

100 problems, four arms and the baseline, right or wrong. The baseline is sure on four fifths of the problems. On
the others an arm raises the chance of a right answer from 0.5 to 0.8. Rules: every problem once or three times;
three times where two further answers of the baseline are not both right; and two more answers where an arm's own
two counted answers differ, which is biased.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PROBLEMS, ARMS = 100, 5  # arms with the baseline


class Studied(NamedTuple):
    """One simulated study: the estimate, the truth of its problems, and its attempts."""

    estimate: float
    truth: float
    attempts: int


Rule = Callable[[np.random.Generator, Floats, Floats], tuple[Floats, Floats, int]]
"""From the chances of both arms, the mean scores by problem and the number of attempts."""


def draw_chances(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw the chances of a right answer of baseline and arm, by problem."""
    unsure, right = rng.random(PROBLEMS) < 0.2, (rng.random(PROBLEMS) < 0.7) * 1.0
    return np.where(unsure, 0.5, right), np.where(unsure, 0.8, right)


def repeat_all(times: int) -> Rule:
    def ask(rng: np.random.Generator, control: Floats, treated: Floats) -> tuple[Floats, Floats, int]:
        scores = [rng.binomial(times, each) / times for each in (control, treated)]
        return scores[0], scores[1], ARMS * times * PROBLEMS

    return ask


def repeat_where_unsure(
    rng: np.random.Generator, control: Floats, treated: Floats
) -> tuple[Floats, Floats, int]:
    """Ask three times where two further answers of the baseline are not both right."""
    times = np.where(rng.binomial(2, control) < 2, 3, 1)
    scores = [rng.binomial(times, each) / times for each in (control, treated)]
    return scores[0], scores[1], int(2 * PROBLEMS + ARMS * times.sum())


def repeat_where_differing(
    rng: np.random.Generator, control: Floats, treated: Floats
) -> tuple[Floats, Floats, int]:
    """Ask each arm twice, and twice more where its two answers differ."""
    scores, attempts = [], 0.0
    for chance in (control, treated):
        right, more = rng.binomial(2, chance), rng.binomial(2, chance)
        differs = right == 1
        scores.append(np.where(differs, (right + more) / 4, right / 2))
        attempts += (2 * PROBLEMS + 2 * differs.sum()) * ARMS / 2
    return scores[0], scores[1], round(attempts)


RULES: dict[str, Rule] = {
    "once": repeat_all(1),
    "three times": repeat_all(3),
    "three times where the baseline is unsure": repeat_where_unsure,
    "two more where an arm's own two differ": repeat_where_differing,
}


def simulate(rule: Rule, studies: int) -> list[Studied]:
    found = []
    for number in range(studies):
        rng = np.random.default_rng([5, number])
        control, treated = draw_chances(rng)
        baseline, arm, attempts = rule(rng, control, treated)
        estimate, truth = float((arm - baseline).mean()), float((treated - control).mean())
        found.append(Studied(estimate, truth, attempts))
    return found


def measure_bias(rule: Rule, studies: int) -> float:
    """Return the mean of the estimates minus the truths."""
    return float(np.mean([each.estimate - each.truth for each in simulate(rule, studies)]))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--studies", type=int, default=2000)
    chosen = asked.parse_args()
    print("| repeats | attempts | bias | error of the estimate |")
    print("| --- | ---: | ---: | ---: |")
    for name, rule in RULES.items():
        found = simulate(rule, chosen.studies)
        errors = np.array([each.estimate - each.truth for each in found])
        attempts = np.mean([each.attempts for each in found])
        print(f"| {name} | {attempts:.0f} | {errors.mean():+.4f} | {np.sqrt((errors**2).mean()):.4f} |")


if __name__ == "__main__":
    main()
