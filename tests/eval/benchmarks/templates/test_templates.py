"""The template engine on a small knowledge base of its own: what it makes, and what it refuses."""

import pytest
import yaml

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.templates import make_problems, read_template, read_templates
from ansatz.eval.benchmarks.templates.solution import convert_inputs
from ansatz.eval.benchmarks.templates.story import format_number
from ansatz.eval.benchmarks.templates.traps import trap_error
from ansatz.eval.benchmarks.tps.template import TPSTemplate
from ansatz.eval.outcome import judge_targets
from ansatz.knowledge_base.equation import Equation, Library

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
TEMPERATURE = {"unit": "K", "valid": {"between": [1, 1100], "source": "definition"}}
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
    file.write_text(yaml.safe_dump(fields, sort_keys=False), encoding="utf-8")
    return read_template(file, TPSTemplate, "heating.wall")


def make(template, instances=3, seed=0, language="en"):
    return make_problems(template, instances, seed, LIBRARY, language)


def numbers(problem):
    stated = {given.name: given.value for given in problem.givens if given.name != "gas"}
    return stated | {step.symbol: step.value for step in problem.reference.steps}


def given(problem, name):
    return next(each.value for each in problem.givens if each.name == name)


STEP = {"equation": "radiation.emission", "with": {"e": "eps", "T": "T_w"}, "gives": "q_r", "unit": "kW/m^2"}


def test_an_instance_is_solved_in_the_requested_units(tmp_path):
    for problem in make(template(tmp_path), instances=5):
        emitted = given(problem, "eps") * 5.67e-8 * (given(problem, "T_w") + 273.15) ** 4 / 1000
        assert problem.targets[0].value == pytest.approx(given(problem, "q_c") - emitted, rel=1e-12)
        assert problem.reference.gold_equations == ("radiation.emission",)
        assert problem.reference.trap_equations == ("radiation.black",)
        assert [step.symbol for step in problem.reference.steps] == ["q_r", "q_n"]
        assert problem.reference.bounds[0].high == given(problem, "q_c")


@pytest.mark.parametrize("rise", ["warming", "10 degC"])
def test_a_celsius_difference_equals_a_kelvin_difference(rise):
    heat = equation(
        "physics.heat", "c*dT", {"q": {"unit": "J/kg"}, "c": {"unit": "J/kg/K"}, "dT": {"unit": "K"}}
    )
    found = convert_inputs(heat, {"c": "4 kJ/kg/K", "dT": rise}, {"warming": 10.0}, {"warming": "degC"})
    assert found == pytest.approx({"c": 4000, "dT": 10})


def test_a_problem_states_its_givens_and_answer_block(tmp_path):
    problem = make(template(tmp_path))[1]
    prose, block = problem.question.split("\n\n")
    assert f"q_c = {format_number(given(problem, 'q_c'))} kW/m^2" in prose
    assert block == "Report your answers as:\nq_n = ___ kW/m^2"
    assert problem.reference.formulation.find == "net flux into the wall: q_n [kW/m^2]"
    assert f"emissivity: eps = {given(problem, 'eps')};" in problem.reference.formulation.given
    assert str(problem.targets[0].value) not in problem.reference.formulation.text()
    assert (problem.id, problem.family, problem.benchmark) == ("heating.wall#1", "heating.wall", "tps")
    expected = {"level": "L2", "domain": "heating", "domains": ("heating",), "task_type": "numerical_calc"}
    assert expected.items() <= problem.tags.items() and problem.tags["metadata.references"] == "none"


def test_instances_depend_on_the_seed_and_the_index_alone(tmp_path):
    made = template(tmp_path)
    assert make(made, instances=4)[:2] == make(made, instances=2)
    assert [one.model_dump_json() for one in make(made)] == [one.model_dump_json() for one in make(made)]
    assert make(made, seed=0)[0].givens != make(made, seed=1)[0].givens


def test_values_that_need_each_other_are_repeated_until_steady(tmp_path):
    balance = {"equation": "radiation.balance", "solve_for": "T", "gives": "T", "unit": "K"}
    coupled = template(
        tmp_path,
        start={"T": "500 K"},
        steps=[
            STEP | {"with": {"e": "eps", "T": "T"}, "unit": "W/m^2"},
            balance | {"with": {"h": "900 W/m^2/K", "T0": "700 K", "q": "q_r"}},
        ],
        targets={"T": {"weight": "1", "description": "wall temperature"}},
        bounds={},
        require=[],
    )
    problem = make(coupled)[0]
    wall = problem.targets[0].value
    emitted = given(problem, "eps") * 5.67e-8 * wall**4
    assert emitted == pytest.approx(900 * (700 - wall), rel=1e-6)


