"""Adjustment of p values and intervals for the number of comparisons."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import PairedDelta
from ansatz.eval.statistics.resampling import FLIPS_MAIN, is_exact, share_reached, sign_patterns

Floats = NDArray[np.float64]
Correction = Literal["westfall-young", "holm"]
_NEAR = 1e-5  # of a statistic, in single precision
_HIGHEST = 1 - 1e-6  # the highest level of an interval

Name = TypeVar("Name", bound=Hashable)


def holm(p_values: Mapping[Name, float]) -> dict[Name, float]:
    """Adjust p values for their number (S. Holm, Scand. J. Stat. 6, 1979, 65-70), in the same order."""
    corrected: dict[Name, float] = {}
    highest = 0.0
    ordered = sorted(p_values, key=lambda name: p_values[name])
    for rank, name in enumerate(ordered):
        highest = max(highest, min(1.0, (len(ordered) - rank) * p_values[name]))
        corrected[name] = highest
    return {name: corrected[name] for name in p_values}


@dataclass(frozen=True)
class Adjusted:
    """One of several comparisons, with the adjustment for their number."""

    delta: PairedDelta
    p: float
    """p of this comparison alone."""
    p_adjusted: float
    """p adjusted for all comparisons."""
    low: float | None
    high: float | None
    """The ends of the simultaneous interval."""

    @property
    def is_clear(self) -> bool:
        """Whether the simultaneous interval excludes zero."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes zero and the adjusted p is below 1 − level."""
        return self.is_clear and self.p_adjusted < 1 - self.delta.level


@dataclass(frozen=True, eq=False)
class AdjustedFamily(Generic[Name]):
    """A family of comparisons that are adjusted together."""

    verdicts: Mapping[Name, Adjusted]
    """The adjusted comparisons by name."""
    maxima: Floats = field(repr=False)
    """The largest |T| of each joint sign flip, ascending."""
    level: float = 0.95

    def adjusted_p(self, delta: PairedDelta) -> float:
        """Return p of another comparison, adjusted for this family."""
        if not len(self.maxima):
            return 0.0
        reached = len(self.maxima) - np.searchsorted(self.maxima, statistic(delta) - _NEAR)
        return float((reached + 1) / (len(self.maxima) + 1))

    def simultaneous_level(self, delta: PairedDelta) -> float:
        """Return the level at which the interval of another comparison is simultaneous with this family.

        The interval then excludes zero if |T| exceeds the critical value. Student's t follows from T as
        T √((families − 1)/(families − T²)).
        """
        from scipy.special import stdtr

        if delta.families < 2:
            return delta.level
        critical = self._find_critical(max(self.level, delta.level))
        room = max(delta.families - critical**2, 1e-3 * delta.families)
        t = critical * float(np.sqrt((delta.families - 1) / room))
        return float(min(max(delta.level, 2 * stdtr(delta.families - 1, t) - 1), _HIGHEST))

    @cached_property
    def critical(self) -> float:
        """The `level` quantile of the largest |T| under no effect; 0 without any comparison."""
        return self._find_critical(self.level)

    def _find_critical(self, level: float) -> float:
        return float(np.quantile(self.maxima, level)) if len(self.maxima) else 0.0


def statistic(delta: PairedDelta) -> float:
    """Return |Σ x| / √Σ x² over family totals x, which has one scale for all comparisons."""
    if delta.totals is None or not (scale := float(np.sqrt((delta.totals.sums**2).sum()))):
        return 0.0
    return abs(float(delta.totals.sums.sum())) / scale


