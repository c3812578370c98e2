"""What a stranger's package may add: an intervention, a benchmark, a scorer and a ranker; and bad ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ansatz import AgentPlan, Problem, Score
from ansatz.eval.problem import NumberTarget
from ansatz.eval.score import Dimension


@dataclass(frozen=True)
class SignificantFigures:
    """Ask for a number of significant figures."""

    digits: int = 4

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.instruct(f"State every result to {self.digits} significant figures.")


class Unfinished:
    """An intervention without what makes one."""


@dataclass(frozen=True)
class Forgetful(SignificantFigures):
    """An intervention that does not return the changed plan."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        super().apply(plan)


@dataclass(frozen=True)
class Breaking(SignificantFigures):
    """An intervention whose apply raises."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        raise TypeError(f"no {plan.limits.model_calls}")


def numbers(count: int = 3) -> list[int]:
    """A benchmark that returns no problems."""
    return list(range(count))


class Unscaled:
    """A scorer whose dimensions are names alone."""

    dimensions = ("length",)

    async def score(self, context):
        return ()


class Undimensioned(Unscaled):
    """A scorer that cannot say what it measures."""

    @property
    def dimensions(self):
        raise KeyError("scale")


def doubling(count: int = 3) -> tuple[Problem, ...]:
    """Doubling numbers."""
    return tuple(
        Problem(
            id=f"double-{number}",
            family="double",
            benchmark="doubling",
            question=f"Double n = {number} J.\n\nReport your answers as:\nE = ___ J",
            targets=(NumberTarget(name="E", unit="J", weight=1.0, value=2.0 * number),),
        )
        for number in range(1, count + 1)
    )


@dataclass(frozen=True)
class Brevity:
    """Whether the answer is short."""

    words: int = 50

    dimensions: ClassVar[tuple[Dimension, ...]] = (Dimension("brevity"),)

    async def score(self, context):
        count = len(context.transcript.answer.split())
        return (Score(dimension="brevity", value=float(count <= self.words), evidence=f"{count} words"),)


class ByName:
    """Ranks entries by how many words of the question stand in their names."""

    def __init__(self, library):
        self._names = [set(equation.name.lower().split()) for equation in library]

    def scores(self, question):
        words = set(question.lower().split())
        return np.array([float(len(words & name)) for name in self._names])
