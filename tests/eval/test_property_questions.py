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
    """One of every kind for each fluid."""
    return load(count=len(BOTH) * len(LOOKUPS), seed=7, fluids=BOTH)


def test_a_smaller_count_gives_the_first_of_the_same_problems(problems):
    assert load(12, seed=7, fluids=BOTH) == problems[:12]
    asked = {(each.family, each.givens[0].value) for each in problems}
    families = {f"properties.{category}.{name}" for category, name in LOOKUPS}
    assert asked == {(family, fluid) for family in families for fluid in ("Water", "R134a")}
    assert len({each.tags["category"] for each in load(8)}) == 8
    assert len({each.id for each in problems}) == len({each.question for each in problems}) == len(problems)
    assert {(each.tags["tier"], each.tags["domain"]) for each in problems} == {("1", "properties")}


async def test_the_key_earns_full_marks_from_both_scorers(problems):
    """And zeros, which the published tolerances would let pass for a volume, earn nothing of the outcome."""
    for each in problems:
        numbers = [target for target in each.targets if isinstance(target, NumberTarget)]
        lines = [f"{target.name} = {target.value:.6g} {target.unit.replace('-', '')}" for target in numbers]
        phases = [target for target in each.targets if isinstance(target, LabelTarget)]
        lines += [f"Phase: {target.value.replace('_', ' ')}" for target in phases]
        context = ScoringContext(each, attempt("\n".join(lines)))
        scores = [*await ThermoQAScore().score(context), *await Outcome().score(context)]
        found = {score.dimension: score.value for score in scores if score.value is not None}
        wanted = ("published", "strict", "outcome", "exact", *(["units"] if numbers else []))
        assert found == dict.fromkeys(wanted, 1.0), each
        zeros = attempt("\n".join(f"{target.name} = 0" for target in each.targets))
        assert (await Outcome().score(ScoringContext(each, zeros)))[0].value == 0.0


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


def test_the_formulation_tells_the_givens_and_how_but_not_what(problems):
    for each in problems:
        text = each.ask({"formulation"}).hints["formulation"]
        for given in each.givens[1:]:
            assert f"{given.description} {given.name} = {given.value:.10g}" in text
        for target in each.targets:
            assert not isinstance(target, NumberTarget) or f"{target.value:.6g}" not in text
        assert each.ask().hints == {}
        assert sum(target.weight for target in each.targets) == pytest.approx(1.0)


def test_an_unknown_fluid_is_refused():
    with pytest.raises(ValueError, match="fluids: 'R134' is not valid; did you mean 'R134a'"):
        load(1, fluids=("R134",))
