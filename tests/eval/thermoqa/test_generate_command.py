"""`ansatz benchmark thermoqa generate` as a person types it."""

import json

import pytest

from ansatz.eval.benchmarks.thermoqa import load
from ansatz.eval.benchmarks.thermoqa.generate import generate
from tests.commands import ansatz


def generated(*arguments):
    return ansatz("benchmark", "thermoqa", "generate", *arguments)


def test_a_file_is_written_that_loads_as_published(tmp_path):
    file = tmp_path / "questions.jsonl"
    done = generated("--tier", "2,1", "--seed", 5, "--counts", "3,4", "--out", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"7 questions in {file}\n"
    assert done.stderr == ""
    made = generate((1, 2), seed=5, counts=(4, 3))
    assert file.read_bytes() == "".join(f"{one.line()}\n" for one in made).encode()
    assert [each.tags["tier"] for each in load(str(file))] == ["1"] * 4 + ["2"] * 3
    assert [each.name for each in tmp_path.iterdir()] == ["questions.jsonl"]


def test_a_file_is_overwritten_only_by_force(tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text("mine")
    refused = generated("--tier", 1, "--count", 2, "--out", file)
    assert (refused.returncode, file.read_text()) == (2, "mine")
    assert refused.stderr == f"ansatz: --out: {file} exists; --force overwrites it\n"
    assert generated("--tier", 1, "--count", 2, "--out", file, "--force").returncode == 0
    assert len(file.read_text().splitlines()) == 2


def test_an_even_mix_asks_other_fluids_too(tmp_path):
    file = tmp_path / "questions.jsonl"
    assert generated("--tier", 2, "--count", 57, "--mix", "even", "--out", file).returncode == 0
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert ("turbine", "R134a") in {(row["component"], row["fluid"]) for row in rows}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--tier", "1,x"), "--tier: '1,x' is not a list of whole numbers such as 1,2,3"),
        (("--tier", "4"), "there is no tier 4; the tiers are 1, 2 and 3"),
        (
            ("--tier", "1", "--counts", "many"),
            "--counts: 'many' is not a list of whole numbers such as 1,2,3",
        ),
        (("--tier", "1,2", "--counts", "1,2,3"), "3 counts for 2 tiers; give one count a tier"),
        (
            ("--tier", "1", "--mix", "evn"),
            "there is no mix 'evn'; did you mean 'even'? (valid: published, even)",
        ),
    ],
)
def test_what_cannot_be_made_is_one_line_and_writes_nothing(tmp_path, arguments, problem):
    done = generated(*arguments, "--out", tmp_path / "questions.jsonl")
    assert done.returncode == 2
    assert done.stderr == f"ansatz: {problem}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    folder = generated("--tier", 1, "--out", tmp_path)
    assert f"{tmp_path} is a folder; name a file in it" in folder.stderr
    nowhere = generated("--tier", 1, "--out", tmp_path / "no" / "file.jsonl")
    assert f"there is no folder {tmp_path / 'no'}" in nowhere.stderr
    assert folder.returncode == nowhere.returncode == 2
