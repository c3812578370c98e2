"""The astrodynamics sets: their number, their keys, and the errors of faulty sets."""

import re
from collections import Counter
from functools import cache

import pytest
import yaml

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.apbench import load, read_sets
from ansatz.eval.benchmarks.apbench.problem_set import TOPICS, ProblemSet, constants, formulas
from ansatz.eval.benchmarks.apbench.scoring import judge_published, judge_strict
from ansatz.eval.benchmarks.templates import make_problems, read_template
from ansatz.eval.judging.request import format_reference
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget
from ansatz.eval.score import ScoringContext
from ansatz.knowledge_base.equation import library
from tests.fakes.transcripts import attempt

SETS = {template.name: template for template in read_sets()}


@cache
def problems(seed=0, instances=1):
    return load(instances=instances, seed=seed)


def by_instance(seed, instances):
    asked = {}
    for problem in problems(seed, instances):
        asked.setdefault(problem.id.rsplit("-q", 1)[0], []).append(problem)
    return asked.values()


def test_there_are_enough_sets_and_questions_on_every_topic():
    assert len(SETS) >= 40 and len(problems()) >= 150
    tags = {name: {problem.tags[name] for problem in problems()} for name in ("topic", "kind", "format")}
    kinds, formats = {"number", "list", "message", "choice"}, {"numeric", "message"}
    assert tags == {"topic": set(TOPICS), "kind": kinds, "format": formats}


def test_a_set_is_asked_in_order_over_one_content():
    for asked in by_instance(0, 2):
        assert 3 <= len(asked) <= 5
        assert len({problem.context for problem in asked}) == 1
        for position, problem in enumerate(asked):
            assert problem.id.endswith(f"-q{position + 1}") and problem.tags["position"] == str(position + 1)
            assert problem.follows == tuple(each.id for each in asked[:position])


def test_draws_differ_and_do_not_depend_on_how_many_are_made():
    one, three = load(instances=1, sets=["gibbs"]), load(instances=3, sets=["gibbs"])
    other = load(seed=7, sets=["gibbs"])
    assert three[: len(one)] == one
    assert len({problem.context for problem in (*three, *other)}) == 4
    assert len({problem.id for problem in (*three, *other)}) == len(three) + len(other)


def test_every_target_is_a_solution_step_and_not_stated():
    for problem in problems():
        steps = {step.symbol: (step.value, step.unit) for step in problem.reference.steps}
        for target in problem.targets:
            if isinstance(target, NumberTarget):
                assert steps[target.name] == (target.value, target.unit)
                assert target.value != 0
                assert re.search(rf"^Step \d+: {re.escape(target.name)} = ", format_reference(problem), re.M)
                assert f"{target.name} = ___" in problem.question
                assert f"{target.value:.6g} {target.unit}" not in problem.ask().text, problem.id
        assert problem.tags["formulas"] and problem.reference.text


def test_choices_have_the_right_letter_and_no_letter_is_favoured():
    choosing = [name for name, each in SETS.items() if any(q.choice for q in each.questions)]
    targets = [problem.targets[0] for problem in load(instances=10, sets=choosing)]
    letters = Counter(target.value for target in targets if isinstance(target, ChoiceTarget))
    assert max(letters["A"], letters["B"]) < 0.5 * letters.total()


NUMBER = re.compile(r"(?<![\w.^])\d+(?:\.\d+)?|\btwice\b")
RIGHT_ANGLES = {90.0, 180.0}
"""Degrees that mark a case (retrograde, opposite) rather than come out of a calculation."""
TWICE = ("safety_ellipse", "drag_decay")
"""Sets whose message states: to first order the angle swings by 2e, and potential energy is lost for half as much."""


def test_numbers_in_messages_and_options_are_givens():
    strange, messages = [], 0
    for asked in by_instance(0, 2):
        known = {one.value for one in asked[-1].givens} | RIGHT_ANGLES
        known |= {2.0} if asked[0].family in TWICE else set()
        for target in (target for problem in asked for target in problem.targets):
            texts = target.options.values() if isinstance(target, ChoiceTarget) else ()
            if isinstance(target, MessageTarget):
                texts, messages = (target.value,), messages + 1
                assert len(target.value.split()) > 10 and re.fullmatch(r"[^{]*\.", target.value)
            numbers = (2.0 if word == "twice" else float(word) for word in NUMBER.findall(" ".join(texts)))
            strange += [f"{asked[0].family}: {number}" for number in set(numbers) - known]
    assert not strange and messages >= 20


