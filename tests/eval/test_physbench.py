"""The physics set: its shares, worked solutions, options and entities, and what it says of faulty files."""

import math
import re
from collections import Counter

import pytest

from ansatz.eval.benchmarks.physbench import FOLDER, load, templates
from ansatz.eval.benchmarks.physbench.allocation import COGNITIVE_COUNTS, KIND_COUNTS, TOPIC_COUNTS
from ansatz.eval.benchmarks.physbench.physbench_template import COGNITIVE, KNOWLEDGE, PhysBenchTemplate
from ansatz.eval.benchmarks.shares import apportion
from ansatz.eval.benchmarks.templates import make_at_most, read_template
from ansatz.eval.benchmarks.templates.story import article
from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.outcome import judge
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget
from ansatz.eval.validation import InvalidData
from ansatz.knowledge_base.equation import library

NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"


@pytest.fixture(scope="module")
def problems():
    return load(instances=2, seed=7)


@pytest.fixture(scope="module")
def core():
    return load()


def test_the_set_has_the_shares_of_the_paper(core):
    assert len(core) >= 300
    assert len({problem.family for problem in core}) >= 100
    assert len({problem.question for problem in core}) == len(core)
    topics = Counter(problem.tags["topic"] for problem in core)
    assert topics == apportion(TOPIC_COUNTS, len(core))
    conceptual = sum(problem.tags["kind"] == "conceptual" for problem in core) / len(core)
    assert conceptual == pytest.approx(KIND_COUNTS["conceptual"] / sum(KIND_COUNTS.values()), abs=0.02)
    levels = Counter(problem.tags["cognitive"] for problem in core)
    for level in COGNITIVE:
        share = COGNITIVE_COUNTS[level] / sum(COGNITIVE_COUNTS.values())
        assert levels[level] / len(core) == pytest.approx(share, abs=0.03), level
    types = Counter(problem.tags["knowledge"] for problem in core)
    for knowledge, share in zip(KNOWLEDGE, (0.070, 0.236, 0.694), strict=True):  # table 3 of the paper
        assert types[knowledge] / len(core) == pytest.approx(share, abs=0.05), knowledge
    assert sum(problem.tags["format"] == "multiple_choice" for problem in core) >= 30


def test_every_problem_has_a_worked_solution(problems):
    for problem in problems:
        reference = problem.reference
        assert all(reference.formulation.model_dump().values()), problem.id
        assert reference.final_answer, problem.id
        if problem.tags["kind"] == "conceptual":
            assert reference.text and len(reference.key_points) >= 2, problem.id
        else:
            assert reference.steps, problem.id
        for step in reference.steps:
            assert step.title and step.reasoning and step.general_formula, problem.id
            assert re.search(r"\d", step.substitution), problem.id
        assert "{" not in problem.question + solution_text(problem), problem.id
        assert math.fsum(target.weight for target in problem.targets) == pytest.approx(1), problem.id


def test_no_option_says_what_another_says_with_a_reason_behind_it(core):
    slow_light = make_at_most(next(each for each in templates() if "headlight" in each.id), 4, 0, library())
    for problem in (*core, *slow_light):
        for target in problem.targets:
            texts = [text.rstrip(".") for text in getattr(target, "options", {}).values()]
            assert not [(a, b) for a in texts for b in texts if a != b and b.startswith(f"{a},")], problem.id


def test_a_difference_of_temperatures_is_right_in_kelvins_and_in_degrees(problems):
    for problem in problems:
        if problem.family == "thermodynamics.kelvin_scale":
            [asked] = [target for target in problem.targets if target.name == "dT"]
            for unit in ("K", "°C"):
                assert judge([asked], f"dT = {asked.value} {unit}")[0].exact


def test_every_question_states_each_number_with_its_unit_once(problems):
    for problem in problems:
        prose = " ".join(problem.question.split("\n\nReport your answer")[0].split())
        for given in problem.givens:
            unit = f" {re.escape(given.unit)}" if given.unit != "-" else ""
            if isinstance(given.value, float):
                stated = re.findall(
                    rf"(?:{re.escape(given.name)} = )?(?<![\w.])({NUMBER}){unit}(?![\w/^])", prose
                )
                assert given.value in map(float, stated), (problem.id, given.name)


