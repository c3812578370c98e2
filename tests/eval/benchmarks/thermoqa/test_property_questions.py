"""Generated questions of tier 1 as problems: in turn, solvable from their text, with a reference and bounds."""

import re

import pytest

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.thermoqa.generate import load
from ansatz.eval.benchmarks.thermoqa.lookups import LOOKUPS
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import LabelTarget, NumberTarget
from ansatz.eval.score import ScoringContext
from ansatz.knowledge_base.properties import describe_saturation, describe_state
from tests.fakes.transcripts import attempt


def load_even(counts, fluids=()):
    return load((1,), seed=7, counts=counts, mix="even", fluids=fluids)


@pytest.fixture(scope="module")
def problems():
    """One question of every kind for each fluid."""
    return load_even(2 * len(LOOKUPS))


def test_an_even_mix_takes_categories_in_turn(problems):
    asked = {(each.family, each.givens[0].value) for each in problems}
    families = {(f"{one.code}-{fluid[0]}", fluid) for one in LOOKUPS.values() for fluid in ("Water", "R134a")}
    assert asked == families
    categories = [each.tags["category"] for each in problems[:8]]
    assert len(set(categories)) == 8
    assert len({each.id for each in problems}) == len({each.question for each in problems}) == len(problems)


def test_fluids_select_the_kinds_of_questions():
    of_refrigerant = load_even(10, ["R134a"])
    assert {each.givens[0].value for each in of_refrigerant} == {"R134a"}
    of_air = load((2,), counts=6, mix="even", fluids=["Air"])
    assert {each.tags["fluid"] for each in of_air} == {"Air"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fluids": ["R134"]}, "fluids: 'R134' is not valid; did you mean 'R134a'"),
        ({"tiers": [1], "fluids": ["R134a"]}, "the published mix of tier 1 has no questions about R134a"),
    ],
)
def test_fluids_without_questions_are_refused(settings, message):
    with pytest.raises(InvalidData, match=message):
        load(**settings)


async def test_only_the_key_earns_the_outcome(problems):
    """An answer of zeros passes the published tolerance of a volume, but not the outcome."""
    for each in problems:
        numbers = [target for target in each.targets if isinstance(target, NumberTarget)]
        lines = [f"{target.name} = {target.value:.6g} {target.unit.replace('-', '')}" for target in numbers]
        phases = [target for target in each.targets if isinstance(target, LabelTarget)]
        lines += [f"Phase: {target.value.replace('_', ' ')}" for target in phases]
        zeros = "\n".join(f"{target.name} = 0" for target in each.targets)
        for answer, value in (("\n".join(lines), 1.0), (zeros, 0.0)):
            outcome, *_ = await Outcome().score(ScoringContext(each, attempt(answer)))
            assert outcome.value == value, each.id


def test_property_tools_answer_each_question_from_its_text(problems):
    """The tools get what the question prints, including the wording of the givens."""
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
        values = dict(line.split(" = ") for line in reply.splitlines())
        for target in each.targets:
            if isinstance(target, NumberTarget):
                assert float(values[target.name].split()[0]) == pytest.approx(target.value, rel=1e-5)
            else:
                assert values["phase"] == target.value.replace("_", " ")


def test_the_formulation_has_the_givens_but_not_the_key(problems):
    for each in problems:
        text = each.ask({"formulation"}).hints["formulation"]
        for given in each.givens[1:]:
            assert f"{given.description} {given.name} = {given.value:.10g}" in text
        for target in each.targets:
            assert not isinstance(target, NumberTarget) or f"{target.value:.6g}" not in text
        assert each.ask().hints == {}


def test_bounds_hold_for_the_key(problems):
    bounds = [(bound, each) for each in problems for bound in each.reference.bounds]
    assert len(bounds) > 20
    for bound, problem in bounds:
        [target] = [target for target in problem.targets if target.name == bound.target]
        assert bound.low <= target.value <= (target.value if bound.high is None else bound.high)