def test_catalogue_entries_are_used_and_their_equations_exist():
    assert {id for each in SETS.values() for q in each.questions for id in q.formulas} == set(formulas())
    assert {name for each in SETS.values() for name in each.constants} == set(constants())
    named = {equation for formula in formulas().values() for equation in formula.equations}
    assert not [equation for equation in named if equation not in library()]
    gold = {equation for problem in problems() for equation in problem.reference.gold_equations}
    assert gold == named and len(gold) > 60


def reported(problem):
    """An answer in the form that the question asks for, with six digits of every key."""
    if isinstance(problem.targets[0], ChoiceTarget):
        return f"Answer: {problem.targets[0].value}"
    return "\n".join(f"{t.name} = {t.value:.6g} {t.unit}".removesuffix(" -") for t in problem.targets)


async def test_the_keys_reported_as_asked_earn_full_credit():
    for problem in problems():
        if not isinstance(problem.targets[0], MessageTarget):
            text = reported(problem)
            assert all(
                each.right for rule in (judge_published, judge_strict) for each in rule(problem, text)
            ), problem.id
            scores = await Outcome().score(ScoringContext(problem, attempt(text)))
            assert [score.value for score in scores if score.value is not None][:2] == [1, 1], problem.id
            assert scores[2].value in (None, 1), problem.id


GOOD = yaml.safe_load("""
title: A circle
constants: [mu_Earth]
givens:
  r: {description: radius, unit: km, between: [7000, 8000], step: 10}
context: A satellite circles at {r} km.
assumptions: two-body motion
questions:
  - {statement: "Speed?", level: L1, steps: ["v [km/s] = sqrt(mu_Earth/r)"], targets: {v: speed}, formulas: [circular_speed]}
  - {statement: "Period?", level: L1, steps: ["T [min] = 2*pi*r/v"], targets: {T: period}, formulas: [period]}
  - {statement: "Why?", level: L1, answer: "The Earth pulls at {v} km/s.", formulas: [period]}
""")
FIRST, *OTHERS = GOOD["questions"]


def made(folder, **fields):
    file = folder / "circle.yaml"
    file.write_text(yaml.safe_dump(GOOD | fields), encoding="utf-8")
    return make_problems(read_template(file, ProblemSet, "two_body.circle"), 1, 0, library())


def test_later_questions_use_the_steps_of_earlier_ones(tmp_path):
    speed, period, why = made(tmp_path)
    assert [step.symbol for step in period.reference.steps] == ["v", "T"]
    assert f"pulls at {speed.targets[0].value:.4g} km/s" in why.targets[0].value


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"constants": ["mu_Erth"]}, "constants: there is no 'mu_Erth'; did you mean 'mu_Earth'"),
        ({"assumptions": ""}, "assumptions: "),
        ({"require": ["r > 2*r"]}, "in 5000 tries; the last failed: r > 2*r does not hold"),
        ({"questions": [FIRST, *OTHERS][:2]}, "questions: "),
        ({"questions": [FIRST | {"steps": ["v = 3"]}, *OTHERS]}, "`symbol [unit] = formula`"),
        ({"questions": [FIRST | {"steps": ["v [m/s] = __import__('os')"]}, *OTHERS]}, "unknown function '__imp"),
        ({"questions": [FIRST | {"steps": ["v [m/s] = sqrt.__class__"]}, *OTHERS]}, "'sqrt.__class__' is not all"),
        ({"questions": [FIRST | {"steps": ["v [m/s] = 10.0**400"]}, *OTHERS]}, "has no value there"),
        ({"questions": [FIRST | {"formulas": ["visviva"]}, *OTHERS]}, "no 'visviva'; did you mean 'vis_viva'"),
        ({"questions": [*OTHERS, FIRST, FIRST | {"statement": "Again?"}]}, "'v' already has a value"),
    ],
)  # fmt: skip
def test_a_faulty_file_is_refused_with_a_line_that_says_why(tmp_path, fields, message):
    with pytest.raises(InvalidData, match="circle") as refused:
        made(tmp_path, **fields)
    assert message in str(refused.value)


def test_a_file_that_is_no_mapping_is_refused(tmp_path):
    (tmp_path / "circle.yaml").write_text("- 3", encoding="utf-8")
    with pytest.raises(InvalidData, match=r"circle.yaml: must be an object"):
        read_template(tmp_path / "circle.yaml", ProblemSet, "two_body.circle")


def test_topics_and_sets_choose():
    assert {problem.family for problem in load(sets=["gibbs", "jacobi"])} == {"gibbs", "jacobi"}
    assert {problem.tags["topic"] for problem in load(topics=["lambert"])} == {"lambert"}
    for settings, message in (({"topics": ["lambertt"]}, "lambert"), ({"sets": ["gibs"]}, "gibbs")):
        with pytest.raises(InvalidData, match=f"did you mean '{message}'"):
            load(**settings)
