"""A value in [0, 1] on one dimension, or None when this attempt could not be scored."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from ansatz.agents import Transcript
from ansatz.eval.problem import Problem


class Score(BaseModel):
    """What an attempt is worth on one dimension, and the evidence for it.

    `value` is None where the scorer cannot tell; `evidence` then says why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    dimension: str
    value: float | None = Field(ge=0, le=1)
    evidence: str


class Scorer(Protocol):
    """Scores an attempt on its dimensions. Implementations are frozen dataclasses; fields are settings.

    `dimensions` lists every dimension it reports, in the order of a report.
    """

    @property
    def dimensions(self) -> tuple[str, ...]: ...

    async def score(self, problem: Problem, transcript: Transcript) -> tuple[Score, ...]: ...
