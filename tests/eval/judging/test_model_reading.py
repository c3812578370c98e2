"""Values that a model copies from an answer: both passes, unsupported numbers and unusable replies."""

import asyncio
import json

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents.models import connect
from ansatz.eval.benchmarks.thermoqa.reading import PHASES
from ansatz.eval.judging.model_reading import build_reply_form, make_reader
from ansatz.eval.problem import LabelTarget
from ansatz.eval.score import ask_through as clients
from tests.eval.benchmarks.thermoqa.cases import asking, number, problem
from tests.fakes.scripted_model import ScriptedModel

ASKED = problem(
    number("h1", 231.9),
    number("eta_th", 0.355, unit="-"),
    LabelTarget(name="phase", weight=1.0, value="wet_steam"),
)
ANSWER = "so h1 is 231.9 kJ/kg, the efficiency 35.5 % and the steam wet"
COPIED = {
    "h1": {"value": 231.9, "unit": "kJ/kg"},
    "eta_th": {"value": 35.5, "unit": "%"},
    "phase": "wet_steam",
}


def reply(**arguments):
    return AIMessage("", tool_calls=[{"name": "record_values", "args": arguments, "id": "1"}])


def extract(message, asked=ASKED, answer=ANSWER, then=None):
    model = ScriptedModel(replies=[message, then or message])
    read = make_reader(clients({"x:model": connect(model)}), "x:model")
    return asyncio.run(read(asked, answer, PHASES)), model


def test_values_are_read_with_their_units():
    extraction, model = extract(reply(**COPIED))
    assert extraction.status == "ok"
    values = {name: (stated.value, stated.unit) for name, stated in extraction.values.items()}
    assert values == {"h1": (231.9, "kJ/kg"), "eta_th": (35.5, "%"), "phase": ("wet_steam", "")}
    (system, human), (again, second) = model.seen
    assert "record_values" in system.text and again.text == system.text
    assert ANSWER in human.text and ASKED.question in human.text
    assert second.text.startswith(human.text) and json.dumps(COPIED) in second.text
    assert model.tools == ["record_values"]


@pytest.mark.parametrize("passes", [(reply(**COPIED), AIMessage("?")), (AIMessage("?"), reply(**COPIED))])
def test_one_usable_pass_is_enough(passes):
    extraction, model = extract(passes[0], then=passes[1])
    assert (extraction.status, len(extraction.values), len(model.seen)) == ("ok", 3, 2)


def test_the_key_is_never_shown_to_the_model():
    asked = problem(number("h1", 777.123))
    _, model = extract(reply(h1={"value": None, "unit": ""}), asked)
    prompt = "".join(message.text for message in model.seen[0])
    assert "777" not in f"{prompt} {build_reply_form(asked, PHASES).model_json_schema()}"


@pytest.mark.parametrize(
    ("answer", "value", "supported"),
    [
        ("h1 = 231.9 kJ/kg", 231.9, True),
        ("h1 = 2.319×10² kJ/kg", 231.9, True),
        ("h1 = 1,231.9 kJ/kg", 1231.9, True),
        ("h1 – 231.9 kJ/kg", -231.9, True),
        ("h1 is one of several", 231.9, False),
        ("h1 = 231.9 kJ/kg" + " " * 200_000, 231.9, False),  # only the end of a long answer is searched
        ("h1 = 115.95 + 115.95", 231.9, False),
    ],
)
def test_a_number_that_is_not_in_the_answer_is_dropped(answer, value, supported):
    extraction, _ = extract(reply(h1={"value": value, "unit": "kJ/kg"}), asking("h1"), answer)
    assert extraction.status == "ok"
    assert ("h1" in extraction.values, extraction.unsupported) == (supported, () if supported else ("h1",))


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (AIMessage('{"h1": 1,}'), "no call of record_values"),
        (reply(h9={"value": 1, "unit": ""}), "h9: there is no such field; did you mean 'h1'?"),
        (reply(h1=231.9), "h1: must be an object, not 231.9"),
        (reply(h1={"value": "231.9", "unit": "kJ/kg"}), "h1.value: must be a number, not '231.9'"),
        (reply(h1={"value": True, "unit": "kJ/kg"}), "h1.value: must be a number, not true"),
        (reply(h1={"value": float("nan"), "unit": ""}), "h1.value: must be a finite number, not nan"),
        (reply(phase="plasma"), "phase: 'plasma' is not valid"),
        (AIMessage("", additional_kwargs={"refusal": "no"}), "declined"),
    ],
)
def test_an_unusable_reply_is_a_failure(message, reason):
    extraction, _ = extract(message)
    assert (extraction.status, extraction.values) == ("failed", {})
    assert reason in extraction.reason
