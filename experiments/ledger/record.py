"""A planned attempt (one answer of one model to one problem under one arm), and hashes of content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ansatz.agents.transcript import Transcript


def canonical_json(content: Any) -> bytes:
    """Return JSON with sorted keys: equal content gives equal bytes."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False).encode()


def canonical_hash(content: Any) -> str:
    """Return the SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(content)).hexdigest()


@dataclass(frozen=True)
class PlannedAttempt:
    """One answer of one model to one problem under one arm."""

    key: str
    """A hash of everything that can change the answer."""
    model: str
    arm: str
    problem: str
    repeat: int


class ImportedOutcome(NamedTuple):
    """The scores of an attempt that another tool made."""

    scores: Mapping[str, float | None]
    """Values by dimension: scores from 0 to 1, and amounts as they are; None for a missing score."""
    evidence: tuple[tuple[str, str], ...]
    """By dimension, where the score comes from."""
    seconds: float | None = None
    error: str | None = None
    """Why the attempt failed, if it did."""
    transcript: Transcript | None = None