def test_a_trap_replaces_the_named_or_the_confusable_step(tmp_path):
    trap = {"equations": ["radiation.black"], "note": "black", "with": {"T": "T_w"}}
    by_default, named = template(tmp_path, trap=trap), template(tmp_path, trap=trap | {"replaces": "q_n"})
    problem = make(named)[0]
    black = 5.67e-8 * (given(problem, "T_w") + 273.15) ** 4 / 1000
    for made, replaced in ((by_default, problem.reference.steps[0].value), (named, problem.targets[0].value)):
        error = trap_error(made, numbers(problem), LIBRARY.get("radiation.black"))
        assert error == pytest.approx(black / replaced - 1)
    assert trap_error(by_default, numbers(problem), LIBRARY.get("radiation.balance")) is None


CHINESE = """一块发射率 eps = {eps} 的平板在空气中承受对流热流密度 q_c = {q_c} kW/m^2，
壁温保持为T_w = {T_w} degC。求净热流密度 q_n。"""


def test_a_folded_chinese_statement_has_no_spaces(tmp_path):
    folded = CHINESE.replace("壁温", "壁\n温")
    assert "，壁温" in template(tmp_path, statement_zh=" ".join(folded.split("\n"))).statement_zh


CASES = {"convection": "q_c > 40*q_r", "neither": "q_c > 15*q_r", "emission": "q_c <= 15*q_r"}
WORDS = {"convection": "对流", "neither": "都不是", "emission": "辐射"}
LABEL = {"weight": "0.3", "description": "the larger of the two fluxes", "cases": CASES, "zh": WORDS}


def test_a_label_follows_from_its_case_in_both_languages(tmp_path):
    asked = {"q_n": {"weight": "0.7", "description": "net flux into the wall"}}
    both = {"task_type": "comparison", "labels": {"wins": LABEL}, "targets": asked, "statement_zh": CHINESE}
    made, seen = template(tmp_path, **both, require=[]), set()
    for problem, chinese in zip(make(made, 8), make(made, 8, language="zh"), strict=True):
        ratio = given(problem, "q_c") / problem.reference.steps[0].value
        wanted = "convection" if ratio > 40 else "neither" if ratio > 15 else "emission"
        label = problem.targets[1]
        seen.add(label.value)
        assert label.value == wanted
        assert problem.question.endswith("wins = ___ (convection, neither or emission)")
        assert problem.reference.formulation.find.endswith("; the larger of the two fluxes: wins")
        assert (chinese.givens, chinese.targets) == (problem.givens, problem.targets)
        assert (chinese.family, chinese.id) == (problem.family, f"{problem.id}.zh")
        assert "\n\n请按以下格式给出答案：\nq_n = ___ kW/m^2\n" in chinese.question
        assert chinese.question.endswith("wins = ___ （对流、都不是或辐射）")
        assert chinese.reference.formulation.text().startswith("已知：")
        for word, translated in WORDS.items():
            for answer in (f"wins = {word}", f"wins：{translated}。", f"最后，wins 为{translated}"):
                assert judge_targets([label], answer)[0].exact == (word == wanted), answer
    assert seen == set(WORDS)


FIELDS = yaml.load(TEMPLATE, Loader=yaml.BaseLoader)
LAST = {"expression": "q_c - q_r", "gives": "q_n", "unit": "kW/m^2"}
GASES = {"correct": "{gas}", "options": {gas: {"text": gas} for gas in ("helium", "argon", "hair")}}
FIXED = {
    name: {"unit": each["unit"], "description": name, "value": value}
    for (name, each), value in zip(FIELDS["givens"].items(), ("0.5", "100", "600", "air"), strict=True)
}


def with_givens(**changed):
    return {"givens": {name: {**each, **changed.get(name, {})} for name, each in FIELDS["givens"].items()}}


