"""Every entry passes every gate, and every gate can fail."""

import json
import re

import pytest

from ansatz.knowledge_base.equation import Equation, Library, compute_form, group_by_formula
from ansatz.knowledge_base.gates import check_base, check_entry
from ansatz.knowledge_base.gates.siblings import find_unmatched_conditions
from tests.commands import ansatz
from tests.knowledge_base.test_equation import KEPLER, SUTTON_GRAVES

BASE = Library.read()


def test_every_shipped_file_is_valid():
    assert BASE.problems == {}


@pytest.mark.parametrize("domain", BASE.domains)
def test_entries_of_a_domain_pass_every_gate(domain):
    assert [line for entry in BASE if entry.domain == domain for line in check_entry(entry, BASE)] == []


def failures(*entries):
    equations = [Equation.model_validate(entry) for entry in entries]
    return "\n".join(check_entry(equations[0], Library(equations)))


def test_valid_entries_pass():
    detecting = {"in": {"M": 1.0, "e": 0.5}, "out": 1.49870113, "rtol": 1e-7, "source": "Newton"}
    assert failures(SUTTON_GRAVES) == failures(KEPLER | {"tests": [*KEPLER["tests"], detecting]}) == ""


SPEED = SUTTON_GRAVES["symbols"]["V"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"latex": r"\dot q_s = k\sqrt{\rho_\infty}\,V_\infty^3"}, "latex does not show 'Rn'"),
        ({"expr": "k*sqrt(rho/Rn)*V**3*1.234", "tests": [{"in": {"rho": 1e-4, "Rn": 1.0, "V": 7000}, "out": 737110.773, "source": "x"}]}, "latex does not show the number 1.234"),
        ({"constants": {"k": SUTTON_GRAVES["constants"]["k"] | {"latex": "1.7145"}}, "latex": r"q = 1.7145\sqrt{\rho/R_n}V^3"}, "latex shows k as 1.7145, its value is"),
        ({"expr": "k*sqrt(rho/Rn)*V**2"}, "dimensions: "),
        ({"tests": [{"in": {"rho": 1e-4, "Rn": 1.0, "V": 7000}, "out": 597335.5, "source": "x"}]}, "test 1: gives 597334.5"),
        ({"tests": [{"in": {"rho": 1.0, "Rn": 1.0, "V": 1.0}, "out": 1.7415e-4, "source": "x"}]}, "mutation: no test detects"),
        ({"bounds": [{"expr": "q <= 0.001*rho*V**3"}]}, "bounds: q <= "),
        ({"limits": [{"let": {"V": 0}, "out": 1}]}, "limits: "),
        ({"regime": {"require": [{"var": "knn", "lt": 0.01}]}}, "unknown axis 'knn'; did you mean 'kn'"),
        ({"regime": {"require": [{"var": "gas", "in": ["airr"]}]}}, "gas has no value 'airr'; did you mean 'air'"),
        ({"regime": {"require": [{"var": "speed", "lt": 3, "unit": "kg"}]}}, "speed is measured in m/s, not in kg"),
        ({"failure_modes": [{"when": "machh > 3", "effect": "x"}]}, "unknown axis 'machh'"),
        ({"symbols": {**SUTTON_GRAVES["symbols"], "V": SPEED | {"valid": {"ge": 0}}}}, "valid: V has no source"),
        ({"symbols": {**SUTTON_GRAVES["symbols"], "V": SPEED | {"valid": {"gt": 8000, "source": "x"}}}}, "test 1: needs V > 8000 m/s, not V = 7000"),
        ({"symbols": {**SUTTON_GRAVES["symbols"], "V": SPEED | {"sample": [0, 20000]}}}, "sample: needs 1000 <= V"),
        ({"relations": ["Rn < 0.5"]}, "test 1: breaks the relation Rn < 0.5"),
        ({"relations": ["Rn > 50"]}, "sample: the relations leave only 0 states"),
        ({"expr": "k*sqrt(rho - 1)*V**3/sqrt(Rn)"}, "states have no value; give their relation"),
        ({"symbols": {**SUTTON_GRAVES["symbols"], "Rn": SUTTON_GRAVES["symbols"]["Rn"] | {"valid": {"ge": 0, "source": "x"}}}}, "ends: no value at rho = .*, Rn = 0,"),
        ({"holds_where": [{"expr": "V > 9000*Rn", "note": "made up"}]}, "test 1: needs V > 9000.Rn .made up."),
        ({"regime": {}, "failure_modes": [], "symbols": {**SUTTON_GRAVES["symbols"], "V": {key: SPEED[key] for key in ("unit", "desc", "sample")}}}, "regime: states no condition, range or assumption"),
        ({"regime": {}, "failure_modes": [], "symbols": {**SUTTON_GRAVES["symbols"], "V": SPEED | {"valid": {"gt": 0, "source": "definition"}}}}, "regime: states no condition, range or assumption"),
        ({"regime": {"everywhere": "geometry"}, "assumptions": ["air"]}, "has both conditions and `everywhere`"),
        ({"references": ["J. D. Anderson, Hypersonic Flow, AIAA 2006"]}, "name chapter or section"),
        ({"confusable_with": ["heating.other"]}, "confusable_with: 'heating.other' is not another entry"),
        ({"symbols": {**SUTTON_GRAVES["symbols"], "V": {"unit": "m/zorks", "desc": "speed"}}}, "V: unit 'm/zorks' cannot be read"),
        ({"symbols": {**SUTTON_GRAVES["symbols"], "V": {"unit": "km/s", "desc": "speed"}}}, "units: the formula hides a conversion"),
    ],
)  # fmt: skip
def test_gate_reports_its_error(change, complaint):
    assert re.search(complaint, failures(SUTTON_GRAVES | change))


