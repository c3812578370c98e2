"""What a check of one dimension returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mark:
    """Points 0, 1 or 2, or None where the check cannot tell; and the evidence for it."""

    points: int | None
    evidence: str
