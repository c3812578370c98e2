"""What is said of a template that cannot be used, and by the check command."""

from dataclasses import replace

import pytest
import yaml

from ansatz.eval.benchmarks.templates import library_faults, read_templates
from ansatz.eval.benchmarks.tps.__main__ import COMMANDS as command
from ansatz.eval.benchmarks.tps.tps_template import TPSTemplate
from ansatz.eval.benchmarks.validation import InvalidData
from tests.eval.tps_cases import (
    LIBRARY,
    STEP,
    TEMPLATE,
    make,
    template,
)

LABEL = {"weight": "0.2", "description": "does it rise", "cases": {"yes": "q_n > q_r", "no": "q_n <= q_r"}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"require": ["q_r > 2*q_c"]}, "no feasible instance in 300 tries; the last failed: q_r > 2*q_c"),
        ({"givens": None}, "the last failed: there are no further values to draw"),
        ({"gas": "CO2"}, "radiation.emission needs gas in {air}"),
        ({"T_w": "900"}, "needs 1 <= T <= 1100 K, not T = 1173.15"),
        ({"bounds": {"q_n": {"low": "q_c", "reason": "never so"}}}, "never so"),
    ],
)
def test_a_template_without_a_feasible_instance_says_why(tmp_path, changes, message):
    fields = yaml.load(TEMPLATE, Loader=yaml.BaseLoader)
    givens = fields["givens"]
    if "gas" in changes:
        givens["gas"]["value"] = changes.pop("gas")
        changes["statement"] = fields["statement"].replace("air", "CO2")
    elif "T_w" in changes:
        givens["T_w"]["among"] = [changes.pop("T_w")]
    elif changes == {"givens": None}:
        givens["eps"] = {"unit": "-", "value": 0.5, "description": "emissivity"}
        givens["q_c"] = {"unit": "kW/m^2", "value": 100, "description": "convective flux"}
        givens["T_w"]["among"] = ["600"]
    with pytest.raises(InvalidData) as raised:
        make(template(tmp_path, **{**changes, "givens": givens}))
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lvl": "L1"}, "lvl: there is no such field; did you mean 'level'?"),
        ({"level": "L5"}, "level: 'L5' is not valid; did you mean 'L"),
        ({"domains": ["heatin"]}, "domains: 'heatin' is not valid; did you mean 'heating'?"),
        (
            {"statement": "eps = {eps}, q_c = {q_c} kW/m^2, T_w = {Tw} degC, air"},
            "{Tw} is no given, entity or word; did",
        ),
        ({"statement": "eps = {eps}, q_c = {q_c} kW/m^2, air"}, "must say 'T_w = {T_w} degC' exactly once"),
        ({"statement": "eps = {eps}, q_c = {q_c} kW, T_w = {T_w} degC, air"}, "'q_c = {q_c} kW/m^2' exactly"),
        ({"statement": "eps = {eps}, q_c = {q_c} kW/m^2, T_w = {T_w} degC"}, "nothing says that gas is air"),
        ({"targets": {"q_x": {"weight": "1", "description": "flux"}}}, "targets.q_x: no step gives it"),
        ({"targets": {"q_n": {"weight": "0.5", "description": "flux"}}}, "the weights add up to 0.5"),
        (
            {"targets": {"q_n": {"wieght": "1"}}},
            "targets.q_n.wieght: there is no such field; did you mean 'wei",
        ),
        (
            {"bounds": {"q_n": {"high": "q_d", "reason": "r"}}},
            "bounds.q_n.high: 'q_d' has no value; did you mean",
        ),
        ({"bounds": {"q_n": {"high": "__import__('os')", "reason": "r"}}}, "bounds.q_n.high: "),
        ({"require": ["q_n"]}, "require[0]: 'q_n' is not a comparison"),
        (
            {"steps": [STEP | {"with": {"e": "epsilon", "T": "T_w"}}]},
            "steps[0].with.e: 'epsilon' has no value",
        ),
        ({"steps": [STEP | {"gives": "q_c"}]}, "steps[0].gives: 'q_c' already has a value"),
        ({"steps": [STEP | {"expression": "1"}]}, "steps[0]: needs either an equation or an expression"),
        (
            {"trap": {"equations": [], "with": {"e": "ep"}, "note": "n"}},
            "trap.with.e: 'ep' has no value; did you",
        ),
        (
            {"trap": {"equations": ["radiation.emission"], "note": "n"}},
            "'radiation.emission' is also a step of the",
        ),
        (
            {"task_type": "derivation"},
            "derivation: must be there for the task type derivation, and only for it",
        ),
        ({"labels": {"q_c": LABEL}}, "labels.q_c: 'q_c' already has a value"),
        (
            {"labels": {"rises": LABEL | {"cases": {"yes": "q_n > q_d", "no": "q_n <= q_c"}}}},
            "cases.yes: 'q_d' has no",
        ),
        (
            {"labels": {"rises": LABEL | {"zh": {"yes": "是"}}}},
            "labels.rises.zh: must have the words yes, no",
        ),
        ({"labels": {"rises": LABEL}}, "the weights add up to 1.2, not 1"),
        ({"id": "heating.other"}, "id: 'heating.other' must equal the path, 'heating.wall'"),
    ],
)
def test_a_template_that_contradicts_itself_is_refused_by_file_and_field(tmp_path, changes, message):
    with pytest.raises(InvalidData) as raised:
        template(tmp_path, **changes)
    assert message in str(raised.value)
    assert all(line.startswith("heating/wall.yaml: ") for line in str(raised.value).splitlines())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"between": ["2", "1"]}, "between [2.0, 1.0]: the first must be below the second"),
        ({"between": ["0", "1"], "sampled": "log"}, "sampled: log needs a range above zero"),
        ({"value": "1", "between": ["0", "1"]}, "needs exactly one of between, among, value"),
        ({"between": ["0.123", "0.5"], "digits": "2"}, "between: 0.123 has more than 2 significant digits"),
        ({"between": ["0", "1"], "sampled": "lin"}, "'lin' is not valid"),
    ],
)
def test_a_given_that_cannot_be_sampled_is_refused(tmp_path, changes, message):
    givens = yaml.load(TEMPLATE, Loader=yaml.BaseLoader)["givens"]
    givens["eps"] = {"unit": "-", "description": "emissivity", **changes}
    with pytest.raises(InvalidData, match=r"givens\.eps") as raised:
        template(tmp_path, givens=givens)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (STEP | {"equation": "radiation.emision"}, "there is no equation 'radiation.emision'; did you mean"),
        (
            STEP | {"with": {"e": "eps", "Tw": "T_w", "T": "T_w"}},
            "with.Tw: radiation.emission has no such input",
        ),
        (STEP | {"with": {"e": "eps"}}, "with: radiation.emission also needs T"),
        (STEP | {"with": {"e": "eps", "T": "q_c"}}, "with.T: T of radiation.emission is in K, not in kW/m^2"),
        (STEP | {"with": {"e": "eps", "T": "300"}}, "with.T: T of radiation.emission is in K, not in"),
        (STEP | {"unit": "kW"}, "unit: q of radiation.emission is in W/m**2, not in kW"),
    ],
)
def test_a_template_that_does_not_fit_the_knowledge_base_is_told_where(tmp_path, step, message):
    last = {"expression": "q_c - q_r", "gives": "q_n", "unit": "kW/m^2"}
    found = list(library_faults(template(tmp_path, steps=[step, last]), LIBRARY))
    assert len(found) == 1
    assert found[0].startswith("heating.wall: steps[0].")
    assert message in found[0]


