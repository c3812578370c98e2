"""How far raters agree: κ, AC1 and AC2, ρ, and shares of agreement.

Ratings are numbers on a scale that is given or read off the ratings; None is a missing rating. A statistic
that is not defined has the value None with a reason; none is ever NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rating = float | None
Weighting = Literal["identity", "linear", "quadratic", "ordinal"]
WEIGHTINGS: tuple[Weighting, ...] = ("identity", "linear", "quadratic", "ordinal")


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of agreement over `items`, with its observed and its chance agreement where it has them.

    `low` and `high` are the ends of an interval where one was asked for. `reason` says why `value` is None.
    """

    value: float | None
    items: int
    observed: float | None = None
    chance: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Agreement:
    """Shares of pairs of ratings: equal (`full`), closer than `apart` (`partial`), and the rest (`none`)."""

    full: float
    partial: float
    none: float
    pairs: int


@dataclass(frozen=True)
class Leniency:
    """Shares of ratings in which the judge is above (`lenient`), level with or below the human (`strict`)."""

    lenient: float
    correct: float
    strict: float
    pairs: int


def agreement_weights(kind: Weighting, scale: Sequence[float]) -> Floats:
    """How much each pair of categories counts as agreement, from 0 to 1, of shape (categories, categories).

    Linear and quadratic weights follow the distance between the categories' values, 1 − |x − y|/range and
    1 − (x − y)²/range² (J. Cohen, Psychol. Bull. 70, 1968, 213-220); ordinal weights use ranks alone,
    1 − C(|i − j| + 1, 2)/C(q, 2) (K. L. Gwet, Handbook of Inter-Rater Reliability, 4th ed., 2014, ch. 3).
    Raises ValueError for an unknown kind.
    """
    x = np.asarray(scale, dtype=np.float64)
    if kind == "identity" or len(x) < 2:
        return np.eye(len(x))
    distance = np.abs(x[:, None] - x[None, :]) / (x.max() - x.min())
    if kind == "linear":
        return np.asarray(1 - distance)
    if kind == "quadratic":
        return np.asarray(1 - distance**2)
    if kind == "ordinal":
        ranks = np.arange(len(x))
        steps = np.abs(ranks[:, None] - ranks[None, :])
        return np.asarray(1 - steps * (steps + 1) / (len(x) * (len(x) - 1)))
    raise ValueError(f"weights are one of {', '.join(WEIGHTINGS)}, not {kind!r}")


def cohen_kappa(
    first: Sequence[Rating],
    second: Sequence[Rating],
    scale: Sequence[float] | None = None,
    weights: Weighting = "quadratic",
) -> Coefficient:
    """Weighted kappa of two raters, (Σwp − Σwe)/(1 − Σwe) with the products of the margins as chance.

    J. Cohen, Psychol. Bull. 70, 1968, 213-220. Items without both ratings are left out. Raises ValueError
    for sequences of different lengths and for a rating that is not on the scale.
    """
    pairs = _complete(first, second)
    if not pairs:
        return Coefficient(None, 0, reason="no item has both ratings")
    categories = _scale([value for pair in pairs for value in pair], scale)
    index = {value: at for at, value in enumerate(categories)}
    table = np.zeros((len(categories), len(categories)))
    for one, other in pairs:
        table[index[one], index[other]] += 1
    table /= len(pairs)
    weight = agreement_weights(weights, categories)
    observed = float((weight * table).sum())
    chance = float(table.sum(axis=1) @ weight @ table.sum(axis=0))
    if math.isclose(chance, 1.0, rel_tol=1e-12):
        reason = "both raters give every item the same rating, so chance alone would agree"
        return Coefficient(None, len(pairs), observed, chance, reason=reason)
    return Coefficient((observed - chance) / (1 - chance), len(pairs), observed, chance)


def gwet_ac(
    ratings: Sequence[Sequence[Rating]],
    scale: Sequence[float] | None = None,
    weights: Weighting = "ordinal",
) -> Coefficient:
    """Gwet's AC2, or AC1 with identity weights, of any number of raters; `ratings` has one row per item.

    With r_ik raters who put item i into category k of q, and r_i of them in all: observed agreement is the
    mean over items with r_i ≥ 2 of Σ_k r_ik (Σ_l w_kl r_il − 1)/(r_i (r_i − 1)), chance agreement is
    Σw/(q(q − 1)) · Σ_k π_k (1 − π_k), where π_k is the mean of r_ik/r_i over all rated items (K. L. Gwet,
    Br. J. Math. Stat. Psychol. 61, 2008, 29-48; Handbook, 4th ed., 2014). Which categories the scale has
    matters, so give it where some may not occur. `items` counts those that two or more raters rated.
    Raises ValueError for a rating that is not on the scale.
    """
    categories = _scale([value for row in ratings for value in row if value is not None], scale)
    index = {value: at for at, value in enumerate(categories)}
    counts = np.zeros((len(ratings), len(categories)))
    for row, values in enumerate(ratings):
        for value in values:
            if value is not None:
                counts[row, index[value]] += 1
    raters = counts.sum(axis=1)
    counts, raters = counts[raters > 0], raters[raters > 0]
    both = raters > 1
    items = int(both.sum())
    if not items:
        return Coefficient(None, 0, reason="no item has two ratings")
    if len(categories) < 2:
        return Coefficient(None, items, 1.0, reason="the scale has a single category")
    weight = agreement_weights(weights, categories)
    shared = (counts[both] * (counts[both] @ weight - 1)).sum(axis=1) / (raters[both] * (raters[both] - 1))
    observed, prevalence = float(shared.mean()), (counts / raters[:, None]).mean(axis=0)
    q = len(categories)
    chance = float(weight.sum() / (q * (q - 1)) * (prevalence * (1 - prevalence)).sum())
    return Coefficient((observed - chance) / (1 - chance), items, observed, chance)


