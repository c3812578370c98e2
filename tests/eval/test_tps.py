"""The template engine on a small knowledge base of its own: what it makes, and what it refuses."""

import pytest
import yaml

from ansatz.eval.benchmarks.tps import __main__ as command
from ansatz.eval.benchmarks.tps.check import library_faults
from ansatz.eval.benchmarks.tps.instance import format_number, make_problems
from ansatz.eval.benchmarks.tps.reading import read_template, read_templates
from ansatz.eval.benchmarks.tps.trap import trap_error
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.library import Library

TEMPLATE = """
id: heating.wall
level: L2
domains: [heating]
statement: >
  A plate of emissivity eps = {eps} takes a convective flux q_c = {q_c} kW/m^2 while its wall is held at
  T_w = {T_w} degC in air. Find the net flux q_n.
givens:
  eps: {unit: "-", between: [0.5, 0.95], digits: 2, description: emissivity}
  q_c: {unit: kW/m^2, between: [1e2, 9e2], digits: 3, sampled: log, description: convective flux}
  T_w: {unit: degC, among: [400, 600, 800], description: wall temperature}
  gas: {unit: "-", value: air, description: gas}
steps:
  - {equation: radiation.emission, with: {e: eps, T: T_w}, gives: q_r, unit: kW/m^2}
  - {expression: q_c - q_r, gives: q_n, unit: kW/m^2}
targets:
  q_n: {weight: 1, description: net flux into the wall}
formulation: {approach: balance of fluxes, assumptions: grey wall}
trap: {equations: [radiation.black], note: the wall is grey}
bounds:
  q_n: {low: 0, high: q_c, reason: emission only takes heat away}
require: [q_r > 0.05*q_c]
"""


def equation(id, expr, symbols, **more):
    described = {name: {"desc": name, **symbol} for name, symbol in symbols.items()}
    fields = {"kind": "law", "topic": "t", "latex": "none", "references": ["none"], "tests": []}
    fields |= {"name": id, "domain": id.split(".")[0], "output": next(iter(symbols)), "symbols": described}
    test = {"in": dict.fromkeys(list(symbols)[1:], 1.0), "out": 1.0, "source": "none"}
    return Equation.model_validate({**fields, "id": id, "expr": expr, "tests": [test], **more})


def sigma():
    return {"sigma": {"value": 5.67e-8, "unit": "W/m**2/K**4", "source": "CODATA"}}


FLUX = {"unit": "W/m**2"}
TEMPERATURE = {"unit": "K", "domain": [1, 1100]}
LIBRARY = Library(
    [
        equation(
            "radiation.emission",
            "e*sigma*T**4",
            {"q": FLUX, "e": {"unit": "-"}, "T": TEMPERATURE},
            constants=sigma(),
            regime={"require": [{"var": "gas", "in": ["air"]}]},
        ),
        equation("radiation.black", "sigma*T**4", {"q": FLUX, "T": TEMPERATURE}, constants=sigma()),
        equation(
            "radiation.balance",
            "h*(T0 - T)",
            {"q": FLUX, "h": {"unit": "W/m**2/K"}, "T0": {"unit": "K"}, "T": TEMPERATURE},
        ),
    ]
)


def template(tmp_path, text=TEMPLATE, **changes):
    fields = yaml.load(text, Loader=yaml.BaseLoader)
    fields |= changes
    file = tmp_path / "heating" / "wall.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump(fields), encoding="utf-8")
    return read_template(file, "heating.wall")


def make(template, instances=3, seed=0):
    return make_problems(template, instances, seed, LIBRARY)


def numbers(problem):
    stated = {given.name: given.value for given in problem.givens if given.name != "gas"}
    return stated | {step.symbol: step.value for step in problem.reference.steps}


def given(problem, name):
    return next(each.value for each in problem.givens if each.name == name)


def test_an_instance_is_solved_by_its_equations_in_the_units_asked_for(tmp_path):
    for problem in make(template(tmp_path), instances=5):
        emitted = given(problem, "eps") * 5.67e-8 * (given(problem, "T_w") + 273.15) ** 4 / 1000
        assert problem.targets[0].value == pytest.approx(given(problem, "q_c") - emitted, rel=1e-12)
        assert problem.reference.gold_equations == ("radiation.emission",)
        assert problem.reference.trap_equations == ("radiation.black",)
        assert [step.symbol for step in problem.reference.steps] == ["q_r", "q_n"]
        assert problem.reference.bounds[0].high == given(problem, "q_c")


def test_the_question_states_each_given_and_ends_with_the_answer_block(tmp_path):
    problem = make(template(tmp_path))[0]
    prose, block = problem.question.split("\n\n")
    assert f"q_c = {format_number(given(problem, 'q_c'))} kW/m^2" in prose
    assert block == "Report your answers as:\nq_n = ___ kW/m^2"
    assert problem.reference.formulation.find == "net flux into the wall: q_n [kW/m^2]"
    assert f"emissivity: eps = {given(problem, 'eps')};" in problem.reference.formulation.given
    assert str(problem.targets[0].value) not in problem.reference.formulation.text()


def test_an_instance_knows_its_family_and_tags(tmp_path):
    problem = make(template(tmp_path))[1]
    assert (problem.id, problem.family, problem.benchmark) == ("heating.wall#1", "heating.wall", "tps")
    assert problem.tags == {
        "level": "L2",
        "domain": "heating",
        "domains": ("heating",),
        "task_type": "numerical_calc",
    }