def test_entries_list_confusable_ones_and_have_two_tests():
    assert [entry.id for entry in BASE if not entry.confusable_with or len(entry.tests) < 2] == []


def test_degrees_in_a_trigonometric_function_are_reported():
    law = KEPLER | {
        "output": "s", "residual": None, "solve_for": [], "expr": "sin(E)", "latex": r"s = \sin E",
        "symbols": {"s": {"unit": "-", "desc": "sine"}, "E": {"unit": "deg", "desc": "angle"}},
        "tests": [{"in": {"E": 30}, "out": -0.98803162, "source": "x"}],
    }  # fmt: skip
    assert "units: the formula hides a conversion" in failures(law)


def test_renamed_duplicate_formula_is_reported():
    symbols = {name.replace("rho", "density"): each for name, each in SUTTON_GRAVES["symbols"].items()}
    vector = {"in": {"density": 1e-4, "Rn": 1.0, "V": 7000}, "out": 597334.5, "source": "hand"}
    expr = "V*V**2*k*sqrt(density)/sqrt(Rn)"
    renamed = SUTTON_GRAVES | {"id": "heating.copy", "symbols": symbols, "expr": expr, "tests": [vector]}
    assert "has the form of heating.copy" in failures(SUTTON_GRAVES, renamed)
    family = {"family": {"name": "sutton_graves", "instance": "a"}}
    assert failures(SUTTON_GRAVES | family, renamed | family) == ""
    assert failures(SUTTON_GRAVES, renamed | {"expr": f"{expr}*2"}) == ""


