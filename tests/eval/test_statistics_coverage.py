"""By simulation: a 95 % interval holds the true effect as often as it says, and no effect is rarely found."""

from dataclasses import dataclass

import numpy as np
import pytest

from ansatz.eval.statistics.resampling import sign_flip_p, spread

# Studies share resamples and patterns of signs, which have nothing to do with their scores and take longest.
SEEDS = 50
BANDS = np.array([0.0, 0.3, 0.7, 1.0])


@dataclass(frozen=True)
class World:
    """How scores come about: families of 2 to 4 problems that share an ability, and so are correlated."""

    kind: str
    families: int
    effect: float = 0.0
    shared: float = 0.6
    sizes: tuple[int, ...] = (2, 3, 4)

    def arms(self, rng):
        """Scores of both arms, and the family of every problem: three arrays of shape (problems,)."""
        family = np.repeat(np.arange(self.families), rng.choice(self.sizes, self.families))
        ability = rng.normal(size=self.families)[family]
        response = self.effect * (1 + self.shared * rng.normal(size=self.families))[family]
        return self._score(ability + response, rng), self._score(ability, rng), family

    def _score(self, ability, rng):
        if self.kind == "bands":
            return BANDS[np.digitize(ability + rng.logistic(size=ability.size), [-1, 0, 1])]
        if self.kind == "skewed":  # such as tokens or seconds
            return np.exp(0.3 * ability + 0.5 * rng.normal(size=ability.size))
        return ability + rng.normal(size=ability.size)

    def truth(self):
        """The mean difference over very many families."""
        treated, control, _ = World(self.kind, 200_000, self.effect, self.shared, self.sizes).arms(
            np.random.default_rng(99)
        )
        return float(np.mean(treated - control))


WORLDS = [
    World("normal", families=30, effect=0.5),
    World("normal", families=30, effect=0.5, shared=2.0),
    World("bands", families=30, effect=0.8),
    World("bands", families=60, effect=0.3),
    World("skewed", families=45, effect=1.0),
    World("bands", families=40, effect=0.8, sizes=(1, 2, 8)),
    World("skewed", families=10, effect=1.0),
]
NULLS = [
    World("normal", families=30),
    World("bands", families=30),
    World("bands", families=8),
    World("skewed", families=60),
]


def sums_and_counts(treated, control, family):
    return np.bincount(family, treated - control), np.bincount(family).astype(float)


def coverage(world, runs):
    """The share of simulated studies whose 95 % interval holds the truth."""
    truth, rng, covered = world.truth(), np.random.default_rng(7), 0
    for run in range(runs):
        sums, counts = sums_and_counts(*world.arms(rng))
        found = spread(sums, counts, seed=run % SEEDS, resamples=400, level=0.95)
        covered += -found.above <= sums.sum() / counts.sum() - truth <= found.below
    return covered / runs


def false_alarms(world, runs):
    """The share of simulated studies without any effect that have p < 0.05."""
    rng = np.random.default_rng(8)
    return np.mean(
        [sign_flip_p(sums_and_counts(*world.arms(rng))[0], seed=run % 5) < 0.05 for run in range(runs)]
    )


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_intervals_hold_the_truth(world):
    assert 0.93 <= coverage(world, runs=1000) <= 0.97


@pytest.mark.parametrize(("families", "share"), [(134, 0.06), (134, 0.12), (60, 0.12), (30, 0.3)])
def test_an_effect_in_few_families_is_not_overstated(families, share):
    """Where only some families respond, the interval seldom lies above the truth and rarely misses it."""
    rng, truth, above, missed, runs = np.random.default_rng(5), 0.7 * share, 0, 0, 400
    for run in range(runs):
        sums = np.where(rng.random(families) < share, rng.binomial(3, 0.7, families), 0).astype(float)
        found = spread(sums, np.full(families, 3.0), seed=run % SEEDS, resamples=400, level=0.95)
        estimate = sums.mean() / 3
        above += truth < estimate - found.below
        missed += not estimate - found.below <= truth <= estimate + found.above
    assert above / runs <= 0.025
    assert missed / runs <= 0.05


@pytest.mark.parametrize("world", NULLS, ids=str)
def test_no_effect_is_rarely_called_one(world):
    assert false_alarms(world, runs=1000) <= 0.06
