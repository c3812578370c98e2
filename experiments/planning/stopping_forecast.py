"""What interim analyses change: expected requests, power, and the problems for a power of 80 %."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.power import degrees_of_freedom, sidak_level
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.interim_analyses import Schedule
from ansatz.experiments.planning.detection import Scatter

Floats = NDArray[np.float64]
_STUDIES = 10_000  # simulated
_SHARED = 0.5  # correlation of two arms' differences from one baseline
_POWER = 0.8


@dataclass(frozen=True)
class RequestForecast:
    """The requests of a study, if a number of its arms have the named difference and the others none."""

    working: int
    """How many arms of each model work."""
    share: float
    """The expected share of the requests of the whole study."""


@dataclass(frozen=True)
class StoppingForecast:
    """What interim analyses change, for an arm with the named difference."""

    dimension: str
    """The primary dimension with the least power."""
    difference: float
    """That of `futility`, or else the smallest one that the study finds with 80 % without stopping."""
    power: float
    """The chance that the study finds it."""
    power_without: float
    """The chance without interim analyses."""
    problems: int
    """How many problems find it with 80 %."""
    problems_without: int
    """The same without interim analyses."""
    requests: tuple[RequestForecast, ...]
    """By the number of arms that work: none, some, all."""

    more_problems: float
    """The factor of problems that keeps a power of 80 %."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"requests": [asdict(each) for each in self.requests]}


def forecast_stopping(design: Design, found: Sequence[Scatter]) -> StoppingForecast | None:
    """Simulate the interim analyses of a study; None without `stop`, arms or known variances."""
    stopping, arms = design.settings.stop, len(design.arms) - 1
    if stopping is None or not arms or not found:
        return None
    schedule = Schedule.of(design, stopping)
    sizes = np.array(list(Counter(each.family for each in design.problems.values()).values()), dtype=float)
    errors = {each: _predict_error(each, sizes, design.settings.most_repeats) for each in found}
    scatter = max(errors, key=errors.__getitem__)
    process = ScoreProcess(schedule, arms, float(degrees_of_freedom(sizes * scatter.paired)))
    if not errors[scatter]:
        return None
    named = stopping.futility.difference if stopping.futility else process.drift_without * errors[scatter]
    drift = named / errors[scatter]
    growth, growth_without = (process.drift / drift) ** 2, (process.drift_without / drift) ** 2
    problems = len(design.problems)
    return StoppingForecast(
        dimension=scatter.dimension.name,
        difference=named,
        power=process.power(drift),
        power_without=process.power_without(drift),
        problems=int(np.ceil(problems * growth)),
        problems_without=int(np.ceil(problems * growth_without)),
        more_problems=growth / growth_without,
        requests=tuple(
            RequestForecast(working, process.share_asked(drift, working))
            for working in dict.fromkeys((0, min(2, arms), arms))
        ),
    )


def _predict_error(scatter: Scatter, sizes: Floats, repeats: int) -> float:
    return scatter.parts.predict_error(sizes * scatter.paired, repeats)


@dataclass(frozen=True)
class ScoreProcess:
    """Arms of one model whose z follow score processes with a common part, decided at interim analyses.

    z at the share t of the families is normal with mean drift·√t, where drift is the true difference divided
    by the standard error of the whole study. Intervals are those of Student's t, at Šidák's level for all
    comparisons.
    """

    schedule: Schedule
    arms: int
    degrees: float
    """Degrees of freedom of the whole study."""

    @cached_property
    def _fractions(self) -> Floats:
        return np.array(self.schedule.fractions)

    @cached_property
    def _noise(self) -> Floats:
        """z without a difference, of shape (studies, arms, analyses)."""
        return _simulate_noise(self.schedule.fractions, self.arms)

    @cached_property
    def _bounds(self) -> tuple[Floats, Floats]:
        """The boundaries of success and the margins of giving up, in standard errors."""
        from scipy.special import stdtrit

        degrees = np.maximum(self.degrees * self._fractions, 1.0)
        alone = np.array([sidak_level(self.schedule.comparisons, each) for each in self.schedule.levels])
        futile = np.array(self.schedule.futility_levels)
        return stdtrit(degrees, (1 + alone) / 2), stdtrit(degrees, (1 + futile) / 2)

    def _decide(self, z: Floats, drift: float) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Return whether each arm is found, and at which analysis it is decided or ends; `z` has all arms."""
        stopping, (success, futile) = self.schedule.stopping, self._bounds
        one_sided = stopping.only is not None
        crossed = (z if one_sided else np.abs(z)) > success
        over = crossed.copy()
        if stopping.futility is not None:
            reach = drift * np.sqrt(self._fractions)
            over |= (z + futile < reach) & (one_sided | (z - futile > -reach))
        over[..., -1] = True
        last = over.argmax(axis=-1)
        return np.take_along_axis(crossed, last[..., None], axis=-1)[..., 0], last

    def power(self, drift: float) -> float:
        """Return the chance that an arm with this drift is found; it is also the drift that is named."""
        found, _ = self._decide(self._noise + drift * np.sqrt(self._fractions), drift)
        return float(found.mean())

    def power_without(self, drift: float) -> float:
        """Return the chance that the whole study finds an arm with this drift without interim analyses."""
        return float((self._noise[..., -1] + drift > self._critical_without).mean())

    @property
    def _critical_without(self) -> float:
        from scipy.special import stdtrit

        level = sidak_level(self.schedule.comparisons, 1 - self.schedule.stopping.success)
        return float(stdtrit(self.degrees, (1 + level) / 2))

    @cached_property
    def drift(self) -> float:
        """The drift that is found with 80 %."""
        low, high = 0.0, 2 * self.drift_without
        while high - low > 1e-3:
            middle = (low + high) / 2
            low, high = (middle, high) if self.power(middle) < _POWER else (low, middle)
        return high

    @property
    def drift_without(self) -> float:
        """The drift that is found with 80 % without interim analyses."""
        from scipy.special import stdtrit

        return self._critical_without + float(stdtrit(self.degrees, _POWER))

    def share_asked(self, drift: float, working: int) -> float:
        """Return the expected share of the requests, the baseline's included, if so many arms work."""
        effects = np.where(np.arange(self.arms) < working, drift, 0.0)
        _, last = self._decide(self._noise + effects[:, None] * np.sqrt(self._fractions), drift)
        asked = self._fractions[last]
        return float((asked.sum(axis=1) + asked.max(axis=1)).mean() / (self.arms + 1))


@lru_cache(maxsize=2)
def _simulate_noise(fractions: tuple[float, ...], arms: int) -> Floats:
    """Simulate z of arms that share their baseline, of shape (studies, arms, analyses)."""
    rng, steps = np.random.default_rng(0), np.sqrt(np.diff([0.0, *fractions]))
    studies = max(1000, _STUDIES // max(1, arms // 8))
    shared = rng.normal(0, steps, (studies, 1, len(steps))) * np.sqrt(_SHARED)
    own = rng.normal(0, steps, (studies, arms, len(steps))) * np.sqrt(1 - _SHARED)
    return np.asarray((shared + own).cumsum(axis=-1) / np.sqrt(fractions))
