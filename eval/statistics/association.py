"""How strongly two things go together over items that come in families: Pearson's r, and φ for yes and no."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NEGLIGIBLE = 1e-9  # a correlation this near ±1 is a straight line


@dataclass(frozen=True)
class Association:
    """A correlation over `items` of `families`.

    `value` is None where one of the two does not vary. `low` and `high` are None where that happens as
    soon as one family is left out, where every item lies on a straight line, or with fewer than 3 families.
    """

    value: float | None
    low: float | None
    high: float | None
    items: int
    families: int


def pearson(
    first: Sequence[float],
    second: Sequence[float],
    families: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Association:
    """Pearson's r = Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² Σ(y − ȳ)²), with an interval that minds families.

    The interval is built on Fisher's z = artanh r (R. A. Fisher, Metron 1, 1921, 3-32), whose spread is
    estimated by leaving out one family at a time (B. Efron, The Jackknife, the Bootstrap and Other
    Resampling Plans, 1982, section 3), with Student's quantile at families − 1 degrees of freedom.
    Neither normality nor independence within a family is assumed. Without `families` every item is one.
    Raises ValueError for sequences of different lengths.
    """
    groups = list(range(len(first))) if families is None else list(families)
    if not len(first) == len(second) == len(groups):
        raise ValueError(f"{len(first)}, {len(second)} and {len(groups)} items do not pair up")
    index = {name: at for at, name in enumerate(dict.fromkeys(groups))}
    sums = _sums_by_family(first, second, np.array([index[name] for name in groups], dtype=np.intp))
    value = float(_correlations(sums.sum(axis=0, keepdims=True))[0]) if len(groups) else math.nan
    if math.isnan(value):
        return Association(None, None, None, len(groups), len(index))
    low, high = _interval(value, _correlations(sums.sum(axis=0) - sums), level)
    return Association(value, low, high, len(groups), len(index))


def phi(
    first: Sequence[bool],
    second: Sequence[bool],
    families: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Association:
    """φ = (n₁₁n₀₀ − n₁₀n₀₁) / √(n₁.n₀.n.₁n.₀), Pearson's r of two yes-or-no variables.

    G. U. Yule, J. R. Stat. Soc. 75, 1912, 579-652. Interval as for `pearson`.
    """
    return pearson([float(each) for each in first], [float(each) for each in second], families, level)


def _sums_by_family(first: Sequence[float], second: Sequence[float], family: NDArray[np.intp]) -> Floats:
    """n, Σx, Σy, Σx², Σy², Σxy of each family, of shape (families, 6); x and y in units of their spread."""
    x, y = _standardised(first), _standardised(second)
    columns = (np.ones_like(x), x, y, x * x, y * y, x * y)
    return np.stack([np.bincount(family, column) for column in columns], axis=1)


def _standardised(values: Sequence[float]) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.size == 0:
        return array
    centred = array - array.mean()
    spread = np.abs(centred).max()
    # below rounding of the values themselves nothing varies
    return centred / spread if spread > 1e-12 * np.abs(array).max() else np.zeros_like(array)


def _correlations(sums: Floats) -> Floats:
    """r of each row of n, Σx, Σy, Σx², Σy², Σxy; NaN where x or y does not vary."""
    n, x, y, xx, yy, xy = sums.T
    n = np.maximum(n, 1.0)
    spread_x, spread_y = xx - x * x / n, yy - y * y / n
    varied = (spread_x > 1e-12) & (spread_y > 1e-12)
    product = np.sqrt(np.where(varied, spread_x * spread_y, 1.0))
    return np.where(varied, np.clip((xy - x * y / n) / product, -1.0, 1.0), np.nan)


def _interval(value: float, left_out: Floats, level: float) -> tuple[float | None, float | None]:
    from scipy.special import stdtrit

    families = len(left_out)
    extreme = np.abs(np.append(left_out, value)).max()  # NaN if any is
    if families < 3 or not extreme < 1 - _NEGLIGIBLE:
        return None, None
    z = np.arctanh(left_out)
    error = math.sqrt((families - 1) / families * float(np.sum((z - z.mean()) ** 2)))
    reach = float(stdtrit(families - 1, (1 + level) / 2)) * error
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)


def spearman_p(
    first: Sequence[float], second: Sequence[float], *, seed: int, permutations: int = 9999
) -> float | None:
    """Two-sided permutation p of Spearman's ρ: how often shuffled pairs correlate as strongly or more.

    All orders are tried where there are no more of them than `permutations`, else as many are drawn and the
    observed one is counted among them. None where one side does not vary. Raises ValueError for sequences of
    different lengths.
    """
    from scipy.stats import rankdata

    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} items do not pair up")
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    x, y = (ranks - ranks.mean() for ranks in (rankdata(first), rankdata(second)))
    observed = abs(float(x @ y)) - 1e-9
    if math.factorial(len(x)) <= permutations:
        orders = np.array(list(itertools.permutations(range(len(x)))))
        return float((np.abs(y[orders] @ x) >= observed).mean())
    rng = np.random.default_rng(seed)
    orders = rng.permuted(np.tile(np.arange(len(x)), (permutations, 1)), axis=1)
    return float(((np.abs(y[orders] @ x) >= observed).sum() + 1) / (permutations + 1))
