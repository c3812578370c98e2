"""Files of strangers, however they were saved, and values in them that are no quantities."""

import gzip
import json

import pytest

from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.submitted.answers import read_answers
from ansatz.eval.submitted.problems import read_problems
from tests.eval.test_submitted import PROBLEM, RIGHT, write


def test_a_value_that_is_no_quantity_is_refused_rather_than_guessed(tmp_path):
    for value in ("6 kPaa", "6 to 9", "six", "6 m"):
        targets = [{"name": "q", "value": value, "unit": "Pa"}]
        [fault] = read_problems(write(tmp_path, {**PROBLEM, "targets": targets})).faults
        assert f"targets[0].value: must be a number, not {value!r}" in fault


@pytest.mark.parametrize(
    "written",
    [
        lambda lines: "\ufeff" + lines,
        lambda lines: lines.replace("\n", "\r\n"),
        lambda lines: lines.encode("utf-16"),
        lambda lines: gzip.compress(lines.encode()),
        lambda lines: json.dumps([json.loads(line) for line in lines.split("\n")], indent=1),
        lambda lines: json.dumps({"problems": [json.loads(line) for line in lines.split("\n")]}, indent=1),
    ],
    ids=["mark", "line ends", "UTF-16", "gzip", "list", "object around a list"],
)
def test_a_file_is_read_however_it_was_saved(tmp_path, written):
    content = written("\n".join(json.dumps({**PROBLEM, "id": id}) for id in ("A1", "größer")))
    file = tmp_path / "file"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    read = read_problems(file)
    assert (list(read.found), read.faults) == (["A1", "größer"], ())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ": there is nothing in it"),
        (b"{}\n\xff", ":2: not UTF-8 text at byte 3; save it as UTF-8"),
        (b"\x1f\x8b cut", ": "),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, content, said):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InvalidData) as failure:
        read_problems(tmp_path / "file")
    assert str(failure.value).startswith(f"{tmp_path / 'file'}{said}")


def test_answers_to_a_problem_that_could_not_be_read_say_so(tmp_path):
    file = write(tmp_path, {"answer_id": "a", "problem_id": "A1", "text": RIGHT})
    [line] = read_answers(file, {}, {"A1": "problems.jsonl:3"}).unknown
    assert "the problem 'A1' could not be read at problems.jsonl:3; answer 'a' is not scored" in line
