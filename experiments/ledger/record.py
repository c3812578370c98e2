"""A planned attempt (one model answers one problem under one arm, once) and hashes that identify content."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any


def canonical_json(content: Any) -> bytes:
    """Equal content, equal bytes, whatever the order of keys."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False).encode()


def canonical_hash(content: Any) -> str:
    """SHA-256 of canonical JSON."""
    return hashlib.sha256(canonical_json(content)).hexdigest()


@dataclass(frozen=True)
class PlannedAttempt:
    """One answer of one model to one problem under one arm. `key` hashes all that shapes it."""

    key: str
    model: str
    arm: str
    problem: str
    repeat: int
