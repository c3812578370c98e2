"""The verdicts of a comparison: better, worse, no worse than the margin, cannot tell. All hold together."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from ansatz.eval.score import Dimension
from ansatz.eval.statistics import PairedDelta, adjust_familywise, clustered_mean, gate_by_primary
from ansatz.eval.statistics.one_sided import OneSided, adjust_one_sided
from ansatz.eval.statistics.power import fewest_families
from ansatz.experiments.comparing.pairing import Names, Pairing, Unpaired, is_same_run
from ansatz.experiments.comparing.summary import RunSummary
from ansatz.experiments.results import Floats

Kind = Literal["better", "worse", "no_worse", "cannot_tell"]
LEVEL = 0.95
OK, WORSE, UNDECIDED = 0, 1, 3
"""Exit statuses."""
_POWER = 0.8
_MOST_FURTHER = 2**24


class ComparedScores(NamedTuple):
    """Which scores are compared."""

    model: Names
    arm: Names
    dimension: str


@dataclass(frozen=True)
class ComparisonVerdict:
    """How run B differs from run A, for one model, arm and dimension.

    Numbers are as stored (shares, not percent). A difference is B − A over the problems scored in both.
    """

    model: Names
    """The model in A, and that in B."""
    arm: Names
    dimension: Dimension
    verdict: Kind
    estimate: float | None
    """The mean difference; None without a pair."""
    low: float | None
    high: float | None
    """The simultaneous two-sided interval at `level`, as in a report."""
    pairs: int
    """Number of problems scored in both runs."""
    families: int
    least: float | None
    most: float | None
    """One-sided bounds at `level` from below and above, which decide the verdict. Each side is simultaneous
    over all comparisons."""
    means: tuple[float | None, float | None]
    """Means of A and B over the paired problems."""
    margin: float | None
    """The accepted change for the worse; None if there is none."""
    further: int | None
    """If the verdict is `cannot_tell`: the number of further problems after which there is a verdict with
    80 % probability, if the estimate is right. None if it cannot be estimated."""
    is_unchanged: bool
    """Whether nothing that can change an answer differs, and all scores are equal."""
    level: float = LEVEL
    """0.95, or the level of the interim analysis that ended one of the arms."""
    one_run_only: tuple[int, int] = (0, 0)
    """Numbers of problems scored only in A, and only in B."""

    def to_json(self) -> dict[str, Any]:
        """Return the verdict on the scale of the dimension, as reports show it."""
        scale = self.dimension.scale

        def change(value: float | None) -> float | None:
            return scale.to_number(value, change=True)

        return {
            "model": self.model[1],
            "arm": self.arm[1],
            "dimension": self.dimension.name,
            "verdict": self.verdict,
            "estimate": change(self.estimate),
            "low": change(self.low),
            "high": change(self.high),
            "pairs": self.pairs,
            "families": self.families,
            "least": change(self.least),
            "most": change(self.most),
            "mean_a": scale.to_number(self.means[0]),
            "mean_b": scale.to_number(self.means[1]),
            "model_a": self.model[0],
            "arm_a": self.arm[0],
            "margin": change(self.margin),
            "further_problems": self.further,
            "level": round(self.level, 6),
            "unchanged": self.is_unchanged,
        }


@dataclass(frozen=True, eq=False)
class ComparedRuns:
    """The verdicts of a comparison, with what they are based on."""

    a: RunSummary
    b: RunSummary
    verdicts: tuple[ComparisonVerdict, ...]
    pairing: Pairing
    deciding: tuple[str, ...]
    """The dimensions that decide whether the comparison can tell: the primary ones, else those with a margin,
    else all."""

    @property
    def unpaired(self) -> tuple[Unpaired, ...]:
        """What has no partner in the other run, with the reason."""
        return self.pairing.unpaired

    @property
    def is_worse(self) -> bool:
        """Whether any verdict is `worse`."""
        return any(each.verdict == "worse" for each in self.verdicts)

    @property
    def is_undecided(self) -> bool:
        """Whether nothing is worse, and a deciding verdict is `cannot_tell`."""
        deciding = [each for each in self.verdicts if each.dimension.name in self.deciding]
        return not self.is_worse and any(each.verdict == "cannot_tell" for each in deciding)

    @property
    def status(self) -> int:
        """The exit status: 1 if anything is worse, 3 if a deciding verdict is `cannot_tell`, otherwise 0."""
        return WORSE if self.is_worse else UNDECIDED if self.is_undecided else OK


def judge(
    a: RunSummary, b: RunSummary, pairing: Pairing, margins: Mapping[str, float], primary: Sequence[str]
) -> list[ComparisonVerdict]:
    """Judge every pair of systems on every dimension. `margins` are as stored, by dimension."""
    before, after = select_means(a, pairing, 0), select_means(b, pairing, 1)
    families = np.array([min(a.problems[id].family, b.problems[id].family) for id in pairing.problems])
    seed = a.seed if a.seed == b.seed else 0
    wide: dict[ComparedScores, PairedDelta] = {}
    narrow: dict[ComparedScores, PairedDelta] = {}
    for place, values in before.items():
        difference = _orient(b.dimensions[place.dimension], after[place] - values)
        known = ~np.isnan(difference)
        own = _find_level(a, b, place)
        for level, found in ((own, wide), (2 * own - 1, narrow)):
            found[place] = clustered_mean(
                difference[known], families[known], seed=seed, level=level, ends=(-1.0, 1.0)
            )
    intervals = _adjust_two_sided(wide, primary, seed)
    bounds = _adjust_one_sided(narrow, primary, seed) if a.is_complete and b.is_complete else {}
    return [
        _Decision(
            place,
            b.dimensions[place.dimension],
            narrow[place],
            intervals[place],
            bounds.get(place),
            before[place],
            after[place],
            margins.get(place.dimension),
            _is_same_system(a, b, place),
        ).to_verdict()
        for place in wide
    ]


def _find_level(a: RunSummary, b: RunSummary, place: ComparedScores) -> float:
    """Return the level of a comparison.

    If interim analyses ended an arm, its number of problems depends on its scores. Bounds at the level of
    that analysis hold whichever analysis it is. The first one to end either arm has the highest level.
    """
    levels = (run.levels.get((place.model[at], place.arm[at]), LEVEL) for at, run in enumerate((a, b)))
    return max(LEVEL, *levels)


def select_means(run: RunSummary, pairing: Pairing, side: int) -> dict[ComparedScores, Floats]:
    """Return the means over repeats of the paired problems, by place."""
    places = {id: at for at, id in enumerate(run.problems)}
    problems = np.array([places[id] for id in pairing.problems], dtype=np.intp)
    models, arms, dimensions = (list(each) for each in (run.models, run.arms, run.dimensions))
    return {
        ComparedScores(model, arm, name): run.means[
            models.index(model[side]), arms.index(arm[side]), dimensions.index(name)
        ][problems]
        for model, arm in pairing.systems
        for name in pairing.dimensions
    }


def _orient(dimension: Dimension, values: Floats) -> Floats:
    """Return differences for which higher is better."""
    return values if dimension.better == "higher" else -values


def _adjust_two_sided(
    deltas: Mapping[ComparedScores, PairedDelta], primary: Sequence[str], seed: int
) -> dict[ComparedScores, tuple[float | None, float | None]]:
    """Return the simultaneous intervals, which are those of a report."""
    first = {place: delta for place, delta in deltas.items() if place.dimension in primary}
    if first and len(first) < len(deltas):
        rest = {place: delta for place, delta in deltas.items() if place not in first}
        gates = {place: [gate for gate in first if gate[:2] == place[:2]] for place in rest}
        family = gate_by_primary(
            adjust_familywise(first, seed=seed), adjust_familywise(rest, seed=seed), gates
        )
    else:
        family = adjust_familywise(deltas, seed=seed)
    return {
        place: (found.low, found.high) if (found := family.verdicts.get(place)) else (delta.low, delta.high)
        for place, delta in deltas.items()
    }


def _adjust_one_sided(
    deltas: Mapping[ComparedScores, PairedDelta], primary: Sequence[str], seed: int
) -> dict[ComparedScores, OneSided]:
    """Adjust the primary dimensions first; others of a system count only if a primary one changed."""
    first = {place: delta for place, delta in deltas.items() if place.dimension in primary}
    if not first or len(first) == len(deltas):
        return adjust_one_sided(deltas, seed=seed)
    rest = {place: delta for place, delta in deltas.items() if place not in first}
    found = adjust_one_sided(first, seed=seed)
    opened: dict[ComparedScores, OneSided] = {}
    for place, each in adjust_one_sided(rest, seed=seed).items():
        gates = [own for gate, own in found.items() if gate[:2] == place[:2]]
        least = min((min(gate.p_lower, gate.p_higher) for gate in gates), default=1.0)
        opened[place] = replace(each, p_lower=max(each.p_lower, least), p_higher=max(each.p_higher, least))
    return found | opened


def _is_same_system(a: RunSummary, b: RunSummary, place: ComparedScores) -> bool:
    """Whether model and treatment are the same in both runs, and known unless it is one run."""
    if is_same_run(a, b) and place.model[0] == place.model[1] and place.arm[0] == place.arm[1]:
        return True
    pairs = (
        (a.models[place.model[0]], b.models[place.model[1]]),
        (a.arms[place.arm[0]], b.arms[place.arm[1]]),
    )
    return all(one and one == other for one, other in pairs)


@dataclass(frozen=True)
class _Decision:
    """One comparison on its way to a verdict. `delta`, `ends` and `bound` are oriented: higher is better."""

    place: ComparedScores
    dimension: Dimension
    delta: PairedDelta
    ends: tuple[float | None, float | None]
    bound: OneSided | None
    before: Floats
    after: Floats
    margin: float | None
    is_same: bool
    """Whether model and treatment are the same in both runs."""

    def to_verdict(self) -> ComparisonVerdict:
        known = ~np.isnan(self.before), ~np.isnan(self.after)
        both = known[0] & known[1]
        is_unchanged = self.is_same and bool(both.any() and np.array_equal(*self._sides, equal_nan=True))
        kind = _classify(self.delta, self.bound, self.margin)
        if kind == "cannot_tell" and is_unchanged:
            kind = "no_worse"
        estimate, _ = self._as_stored(self.delta.estimate, self.delta.estimate)
        low, high = self._as_stored(*self.ends)
        least, most = self._as_stored(*((self.bound.low, self.bound.high) if self.bound else (None, None)))
        return ComparisonVerdict(
            model=self.place.model,
            arm=self.place.arm,
            dimension=self.dimension,
            verdict=kind,
            estimate=estimate,
            low=low,
            high=high,
            pairs=self.delta.pairs,
            families=self.delta.families,
            least=least,
            most=most,
            means=(_mean(self.before[both]), _mean(self.after[both])),
            margin=self.margin,
            further=self._count_further() if kind == "cannot_tell" else None,
            is_unchanged=is_unchanged,
            level=(1 + self.delta.level) / 2,
            one_run_only=(int((known[0] & ~known[1]).sum()), int((known[1] & ~known[0]).sum())),
        )

    @property
    def _sides(self) -> tuple[Floats, Floats]:
        return self.before, self.after

    def _as_stored(self, low: float | None, high: float | None) -> tuple[float | None, float | None]:
        """Return the ends of an interval in the direction of the dimension's values."""
        if self.dimension.better == "higher":
            return low, high
        return _negate(high), _negate(low)

    def _count_further(self) -> int | None:
        """Count the further problems after which there is a verdict with 80 % probability.

        The problems so far have the estimate, which is taken as right; only the further ones scatter around
        it. None if no number of problems would do, as for an estimate of zero without a margin.
        """
        delta, bound = self.delta, self.bound
        if bound is None or delta.estimate is None or bound.low is None or bound.high is None:
            return None
        if not delta.error:  # nothing varied: the bound shrinks with the number of problems
            distance = max(abs(delta.estimate), (self.margin or 0.0) + delta.estimate)
            needed = math.ceil(delta.pairs * abs(bound.low) / distance) if distance else _MOST_FURTHER
        else:
            ends, margin = (bound.low, bound.high), self.margin or 0.0

            def predict(total: int) -> float:
                return _predict_verdict(delta, ends, margin, total)

            most = next((total for total in _double(delta.pairs) if predict(total) >= _POWER), _MOST_FURTHER)
            needed = bisect_left(range(most), _POWER, delta.pairs + 1, key=predict)
        least = math.ceil(delta.pairs * fewest_families(2 * (1 - LEVEL)) / delta.families)
        further = max(needed, least) - delta.pairs
        return further if 0 < further < _MOST_FURTHER // 2 else None


