"""The command `ansatz judge calibrate`."""

import json

import pytest

from tests.commands import ansatz, one_line


def calibrate(*arguments):
    return ansatz("judge", "calibrate", *arguments)


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    """40 answers on two dimensions; the judge adds a point to every fourth G4, and one answer is far off."""
    rows = [
        {
            "answer_id": f"a{n}",
            "human": {"G1": n % 3, "G4": n // 3 % 3},
            "judge": {"G1": n % 3, "G4": min(2, n // 3 % 3 + (n % 4 == 0))},
            "tags": {"arm": "long" if n % 2 else "short"},
        }
        for n in range(40)
    ]
    rows[5]["judge"]["G1"] = 0
    file = tmp_path_factory.mktemp("labels") / "labels.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_tables_list_dimensions_and_disagreements(labels):
    done = calibrate(labels, "--by", "arm")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("40 answers.")
    first = [line.split()[0] for line in lines if line.split()]
    assert [word for word in first if word in ("G1", "G4", "overall")] == ["G1", "G4", "overall"] * 2
    assert any(line.split() == ["a5", "G1", "0", "2"] for line in lines)
    assert "short" in first and "order of the 2 values by judge" in done.stdout
    assert max(map(len, lines)) <= 100 and "\x1b[" not in done.stdout
    content = json.loads(calibrate(labels, "--json", "--by", "arm").stdout)
    assert content["disagreements"] == [{"answer_id": "a5", "dimension": "G1", "judge": 0.0, "human": [2.0]}]
    assert [each["dimension"] for each in content["groups"]] == ["long", "short"]


def test_min_gap_sets_which_scores_are_listed(labels):
    method, listed = (
        json.loads(calibrate(labels, "--json", "--min-gap", "1").stdout)[key]
        for key in ("method", "disagreements")
    )
    assert method["min_gap"] == 1 and {abs(each["judge"] - each["human"][0]) for each in listed} == {1.0, 2.0}
    assert "--min-gap" in one_line(calibrate(labels, "--apart", "1"))


GOOD = '{"answer_id": "a", "human": {"G1": 1}, "judge": {"G1": 1}}'


def test_each_invalid_line_is_one_error_line(tmp_path):
    file = tmp_path / "labels.jsonl"
    cases = [
        (GOOD, None),
        (GOOD, "answer_id: 'a' is already on line 1"),
        ('{"answer_id": "j"}', "neither human nor judge has a score"),
        ('{"answer_id": "b", "human": {"G1": 3}, "judge": {"G1": 1}}', "human.G1: 3 is not on the scale 0, 1, 2; the nearest is 2"),
        ('{"answer_id": "c", "human": {"G1": 1}, "judge": {"G1": "2"}}', "judge.G1: must be a number, not '2'"),
        ('{"answer_id": "d", "human": [{"G1": 1}, {"G1": true}], "judge": {}}', "human[1].G1: must be a number, not true"),
        ('{"human": {"G1": 1}}', "answer_id: is missing"),
        ('{"answer_id": "f", "human": {"G1": 1}, "judge": {"G1": 1}, "tag": {}}', "tag: there is no such field; did you mean 'tags'?"),
        ('{"answer_id": "g", "human": [], "judge": {"G1": 1}}', "human: needs the scores of one annotator at least"),
        ('{"answer_id": "i", "human": {"G1": NaN}, "judge": {}}', "not JSON: NaN is not a number in JSON"),
        ("[1]", "not an object but a list"),
        ("{", "not JSON: Expecting property name"),
    ]  # fmt: skip
    file.write_text("".join(f"{line}\n" for line, _ in cases))
    done = calibrate(file)
    assert (done.returncode, done.stdout) == (2, "")
    printed = done.stderr.splitlines()
    expected = [(number, wrong) for number, (_, wrong) in enumerate(cases, start=1) if wrong]
    for line, (number, wrong) in zip(printed, expected, strict=True):
        assert line.startswith(f"ansatz: {file}:{number}: {wrong}")


@pytest.mark.parametrize(
    ("text", "options", "wrong"),
    [
        (None, [], "No such file"),
        ("", [], "there is no label in it"),
        (GOOD, ["--scale", "2,1"], "--scale: '2,1' is not a rising list of numbers"),
        (GOOD, ["--weights", "quadric"], "--weights: 'quadric' is not valid; did you mean 'quadratic'?"),
        (GOOD, ["--by", "arm"], "no label has the tag 'arm'"),
        ('{"answer_id": "a", "human": {"G1": 1}, "judge": {"G2": 1}}', [], "no answer has a judge's score and a human score"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(text, options, wrong, tmp_path):
    file = tmp_path / "labels.jsonl"
    if text is not None:
        file.write_text(text)
    assert wrong in one_line(calibrate(file, *options))


def test_annotators_and_judge_in_separate_files(labels, tmp_path):
    """Two annotators' files, and the judge's scores from `ansatz score --json`."""
    rows = [json.loads(line) for line in labels.read_text().splitlines()]
    first, second, judged = tmp_path / "ann.jsonl", tmp_path / "bob.jsonl", tmp_path / "judge.json"
    human = [json.dumps({"answer_id": row["answer_id"], "human": row["human"]}) + "\n" for row in rows]
    first.write_text("".join(human))
    second.write_text("".join(reversed(human[:10])))
    answers = [
        {
            "answer_id": row["answer_id"],
            "problem_id": f"p{n // 4}",
            "dimensions": {**row["judge"], "G8": None},
        }
        for n, row in enumerate(rows)
    ]
    judged.write_text(json.dumps({"answers": answers}))
    done = calibrate(first, second, judged, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["dimensions"]
    alone = json.loads(calibrate(labels, "--json").stdout)["dimensions"]
    assert [each["bias"]["estimate"] for each in found] == [each["bias"]["estimate"] for each in alone]
    assert found[0]["ratings"] == 50 and found[0]["annotators"]["value"] == 1
    assert (found[0]["bias"]["families"], alone[0]["bias"]["families"]) == (10, 40)


def test_contradicting_files_are_refused(labels, tmp_path):
    again, wrong = tmp_path / "again.jsonl", tmp_path / "wrong.json"
    again.write_text('{"answer_id": "a1", "judge": {"G1": 2}, "tags": {"arm": "mute"}}\n')
    wrong.write_text("[]")
    assert calibrate(labels, again).stderr.splitlines() == [
        f"ansatz: {again}:1: judge: 'a1' has scores of a judge in an earlier file",
        f"ansatz: {again}:1: tags.arm: 'mute' here, 'long' in an earlier file",
    ]
    assert f"{wrong}: not the JSON of `ansatz score --json`" in calibrate(labels, wrong).stderr
    again.write_text('{"answer_id": "x", "human": {"G1": 2}}\n{"answer_id": "y", "judge": {"G1": 2}}\n')
    lacking = calibrate(labels, again).stderr
    assert all(f"1 of 42 answers have no {kind} score" in lacking for kind in ("judge's", "human"))
