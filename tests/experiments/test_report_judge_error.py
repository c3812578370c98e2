"""Differences with the reviewers' bias taken off: right where it is known, and plain about labels that fit nothing."""

import json
from dataclasses import replace

import pytest

from ansatz.eval.calibration import Label, read_labels
from ansatz.eval.validation import InvalidData
from tests.experiments.tps_input import ITEMS, marks, tables, tps_run


def label(number, arm, human, **tags):
    tags = {"arm": arm, "problem": f"item-{number}", **tags}
    return Label(answer_id=f"{arm}-{number}", human=(human,), tags=tags)


def people(number, arm, on):
    """As the verifier, but on G6 people give half of what it gives."""
    found = {
        name: 2 * value
        for name, value in marks(number, on, False).items()
        if name in ("G1", "G6") and value is not None
    }
    return {**found, "G6": float(int(found["G6"] / 2 + 0.5))} if number % 2 else found


@pytest.fixture(scope="module")
def data():
    arms = {"zero-shot": set(), "steps": {"protocol"}}
    labels = tuple(
        label(number, arm, people(number, arm, on)) for arm, on in arms.items() for number in range(16)
    )
    return tps_run(models=("steady",), labels=labels)


def table_row(data, name, arm):
    [found] = [row for row in tables(data, name) if row["arm"] == arm]
    return found


def test_a_reviewer_who_agrees_with_people_is_not_corrected(data):
    found = table_row(data, "corrected_G1", "steps")
    assert found["corrected"].value == pytest.approx(found["plain"].value)
    assert found["bias"].value == pytest.approx(0)
    assert found["labelled"] == 32


def findings(data):
    [chapter] = [chapter for chapter in data.chapters if chapter.name == "judge_error"]
    return chapter.sections[0].findings


def test_a_difference_larger_than_the_reviewers_error_stands_smaller():
    """People see a quarter of the protocol's gain on G7."""
    rows = [label(number, "zero-shot", {"G7": 0.0}) for number in range(ITEMS)]
    rows += [label(number, "steps", {"G7": 2.0 * (number % 4 == 3)}) for number in range(ITEMS)]
    data = tps_run(models=("steady",), labels=tuple(rows))
    found = table_row(data, "corrected_G7", "steps")
    assert found["plain"].value == pytest.approx(1.0)
    assert found["bias"].value == pytest.approx(0.75)
    assert found["corrected"].value == pytest.approx(0.25)
    assert 0 < found["corrected"].low < 0.25 < found["corrected"].high
    assert found["within the reviewer's error"] == "no"
    assert not any("on G7 is within" in line for line in findings(data))


def test_a_difference_within_the_reviewers_error_is_called_so():
    """The verifier sees the protocol lift G6 by half of the scale; to people it lifts nothing."""
    rows = [label(number, "zero-shot", {"G6": 2.0 * (number % 2)}) for number in range(ITEMS)]
    rows += [label(number, "steps", {"G6": 2.0 * (number // 2 % 2)}) for number in range(ITEMS)]
    data = tps_run(models=("steady",), labels=tuple(rows))
    found = table_row(data, "corrected_G6", "steps")
    assert found["corrected"].value == pytest.approx(0.0)
    assert found["within the reviewer's error"] == "yes"
    said = "steps: the difference of +1.00 on G6 is within the reviewer's own error, which may reach 1.89"
    assert said in findings(data)


def test_the_kpi_is_corrected_where_people_marked_all_eight(data):
    names = {row.name for chapter in data.chapters for section in chapter.sections for row in section.tables}
    assert "corrected_kpi" not in names
    whole = {f"G{n}": 1.0 for n in range(1, 9)}
    full = replace(
        data, labels=tuple(label(n, arm, whole) for arm in ("zero-shot", "steps") for n in range(8))
    )
    assert table_row(full, "corrected_kpi", "steps")["labelled"] == 16


def test_without_labels_there_is_no_such_chapter(data):
    assert "judge_error" not in [chapter.name for chapter in replace(data, labels=()).chapters]


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        ({"arm": "stepps"}, "labels: x: tags.arm: 'stepps' is not in the run; did you mean 'steps'?"),
        ({"problem": "item-99"}, "labels: x: tags.problem: 'item-99' is not in the run"),
        ({"repeat": "3"}, "labels: x: tags.repeat: '3' is not in the run"),
        ({"problem": None}, "labels: x: tags.problem: is missing"),
    ],
)
def test_a_label_that_fits_no_attempt_is_refused_with_its_field(data, tmp_path, tags, said):
    given = {"arm": "steps", "problem": "item-1", **tags}
    line = {
        "answer_id": "x",
        "human": {"G1": 1},
        "tags": {key: value for key, value in given.items() if value},
    }
    file = tmp_path / "labels.jsonl"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(InvalidData) as fault:
        _ = replace(data, labels=read_labels([file])).chapters
    assert str(fault.value).startswith(said)
    assert "\n" not in str(fault.value)
