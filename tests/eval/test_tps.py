"""The template engine on a small knowledge base of its own: what it makes, and what it refuses."""

import re

import pytest
import yaml

from ansatz.eval.benchmarks import tps
from ansatz.eval.benchmarks.templates.library_check import trap_error
from ansatz.eval.benchmarks.templates.story import format_number
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.outcome import judge
from tests.eval.tps_cases import (
    LIBRARY,
    TEMPLATE,
    given,
    make,
    numbers,
    template,
)


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
        "language": "en",
        "metadata.method": "executed template",
        "metadata.references": "none",
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


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.6, "0.6"), (101325.0, "101325"), (3.1e-4, "3.1e-4"), (6800.0, "6800"), (1.2e8, "1.2e8"), (0.0, "0")],
)
def test_numbers_read_as_people_write_them(value, text):
    assert format_number(value) == text
    assert float(text) == value


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


CHINESE = """一块发射率 eps = {eps} 的平板在空气中承受对流热流密度 q_c = {q_c} kW/m^2，
壁温保持为T_w = {T_w} degC。求净热流密度 q_n。"""


def test_the_same_problem_in_chinese_has_the_same_numbers(tmp_path):
    made = template(tmp_path, statement_zh=CHINESE)
    for english, chinese in zip(make(made), make(made, language="zh"), strict=True):
        assert chinese.givens == english.givens
        assert chinese.targets == english.targets
        assert sorted(re.findall(r"\d[\d.e-]*", chinese.question)) == sorted(
            re.findall(r"\d[\d.e-]*", english.question)
        )
        assert chinese.question.endswith("请按以下格式给出答案：\nq_n = ___ kW/m^2")
        assert chinese.reference.formulation.text().startswith("已知：")
        assert (chinese.family, chinese.id) == (english.family, f"{english.id}.zh")
        assert chinese.tags["language"] == "zh"


def test_a_folded_chinese_statement_has_no_spaces_between_its_words(tmp_path):
    folded = CHINESE.replace("壁温", "壁\n温")
    assert "，壁温" in template(tmp_path, statement_zh=" ".join(folded.split("\n"))).statement_zh


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (CHINESE.replace("{eps}", "0.8"), "statement_zh: must say 'eps = {eps}' exactly once"),
        (CHINESE.replace("kW/m^2", "W/m^2"), "statement_zh: must say 'q_c = {q_c} kW/m^2' exactly once"),
        (
            CHINESE.replace("{T_w}", "{Tw}"),
            "statement_zh: {Tw} is no given, entity or word; did you mean 'T_w'?",
        ),
    ],
)
def test_a_chinese_statement_must_state_the_same(tmp_path, statement, message):
    with pytest.raises(InvalidData) as raised:
        template(tmp_path, statement_zh=statement)
    assert message in str(raised.value)


def test_a_language_without_statements_is_refused_by_template():
    with pytest.raises(InvalidData, match="language: 'fr' is not valid"):
        tps.load(language="fr")


LABELS = {
    "wins": {
        "weight": "0.3",
        "description": "the larger of the two fluxes",
        "cases": {"convection": "q_c > 2*q_r", "neither": "q_c > 0.5*q_r", "emission": "q_c <= 0.5*q_r"},
        "zh": {"convection": "对流", "neither": "都不是", "emission": "辐射"},
    }
}


def labelled(tmp_path):
    """The template as a comparison that also asks for a word."""
    asked = {"q_n": {"weight": "0.7", "description": "net flux into the wall"}}
    return template(
        tmp_path, task_type="comparison", labels=LABELS, targets=asked, statement_zh=CHINESE, require=[]
    )


def test_a_word_is_asked_for_whose_case_holds(tmp_path):
    for problem in make(labelled(tmp_path), instances=8):
        emitted, received = problem.reference.steps[0].value, given(problem, "q_c")
        label = problem.targets[1]
        wanted = (
            "convection" if received > 2 * emitted else "neither" if received > emitted / 2 else "emission"
        )
        assert label.value == wanted
        assert problem.question.endswith("wins = ___ (convection, neither or emission)")
        assert problem.reference.formulation.find.endswith("; the larger of the two fluxes: wins")
        assert [verdict.exact for verdict in judge([label], f"wins = {wanted}")] == [True]


def test_a_word_counts_in_chinese_too_and_another_does_not(tmp_path):
    for problem in make(labelled(tmp_path), instances=4, language="zh"):
        assert problem.question.endswith("wins = ___ （对流、都不是或辐射）")
        label = problem.targets[1]
        for word, chinese in LABELS["wins"]["zh"].items():
            for answer in (f"wins：{chinese}。", f"最后，wins = {chinese}", f"wins 为{chinese}"):
                assert judge([label], answer)[0].exact == (word == label.value), answer
