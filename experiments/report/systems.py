"""What answered in a run, a model under an arm, and the means and differences that chapters ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ansatz.eval.statistics import PairedDelta, Scores, contrast, paired_delta
from ansatz.experiments.report.section import Estimate
from ansatz.experiments.report.table import ReportData, within


@dataclass(frozen=True)
class System:
    """What answered: a model under an arm."""

    model: str
    arm: str


class Systems:
    """The systems of a run; `families` maps a problem's id to its family."""

    def __init__(self, data: ReportData, families: Mapping[str, str]) -> None:
        self.data = data
        self.families = families
        self.systems = tuple(System(model, arm) for model in data.models for arm in data.arms)
        self.several_models = len(data.models) > 1

    def label(self, system: System) -> str:
        return f"{system.model}, {system.arm}" if self.several_models else system.arm

    def baseline(self, model: str) -> System:
        return System(model, self.data.baseline)

    def treatments(self, model: str) -> list[System]:
        return [System(model, arm) for arm in self.data.treatments]

    def baselines(self) -> list[System]:
        return [self.baseline(model) for model in self.data.models]

    def mean(self, scores: Scores) -> Estimate:
        """The mean over problems of the mean over repeats, with an interval over families within [0, 1]."""
        data = self.data
        found = contrast(
            [(1.0, scores)], self.families, seed=data.seed, resamples=data.resamples, level=data.level
        )
        low, high = (None if end is None else min(1.0, max(0.0, end)) for end in (found.low, found.high))
        return Estimate(found.estimate, low, high, n=found.pairs)

    def difference(self, treated: Scores, control: Scores) -> PairedDelta:
        """Treated − control, paired by problem, over families."""
        data = self.data
        return paired_delta(
            treated,
            control,
            self.families,
            seed=data.seed,
            resamples=data.resamples,
            level=data.level,
        )

    @property
    def simulated(self) -> str:
        """Said in the captions of figures and tables where every model is a rule-based stand-in."""
        return " (simulated)" if set(self.data.models) <= self.data.simulated else ""


def estimate(delta: PairedDelta, p: float | None = None, most: float = 1.0) -> Estimate | None:
    """A paired difference of shares or marks as a report shows it, None without a pair.

    `p` replaces the unadjusted one. The interval is cut at ±`most`, beyond which no such difference can lie:
    1 for the difference of two means between 0 and 1, more for an interaction.
    """
    if not delta.pairs:
        return None
    low, high = within(delta, most)
    return Estimate(delta.estimate, low, high, p=delta.p if p is None else p, n=delta.pairs)
