"""Confidence intervals and permutation tests for clustered differences, by seeded resampling."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ends = tuple[float, float]

FLIPS = 9999  # random sign patterns for a single comparison
FLIPS_MAIN = 50_000  # random sign patterns for the main comparisons of a report together
_EXACT = 13  # most families for which every sign pattern is counted
_BLOCK = 5000  # most sign patterns in memory at once
_SIGNS = 5000 * 1024  # most signs in memory at once
_NARROWEST = 64  # least bits of a sign pattern; wider patterns have twice, four times, … as many
_COUNTS = 2**21  # most counts of families in resamples in memory at once
_MOST_SPREADS = 4096  # most cached spreads
_NEAR = 3e-6  # relative rounding error of sums in single precision
_NEGLIGIBLE = 1e-12  # relative to the values: a smaller spread is rounding
_DRAWS = 20_000  # samples of a posterior


@dataclass(frozen=True)
class Spread:
    """The uncertainty of a clustered mean. If nothing varied, all fields but `degrees` are zero."""

    below: float
    """Length of the interval below the mean."""
    above: float
    """Length of the interval above the mean."""
    error: float
    """CR2 standard error."""
    degrees: float
    """Degrees of freedom of `error`."""


def spread(sums: Floats, counts: Floats, *, seed: int, resamples: int, level: float) -> Spread:
    """Compute the interval around sum(sums)/sum(counts), the mean over clustered items.

    `sums` and `counts`, of shape (families,), are each family's total and its number of items. The method
    is the equal-tailed studentised cluster bootstrap (P. Hall, The Bootstrap and Edgeworth Expansion, 1992,
    section 3.5; A. C. Cameron, J. B. Gelbach and D. L. Miller, Rev. Econ. Stat. 90, 2008, 414-427):
    families are resampled with replacement, and each side takes the opposite quantile of t*. Two guards: a
    resample's standard error is at least 1/sqrt(families) of the sample's, so that resamples in which
    nothing varies do not make t* infinite; and each side is at least as long as Student's with the error
    and degrees of freedom of `cluster_error`, which covers few families and families of very different
    sizes. If nothing varied, `degenerate_interval` replaces the bootstrap.

    The sides differ if only few families have an effect: such a sample is compatible with larger effects,
    and a symmetric interval would include zero without need. `benchmarks/intervals.py` has the coverage in
    simulated worlds.
    """
    key = digest(sums, counts, seed, resamples, level)
    if key not in _SPREADS:
        if len(_SPREADS) >= _MOST_SPREADS:
            _SPREADS.clear()
        _SPREADS[key] = _spread(sums, counts, seed, resamples, level)
    return _SPREADS[key]


_SPREADS: dict[bytes, Spread] = {}
"""A cache by the digest of the inputs: the tables of a report repeat comparisons."""


def digest(*parts: object) -> bytes:
    """Return a short key that is equal for equal arrays and values."""
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return found.digest()


def _spread(sums: Floats, counts: Floats, seed: int, resamples: int, level: float) -> Spread:
    from scipy.special import stdtrit  # the quantile of Student's t

    families, items = len(sums), float(counts.sum())
    residuals, counts, sign = _in_canonical_order(sums - counts * (sums.sum() / items), counts)
    error, degrees = cluster_error(residuals, counts)
    if error * items <= _NEGLIGIBLE * np.abs(sums).max() or not error:
        return Spread(0.0, 0.0, 0.0, degrees)
    plain = math.sqrt(families / (families - 1) * math.fsum(residuals**2)) / items
    terms = np.stack([counts, residuals, residuals**2, residuals * counts, counts**2], axis=1)
    resampled = [times @ terms for times in draw_families(families, resamples, seed)]
    drawn_items, drawn, squared, mixed, sizes = np.concatenate(resampled).T
    shift = drawn / drawn_items
    squares = squared - 2 * shift * mixed + shift**2 * sizes
    drawn_error = np.sqrt(np.maximum(squares, 0) * families / (families - 1)) / drawn_items
    t = shift / np.maximum(drawn_error, plain / math.sqrt(families))
    t = sign * t if sign else np.concatenate([t, -t])  # a symmetric sample has a symmetric interval
    low, high = quantiles(np.sort(t), [(1 - level) / 2, (1 + level) / 2])
    floor = float(stdtrit(degrees, (1 + level) / 2)) * error
    return Spread(max(high * plain, floor), max(-low * plain, floor), error, degrees)


def cluster_error(residuals: Floats, counts: Floats) -> tuple[float, float]:
    """Compute the CR2 standard error of a mean over clusters, and its degrees of freedom.

    Both inputs have shape (families,).

    Bias-reduced linearisation under working independence: a family's total of residuals is multiplied by (1
    − n/N)^-1/2, and degrees of freedom follow Satterthwaite (R. M. Bell and D. F. McCaffrey, Surv.
    Methodol. 28, 2002, 169-181; J. E. Pustejovsky and E. Tipton, J. Bus. Econ. Stat. 36, 2018, 672-683).
    With families of equal size these are the usual error and families − 1.
    """
    items = float(counts.sum())
    share = counts / items
    error = math.sqrt(math.fsum(residuals**2 / (1 - share))) / items
    leverage = share * counts / (1 - share)
    return error, float(items**2 / ((counts**2).sum() + leverage.sum() ** 2 - (leverage**2).sum()))


def degenerate_interval(value: float, number: float, ends: Ends, level: float) -> Ends:
    """Compute an interval for a mean if all of `number` independent observations have the same value.

    Values at either end may exist and be absent from the sample. The interval has the quantiles of the mean
    under a Dirichlet posterior from Jeffreys' prior. The lower end, the value and the upper end have the
    weights ½, number + ½ and ½. For a share, it is Jeffreys' interval (L. D. Brown, T. T. Cai and A.
    DasGupta, Stat. Sci. 16, 2001, 101-133).
    """
    low, high = ends
    means = _sample_means(round(number, 3), low, value, high)
    found = quantiles(means, [(1 - level) / 2, (1 + level) / 2])
    return min(value, found[0]), max(value, found[1])


@lru_cache(maxsize=4096)
def exact_upper_share(count: int, number: int, level: float) -> float:
    """Return the one-sided upper confidence limit of a share of which `count` of `number` were observed.

    It is the limit of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934, 404-413).
    """
    from scipy.special import betaincinv

    return 1.0 if count >= number else float(betaincinv(count + 1, number - count, level))


@lru_cache(maxsize=64)
def _sample_means(number: float, low: float, value: float, high: float) -> Floats:
    """Sample means from the posterior, ascending."""
    return np.sort(_sample_jeffreys(number) @ np.array([low, value, high]))


def quantiles(ascending: Floats, wanted: Sequence[float]) -> list[float]:
    """Return quantiles as numpy does, for values in ascending order."""
    found = []
    for at in (share * (len(ascending) - 1) for share in wanted):
        below = ascending[int(at)]
        above = ascending[min(int(at) + 1, len(ascending) - 1)]
        found.append(float(below + (at - int(at)) * (above - below)))
    return found


@lru_cache(maxsize=64)
def _sample_jeffreys(number: float) -> Floats:
    """Sample weights of three values of which only the middle one was observed, of shape (draws, 3)."""
    drawn = np.random.default_rng(0).dirichlet((0.5, number + 0.5, 0.5), _DRAWS)
    return np.concatenate([drawn, drawn[:, ::-1]])  # symmetric in both sides


def sign_flip_p(sums: Floats, *, seed: int) -> float:
    """Compute the two-sided p of a mean of zero by sign flips of family totals.

    Under no effect, totals x and −x are equally likely. p is exact for up to 13 families with a difference.
    Beyond, it uses 9999 seeded random patterns and counts the observed one as well (B. Phipson and G. K.
    Smyth, Stat. Appl. Genet. Mol. Biol. 9, 2010).
    """
    # Only magnitudes matter, because signs are random; sorting makes p independent of the order.
    magnitudes = np.sort(np.abs(sums[sums != 0])).astype(np.float32)
    reached = abs(math.fsum(sums)) - _NEAR * magnitudes.sum()
    hits = patterns = 0
    for signs in sign_patterns(len(magnitudes), FLIPS, seed):
        hits += int(np.count_nonzero(np.abs(signs @ magnitudes) >= reached))
        patterns += len(signs)
    return share_reached(hits, patterns, len(magnitudes))


def share_reached(hits: int, patterns: int, families: int) -> float:
    """Return a permutation p; the observed pattern is added to random ones."""
    return hits / patterns if families <= _EXACT else (hits + 1) / (patterns + 1)


def is_exact(families: int) -> bool:
    """Whether every sign pattern of this number of families is counted."""
    return families <= _EXACT


def sign_patterns(families: int, flips: int, seed: int) -> Iterator[Singles]:
    """Yield blocks of patterns of ±1, of shape (some, families): all there are, or `flips` at random.

    A block has a bounded number of signs. The patterns are the same for every size of block.
    """
    if families <= _EXACT:
        yield _all_signs(families)
        return
    width = max(_NARROWEST, 1 << (families - 1).bit_length())
    rows, rng = max(1, min(_BLOCK, _SIGNS // width)), np.random.default_rng([seed, 1])
    for start in range(0, flips, rows):
        drawn = rng.bytes(min(rows, flips - start) * width // 8)
        bits = np.unpackbits(np.frombuffer(drawn, dtype=np.uint8)).reshape(-1, width)
        yield 1 - 2 * bits[:, :families].astype(np.float32)


def draw_families(families: int, resamples: int, seed: int, rows: int | None = None) -> Iterator[Floats]:
    """Yield how often each family occurs in each resample, in blocks of shape (some, families).

    A block has a bounded number of counts, or the given number of `rows`. The draws are the same for every
    size of block, and for all comparisons over the same number of families.
    """
    rows = rows or max(1, _COUNTS // families)
    sizes = [min(rows, resamples - start) for start in range(0, resamples, rows)]
    if resamples * families <= _COUNTS:
        counts = _draw_counts(families, resamples, seed).astype(np.float64)
        return iter(np.split(counts, np.cumsum(sizes)[:-1]))
    rng = np.random.default_rng([seed, 0])
    return (_count_families(rng, families, size).astype(np.float64) for size in sizes)


@lru_cache(maxsize=32)  # drawing is most of what a report of many comparisons takes
def _draw_counts(families: int, resamples: int, seed: int) -> NDArray[np.uint8]:
    return _count_families(np.random.default_rng([seed, 0]), families, resamples).astype(np.uint8)


def _count_families(rng: np.random.Generator, families: int, resamples: int) -> NDArray[np.intp]:
    drawn = rng.integers(0, families, (resamples, families))
    drawn += families * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=resamples * families).reshape(resamples, families)


@lru_cache(maxsize=_EXACT + 1)
def _all_signs(count: int) -> Singles:
    """Return every pattern of `count` signs, of shape (2^count, count)."""
    patterns = np.arange(2**count)[:, None] >> np.arange(count) & 1
    return np.asarray(1 - 2 * patterns, dtype=np.float32)


def _in_canonical_order(residuals: Floats, counts: Floats) -> tuple[Floats, Floats, float]:
    """Sort the families, and choose a common sign, independently of their names.

    The same random numbers then apply to the same families if problems are renamed or reordered, or if the
    comparison is reversed. The sign is 0 if both signs give the same families.
    """
    size = np.abs(residuals).max() or 1.0
    keys = np.round(residuals / size, 9).astype(np.float64) + 0.0  # turns -0.0 into 0.0
    upright, mirrored = np.lexsort((counts, keys)), np.lexsort((counts, -keys))
    rows, reversed_rows = _rows(keys, counts, upright), _rows(-keys, counts, mirrored)
    if rows >= reversed_rows:
        return residuals[upright], counts[upright], float(rows > reversed_rows)
    return -residuals[mirrored], counts[mirrored], -1.0


def _rows(keys: Floats, counts: Floats, order: NDArray[np.intp]) -> list[tuple[float, float]]:
    return list(zip(keys[order].tolist(), counts[order].tolist(), strict=True))
