"""An estimate with its uncertainty, as tables and figures show it."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.eval.statistics import PairedDelta

LEVEL_OF_SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class Estimate:
    """A number with its uncertainty. A field is None if the value is not available."""

    value: float | None
    low: float | None = None
    """Lower end of the confidence interval."""
    high: float | None = None
    """Upper end of the confidence interval."""
    sigma: float | None = None
    """Standard deviation."""
    p: float | None = None
    n: int | None = None
    """Number of problems, or of pairs of a difference."""
    families: int | None = None
    """Number of problem families."""
    dropped: int | None = None
    """Problems that were left out because one side of the pair has no value."""
    is_adjusted: bool = False
    """Whether p and the interval hold for the whole family of comparisons."""
    decided: bool | None = None
    """Whether it is significant, if that was tested otherwise: amounts are tested by their ratios."""

    @classmethod
    def from_delta(cls, delta: PairedDelta | None, p: float | None = None) -> Estimate | None:
        """Convert a paired difference of shares or scores; None without a pair.

        `p` is adjusted for the number of comparisons. Without it, the estimate is never significant.
        """
        if delta is None or not delta.pairs:
            return None
        return cls(
            delta.estimate,
            delta.low,
            delta.high,
            p=delta.p if p is None else p,
            n=delta.pairs,
            families=delta.families,
            is_adjusted=p is not None,
        )

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted interval excludes zero and adjusted p is below 0.05, or what was `decided`."""
        if self.decided is not None:
            return self.decided
        if not self.is_adjusted or self.p is None or self.low is None or self.high is None:
            return False
        return not self.low <= 0 <= self.high and self.p < LEVEL_OF_SIGNIFICANCE
