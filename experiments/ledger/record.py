"""A unit, one arm's attempt at one problem in one repeat, and the hashes by which things are known again."""

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
class Unit:
    """One thing to do. `key` hashes the content of model, treatment and problem, so nothing collapses."""

    key: str
    model: str
    arm: str
    problem: str
    repeat: int
