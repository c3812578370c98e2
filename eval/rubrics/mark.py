"""What a check of one dimension returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mark:
    """Points 0, 1 or 2, or None where the check cannot tell; and the evidence for it.

    `error` tells whether the check met something wrong. It is None where points are lost for what is left
    out, or none are given; full points mean that nothing was wrong.
    """

    points: int | None
    evidence: str
    error: bool | None = None

    @property
    def wrong(self) -> bool | None:
        """Whether something was wrong; None where the check cannot tell."""
        return False if self.points == 2 else self.error