def test_the_reference_answer_is_scored_as_right(problems):
    wrong = []
    for problem in problems:
        if isinstance(problem.targets[0], MessageTarget):
            continue
        answer = "\n".join(
            f"{target.name} = {target.value}"
            + (f" {target.unit}" if isinstance(target, NumberTarget) else "")
            for target in problem.targets
        )
        for text in (answer, f"Final Answer: {problem.reference.final_answer}"):
            verdicts = judge(problem.targets, text)
            if not all(verdict.exact for verdict in verdicts):
                wrong += [f"{problem.id}: {text!r}: {verdict.evidence}" for verdict in verdicts]
    assert not wrong, "\n".join(wrong)


def test_topics_and_kinds_choose_within_the_set(core):
    chosen = load(topics=["mechanics"], kinds=["conceptual"])
    assert chosen == tuple(
        one for one in core if (one.tags["topic"], one.tags["kind"]) == ("mechanics", "conceptual")
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"topics": ["mechanic"]}, "topics: 'mechanic' is not valid.*mechanics"),
        ({"kinds": ["concept"]}, "kinds: 'concept' is not valid.*conceptual"),
        ({"count": 3}, "count: must be 7 or more"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(InvalidData, match=message):
        load(**settings)


def test_the_right_option_is_at_every_letter_about_equally_often(problems):
    four = [
        problem.targets[0].value
        for problem in problems
        if isinstance(problem.targets[0], ChoiceTarget) and len(problem.targets[0].options) == 4
    ]
    share = Counter(four)
    expected = len(four) / 4
    assert len(four) > 60
    assert (
        sum((share[letter] - expected) ** 2 / expected for letter in "ABCD") < 16.27
    )  # chi squared, p = 0.001


def test_a_template_with_few_values_gives_fewer_questions():
    by_id = {template.id: template for template in templates()}
    assert len(make_at_most(by_id["mechanics.which_newton_law"], 9, 0, library())) == 3
    assert len(make_at_most(by_id["mechanics.pick_the_vector"], 9, 0, library())) == 1
    weightless = make_at_most(by_id["mechanics.weightless_in_orbit"], 40, 0, library())
    assert len(weightless) == len({problem.givens for problem in weightless}) == 11  # 350 to 450 km in tens
    with pytest.raises(InvalidData, match="too few questions for 50000"):
        load(count=50000)


def test_options_differ_and_wrong_ones_name_misconceptions(problems):
    for problem in problems:
        for target in problem.targets:
            if isinstance(target, ChoiceTarget):
                assert len(set(target.options.values())) == len(target.options), problem.id
                letters = set(problem.reference.misconceptions)
                assert letters and letters <= set(target.options) - {target.value}, problem.id


def test_entities_stand_in_the_question_(problems):
    marked = [problem for problem in problems if problem.entities]
    assert len(marked) > 100
    names = {given.name for problem in marked for given in problem.givens}
    for problem in marked:
        for entity in problem.entities.values():
            assert entity.text in problem.question, problem.id
            results = {step.symbol for step in problem.reference.steps}
            assert set(entity.quantities.values()) <= names | results, problem.id


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("van", "a"),
        ("apple", "an"),
        ("ice cube", "an"),
        ("unicycle", "a"),
        ("hourglass", "an"),
        ("umbrella", "an"),
    ],
)
def test_the_article_goes_by_sound(noun, expected):
    assert article(noun) == expected


GOOD = (FOLDER / "mechanics" / "braking_distance.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kind: problem_solving", "kind: problem_solvin", "kind: 'problem_solvin' is not valid.*problem_solving"),
        ("cognitive: apply", "cognitive: aply", "cognitive: 'aply' is not valid.*apply"),
        ("knowledge: procedural", "knowlege: procedural", "knowlege: there is no such field.*knowledge"),
        ("  - title", "  - titel", "titel: there is no such field|title: is missing"),
        ("statement: >", "statement: [", "not YAML"),
    ],
)  # fmt: skip
def test_a_faulty_template_is_named_with_its_field(tmp_path, old, new, message):
    assert old in GOOD
    file = tmp_path / "mechanics" / "braking_distance.yaml"
    file.parent.mkdir()
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidData, match=message) as error:
        read_template(file, PhysBenchTemplate, "mechanics.braking_distance")
    assert all(line.startswith("mechanics/braking_distance.yaml: ") for line in str(error.value).splitlines())