def spearman(first: Sequence[Rating], second: Sequence[Rating]) -> Coefficient:
    """Spearman's rank correlation, ties sharing their mean rank, over items with both ratings."""
    from scipy.stats import rankdata

    pairs = _complete(first, second)
    if len(pairs) < 2:
        return Coefficient(None, len(pairs), reason="fewer than two items have both ratings")
    one, other = (rankdata(side) - (len(pairs) + 1) / 2 for side in zip(*pairs, strict=True))
    spread = math.sqrt(float(one @ one) * float(other @ other))
    if not spread:
        return Coefficient(None, len(pairs), reason="the values of one side are all equal")
    return Coefficient(min(1.0, max(-1.0, float(one @ other) / spread)), len(pairs))


def agreement_shares(
    first: Sequence[Rating], second: Sequence[Rating], apart: float = 2.0
) -> Agreement | None:
    """How many pairs agree fully, partly or not at all; None without a pair.

    Ratings at least `apart` from each other do not agree: on a 0-2 scale, the two ends.
    """
    pairs = _complete(first, second)
    if not pairs:
        return None
    gaps = np.array([abs(one - other) for one, other in pairs])
    full, none = float((gaps == 0).mean()), float((gaps >= apart).mean())
    return Agreement(full, float(((gaps > 0) & (gaps < apart)).mean()), none, len(gaps))


def leniency(judge: Sequence[Rating], human: Sequence[Rating]) -> Leniency | None:
    """How often the judge is above, level with or below the human; None without a pair."""
    gaps = np.array([one - other for one, other in _complete(judge, human)])
    if not len(gaps):
        return None
    above, level, below = (float(each.mean()) for each in (gaps > 0, gaps == 0, gaps < 0))
    return Leniency(above, level, below, len(gaps))


def with_interval(
    statistic: Callable[..., Coefficient],
    columns: Sequence[Sequence[Any]],
    families: Sequence[Hashable],
    level: float = 0.95,
) -> Coefficient:
    """A statistic of columns over items, with an interval by leaving out whole families.

    It is asked for all items and then without each family (B. Efron, The Jackknife, the Bootstrap and Other
    Resampling Plans, 1982, section 3); Student's quantile at families − 1 degrees of freedom gives the ends,
    cut at ±1. There is no interval with fewer than 3 families, or where leaving one out leaves the
    coefficient undefined or nothing at all changes it.
    """
    from scipy.special import stdtrit

    whole = statistic(*columns)
    names = {family: at for at, family in enumerate(dict.fromkeys(families))}
    if whole.value is None or len(names) < 3:
        return whole
    home = np.array([names[family] for family in families])
    n = len(names)
    parts = [statistic(*(list(compress(each, home != at)) for each in columns)).value for at in range(n)]
    others = np.array([math.nan if part is None else part for part in parts])
    if not np.ptp(others) >= 1e-12:
        return whole
    error = math.sqrt((n - 1) / n * float(((others - others.mean()) ** 2).sum()))
    reach = float(stdtrit(n - 1, (1 + level) / 2)) * error
    return replace(whole, low=max(-1.0, whole.value - reach), high=min(1.0, whole.value + reach))


def _complete(first: Sequence[Rating], second: Sequence[Rating]) -> list[tuple[float, float]]:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} ratings do not pair up")
    pairs = zip(first, second, strict=True)
    return [(one, other) for one, other in pairs if one is not None and other is not None]


def _scale(ratings: Sequence[float], scale: Sequence[float] | None) -> list[float]:
    """The categories in order. Raises ValueError for a rating that is not finite or not among them."""
    if not all(math.isfinite(value) for value in ratings):
        raise ValueError("a rating is not a finite number; a missing one is None")
    categories = sorted(set(ratings if scale is None else scale))
    if strange := sorted(set(ratings) - set(categories)):
        raise ValueError(f"{strange[0]:g} is not on the scale {', '.join(f'{x:g}' for x in categories)}")
    return categories
