"""Measure screening designs in simulated worlds, and on a published factorial of real answers.

    python -m benchmarks.screening [--studies 1000] [--factorial scores.csv]

Each world has 100 families of three problems with right or wrong answers. Two switches help (0.8 and 0.5 logits
for the average problem), the others do not; effects vary between families. In worlds with an interaction, the
two switches make each other needless (−0.6 logits together). The tables show the coverage of the effects, the
standard error next to one arm per switch, and how often the test for lack of fit finds an interaction.

`--factorial` is a CSV with the columns `problem`, one column of 0 or 1 for each switch, and `value`: one row for
each problem and setting of a full factorial. Studies are drawn from it with replacement.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics import adjust_familywise, clustered_mean
from ansatz.eval.statistics.screening import Signs, draw_pairs, effect_values, interaction_values

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """Right or wrong answers under settings of switches; problems of a family share ability and response."""

    switches: int
    together: float = 0.0
    """Logits that the first two switches add together."""
    families: int = 100
    size: int = 3

    @property
    def problems(self) -> int:
        return self.families * self.size

    def chances(self, rng: np.random.Generator) -> Chances:
        """Draw problems: the probability of a right answer as a function of the setting."""
        family = np.repeat(np.arange(self.families), self.size)
        base = rng.normal(0.0, 1.2, self.families)[family] + rng.normal(0.0, 1.0, len(family))
        effects = np.zeros(self.switches)
        effects[:2] = 0.8, 0.5
        response = effects + 0.3 * rng.normal(size=(self.families, self.switches))[family]
        return Chances(base, response, self.together, family)


@dataclass(frozen=True, eq=False)
class Chances:
    """The problems of one study."""

    base: Floats
    response: Floats
    together: float
    family: NDArray[np.intp]

    def expected(self, on: NDArray[np.bool_]) -> Floats:
        """Return the probability of a right answer; `on` has shape (problems, switches)."""
        logits = self.base + (self.response * on).sum(axis=1) + self.together * (on[:, 0] & on[:, 1])
        return np.asarray(1 / (1 + np.exp(-logits)))

    def answer(self, on: NDArray[np.bool_], rng: np.random.Generator) -> Floats:
        return (rng.random(len(self.base)) < self.expected(on)) * 1.0


@dataclass(frozen=True)
class Truth:
    """The effects of a world, of very many problems."""

    averaged: Floats
    """Averaged over the settings of the other switches, as screening estimates them."""
    alone: Floats
    """Of each switch alone, as one arm per switch estimates them."""

    @classmethod
    def of(cls, world: World) -> Truth:
        chances = replace(world, families=20_000).chances(np.random.default_rng(0))
        pairs = len(chances.base)
        rng = np.random.default_rng(1)
        on = rng.random((pairs, world.switches)) < 0.5
        averaged, alone, none = [], [], chances.expected(np.zeros_like(on))
        for switch in range(world.switches):
            with_it, without = on.copy(), on.copy()
            with_it[:, switch], without[:, switch] = True, False
            averaged.append((chances.expected(with_it) - chances.expected(without)).mean())
            single = np.zeros_like(on)
            single[:, switch] = True
            alone.append((chances.expected(single) - none).mean())
        return cls(np.array(averaged), np.array(alone))


@lru_cache
def truth_of(world: World) -> Truth:
    return Truth.of(world)


WORLDS = {
    **{f"k {k}, no interaction": World(k) for k in (4, 6, 8)},
    **{f"k {k}, redundant": World(k, together=-0.6) for k in (4, 6, 8)},
}


@dataclass
class Measured:
    """What simulated studies found, over all switches."""

    covered: list[bool]
    stars: list[list[bool]]
    """By study and switch, whether the interval excludes zero."""
    errors: list[float]
    """The estimate minus the truth, of each study and switch."""

    @property
    def coverage(self) -> float:
        return float(np.mean(self.covered))

    @property
    def power(self) -> Floats:
        return np.asarray(np.mean(self.stars, axis=0))[:2]

    @property
    def false_stars(self) -> float:
        return float(np.mean(np.array(self.stars)[:, 2:]))

    @cached_property
    def error(self) -> float:
        return float(np.sqrt(np.mean(np.square(self.errors))))


def measure_coverage(world: World, studies: int, *, alone: bool = False) -> Measured:
    """Simulate studies with pairs of settings, or with one arm per switch (`alone`)."""
    truth = truth_of(world).alone if alone else truth_of(world).averaged
    found = Measured([], [], [])
    for number in range(studies):
        rng = np.random.default_rng([7, number])
        chances = world.chances(rng)
        values = _single_arms(chances, rng) if alone else _effects(chances, number, rng)
        deltas = [clustered_mean(each, chances.family, seed=number % 16, resamples=400) for each in values.T]
        ends = np.array([(each.low, each.high) for each in deltas], dtype=np.float64)
        found.covered += ((ends[:, 0] <= truth) & (truth <= ends[:, 1])).tolist()
        found.stars.append(((ends[:, 0] > 0) | (ends[:, 1] < 0)).tolist())
        found.errors += [(each.estimate or 0.0) - value for each, value in zip(deltas, truth, strict=True)]
    return found


def _ask_pairs(chances: Chances, number: int, rng: np.random.Generator) -> tuple[Signs, Floats, Floats]:
    signs = draw_pairs(len(chances.base), chances.response.shape[1], Random(number))
    return signs, chances.answer(signs > 0, rng), chances.answer(signs < 0, rng)


def _effects(chances: Chances, number: int, rng: np.random.Generator) -> Floats:
    signs, first, second = _ask_pairs(chances, number, rng)
    values = effect_values(first - second, signs, chances.family)
    assert values is not None
    return values


def _single_arms(chances: Chances, rng: np.random.Generator) -> Floats:
    switches = chances.response.shape[1]
    on = np.zeros((len(chances.base), switches), dtype=np.bool_)
    baseline = chances.answer(on, rng)
    arms = []
    for switch in range(switches):
        single = on.copy()
        single[:, switch] = True
        arms.append(chances.answer(single, rng) - baseline)
    return np.stack(arms, axis=1)


def detect_interactions(world: World, studies: int) -> float:
    """Return the share of studies whose smallest adjusted p of all interactions is below 0.05."""
    found = 0
    for number in range(studies):
        rng = np.random.default_rng([11, number])
        chances = world.chances(rng)
        signs, first, second = _ask_pairs(chances, number, rng)
        values = interaction_values((first + second) / 2, signs)
        deltas = {
            at: clustered_mean(each, chances.family, seed=0, resamples=2) for at, each in enumerate(values.T)
        }
        verdicts = adjust_familywise(deltas, seed=number, flips=2000).verdicts.values()
        found += min(each.p_adjusted for each in verdicts) < 0.05
    return found / studies


def tabulate_worlds(studies: int) -> Iterator[str]:
    yield "| world | attempts | coverage | error | false | power | one arm each: attempts | coverage | error | power | attempts for equal error |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, world in WORLDS.items():
        pairs, single = measure_coverage(world, studies), measure_coverage(world, studies, alone=True)
        asked, other = 2 * world.problems, (world.switches + 1) * world.problems
        share = asked * pairs.error**2 / (other * single.error**2)
        cells = [f"{asked:,}", f"{pairs.coverage:.3f}", f"{pairs.error:.4f}", f"{pairs.false_stars:.3f}"]
        cells += [", ".join(f"{each:.2f}" for each in pairs.power), f"{other:,}", f"{single.coverage:.3f}"]
        cells += [f"{single.error:.4f}", ", ".join(f"{each:.2f}" for each in single.power), f"{share:.2f}"]
        yield f"| {name} | {' | '.join(cells)} |"


def tabulate_fit(studies: int) -> Iterator[str]:
    yield "| interaction of two switches, logits | k 4, 300 problems | k 6 | k 8 | k 4, 1,200 problems |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for together in (0.0, -0.6, -1.5, 2.0):
        worlds = [*(World(k, together) for k in (4, 6, 8)), World(4, together, families=400)]
        shares = [detect_interactions(world, studies) for world in worlds]
        yield f"| {together:g} | " + " | ".join(f"{each:.3f}" for each in shares) + " |"


@dataclass(frozen=True)
class Factorial:
    """Real scores of a full factorial: by setting, one value per problem."""

    switches: tuple[str, ...]
    values: Floats
    """Of shape (settings, problems); bit j of a setting's number is switch j."""

    @classmethod
    def read(cls, path: Path) -> Factorial:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        switches = tuple(name for name in rows[0] if name not in ("problem", "value"))
        problems = {name: at for at, name in enumerate(dict.fromkeys(row["problem"] for row in rows))}
        values = np.full((2 ** len(switches), len(problems)), np.nan)
        for row in rows:
            number = sum(int(row[name]) << bit for bit, name in enumerate(switches))
            values[number, problems[row["problem"]]] = float(row["value"])
        return cls(switches, values[:, ~np.isnan(values).any(axis=0)])

    def sample(self, signs: Signs, columns: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return the scores of both settings of each pair."""
        bits = 1 << np.arange(len(self.switches))
        return tuple(self.values[(own > 0) @ bits, columns] for own in (signs, -signs))  # type: ignore[return-value]


def tabulate_factorial(factorial: Factorial, studies: int, problems: int = 300) -> Iterator[str]:
    """Yield a row for each switch: the effects, coverage, errors, and attempts for an equal error."""
    k = len(factorial.switches)
    on = np.array(list(product((0, 1), repeat=k)))[:, ::-1]  # by number of the setting
    alone, pairs = np.zeros((studies, k)), np.zeros((studies, k))
    held = np.zeros(k)
    truth = np.array(
        [factorial.values[on[:, j] == 1].mean() - factorial.values[on[:, j] == 0].mean() for j in range(k)]
    )
    for number in range(studies):
        rng = np.random.default_rng([3, number])
        columns = rng.integers(0, factorial.values.shape[1], problems)
        signs = draw_pairs(problems, k, Random(number))
        first, second = factorial.sample(signs, columns)
        values = effect_values(first - second, signs, np.arange(problems))
        assert values is not None
        for j in range(k):
            delta = clustered_mean(values[:, j], np.arange(problems), seed=number % 16, resamples=400)
            assert delta.low is not None and delta.high is not None and delta.estimate is not None
            held[j] += delta.low <= truth[j] <= delta.high
            pairs[number, j] = delta.estimate
            single = factorial.values[1 << j, columns] - factorial.values[0, columns]
            alone[number, j] = single.mean()
    yield f"{factorial.values.shape[1]:,} problems with all {2**k} settings; studies of {problems}:"
    yield "| switch | effect alone | averaged | coverage | error of pairs | of one arm each | attempts for equal error |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for j, name in enumerate(factorial.switches):
        own, other = pairs[:, j].std(), alone[:, j].std()
        single = (factorial.values[1 << j] - factorial.values[0]).mean()
        share = 2 * own**2 / ((k + 1) * other**2)
        yield f"| {name} | {single:+.3f} | {truth[j]:+.3f} | {held[j] / studies:.3f} | {own:.4f} | {other:.4f} | {share:.2f} |"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--studies", type=int, default=1000)
    asked.add_argument("--factorial", type=Path, help="CSV: problem, 0 or 1 for each switch, value")
    chosen = asked.parse_args()
    started = time.perf_counter()
    if chosen.factorial:
        tables = tabulate_factorial(Factorial.read(chosen.factorial), chosen.studies)
        print("\n".join(tables))
        return
    for line in tabulate_worlds(chosen.studies):
        print(line, flush=True)
    print()
    for line in tabulate_fit(chosen.studies // 2):
        print(line, flush=True)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