def _double(number: int) -> Iterator[int]:
    while number < _MOST_FURTHER:
        number *= 2
        yield number


def _predict_verdict(delta: PairedDelta, bounds: tuple[float, float], margin: float, total: int) -> float:
    """Return the probability of any verdict if the n problems so far are followed by others, `total` in all.

    With the standard error s/√n so far, the mean over N problems has the standard deviation s √(N − n)/N
    around the estimate, and its bounds are nearer by √(n/N). A verdict needs a lower bound above −margin
    (above zero without one), or an upper bound below zero.
    """
    from scipy.special import stdtr

    assert delta.estimate is not None and delta.error is not None
    nearer = math.sqrt(delta.pairs / total)
    below, above = (nearer * abs(delta.estimate - each) for each in bounds)
    if below + above <= margin:
        return 1.0
    spread = delta.error * math.sqrt(delta.pairs * (total - delta.pairs)) / total
    ends = np.array([delta.estimate + margin - below, -above - delta.estimate])
    return float(stdtr(delta.degrees, ends / spread).sum())


def _mean(values: Floats) -> float | None:
    return math.fsum(values.tolist()) / len(values) if len(values) else None


def _classify(delta: PairedDelta, bound: OneSided | None, margin: float | None) -> Kind:
    """Return the verdict. A change that is certainly smaller than the margin counts as no worse."""
    estimate, alpha = delta.estimate, (1 - delta.level) / 2
    if estimate is None or bound is None:
        return "cannot_tell"
    if bound.low is not None and bound.low > 0 and bound.p_higher < alpha and estimate > 0:
        return "better"
    if margin is not None and bound.low is not None and bound.low > -margin:
        return "no_worse"
    if bound.high is not None and bound.high < 0 and bound.p_lower < alpha and estimate < 0:
        return "worse"
    return "cannot_tell"


def _negate(value: float | None) -> float | None:
    return None if value is None else -value + 0.0