def test_every_broken_file_is_named(tmp_path):
    for name in ("one", "two"):
        (tmp_path / "heating").mkdir(exist_ok=True)
        (tmp_path / "heating" / f"{name}.yaml").write_text("level: [", encoding="utf-8")
    templates, lines = read_templates(tmp_path, TPSTemplate)
    assert templates == []
    assert [line.split(":")[0] for line in lines] == ["heating/one.yaml", "heating/two.yaml"]
    assert read_templates(tmp_path, TPSTemplate, prefix="shock") == ([], [])


def run_check(tmp_path, monkeypatch, capsys, statement):
    fields = {
        "id": "viscous_interaction.plate",
        "level": "L1",
        "domains": ["viscous_interaction"],
        "statement": statement,
        "givens": {
            "M_inf": {"unit": "-", "between": [8, 12], "description": "Mach number"},
            "Re_x": {"unit": "-", "between": [1e5, 9e5], "digits": 2, "description": "Reynolds number"},
            "C": {"unit": "-", "value": 0.9, "description": "Chapman-Rubesin parameter"},
        },
        "steps": [
            {
                "equation": "viscous_interaction.chi_bar",
                "with": {"M": "M_inf", "C": "C", "Re": "Re_x"},
                "gives": "chi",
                "unit": "-",
            }
        ],
        "targets": {"chi": {"weight": 1, "description": "interaction parameter"}},
        "formulation": {"approach": "definition", "assumptions": "laminar"},
        "trap": {"equations": ["viscous_interaction.v_bar"], "note": "V-bar correlates forces"},
    }
    (tmp_path / "viscous_interaction").mkdir()
    file = tmp_path / "viscous_interaction" / "plate.yaml"
    file.write_text(yaml.safe_dump(fields), encoding="utf-8")
    checks = replace(command, check=replace(command.check, folder=tmp_path))
    return checks.main(["check", "viscous_interaction"]), capsys.readouterr().out


def test_the_check_command_shows_what_a_template_makes(tmp_path, monkeypatch, capsys):
    statement = "A laminar plate at M_inf = {M_inf}, Re_x = {Re_x} and C = {C}."
    code, shown = run_check(tmp_path, monkeypatch, capsys, statement)
    assert code == 0
    assert "viscous_interaction.plate#1  L1  numerical_calc" in shown
    assert "(viscous_interaction.chi_bar: chi = M_inf**3*sqrt(C/Re_x))" in shown
    assert "trap viscous_interaction.v_bar: off by -" in shown
    assert shown.endswith("1 templates, 0 failures\n")


def test_the_check_command_warns_of_a_question_at_odds_with_its_solution(tmp_path, monkeypatch, capsys):
    statement = "A turbulent boundary layer at M_inf = {M_inf}, Re_x = {Re_x} and C = {C}."
    _, shown = run_check(tmp_path, monkeypatch, capsys, statement)
    assert "WARNING the question seems to contradict viscous_interaction.chi_bar: needs bl_state" in shown


def test_the_check_command_fails_with_a_line_per_fault(tmp_path, monkeypatch, capsys):
    code, shown = run_check(tmp_path, monkeypatch, capsys, "A plate at M_inf = {M_inf}, Re_x = {Re}.")
    assert code == 1
    assert (
        "FAIL viscous_interaction/plate.yaml: statement: {Re} is no given, entity or word; did you mean 'Re_x'?"
        in shown
    )
    assert "FAIL viscous_interaction/plate.yaml: statement: must say 'C = {C}' exactly once" in shown
