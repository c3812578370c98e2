"""The physics set: its shares, worked solutions, options and entities, and what it reports for faulty files."""

import math
import re
from collections import Counter

import pytest

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.physbench import FOLDER, load, templates
from ansatz.eval.benchmarks.physbench.allocation import COGNITIVE_COUNTS, KIND_COUNTS, TOPIC_COUNTS
from ansatz.eval.benchmarks.physbench.template import PhysBenchTemplate
from ansatz.eval.benchmarks.selection import apportion
from ansatz.eval.benchmarks.templates import make_problems, read_template
from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.outcome import judge_targets
from ansatz.eval.problem import ChoiceTarget, MessageTarget
from ansatz.knowledge_base.equation import library

pytestmark = pytest.mark.xdist_group("physbench")

NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"


@pytest.fixture(scope="module")
def problems():
    return load(instances=2, seed=7)


@pytest.fixture(scope="module")
def core():
    return load()


def test_the_set_has_the_shares_of_the_paper(core):
    counted = {
        tag: Counter(problem.tags[tag] for problem in core)
        for tag in ("topic", "kind", "cognitive", "knowledge", "format")
    }
    assert len(core) >= 300 and len({problem.family for problem in core}) >= 100
    assert len({problem.question for problem in core}) == len(core)
    assert counted["topic"] == apportion(TOPIC_COUNTS, len(core))
    knowledge = {"factual": 70, "conceptual": 236, "procedural": 694}  # table 3 of the paper, per mille
    papers = {
        "kind": (KIND_COUNTS, 0.02),
        "cognitive": (COGNITIVE_COUNTS, 0.03),
        "knowledge": (knowledge, 0.05),
    }
    for tag, (shares, near) in papers.items():
        for name, share in shares.items():
            expected = pytest.approx(share / sum(shares.values()), abs=near)
            assert counted[tag][name] / len(core) == expected, name
    assert counted["format"]["multiple_choice"] >= 30


def test_every_problem_has_a_worked_solution(problems):
    for problem in problems:
        reference = problem.reference
        assert all(reference.formulation.model_dump().values()) and reference.final_answer, problem.id
        if problem.tags["kind"] == "conceptual":
            assert reference.text and len(reference.key_points) >= 2, problem.id
        else:
            assert reference.steps, problem.id
        for step in reference.steps:
            assert step.title and step.reasoning and step.general_formula, problem.id
            assert re.search(r"\d", step.substitution), problem.id
        assert "{" not in problem.question + solution_text(problem), problem.id
        assert math.fsum(target.weight for target in problem.targets) == pytest.approx(1), problem.id


def test_every_question_states_each_number_with_its_unit(problems):
    for problem in problems:
        prose = " ".join(problem.question.split("\n\nReport your answer")[0].split())
        for given in problem.givens:
            if isinstance(given.value, float):
                unit = f" {re.escape(given.unit)}" if given.unit != "-" else ""
                stated = re.findall(rf"(?<![\w.])({NUMBER}){unit}(?![\w/^])", prose)
                assert given.value in map(float, stated), (problem.id, given.name)


def test_the_reference_answer_is_scored_as_right(problems):
    for problem in problems:
        if isinstance(problem.targets[0], MessageTarget):
            continue
        answer = "\n".join(
            f"{target.name} = {target.value} {getattr(target, 'unit', '')}".rstrip("- ")
            for target in problem.targets
        )
        for text in (answer, f"Final Answer: {problem.reference.final_answer}"):
            verdicts = judge_targets(problem.targets, text)
            assert all(verdict.exact for verdict in verdicts), (problem.id, text, verdicts)


def test_a_temperature_difference_is_right_in_kelvin_and_degrees(problems):
    [asked] = next(each for each in problems if each.family == "thermodynamics.kelvin_scale").targets[2:]
    assert all(judge_targets([asked], f"dT = {asked.value} {unit}")[0].exact for unit in ("K", "°C"))


def test_options_differ_and_name_misconceptions(core, problems):
    headlight = next(each for each in templates() if "headlight" in each.id)
    slow_light = make_problems(headlight, 4, 0, library(), or_fewer=True)
    for problem in (*problems, *core, *slow_light):
        for target in problem.targets:
            if isinstance(target, ChoiceTarget):
                texts = [text.rstrip(".") for text in target.options.values()]
                assert len(set(texts)) == len(texts), problem.id
                # no option repeats another one with a reason added
                assert not [(a, b) for a in texts for b in texts if b.startswith(f"{a},")], problem.id
                letters = set(problem.reference.misconceptions)
                assert letters and letters <= set(target.options) - {target.value}, problem.id
    asked = [target for problem in problems for target in problem.targets]
    right = Counter(each.value for each in asked if len(getattr(each, "options", ())) == 4)
    expected = right.total() / 4
    assert expected > 15
    assert sum((right[letter] - expected) ** 2 / expected for letter in "ABCD") < 16.27  # chi², p = 0.001


def test_entities_stand_in_the_question_and_have_its_quantities(problems):
    marked = [problem for problem in problems if problem.entities]
    assert len(marked) > 100
    names = {given.name for problem in marked for given in problem.givens}
    for problem in marked:
        results = {step.symbol for step in problem.reference.steps}
        for entity in problem.entities.values():
            assert entity.text in problem.question, problem.id
            assert set(entity.quantities.values()) <= names | results, problem.id


def test_topics_and_kinds_choose_within_the_set(core):
    chosen = load(topics=["mechanics"], kinds=["conceptual"])
    wanted = ("mechanics", "conceptual")
    assert chosen == tuple(one for one in core if (one.tags["topic"], one.tags["kind"]) == wanted)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"topics": ["mechanic"]}, "topics: 'mechanic' is not valid.*mechanics"),
        ({"kinds": ["concept"]}, "kinds: 'concept' is not valid.*conceptual"),
        ({"count": 3}, "count: must be 7 or more"),
        ({"count": 50000}, "too few questions for 50000"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(InvalidData, match=message):
        load(**settings)


@pytest.mark.parametrize(
    ("template", "wanted", "made"),
    [("which_newton_law", 9, 3), ("pick_the_vector", 9, 1), ("weightless_in_orbit", 40, 11)],
)
def test_a_template_with_few_values_gives_fewer_questions(template, wanted, made):
    [found] = [each for each in templates() if each.id == f"mechanics.{template}"]
    questions = make_problems(found, wanted, 0, library(), or_fewer=True)
    assert len(questions) == len({problem.question for problem in questions}) == made


GOOD = (FOLDER / "mechanics" / "braking_distance.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cognitive: apply", "cognitive: aply", "cognitive: 'aply' is not valid.*apply"),
        ("knowledge: procedural", "knowlege: procedural", "knowlege: there is no such field.*knowledge"),
        ("  - title", "  - titel", "titel: there is no such field|title: is missing"),
        ("kind: problem_solving", "kind: conceptual", "answer: a conceptual question needs an answer"),
    ],
)
def test_a_faulty_template_is_named_with_its_field(tmp_path, old, new, message):
    file = tmp_path / "mechanics" / "braking_distance.yaml"
    file.parent.mkdir()
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidData, match=message) as error:
        read_template(file, PhysBenchTemplate, "mechanics.braking_distance")
    assert all(line.startswith("mechanics/braking_distance.yaml: ") for line in str(error.value).splitlines())
