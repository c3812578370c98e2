"""A small problem, an attempt at it, and replies of a judge, for tests of judging."""

import json

from langchain_core.messages import AIMessage

from ansatz.agents import ModelCall, ToolCall, Transcript, Usage
from ansatz.agents.models import connect
from ansatz.eval.judging import Judge
from ansatz.eval.problem import NumberTarget, Problem, ReferenceSolution, SolutionStep
from ansatz.eval.score import ScoringContext, asking
from tests.fakes.scripted_model import ScriptedModel

NAMES = ("G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8")
PROBLEM = Problem(
    id="dynamic-pressure",
    family="dynamic-pressure",
    benchmark="own",
    question="Air of density rho = 1.2 kg/m^3 moves at V = 100 m/s. Find the dynamic pressure q.",
    targets=(NumberTarget(name="q", unit="Pa", weight=1.0, value=6000.0),),
    reference=ReferenceSolution(
        steps=(
            SolutionStep(
                equation="compressible.dynamic_pressure",
                symbol="q",
                expression="q = rho*V**2/2",
                value=6000.0,
                unit="Pa",
            ),
        ),
        text="Half the density times the speed squared.",
    ),
)
ANSWER = "q = 0.5*1.2*100^2 = 6000 Pa, a tenth of an atmosphere at most."


def attempt(answer=ANSWER, *, tools=(), messages=(), stop="answered"):
    call = ModelCall(node="model", seconds=1.0, usage=Usage(input=5, output=5))
    return Transcript(
        answer=answer, stop=stop, messages=messages, model_calls=(call,), tool_calls=tools, seconds=1.0
    )


def tool_call(name="evaluate_formula", result="6000.0 SECRET OF THE ARM"):
    return ToolCall(
        name=name, arguments={"expression": "0.5*1.2*100**2"}, result=result, ok=True, seconds=0.1
    )


def marks(points="22222222", names=NAMES, errors=(), overall=90):
    """The arguments of a complete reply: one digit for each name."""
    return {
        "marks": {
            name: {"justification": f"because of {name}", "points": int(digit)}
            for name, digit in zip(names, points, strict=True)
        },
        "errors": list(errors),
        "overall": overall,
    }


def call(arguments, finish="tool_calls"):
    message = AIMessage("", tool_calls=[{"name": "record_marks", "args": arguments, "id": "1"}])
    message.response_metadata["finish_reason"] = finish
    return message


def cut_call(arguments, at):
    """A call whose arguments stop after some marker, as when the token limit is reached."""
    written = json.dumps(arguments)
    broken = written[: written.index(at) + len(at)]
    bad = {"name": "record_marks", "args": broken, "id": "1", "error": "bad", "type": "invalid_tool_call"}
    return AIMessage("", invalid_tool_calls=[bad], response_metadata={"finish_reason": "length"})


def context(models, transcript=None, problem=PROBLEM):
    """A context in which scripted models, by title, can be asked."""
    ask = asking({name: connect(model) for name, model in models.items()})
    return ScoringContext(problem, attempt() if transcript is None else transcript, ask)


def scripted(scripts, **settings):
    """A judge whose models reply from scripts, by name, and those models."""
    models = {name: ScriptedModel(replies=list(replies)) for name, replies in scripts.items()}
    panel = [name for name in models if name != settings.get("adjudicator")]
    return Judge(models=panel, **settings), models
