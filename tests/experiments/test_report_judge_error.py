"""Differences with the reviewers' bias taken off: right where it is known, and plain about labels that fit nothing."""

from dataclasses import replace

import pytest

from ansatz.errors import InvalidData
from ansatz.eval.calibration import Label
from tests.experiments.tps_input import ARMS, ITEMS, marks, tps_run


def labelled(people, arm="steps", count=ITEMS):
    """A run whose first items people scored: `people` have their marks by number and what is on."""
    labels = tuple(
        Label(answer_id=f"{arm}-{n}", human=(people(n, on),), tags={"arm": arm, "problem": f"item-{n}"})
        for arm, on in (("zero-shot", frozenset()), (arm, ARMS[arm]))
        for n in range(count)
    )
    return tps_run(models=("steady",), labels=labels)


@pytest.mark.parametrize(
    ("arm", "dimension", "people", "plain", "bias", "within"),
    [
        # who agrees with people is not corrected
        ("sheet", "G1", lambda n, on: {"G1": 2 * marks(n, on)["G1"]}, 0.5, 0.0, "no"),
        # people see a quarter of the protocol's gain: the difference stands, smaller
        ("steps", "G7", lambda n, on: {"G7": 2.0 * (bool(on) and n % 4 == 3)}, 1.0, 0.75, "no"),
        # the verifier sees the protocol lift it by half of the scale; to people it lifts nothing
        ("steps", "G6", lambda n, on: {"G6": 2.0 * ((n // 2 if on else n) % 2)}, 0.5, 0.5, "yes"),
    ],
)
def test_a_difference_is_corrected_by_the_reviewers_error(arm, dimension, people, plain, bias, within):
    data = labelled(people, arm)
    found = data.row(f"corrected_{dimension}", arm=arm)
    shown = [found[name].value for name in ("plain", "corrected", "bias")]
    assert shown == pytest.approx([plain, plain - bias, bias])
    assert found["labelled"] == 2 * ITEMS and found["within the reviewer's error"] == within
    assert dimension == "G1" or found["corrected"].low < plain - bias < found["corrected"].high
    finding = (
        f"difference of {2 * plain:+.2f} on {dimension} is within the reviewer's own error, which may reach"
    )
    assert (finding in "\n".join(data.chapters[-1].sections[0].findings)) is (within == "yes")


def test_the_kpi_is_corrected_where_people_marked_all_eight():
    def names(data):
        return {table.name for table in data.chapters[-1].sections[0].tables}

    assert "corrected_kpi" not in names(labelled(lambda n, on: {"G1": 1.0}, count=8))
    whole = labelled(lambda n, on: {f"G{each}": 1.0 for each in range(1, 9)}, count=8)
    assert whole.row("corrected_kpi", arm="steps")["labelled"] == 16


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ({"arm": "stepps"}, "labels: x: tags.arm: 'stepps' is not in the run; did you mean 'steps'?"),
        ({"problem": "item-99"}, "labels: x: tags.problem: 'item-99' is not in the run"),
        ({"repeat": "3"}, "labels: x: tags.repeat: '3' is not in the run"),
        ({"problem": None}, "labels: x: tags.problem: is missing"),
    ],
)
def test_a_label_that_fits_no_attempt_is_refused_with_its_field(tags, message):
    given = {"arm": "steps", "problem": "item-1", **tags}
    label = Label(answer_id="x", human=({"G1": 1},), tags={key: each for key, each in given.items() if each})
    with pytest.raises(InvalidData) as fault:
        _ = replace(tps_run(models=("steady",)), labels=(label,)).chapters
    assert str(fault.value).startswith(message) and "\n" not in str(fault.value)
