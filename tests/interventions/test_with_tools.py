"""Functions as tools: the results and failures that a model gets, and the functions that are refused."""

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
from ansatz.errors import PlanError
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
    """The result of a call as the model gets it, and whether the call succeeded."""
    plan = az.WithTools(function).apply(az.AgentPlan())
    call = {"name": function.__name__, "args": arguments, "id": "1"}
    model = ScriptedModel(replies=[AIMessage("", tool_calls=[call]), AIMessage("done")])
    transcript = asyncio.run(run_agent(plan, Question("?"), model))
    content = model.seen[1][-1].content
    assert content == transcript.tool_calls[0].result
    return content, transcript.tool_calls[0].ok


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
    ("value", "content"),
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
def test_a_result_is_a_text(value, content):
    assert result(returning(value)) == (content, True)


@pytest.mark.parametrize(
    ("failure", "content"),
    [
        (ZeroDivisionError("by zero"), "Error: by zero"),
        (KeyError("T"), "Error: KeyError('T')"),
        (RuntimeError(), "Error: RuntimeError()"),
        (StopIteration(3), "Error: 3"),
        (SystemExit(2), "Error: SystemExit(2)"),
    ],
)
def test_a_failing_tool_ends_only_its_call(failure, content):
    assert result(raising(failure)) == (content, False)


def test_arguments_have_their_declared_types():
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
    content, ok = result(take, **given, kind="c")
    assert not ok and content.startswith("Error: bad arguments: kind: ")


def documented(function):
    function.__doc__ = "A description."
    return function


def of_array(values: np.ndarray) -> float:
    """Add."""
    return float(values.sum())


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        (documented(lambda *sizes: 1), r"\*sizes"),
        (math.sqrt, "x"),
        (documented(lambda config: 1), "'config'"),
        (documented(lambda _x: 1), "'_x'"),
        (of_array, "type hints"),
        (lambda x: x, "docstring"),
        ("star", "'star'"),
    ],
)
def test_a_function_that_no_model_can_call_is_refused(function, fault):
    with pytest.raises(PlanError, match=fault) as refused:
        az.Arm.of("a", az.WithTools(function))
    assert "\n" not in str(refused.value)
