"""A source to curate and the replies of a scripted model that curates it, stage by stage."""

from langchain_core.messages import AIMessage

from ansatz.agents import ChatClient
from ansatz.eval.benchmarks.apbench.curate import STAGES
from ansatz.eval.benchmarks.apbench.curate.pipeline import Curator
from tests.fakes.scripted_model import ScriptedModel

SOURCE = """Chapter 2. Orbits

Example 2.1. A satellite circles the Earth at r = 7000 km.
Find its speed and say how it changes with a larger radius. Take mu = 398600 km^3/s^2.
Solution. v = sqrt(398600/7000) = 7.546 km/s. A larger radius means a smaller speed.

Exercise without a solution: find the period.
"""
LAST = STAGES[-1]
PROBLEM = (
    "A satellite circles the Earth at r = 7000 km. Find its speed and say how it changes with a larger radius. "
    "Take mu = 398600 km^3/s^2."
)
SOLUTION = "v = sqrt(398600/7000) = 7.546 km/s. A larger radius means a smaller speed."
CONTENT = "A satellite circles the Earth at r = 7000 km. Take mu = 398600 km^3/s^2."
SPEED = {"question": "Find its speed.", "solution": "v = sqrt(398600/7000) = 7.546 km/s."}
CHANGE = {
    "question": "How does it change with a larger radius?",
    "solution": "A larger radius means a smaller speed.",
}

REPLIES = {
    "examples": [{"items": [{"title": "Circular speed", "begins": "Example 2.1. A satellite circles", "ends": "means a  smaller\nspeed."}]}],
    "problem": [{"problem": PROBLEM, "solution": SOLUTION}],
    "content": [{"content": CONTENT, "question": "Find its speed and say how it changes with a larger radius."}],
    "questions": [{"items": [SPEED, CHANGE]}],
    "split": [{"items": [SPEED]}, {"items": [CHANGE]}],
    "format": [{"reason": "one number", "format": "numeric"}, {"reason": "a sentence", "format": "message"}],
    "answer": [
        {"answer": "7.546 km/s", "question": "Find its speed in km/s."},
        {"answer": "A larger radius means a smaller speed.", "question": CHANGE["question"]},
    ],
}  # fmt: skip
TOTAL = sum(map(len, REPLIES.values()))


def call(stage, arguments):
    return AIMessage("", tool_calls=[{"name": f"record_{stage}", "args": arguments, "id": "1"}])


def script(*, after=0, **replaced):
    """Replies in the order in which one worker asks; some stages with others."""
    replies = [
        call(stage, each) if isinstance(each, dict) else AIMessage(each)
        for stage, many in {**REPLIES, **replaced}.items()
        for each in many
    ]
    return replies[after:]


def scripted(folder, replies):
    model = ScriptedModel(replies=replies)
    return model, Curator(ChatClient(model), folder, concurrency=1)
