"""A vote among stated values: groups within a tolerance, in whatever units."""

import pytest

from ansatz.interventions.self_consistency import vote
from ansatz.quantities.statements import find


def ballot(*said, tolerance=0.01):
    """Quantities as somebody states them; None where nobody does, words as they are."""
    return vote([text and (find(f"P = {text}", "P") or text) for text in said], tolerance)


@pytest.mark.parametrize(
    ("said", "members", "share", "tie"),
    [
        (("2 kW", "3 kW", "2000 W", "7 kW", "2.01 kW"), (0, 2, 4), 0.6, False),
        (("300 K", "26.85 °C", "600 K"), (0, 1), 2 / 3, False),
        (("2 kW", "2 kg"), (0,), 0.5, True),
        (("liquid", "Liquid", "vapour"), (0, 1), 2 / 3, False),
        ((None, "4 K", None), (1,), 1 / 3, False),
        (("-3 K", "-3.01 K", "0 K"), (0, 1), 2 / 3, False),
    ],
)
def test_the_largest_group_wins(said, members, share, tie):
    found = ballot(*said)
    assert (found.members, found.tie) == (members, tie)
    assert found.chosen in found.members or not members
    assert found.share == pytest.approx(share)


def test_the_spread_is_that_of_all_values():
    assert ballot("2 kW", "2.5 kW", "2 kW").spread == pytest.approx(0.25)
    assert ballot("2 kW", None).spread is None


def test_values_that_touch_in_a_chain_are_not_one_group():
    assert len(ballot("100 K", "100.9 K", "101.8 K", "102.7 K").members) == 2
