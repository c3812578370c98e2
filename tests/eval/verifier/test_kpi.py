"""The two sums of eight scores: in `kpi`, form cannot compensate for a wrong calculation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.verifier.kpi import (
    CORE,
    FORM,
    SOUND,
    WEIGHTS,
    compute_kpi,
    compute_published_kpi,
    find_faults,
)

MARK = st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0))
SHARES = st.dictionaries(st.sampled_from(tuple(WEIGHTS)), MARK)
ANY = st.sampled_from((True, False, None))
UNSHOWN = st.frozensets(st.sampled_from(("G1", "G2", "G4")))


def test_the_weights_are_those_of_the_paper():
    assert list(WEIGHTS.values()) == [0.20, 0.15, 0.15, 0.15, 0.10, 0.05, 0.10, 0.10]
    assert sum(WEIGHTS.values()) == pytest.approx(1) and pytest.approx(0.65) == SOUND


@given(SHARES, ANY, SHARES, ANY, UNSHOWN)
def test_no_unsound_calculation_reaches_a_sound_one(one, one_right, other, other_right, unshown):
    first, second = compute_kpi(one, one_right), compute_kpi(other, other_right, unshown)
    if (
        find_faults(one, one_right)
        and not find_faults(other, other_right, unshown)
        and None not in (first, second)
    ):
        assert first < SOUND <= second


@given(SHARES, UNSHOWN)
def test_omissions_with_right_values_give_no_credit_for_form(shares, unshown):
    lost = [name for name in CORE if name in shares and shares[name] < 1]
    if set(CORE) & set(shares) and lost and set(lost) <= unshown:
        assert compute_kpi(shares, True, unshown) == pytest.approx(SOUND)
        assert compute_kpi(shares, None, unshown) == compute_kpi(shares, None) < SOUND
        assert compute_kpi(shares, False, unshown) == compute_kpi(shares, False) < SOUND


@given(SHARES, ANY)
def test_sums_need_a_score_of_the_calculation_and_stay_in_range(shares, is_right):
    found = compute_kpi(shares, is_right), compute_published_kpi(shares)
    if set(CORE).isdisjoint(shares):
        assert found == (None, None)
    else:
        assert all(0 <= value <= 1 for value in found)


@given(st.fixed_dictionaries(dict.fromkeys(FORM, MARK)), st.sampled_from((True, None)))
def test_a_sound_calculation_has_the_published_sum(form, is_right):
    shares = dict.fromkeys(CORE, 1.0) | form
    assert compute_kpi(shares, is_right) == pytest.approx(compute_published_kpi(shares))
    assert compute_kpi(shares, False) == pytest.approx(
        SOUND - 0.15 / 2
    )  # one point of two on the least dimension


@given(SHARES, ANY, st.sampled_from(tuple(WEIGHTS)))
def test_a_better_score_never_lowers_the_sums(shares, is_right, name):
    if shares.get(name, 1) < 1:
        better = {**shares, name: 1.0}
        for total in (compute_published_kpi, lambda each: compute_kpi(each, is_right)):
            before, after = total(shares), total(better)
            assert before is None or after >= before - 1e-12
