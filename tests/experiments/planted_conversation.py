"""A conversation with tool calls that is written step by step, with what is expected of each call."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

from ansatz.agents import Transcript
from ansatz.agents.transcript import ToolCall
from ansatz.eval import Problem
from ansatz.eval.problem import NumberTarget

Expected = dict[int, dict[str, Any]]
"""By number of the call, from 1: the expected values of some fields."""


@dataclass
class Conversation:
    """Collects the messages of one planted attempt."""

    question: str
    value: float
    unit: str
    symbol: str = "Q"
    messages: list[dict[str, Any]] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)

    def ask(self, *calls: tuple[str, dict[str, Any], str], ok: bool = True, text: str = "") -> None:
        """Add a request for tools, and their results."""
        asked, results = [], []
        for name, arguments, result in calls:
            id = f"call_{len(self.calls)}"
            function = {"name": name, "arguments": json.dumps(arguments)}
            asked.append({"type": "function", "id": id, "function": function})
            results.append({"role": "tool", "name": name, "tool_call_id": id, "content": result})
            self.calls.append(ToolCall(name=name, arguments=arguments, result=result, ok=ok, seconds=0.1))
        self.messages += [{"role": "assistant", "content": text, "tool_calls": asked}, *results]

    def finish(self, answer: str) -> Transcript:
        head = [
            {"role": "system", "content": "Solve the problem. Use the tools."},
            {"role": "user", "content": self.question},
        ]
        return Transcript(
            answer=answer,
            stop="answered",
            messages=(*head, *self.messages, {"role": "assistant", "content": answer}),
            model_calls=(),
            tool_calls=tuple(self.calls),
            seconds=1.0,
        )

    @property
    def problem(self) -> Problem:
        target = NumberTarget(name=self.symbol, unit=self.unit, weight=1.0, value=self.value)
        return Problem(id="p", family="p", benchmark="own", question=self.question, targets=(target,))


@dataclass(frozen=True)
class Planted:
    """One attempt, with what is expected of its calls."""

    kind: str
    problem: Problem
    transcript: Transcript
    expected: Expected


def heat(draw: random.Random) -> tuple[Conversation, float, float]:
    """A question whose answer is the product of a given mass and an enthalpy."""
    mass, enthalpy = round(draw.uniform(2.1, 8.9), 2), round(draw.uniform(2310.0, 2890.0), 1)
    pressure = draw.choice([1.35, 2.15, 4.85])
    ends = draw.choice(["Give Q in kJ.", "Find the heat Q.", "Q = ___ kJ"])
    question = f"Evaporate {mass} kg of water at {pressure} bar. {ends}"
    return Conversation(question, mass * enthalpy, "kJ"), mass, enthalpy


def state(text: str, **more: Any) -> tuple[str, dict[str, Any], str]:
    return "fluid_state", {"fluid": "water", "first": "x = 1", "properties": ["h"], **more}, text


def python(code: str, printed: str) -> tuple[str, dict[str, Any], str]:
    return "run_python", {"code": code}, printed
