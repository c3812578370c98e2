"""Generated property questions: reproducible, answerable from their text, and right."""

import re

import pytest

from ansatz.eval.benchmarks.properties import load
from ansatz.eval.benchmarks.thermoqa.lookups import LOOKUPS
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import LabelTarget, NumberTarget
from ansatz.eval.score import ScoringContext
from ansatz.knowledge_base.properties import describe_saturation, describe_state
from tests.fakes.transcripts import attempt

BOTH = ("water", "R134a")


@pytest.fixture(scope="module")
def problems():
    return load(count=96, seed=7, fluids=BOTH)


def gold(problem):
    """The key as an answer would state it."""
    lines = []
    for target in problem.targets:
        if isinstance(target, NumberTarget):
            lines.append(f"{target.name} = {target.value:.6g} {target.unit.replace('-', '')}")
        else:
            lines.append(f"Phase: {target.value.replace('_', ' ')}")
    return "\n".join(lines)


def test_the_same_seed_gives_the_same_problems_and_a_smaller_count_the_first_of_them():
    assert load(12, seed=3) == load(12, seed=3)
    assert load(12, seed=3) == load(20, seed=3)[:12]
    assert {each.question for each in load(12, seed=3)}.isdisjoint(each.question for each in load(12, seed=4))


def test_all_categories_templates_and_fluids_are_asked(problems):
    asked = {(each.family, each.givens[0].value) for each in problems}
    assert asked == {
        (f"properties.{category}.{name}", fluid) for category, name in LOOKUPS for fluid in ("Water", "R134a")
    }
    assert len({each.tags["category"] for each in load(8)}) == 8


def test_a_problem_is_tagged_and_identified(problems):
    assert len({each.id for each in problems}) == len({each.question for each in problems}) == 96
    assert {each.tags["tier"] for each in problems} == {"1"}
    assert {each.tags["domain"] for each in problems} == {"properties"}
    for each in problems:
        assert sum(target.weight for target in each.targets) == pytest.approx(1.0)


def test_every_given_is_printed_and_every_target_is_asked_for(problems):
    for each in problems:
        prose, block = each.question.split("\n\nReport your answers as:\n")
        formulation = each.ask({"formulation"}).hints["formulation"]
        for given in each.givens[1:]:
            assert f"{given.name} = {given.value:.10g}" in prose
            assert f"{given.description} {given.name} = {given.value:.10g}" in formulation
        assert "{" not in prose
        assert re.findall(r"(?m)^(\w+) ?[=:] ___", block) == [
            "Phase" if isinstance(target, LabelTarget) else target.name for target in each.targets
        ]


async def test_the_key_earns_full_marks_from_both_scorers(problems):
    for each in problems:
        answer = attempt(gold(each))
        scores = [
            *await ThermoQAScore().score(ScoringContext(each, answer)),
            *await Outcome().score(ScoringContext(each, answer)),
        ]
        assert {score.dimension: score.value for score in scores if score.value is not None} == {
            "published": 1.0,
            "strict": 1.0,
            "outcome": 1.0,
            "exact": 1.0,
        } | ({"units": 1.0} if any(isinstance(target, NumberTarget) for target in each.targets) else {}), each


async def test_a_wrong_answer_earns_nothing_strictly(problems):
    for each in problems:
        answer = attempt("\n".join(f"{target.name} = 0" for target in each.targets))
        assert (await ThermoQAScore().score(ScoringContext(each, answer)))[1].value == 0.0


def test_the_property_tools_answer_every_question_from_its_text(problems):
    """The tools get what the question prints, the wording of the givens included."""
    for each in problems:
        fluid = str(each.givens[0].value)
        printed = re.findall(
            r"\b([TPhsx] = -?\d+(?:\.\d+)?(?: (?:°C|kPa|kJ/\(kg·K\)|kJ/kg))?)",
            each.question.split(" Use the ")[0],
        )
        names = [target.name for target in each.targets]
        if len(printed) == 2:
            reply = describe_state(fluid, printed, names)
        else:
            reply = describe_saturation(fluid, printed[0])
        said = dict(line.split(" = ") for line in reply.splitlines())
        for target in each.targets:
            if isinstance(target, NumberTarget):
                assert float(said[target.name].split()[0]) == pytest.approx(target.value, rel=1e-5)
            else:
                assert said["phase"] == target.value.replace("_", " ")


def test_the_formulation_tells_how_but_not_what(problems):
    for each in problems:
        text = each.ask({"formulation"}).hints["formulation"]
        for target in each.targets:
            if isinstance(target, NumberTarget):
                assert f"{target.value:.6g}" not in text
        assert each.ask().hints == {}


def test_an_unknown_fluid_is_refused():
    with pytest.raises(ValueError, match="no property questions on 'R134'; did you mean 'R134a'"):
        load(1, fluids=("R134",))
