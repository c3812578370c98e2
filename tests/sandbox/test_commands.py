"""`ansatz sandbox`: what it prints, and how it exits."""

import json

import pytest
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.sandbox.isolation import reached


def ansatz(*arguments, **settings):
    return CliRunner().invoke(app, ["sandbox", *arguments], **settings)


@pytest.fixture
def program(tmp_path):
    def write(code):
        file = tmp_path / "program.py"
        file.write_text(code, encoding="utf-8")
        return str(file)

    return write


@pytest.fixture(autouse=True)
def _isolated_well_enough():
    if reached()[0] not in ("L3", "L2"):
        pytest.skip(f"this machine does not reach L2: {reached()[1]}")


def test_the_doctor_names_the_level_and_every_layer():
    told = json.loads(ansatz("doctor", "--json").stdout)
    assert told["level"] == reached()[0]
    assert told["enough"] is True
    layers = {layer["name"]: layer for layer in told["layers"]}
    assert {"namespaces", "Landlock", "system call filter", "Docker engine"} <= set(layers)
    for layer in layers.values():
        assert (layer["missing"] is None) == (layer["remedy"] is None)


def test_the_doctor_exits_by_the_minimum():
    assert ansatz("doctor", "--minimum", "L1").exit_code == 0
    expected = 0 if reached()[0] == "L3" else 1
    assert ansatz("doctor", "--minimum", "L3").exit_code == expected


@pytest.mark.parametrize("level", ["L2", "none"])
def test_a_program_runs_once_at_a_forced_level(program, level):
    shown = ansatz("run", program("print(6 * 7)"), "--level", level, "--json")
    told = json.loads(shown.stdout)
    assert (told["status"], told["stdout"], told["isolation"]) == ("ok", "42\n", level)
    assert shown.exit_code == 0


def test_a_value_is_shown_in_its_tagged_form(program):
    told = json.loads(ansatz("run", program("2j"), "--json").stdout)
    assert told["value"] == {"$": "complex", "v": [0.0, 2.0]}


@pytest.mark.parametrize(
    ("code", "options", "status"),
    [
        ("1 / 0", (), "error"),
        ("while True: pass", ("--timeout", "0.3"), "timeout"),
        ("x = bytearray(10**8)", ("--memory-mb", "32"), "error"),
    ],
)
def test_a_program_that_fails_exits_with_one(program, code, options, status):
    shown = ansatz("run", program(code), *options)
    assert shown.exit_code == 1
    assert shown.stderr.splitlines()[-1].startswith(status)


def test_a_program_may_come_from_stdin():
    assert ansatz("run", "-", input="print(6 * 7)").stdout == "42\n"


def test_a_missing_file_is_bad_input():
    shown = ansatz("run", "/no/such/file.py")
    assert shown.exit_code == 2
    assert "cannot be read" in shown.stderr
