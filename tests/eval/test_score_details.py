"""What programs read of scores: plain JSON that says for each target what was read and what became of it."""

import asyncio
import json

import pytest

from ansatz.eval.benchmarks.apbench.scoring import APBenchScore
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import NumberTarget, Problem, Tolerance
from ansatz.eval.score import ScoringContext
from ansatz.eval.verifier.verifier import Verifier
from tests.fakes.transcripts import attempt

TARGETS = tuple(
    NumberTarget(name=name, unit=unit, weight=weight, value=value, tolerance=Tolerance(relative=0.02))
    for name, unit, weight, value in [("h1", "kJ/kg", 0.75, 200.0), ("T1", "K", 0.25, 400.0)]
)
PROBLEM = Problem(id="p", family="p", benchmark="own", question="Find h1 and T1.", targets=TARGETS)
ANSWER = "h1 = 0.2 MJ/kg"


def details(scorer, dimension, answer=ANSWER):
    scores = asyncio.run(scorer.score(ScoringContext(PROBLEM, attempt(answer))))
    [found] = [score.details for score in scores if score.dimension == dimension]
    assert json.loads(json.dumps(found)) == found
    return found


def test_outcome_says_what_each_target_earned():
    targets = details(Outcome(), "outcome")["targets"]
    assert targets["h1"] == {
        **{"value": 0.2, "unit": "MJ/kg", "band": "exact", "unit_ok": True},
        **{"credit": 1.0, "exact": True, "weight": 0.75, "read": "text", "at": [5, 8]},
    }
    assert (targets["T1"]["value"], targets["T1"]["unit"], targets["T1"]["band"]) == (None, None, "wrong")


@pytest.mark.parametrize(
    ("answer", "marked"),
    [
        ("h1 = 100 + 100 = 200 kJ/kg", "200"),
        ("First h1 = 200 kJ/kg is tried.\n\nThen **h1 = 200 kJ/kg**", "200"),
        ("So \\(h_1 \\approx \\mathbf{2.00\\times10^{2}}\\) kJ/kg", "2.00"),
        ("🚀 h1 = 2.0e2 kJ/kg", "2.0e2"),
        ("| h1 | 200 kJ/kg |", "200"),
        ("At 1,200,000 Pa and 200 K, h1 = 200,000 J/kg", "200,000"),
        ("x = 0,25, h1 = 0,2 MJ/kg", "0,2"),
        ("<think>h1 = 300?</think>h1 = 200 kJ/kg", None),  # of which only a part is read
        ("h1 = \\frac{400}{2} = 200 kJ/kg, from 400/2", "200"),
    ],
)
def test_a_value_is_found_where_it_was_written(answer, marked):
    """The last of equal numbers, in the answer as it is: with markup, and beyond the basic plane."""
    at = details(Outcome(), "outcome", answer)["targets"]["h1"]["at"]
    assert (at and answer[slice(*at)]) == marked
    if marked:
        assert at[0] == answer.rfind(marked.removesuffix("e2")) or "from 400" in answer


def test_thermoqa_says_what_was_read_and_its_status():
    targets = details(ThermoQAScore(), "strict")["targets"]
    assert targets["h1"] == {"value": pytest.approx(200), "unit": "kJ/kg", "status": "pass", "weight": 0.75}
    assert (targets["T1"]["value"], targets["T1"]["status"]) == (None, "missing")
    assert details(ThermoQAScore(), "published")["targets"]["h1"]["status"] == "out_of_tolerance"


def test_apbench_says_how_an_answer_is_wrong():
    targets = details(APBenchScore(), "strict", "h1 = 400 kJ/kg, T1 = 400 K")["targets"]
    assert targets["h1"] == {"right": False, "value": 400.0, "unit": "kJ/kg", "error": "factor of two"}
    assert targets["T1"]["error"] is None


def test_the_verifier_says_what_its_sum_rests_on():
    found = details(Verifier(), "kpi", "h1 = 100 + 50 = 200 kJ/kg\nT1 = 400 K")
    assert "G4" in found["spoiled_by"]
    assert details(Verifier(), "G4", "h1 = 100 + 50 = 200 kJ/kg\nT1 = 400 K")["error"] is True
