"""Agreement of raters: κ, AC1 and AC2, ρ, and shares of agreement.

Ratings are numbers on a scale, by default the set of ratings that occur; None is a missing rating. An
undefined statistic has the value None and a reason, never NaN.
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
    """A coefficient of agreement."""

    value: float | None
    items: int
    """Number of items that it is based on."""
    observed: float | None = None
    """Observed agreement, if the coefficient is defined by it."""
    chance: float | None = None
    """Agreement by chance, if the coefficient is defined by it."""
    low: float | None = None
    high: float | None = None
    """The ends of the interval; None unless `with_interval` computed it."""
    reason: str | None = None
    """Why `value` is None."""


@dataclass(frozen=True)
class Agreement:
    """Shares of pairs of ratings by their distance."""

    full: float
    """Equal ratings."""
    partial: float
    """Ratings that differ by less than `min_gap`."""
    none: float
    """Ratings that differ by at least `min_gap`."""
    pairs: int


@dataclass(frozen=True)
class Leniency:
    """Shares of ratings by the sign of judge − human."""

    lenient: float
    """The judge is above the human."""
    correct: float
    """Both are equal."""
    strict: float
    """The judge is below the human."""
    pairs: int


def agreement_weights(kind: Weighting, scale: Sequence[float]) -> Floats:
    """Return how much each pair of categories counts as agreement, 0 to 1, of shape (categories, categories).

    Linear and quadratic weights follow the distance between the categories' values, 1 − |x − y|/range and
    1 − (x − y)²/range² (J. Cohen, Psychol. Bull. 70, 1968, 213-220). Ordinal weights use ranks only,
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
    """Compute the weighted kappa of two raters, (Σwp − Σwe)/(1 − Σwe).

    Chance agreement e is the product of the margins (J. Cohen, Psychol. Bull. 70, 1968, 213-220). Items
    without both ratings are skipped. Raises ValueError for sequences of different lengths and for a rating
    that is not on the scale.
    """
    pairs = _pair_ratings(first, second)
    if not pairs:
        return Coefficient(None, 0, reason="no item has both ratings")
    categories = _find_categories([value for pair in pairs for value in pair], scale)
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
    """Compute Gwet's AC2, or AC1 with identity weights, of any number of raters.

    Let r_ik raters put item i into category k of q, and r_i = Σ_k r_ik. Observed agreement is the mean over
    items with r_i ≥ 2 of Σ_k r_ik (Σ_l w_kl r_il − 1)/(r_i (r_i − 1)). Chance agreement is
    Σw/(q(q − 1)) · Σ_k π_k (1 − π_k), where π_k is the mean of r_ik/r_i over all rated items (K. L. Gwet,
    Br. J. Math. Stat. Psychol. 61, 2008, 29-48; Handbook, 4th ed., 2014).

    Parameters
    ----------
    ratings
        One row of ratings per item.
    scale
        All categories. Give it if some of them may not occur, because their number changes the result.

    Returns
    -------
    Coefficient
        `items` counts the items with at least two ratings.

    Raises
    ------
    ValueError
        If a rating is not on the scale.
    """
    categories = _find_categories([value for row in ratings for value in row if value is not None], scale)
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
    """Compute Spearman's rank correlation over items with both ratings; ties share their mean rank."""
    from scipy.stats import rankdata

    pairs = _pair_ratings(first, second)
    if len(pairs) < 2:
        return Coefficient(None, len(pairs), reason="fewer than two items have both ratings")
    one, other = (rankdata(side) - (len(pairs) + 1) / 2 for side in zip(*pairs, strict=True))
    spread = math.sqrt(float(one @ one) * float(other @ other))
    if not spread:
        return Coefficient(None, len(pairs), reason="the values of one side are all equal")
    return Coefficient(min(1.0, max(-1.0, float(one @ other) / spread)), len(pairs))


def agreement_shares(
    first: Sequence[Rating], second: Sequence[Rating], min_gap: float = 2.0
) -> Agreement | None:
    """Compute the shares of pairs that agree fully, partly or not at all; None without a pair.

    Ratings that differ by at least `min_gap` do not agree; on a 0-2 scale, these are the two ends.
    """
    pairs = _pair_ratings(first, second)
    if not pairs:
        return None
    gaps = np.array([abs(one - other) for one, other in pairs])
    full, none = float((gaps == 0).mean()), float((gaps >= min_gap).mean())
    return Agreement(full, float(((gaps > 0) & (gaps < min_gap)).mean()), none, len(gaps))


def leniency(judge: Sequence[Rating], human: Sequence[Rating]) -> Leniency | None:
    """Compute how often the judge is above, equal to or below the human; None without a pair."""
    gaps = np.array([one - other for one, other in _pair_ratings(judge, human)])
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
    """Compute a statistic of columns over items, with a jackknife interval over families.

    The statistic is computed for all items, and again without each family (B. Efron, The Jackknife, the
    Bootstrap and Other Resampling Plans, 1982, section 3). The ends use Student's quantile with families − 1
    degrees of freedom, and are cut at ±1. There is no interval with fewer than 3 families, if the coefficient
    is undefined without one family, or if no family changes it.
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


def _pair_ratings(first: Sequence[Rating], second: Sequence[Rating]) -> list[tuple[float, float]]:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} ratings do not pair up")
    pairs = zip(first, second, strict=True)
    return [(one, other) for one, other in pairs if one is not None and other is not None]


def _find_categories(ratings: Sequence[float], scale: Sequence[float] | None) -> list[float]:
    """Return the categories in order. Raises ValueError for a rating that is infinite or not on the scale."""
    if not all(math.isfinite(value) for value in ratings):
        raise ValueError("a rating is not a finite number; a missing one is None")
    categories = sorted(set(ratings if scale is None else scale))
    if off_scale := sorted(set(ratings) - set(categories)):
        raise ValueError(f"{off_scale[0]:g} is not on the scale {', '.join(f'{x:g}' for x in categories)}")
    return categories
