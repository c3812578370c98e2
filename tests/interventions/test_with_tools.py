"""Functions as tools: what a model gets of their results and failures, and which cannot be called at all."""

import asyncio
import enum
import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel

import ansatz as az
from ansatz.agents import Question, run_agent
from tests.fakes.scripted_model import ScriptedModel


class Fluid(enum.Enum):
    WATER = "water"


class State(BaseModel):
    T: float
    p: float = 1e5


@dataclass
class Point:
    x: float


def result(function, **arguments):
    """What the model is told of a call, and whether that went well."""
    plan = az.WithTools(function).apply(az.AgentPlan())
    call = {"name": function.__name__, "args": arguments, "id": "1"}
    model = ScriptedModel(replies=[AIMessage("", tool_calls=[call]), AIMessage("done")])
    transcript = asyncio.run(run_agent(plan, Question("?"), model))
    told = model.seen[1][-1].content
    assert told == transcript.tool_calls[0].result
    return told, transcript.tool_calls[0].ok


def returning(value):
    def tool() -> Any:
        """Return something."""
        return value

    return tool


def raising(failure):
    def tool() -> str:
        """Fail."""
        raise failure

    return tool


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("", ""),
        (1.5, "1.5"),
        (np.float64(1.5), "1.5"),
        (np.array([1.0, 2.0]), "[1. 2.]"),
        ((1.5, "kW"), '[1.5, "kW"]'),
        (["a", "b"], '["a", "b"]'),
        ([], "[]"),
        ({"a": 1}, '{"a": 1}'),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
    ],
)
def test_a_result_is_a_text_that_every_provider_takes(value, told):
    assert result(returning(value)) == (told, True)


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (ZeroDivisionError("by zero"), "Error: by zero"),
        (KeyError("T"), "Error: KeyError('T')"),
        (RuntimeError(), "Error: RuntimeError()"),
        (StopIteration(3), "Error: 3"),
        (SystemExit(2), "Error: SystemExit(2)"),
    ],
)
def test_no_failure_of_a_tool_ends_more_than_its_call(failure, told):
    assert result(raising(failure)) == (told, False)


def test_arguments_come_as_their_types():
    def take(
        state: State,
        points: list[Point],
        at: Annotated[float, "m"],
        kind: Literal["a", "b"] = "a",
        *,
        fluid: Fluid | None = Fluid.WATER,
    ) -> str:
        """Take all kinds."""
        return f"{state.p:g} {points[0].x} {at} {kind} {fluid}"

    given = {"state": {"T": 300}, "points": [{"x": 1}], "at": "2"}
    assert result(take, **given) == ("100000 1.0 2.0 a Fluid.WATER", True)
    told, ok = result(take, **given, kind="c")
    assert not ok and told == "Error: bad arguments: kind: Input should be 'a' or 'b'"


def documented(function):
    function.__doc__ = "Say it."
    return function


def of_array(values: np.ndarray) -> float:
    """Add."""
    return float(values.sum())


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (documented(lambda *sizes: 1), r"a model cannot state \*sizes by a name"),
        (math.sqrt, "a model cannot state x by a name"),
        (documented(lambda config: 1), "hands on no 'config'; rename it"),
        (documented(lambda _x: 1), "hands on no '_x'; rename it"),
        (of_array, "it needs type hints"),
        (lambda x: x, "needs a docstring"),
        ("star", "'star' is neither a function nor a LangChain tool"),
    ],
)
def test_what_no_model_could_call_is_refused_before_anything_is_paid(function, said):
    with pytest.raises(az.AnsatzError, match=said) as refused:
        az.Arm.of("a", az.WithTools(function))
    assert "\n" not in str(refused.value)