def with_eps(**fields):
    return {"givens": FIELDS["givens"] | {"eps": {"unit": "-", "description": "emissivity", **fields}}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        # no feasible instance
        ({"require": ["q_r > 2*q_c"]}, "no feasible instance in 300 tries; the last failed: q_r > 2*q_c"),
        ({"givens": FIXED}, "the last failed: there are no further values to draw"),
        (with_givens(gas={"value": "CO2"}), "radiation.emission needs gas in {air}"),
        (with_givens(T_w={"among": ["900"]}), "needs 1 <= T <= 1100 K, not T = 1173.15"),
        (with_givens(eps={"between": ["0.95", "0.99"]}), "the last failed: trap radiation.black is off by only +"),
        ({"bounds": {"q_n": {"low": "q_c", "reason": "never so"}}}, "never so"),
        # contradictions in the file
        ({"lvl": "L1"}, "lvl: there is no such field; did you mean 'level'?"),
        ({"targets": {"q_x": {"weight": "1", "description": "flux"}}}, "no step gives 'q_x'; did you mean"),
        ({"bounds": {"q_x": {"reason": "r"}}}, "no step gives 'q_x'; did you mean"),
        ({"targets": {"q_n": {"wieght": "1"}}}, "targets.q_n.wieght: there is no such field; did you mean 'wei"),
        ({"trap": {"equations": [], "replaces": "q_m", "note": ""}}, "no step gives 'q_m'; did you mean"),
        ({"steps": [STEP | {"gives": "q_c"}]}, "steps: 'q_c' already has a value"),
        ({"steps": [STEP | {"expression": "1"}]}, "steps[0]: needs exactly one of equation"),
        ({"task_type": "derivation"}, "derivation: is required for the task type derivation, and only for it"),
        ({"id": "heating.other"}, "id: 'heating.other' must equal the path, 'heating.wall'"),
        # givens that cannot be sampled
        (with_eps(between=["2", "1"]), "givens.eps: between [2.0, 1.0]: the first must be below the second"),
        (with_eps(between=["0", "1"], sampled="log"), "givens.eps: sampled: log needs a range above zero"),
        (with_eps(value="1", between=["0", "1"]), "givens.eps: needs exactly one of between, among, value"),
        (with_eps(between=["0.123", "0.5"], digits="2"), "givens.eps: between: 0.123 has more than 2 significant"),
        # what cannot be carried out
        ({"steps": [STEP | {"equation": "radiation.emision"}, LAST]}, "no equation 'radiation.emision'; did you"),
        ({"steps": [STEP | {"with": {"e": "eps", "Tw": "T_w"}}, LAST]}, "radiation.emission has no input 'Tw'"),
        ({"steps": [STEP | {"with": {"e": "eps"}}, LAST]}, "radiation.emission needs T"),
        ({"steps": [STEP | {"with": {"e": "eps", "T": "q_c"}}, LAST]}, "q_r: 0.0 kW / m ** 2 is not a quantity in K"),
        ({"steps": [STEP | {"unit": "kW"}, LAST]}, "q_r: 0.0 W / m ** 2 is not a quantity in kW"),
        ({"steps": [STEP | {"with": {"e": "epsilon", "T": "T_w"}}, LAST]}, "'epsilon' has no value; did you mean 'eps"),
        ({"bounds": {"q_n": {"high": "__import__('os')", "reason": "r"}}}, "__import__"),
        ({"require": ["q_n"]}, "'q_n' is not a comparison"),
        ({"choice": GASES}, "choice.correct: 'air' is no option; did you mean 'hair'?"),
    ],
)  # fmt: skip
def test_a_template_that_is_wrong_is_named_with_the_reason(tmp_path, changes, message):
    with pytest.raises(InvalidData, match=r"^heating(\.wall|/wall\.yaml): ") as raised:
        make(template(tmp_path, **changes))
    assert message in str(raised.value)


def test_every_broken_file_is_named(tmp_path):
    for name in ("one", "two"):
        (tmp_path / "heating").mkdir(exist_ok=True)
        (tmp_path / "heating" / f"{name}.yaml").write_text("level: [", encoding="utf-8")
    with pytest.raises(InvalidData) as raised:
        read_templates(tmp_path, TPSTemplate)
    lines = str(raised.value).splitlines()
    assert [line.split(":")[0] for line in lines] == ["heating/one.yaml", "heating/two.yaml"]
