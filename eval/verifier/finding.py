"""What a check of one dimension returns: a mark, and the findings that it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.quantities.calculation import Finding

__all__ = ["Finding", "RuleMark", "faulty"]


@dataclass(frozen=True)
class RuleMark:
    """Points 0, 1 or 2, or None where nothing could be checked; and the evidence for it.

    `error` tells whether something wrong was met. It is None where points are lost for what is left out, or
    none are given; full points mean that nothing was wrong.
    """

    points: int | None
    evidence: str
    error: bool | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def wrong(self) -> bool | None:
        """Whether something was wrong; None where the check cannot tell."""
        return False if self.points == 2 else self.error


def faulty(points: int, findings: list[Finding]) -> RuleMark:
    """A mark that certain findings took points from; at most five of them are told."""
    told = "; ".join(f"{each.message}: “{each.quote}”" for each in findings[:5])
    return RuleMark(points, told, error=True, findings=tuple(findings))
