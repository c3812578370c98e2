"""The share of a gain that comes from a part of it, with Fieller's interval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ansatz.eval.statistics.ratio import estimate_share

GAINS = st.lists(
    st.tuples(st.floats(-1, 1).map(lambda v: round(v, 3)), st.floats(-1, 1).map(lambda v: round(v, 3))),
    min_size=1,
    max_size=20,
)


def of(part, rest, families=None, ends=None):
    part, rest = np.array(part, dtype=float), np.array(rest, dtype=float)
    return estimate_share(
        part, part + rest, np.arange(len(part)) if families is None else families, ends=ends
    )


@given(GAINS, st.integers(2, 4))
def test_the_ends_are_at_the_limit_of_students_test(rows, size):
    part, rest = np.array(rows).T
    families = np.arange(len(rows)) // size
    found = of(part, rest, families)
    totals = np.array([np.bincount(families, part), np.bincount(families, part + rest)])
    clear = found.families >= 2 and np.ptp(totals[1]) > 1e-6
    if found.low is None:
        if clear and found.value is not None:
            assert stats.ttest_1samp(totals[1], 0).pvalue >= 0.05 - 1e-6
        return
    for end in (found.low, found.high):
        left = totals[0] - end * totals[1]
        if np.std(left) > 1e-4 and abs(end) < 1e3:
            assert stats.ttest_1samp(left, 0).pvalue == pytest.approx(0.05, abs=1e-3)


def test_a_share_of_100_percent_everywhere_has_an_interval():
    """In four families the whole gain is from one part; another family may differ, within the range of scores."""
    gains = [0.3, 0.1, 0.5, 0.2]
    found = of(gains, [0] * 4, ends=lambda ratio: (-1.0, 1.0))
    assert found.low < 0.5 and found.high > 1.5
    assert (found.value, of(gains, [0] * 4).low) == (1, None)
    by_identity = of(gains, [0] * 4, ends=lambda ratio: (0.0, 0.0))
    assert (by_identity.low, by_identity.high) == (1, 1)


@pytest.mark.parametrize(("part", "rest"), [([], []), ([0.0], [0.0]), ([0.2, -0.2], [0.0, 0.0])])
def test_no_gain_has_no_shares(part, rest):
    found = of(part, rest)
    assert (found.value, found.low, found.high) == (None, None, None)