def test_instances_depend_on_the_seed_and_the_index_alone(tmp_path):
    made = template(tmp_path)
    assert make(made, instances=4)[:2] == make(made, instances=2)
    assert [one.model_dump_json() for one in make(made)] == [one.model_dump_json() for one in make(made)]
    assert make(made, seed=0)[0].givens != make(made, seed=1)[0].givens


def test_a_condition_rejects_samples(tmp_path):
    for problem in make(template(tmp_path, require=["q_r > 0.3*q_c"]), instances=10):
        step = problem.reference.steps[0]
        assert step.value > 0.3 * given(problem, "q_c")


def test_values_that_need_each_other_are_repeated_until_steady(tmp_path):
    coupled = template(
        tmp_path,
        start={"T": "500 K"},
        steps=[
            {
                "equation": "radiation.emission",
                "with": {"e": "eps", "T": "T"},
                "gives": "q_r",
                "unit": "W/m^2",
            },
            {
                "equation": "radiation.balance",
                "with": {"h": "900 W/m^2/K", "T0": "700 K", "q": "q_r"},
                "solve_for": "T",
                "gives": "T",
                "unit": "K",
            },
        ],
        targets={"T": {"weight": "1", "description": "wall temperature"}},
        bounds={},
        require=[],
    )
    problem = make(coupled)[0]
    wall = problem.targets[0].value
    emitted = given(problem, "eps") * 5.67e-8 * wall**4
    assert emitted == pytest.approx(900 * (700 - wall), rel=1e-6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"require": ["q_r > 2*q_c"]}, "no feasible instance in 300 tries; the last failed: q_r > 2*q_c"),
        ({"givens": None}, "the last failed: there are no further values to draw"),
        ({"gas": "CO2"}, "radiation.emission needs gas in {air}"),
        ({"T_w": "900"}, "T = 1173.15 is outside 1 to 1100 K"),
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


STEP = {"equation": "radiation.emission", "with": {"e": "eps", "T": "T_w"}, "gives": "q_r", "unit": "kW/m^2"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lvl": "L1"}, "lvl: there is no such field; did you mean 'level'?"),
        ({"level": "L5"}, "level: 'L5' is not valid; did you mean 'L"),
        ({"domains": ["heatin"]}, "domains: 'heatin' is not valid; did you mean 'heating'?"),
        ({"statement": "eps = {eps}, q_c = {q_c} kW/m^2, T_w = {Tw} degC, air"}, "{Tw} is not a given; did"),
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


def test_a_trap_is_evaluated_where_the_step_it_would_replace_is_known(tmp_path):
    made = template(tmp_path)
    problem = make(made)[0]
    error = trap_error(made, numbers(problem), LIBRARY.get("radiation.black"))
    assert error == pytest.approx(1 / given(problem, "eps") - 1)
    assert trap_error(made, numbers(problem), LIBRARY.get("radiation.balance")) is None


def test_values_for_which_a_trap_is_nearly_right_are_rejected(tmp_path):
    givens = yaml.load(TEMPLATE, Loader=yaml.BaseLoader)["givens"]
    givens["eps"]["between"] = ["0.95", "0.99"]
    made = template(tmp_path, givens=givens)
    with pytest.raises(InvalidData, match=r"the last failed: trap radiation\.black is off by only \+"):
        make(made)


def test_every_broken_file_is_named(tmp_path):
    for name in ("one", "two"):
        (tmp_path / "heating").mkdir(exist_ok=True)
        (tmp_path / "heating" / f"{name}.yaml").write_text("level: [", encoding="utf-8")
    templates, lines = read_templates(tmp_path)
    assert templates == []
    assert [line.split(":")[0] for line in lines] == ["heating/one.yaml", "heating/two.yaml"]
    assert read_templates(tmp_path, prefix="shock") == ([], [])


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.6, "0.6"), (101325.0, "101325"), (3.1e-4, "3.1e-4"), (6800.0, "6800"), (1.2e8, "1.2e8"), (0.0, "0")],
)
def test_numbers_read_as_people_write_them(value, text):
    assert format_number(value) == text
    assert float(text) == value


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
    monkeypatch.setattr(command, "FOLDER", tmp_path)
    return command.main(["check", "viscous_interaction"]), capsys.readouterr().out


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
        "FAIL viscous_interaction/plate.yaml: statement: {Re} is not a given; did you mean 'Re_x'?" in shown
    )
    assert "FAIL viscous_interaction/plate.yaml: statement: must say 'C = {C}' exactly once" in shown


def test_a_trap_replaces_the_step_that_is_named(tmp_path):
    trap = {"equations": ["radiation.black"], "note": "black", "with": {"T": "T_w"}}
    by_default = template(tmp_path, trap=trap)
    named = template(tmp_path, trap=trap | {"replaces": "q_n"})
    problem = make(named)[0]
    black = 5.67e-8 * (given(problem, "T_w") + 273.15) ** 4 / 1000
    emitted = problem.reference.steps[0].value
    assert trap_error(by_default, numbers(problem), LIBRARY.get("radiation.black")) == pytest.approx(
        black / emitted - 1
    )
    net = problem.targets[0].value
    assert trap_error(named, numbers(problem), LIBRARY.get("radiation.black")) == pytest.approx(
        black / net - 1
    )
    with pytest.raises(InvalidData, match=r"trap\.replaces\.q_m: no step gives it; did you mean 'q_"):
        template(tmp_path, trap=trap | {"replaces": "q_m"})