def adjust_familywise(
    deltas: Mapping[Name, PairedDelta],
    *,
    seed: int,
    correction: Correction = "westfall-young",
    flips: int = FLIPS_MAIN,
    level: float = 0.95,
) -> AdjustedFamily[Name]:
    """Adjust p of several comparisons for their number, and compute simultaneous intervals.

    Each flip changes the sign of a whole family in all comparisons, which preserves their correlation: the
    step-down max-T procedure of P. H. Westfall and S. S. Young (Resampling-Based Multiple Testing, 1993,
    section 2.6; J. P. Romano and M. Wolf, J. Am. Stat. Assoc. 100, 2005, 94-108) with `statistic` as T.
    Under no effect, both signs of a family's differences are equally likely. p are exact if at most 13
    families have a difference. The 95 % quantile of the largest |T| determines the length of intervals.
    Comparisons without a p have no verdict. With Holm's correction, p is `holm` of the single p, and
    intervals have the level 1 − 0.05/number (C. E. Bonferroni).
    """
    known = {name: delta for name, delta in deltas.items() if delta.totals is not None}
    if not known:
        return AdjustedFamily({}, np.zeros(0), level)
    single, adjusted, maxima = _flip_signs(list(known.values()), seed, flips)
    if correction == "holm":
        adjusted = np.array(list(holm(dict(enumerate(single.tolist()))).values()))
    verdicts: dict[Name, Adjusted] = {}
    luck: AdjustedFamily[Name] = AdjustedFamily({}, maxima, level)
    for at, (name, delta) in enumerate(known.items()):
        bonferroni = 1 - (1 - delta.level) / len(known)
        at_once = bonferroni if correction == "holm" else luck.simultaneous_level(delta)
        low, high = delta.ends_at(at_once) or (None, None)
        verdicts[name] = Adjusted(delta, float(single[at]), float(adjusted[at]), low, high)
    return replace(luck, verdicts=verdicts)


def _flip_signs(deltas: list[PairedDelta], seed: int, flips: int) -> tuple[Floats, Floats, Floats]:
    """Return p of each comparison, adjusted p, and the largest |T| of every sign pattern, ascending."""
    table = standardize_totals(deltas)
    observed = np.abs(table.sum(axis=0))
    order = np.argsort(-observed, kind="stable")
    table, observed = table[:, order].astype(np.float32), observed[order]
    single, stepped = np.zeros(len(order)), np.zeros(len(order))
    maxima = []
    for signs in sign_patterns(len(table), flips, seed):
        drawn = np.abs(signs @ table)
        single += (drawn >= observed - _NEAR).sum(axis=0)
        # the largest |T| of each comparison and those with a smaller observed |T|
        least = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        stepped += (least >= observed - _NEAR).sum(axis=0)
        maxima.append(least[:, 0])
    patterns = sum(map(len, maxima))
    p = np.array([share_reached(int(hits), patterns, len(table)) for hits in single])
    for place, at in enumerate(order):
        totals = deltas[at].totals
        if totals is not None and is_exact(int(np.count_nonzero(totals.sums))):
            p[place] = totals.p
    adjusted = np.array([share_reached(int(hits), patterns, len(table)) for hits in stepped])
    adjusted = np.minimum(np.maximum.accumulate(np.maximum(adjusted, p)), 1.0)
    back = np.argsort(order, kind="stable")
    return p[back], adjusted[back], np.sort(np.concatenate(maxima)).astype(np.float64)


def standardize_totals(deltas: list[PairedDelta]) -> Floats:
    """Return family totals / √Σ x², of shape (families with a difference, comparisons).

    The order of rows does not depend on the names of families.
    """
    names, places = np.unique(
        np.concatenate([d.totals.families for d in deltas if d.totals]), return_inverse=True
    )
    columns = np.repeat(np.arange(len(deltas)), [len(d.totals.families) for d in deltas if d.totals])
    table = np.zeros((len(names), len(deltas)))
    table[places, columns] = np.concatenate([d.totals.sums for d in deltas if d.totals])
    scale = np.sqrt((table**2).sum(axis=0))
    table /= np.where(scale > 0, scale, 1.0)
    table = table[table.any(axis=1)]
    keys = np.round(np.abs(table), 9)
    return np.asarray(table[np.lexsort(keys.T[::-1])]) if len(table) else np.zeros((0, len(deltas)))


def gate_by_primary(
    first: AdjustedFamily[Name], rest: AdjustedFamily[Name], gates: Mapping[Name, Sequence[Name]]
) -> AdjustedFamily[Name]:
    """Combine primary comparisons with others that count only if one of their primary gates is significant.

    Each of the two families controls its error rate. A p of `rest` is at least the smallest p of its gates.
    Further comparisons are adjusted by the stricter of the two families.
    """
    opened = {
        name: replace(
            each,
            p_adjusted=max(
                each.p_adjusted,
                min(
                    (first.verdicts[gate].p_adjusted for gate in gates[name] if gate in first.verdicts),
                    default=1.0,
                ),
            ),
        )
        for name, each in rest.verdicts.items()
    }
    stricter = max(first, rest, key=lambda each: each.critical)
    return replace(stricter, verdicts={**first.verdicts, **opened})
