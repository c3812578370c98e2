"""The check of the whole base: what it counts and what it reports."""

import json

import pytest

from ansatz.knowledge_base.equation import Equation, distinct, same_form
from ansatz.knowledge_base.gates import inspect
from tests.commands import ansatz
from tests.knowledge_base.test_equation import SUTTON_GRAVES

NAMES = ("a", "b", "c", "d", "e")


def mixed(id, expr, names=NAMES, family=None):
    symbols = {name: {"unit": "-", "desc": name, "sample": [0.1, 10]} for name in (*names, "y")}
    fields = {
        "id": f"heating.{id}", "output": "y", "symbols": symbols, "constants": {}, "expr": expr, "latex": "y = x",
        "tests": [{"in": dict.fromkeys(names, 1.0), "out": 1.0, "source": "x"}], "regime": {}, "failure_modes": [],
    }  # fmt: skip
    return Equation.model_validate(SUTTON_GRAVES | fields | ({"family": family} if family else {}))


def test_forms_that_differ_only_in_how_four_symbols_mix_are_two():
    first = mixed("first", "a*b + c*d + e")
    renamed = mixed("renamed", "q*s + p*r + t", names=("p", "q", "r", "s", "t"))
    other = mixed("other", "a*b*c*d + e")
    assert same_form(first, renamed)
    assert not same_form(first, other)
    assert len(distinct([first, renamed, other])) == 2


def test_a_family_counts_once_for_what_differs_in_numbers_alone():
    members = [
        mixed("one", "2*a*b*c*d*e", family={"name": "f", "instance": "one"}),
        mixed("two", "3*a*b*c*d*e", family={"name": "f", "instance": "two"}),
        mixed("three", "3*a*b*c*d/e", family={"name": "f", "instance": "three"}),
    ]
    assert len(distinct(members)) == 2
    strangers = [mixed("four", "2*a*b*c*d*e"), mixed("five", "3*a*b*c*d*e")]
    assert len(distinct(strangers)) == 2


def test_a_domain_is_checked_and_counted_in_processes():
    seen = []
    found = inspect(lambda id: id.startswith("radiation."), progress=lambda *step: seen.append(step))
    assert found.failures == {}
    assert list(found.by_domain) == ["radiation"]
    assert found.entries == found.by_domain["radiation"] >= found.unique_formulas > 0
    assert seen[-1] == ("gates", found.entries, found.entries)


@pytest.mark.slow
def test_the_command_prints_its_counts_as_json():
    result = ansatz("kb", "check", "--domain", "viscous_interaction", "--json")
    found = json.loads(result.stdout)
    assert result.returncode == 0
    assert set(found) == {"entries", "unique_formulas", "instances", "by_domain", "failures"}


@pytest.mark.parametrize("arguments", [("--domain", "radiaton"), ("radiaton.",)])
def test_a_domain_that_does_not_exist_is_refused_in_one_line(arguments):
    result = ansatz("kb", "check", *arguments)
    assert result.returncode == 2
    assert "did you mean 'radiation'" in result.stderr
