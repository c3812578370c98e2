"""A small problem and scripted judges, for tests of judging."""

import asyncio
import json

from langchain_core.messages import AIMessage

from ansatz.agents.models import connect
from ansatz.eval.problem import NumberTarget, Problem, ReferenceSolution, SolutionStep
from ansatz.eval.score import ScoringContext, ask_through
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.transcripts import attempt

NAMES = ("G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8")
STEP = SolutionStep(equation="", symbol="q", expression="q = rho*V**2/2", value=6000.0, unit="Pa")
PROBLEM = Problem(
    id="dynamic-pressure",
    family="dynamic-pressure",
    benchmark="own",
    question="Air of density rho = 1.2 kg/m^3 moves at V = 100 m/s. Find the dynamic pressure q.",
    targets=(NumberTarget(name="q", unit="Pa", value=6000.0),),
    reference=ReferenceSolution(steps=(STEP,), text="Half the density times the speed squared."),
)
ANSWER = "q = 0.5*1.2*100^2 = 6000 Pa, a tenth of an atmosphere at most."


def marks(points="22222222", names=NAMES, errors=(), overall=90):
    """The arguments of a complete reply, with one digit of points for each name."""
    return {
        "marks": {
            name: {"justification": f"because of {name}", "points": int(digit)}
            for name, digit in zip(names, points, strict=True)
        },
        "errors": list(errors),
        "overall": overall,
    }


def call(arguments):
    return AIMessage("", tool_calls=[{"name": "record_marks", "args": arguments, "id": "1"}])


def context(models, transcript=None, problem=PROBLEM):
    """A context with scripted models by title."""
    ask = ask_through({name: connect(model) for name, model in models.items()})
    return ScoringContext(problem, attempt(ANSWER) if transcript is None else transcript, ask)


def scored(scorer, replies, answer=ANSWER, **settings):
    """Run a scorer with scripted judges; returns scores by dimension and models by name."""
    models = {name: ScriptedModel(replies=list(each)) for name, each in replies.items()}
    judge = scorer(models=[name for name in models if name != settings.get("adjudicator")], **settings)
    scores = asyncio.run(judge.score(context(models, attempt(answer))))
    assert [score.dimension for score in scores] == [each.name for each in judge.dimensions]
    assert all(json.loads(json.dumps(score.details)) == score.details for score in scores)
    return {score.dimension: score for score in scores}, models
