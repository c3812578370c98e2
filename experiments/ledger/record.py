"""What is kept of one unit: one arm's attempt at one problem in one repeat."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ansatz.agents.transcript import Transcript
from ansatz.eval import Score

State = Literal["scored", "error"]


def canonical_json(content: Any) -> bytes:
    """Equal content, equal bytes, whatever the order of keys."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False).encode()


def canonical_hash(content: Any) -> str:
    """SHA-256 of canonical JSON."""
    return hashlib.sha256(canonical_json(content)).hexdigest()


@dataclass(frozen=True)
class Unit:
    """One thing to do. `key` hashes the content of model, treatment and problem, so nothing collapses."""

    key: str
    model: str
    arm: str
    problem: str
    repeat: int


class Record(BaseModel):
    """The outcome of a unit: a transcript with scores, or the error that kept it from having any.

    An error is a failure of infrastructure; its unit is tried again when the run is resumed. A transcript
    beside an error is one that could not be scored.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = 1
    model: str
    arm: str
    problem: str
    repeat: int
    state: State
    transcript: Transcript | None = None
    scores: tuple[Score, ...] = ()
    error: str | None = None
