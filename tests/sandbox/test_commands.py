"""`ansatz sandbox doctor`: what it prints, and how it exits."""

import json

import pytest
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.sandbox.isolation import reached


def ansatz(*arguments):
    return CliRunner().invoke(app, ["sandbox", *arguments])


@pytest.fixture(autouse=True)
def _isolated_well_enough():
    if reached()[0] not in ("full", "landlock"):
        pytest.skip(f"this machine does not reach landlock: {reached()[1]}")


def test_doctor_prints_the_level_and_every_layer():
    report = json.loads(ansatz("doctor", "--json").stdout)
    assert report["level"] == reached()[0]
    assert report["enough"] is True
    layers = {layer["name"]: layer for layer in report["layers"]}
    assert {"namespaces", "Landlock", "system call filter", "Docker engine"} <= set(layers)
    for layer in layers.values():
        assert (layer["missing"] is None) == (layer["remedy"] is None)


def test_doctor_exit_status_depends_on_the_minimum():
    assert ansatz("doctor", "--minimum", "filter").exit_code == 0
    expected = 0 if reached()[0] == "full" else 1
    assert ansatz("doctor", "--minimum", "full").exit_code == expected