MARS = SUTTON_GRAVES | {
    "id": "heating.sutton_graves.mars", "expr": "k*sqrt(rho/Rn)*V**3.04",
    "tests": [{"in": {"rho": 1e-4, "Rn": 1.0, "V": 7000}, "out": 851184.0, "rtol": 1, "source": "x"}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("regime", "complaint"),
    [
        ({"require": [{"var": "kn", "lt": 0.01}]}, ""),
        ({"prefer": [{"var": "kn", "lt": 0.01}]}, "no limit of kn, while its sibling heating.sutton_graves.earth needs kn < 0.01"),
        ({"require": [{"var": "kn", "lt": 0.1}]}, "only kn < 0.1 of kn, while its sibling"),
        ({"require": [{"var": "kn", "lt": 0.001}]}, ""),
        ({"unlimited": {"kn": "a reason"}}, ""),
        ({"require": [{"var": "kn", "lt": 0.01}], "unlimited": {"mach": "a reason"}}, "unlimited: no sibling limits mach"),
    ],
)  # fmt: skip
def test_condition_of_a_sibling_is_required(regime, complaint):
    family = [{"family": {"name": "sutton_graves", "instance": name}} for name in ("earth", "mars")]
    pair = [
        Equation.model_validate(each | one)
        for each, one in zip((SUTTON_GRAVES, MARS | {"regime": regime}), family, strict=True)
    ]
    found = list(find_unmatched_conditions(pair[1], Library(pair)))
    assert [complaint in line for line in found] == ([True] if complaint else [])


def test_confusable_entries_of_one_topic_are_siblings():
    other = MARS | {"regime": {"require": []}, "confusable_with": ["heating.sutton_graves.earth"]}
    pair = [Equation.model_validate(each) for each in (SUTTON_GRAVES, other)]
    assert "no limit of kn" in "".join(find_unmatched_conditions(pair[1], Library(pair)))
    elsewhere = Equation.model_validate(other | {"topic": "entry"})
    assert list(find_unmatched_conditions(elsewhere, Library([pair[0], elsewhere]))) == []


def test_undetected_alterations_are_reported():
    blind = {"tests": [{"in": {"rho": 1.0, "Rn": 1.0, "V": 1.0}, "out": 1.7415e-4, "source": "x"}]}
    found = failures(SUTTON_GRAVES | blind)
    for altered in ("k * abs(rho / Rn) *", "V ** (3 + 0.5)", "V ** 3.3", "sqrt(rho * Rn)", "/ V ** 3"):
        assert altered in found
    assert "1.1 * " not in found
    assert "mutation: no test detects" in failures(KEPLER)  # a residual, whose only test is the circle
    squared = {"expr": "sqrt((-k)**2)*sqrt(rho/Rn)*V**3"}
    assert "--k" not in failures(SUTTON_GRAVES | squared)
    assert "/ V ** (--3)" in failures(SUTTON_GRAVES | blind | {"expr": "k*sqrt(rho/Rn)/V**-3"})


def mixed(id, expr, family=None):
    """An entry whose symbols are the letters of its formula."""
    names = sorted(set(re.findall("[a-z]", expr)))
    symbols = {name: {"unit": "-", "desc": name, "sample": [0.1, 10]} for name in (*names, "y")}
    fields = {
        "id": f"heating.{id}", "output": "y", "symbols": symbols, "constants": {}, "expr": expr, "latex": "y = x",
        "tests": [{"in": dict.fromkeys(names, 1.0), "out": 1.0, "source": "x"}], "regime": {}, "failure_modes": [],
        "family": family and {"name": family, "instance": id},
    }  # fmt: skip
    return Equation.model_validate(SUTTON_GRAVES | fields)


@pytest.mark.parametrize(
    ("first", "renamed", "other"),
    [
        ("a*b + c*d + e", "q*s + p*r + t", "a*b*c*d + e"),
        # Six in a ring and two rings of three: each symbol is next to two others.
        (
            "a*b + b*c + c*d + d*e + e*f + f*a",
            "a*d + d*b + b*f + f*c + c*e + e*a",
            "a*b + b*c + c*a + d*e + e*f + f*d",
        ),
    ],
)
def test_form_depends_on_structure_and_not_on_names(first, renamed, other):
    entries = [mixed(id, expr) for id, expr in (("first", first), ("renamed", renamed), ("other", other))]
    forms = [compute_form(entry) for entry in entries]
    assert forms[0] == forms[1] != forms[2]
    assert len(group_by_formula(entries)) == 2


def test_family_counts_once_if_only_numbers_differ():
    formulas = {"one": "2*a*b*c*d*e", "two": "3*a*b*c*d*e", "three": "3*a*b*c*d/e"}
    assert len(group_by_formula(mixed(id, expr, "f") for id, expr in formulas.items())) == 2
    assert len(group_by_formula(mixed(id, expr) for id, expr in formulas.items())) == 3


def test_chosen_entries_are_checked_and_counted(monkeypatch):
    family = {"family": {"name": "sutton_graves", "instance": "earth"}}
    whole = Library([Equation.model_validate(each) for each in (SUTTON_GRAVES | family, KEPLER)])
    monkeypatch.setattr(Library, "read", lambda: whole)
    seen = []
    found = check_base(lambda id: True, lambda *step: seen.append(step))
    assert (found.entries, found.unique_formulas, found.instances) == (2, 2, 1)
    assert found.by_domain == {"astro": 1, "heating": 1}
    assert found.failures.keys() == {"astro.kepler"}
    assert seen == [("gates", 1, 2), ("gates", 2, 2)]
    assert check_base(lambda id: id.startswith("heating.")).by_domain == {"heating": 1}


@pytest.mark.slow
def test_command_prints_counts_as_json():
    result = ansatz("kb", "check", "viscous_interaction.", "--json")
    found = json.loads(result.stdout)
    assert result.returncode == 0
    assert set(found) == {"entries", "unique_formulas", "instances", "by_domain", "failures"}


def test_unknown_domain_is_refused_in_one_line():
    result = ansatz("kb", "check", "radiaton.")
    assert result.returncode == 2
    assert "did you mean 'radiation'" in result.stderr
