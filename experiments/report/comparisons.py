"""All arms compared with the baseline on every dimension: means, differences and verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from ansatz.eval.score import Dimension
from ansatz.eval.statistics import Adjusted, PairedDelta, holm
from ansatz.eval.statistics.power import fewest_families, largest_effect
from ansatz.experiments.report.tables import Column
from ansatz.experiments.results import Estimate, Numbers, Results, Subset, System
from ansatz.experiments.results.estimate import LEVEL_OF_SIGNIFICANCE
from ansatz.experiments.results.screened import AttemptPairs, logarithms

MARGIN = 0.05  # of a scale: the largest bound that a verdict reports
_LARGEST_LOGARITHM = 700.0  # beyond it, an end of an interval of amounts is left out
TOO_FEW = "not enough data"
UNTESTED = ("seconds",)
"""Dimensions that depend on the load of machine and provider: shown, never significant."""

Place = tuple[str, str, str]
"""Model, arm and dimension."""


class Mean(NamedTuple):
    """The mean over problems, repeats averaged first, with the numbers of attempts in and out of it."""

    value: float | None
    scored: int
    unscored: int
    errors: int


@dataclass(frozen=True)
class Comparison:
    """One arm compared with the baseline on one dimension."""

    model: str
    arm: str
    dimension: Dimension
    mean: Mean
    baseline: Mean
    delta: PairedDelta
    verdict: Adjusted | None = None
    """Adjusted for the family of comparisons; None if p cannot be computed."""
    p_holm: float | None = None
    ratio: PairedDelta | None = None
    """The difference of the logarithms of amounts; None for shares."""
    is_provisional: bool = False
    """Whether the run is incomplete; then nothing is significant."""

    @property
    def p(self) -> float | None:
        """p of this comparison alone; for amounts, of their ratio."""
        return self.delta.p if self.verdict is None else self.verdict.p

    @property
    def p_adjusted(self) -> float | None:
        return None if self.verdict is None or self.is_provisional else self.verdict.p_adjusted

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """Ends of the simultaneous interval."""
        judged = self.delta if self.verdict is None or self.ratio is not None else self.verdict
        return judged.low, judged.high

    @property
    def is_clear(self) -> bool:
        """Whether the simultaneous interval excludes zero."""
        if self.ratio is not None:
            return self.verdict is not None and self.verdict.is_clear
        low, high = self.ends
        return low is not None and high is not None and (low > 0 or high < 0)

    @property
    def is_significant(self) -> bool:
        """Whether the simultaneous interval excludes zero and adjusted p is below `describe_threshold`."""
        p = None if self.dimension.name in UNTESTED else self.p_adjusted
        return self.is_clear and p is not None and p < 1 - self.delta.level

    @property
    def is_better(self) -> bool:
        """Whether the difference is in the direction of improvement."""
        return ((self.delta.estimate or 0.0) > 0) == (self.dimension.better == "higher")

    @property
    def verdict_text(self) -> str:
        """One of: helps, hurts, no effect above x, not enough data; for amounts, less or more."""
        if self.is_provisional:
            return "provisional"
        if self.dimension.role == "resource":
            kind = ("less", "more")[(self.delta.estimate or 0.0) > 0]
            return kind if self.is_clear else TOO_FEW
        if self.is_significant:
            return "helps" if self.is_better else "hurts"
        bound = largest_effect(self.delta)
        if bound is None or bound > MARGIN:
            return TOO_FEW
        return f"no effect above {self.dimension.scale.show_size(bound)} (this comparison alone)"

    @property
    def estimate(self) -> Estimate:
        """The difference for a table, with adjusted p and simultaneous interval."""
        delta = self.delta
        return Estimate(
            delta.estimate,
            *self.ends,
            p=None if self.dimension.name in UNTESTED else self.p_adjusted,
            n=delta.pairs,
            families=delta.families,
            dropped=delta.dropped,
            decided=self.is_significant,
        )

    @property
    def factor(self) -> Estimate | None:
        """The arm's amount divided by the baseline's, as a geometric mean over problems."""
        if self.ratio is None or self.ratio.estimate is None:
            return None
        judged = self.verdict or self.ratio
        low, high = (
            None if end is None or end > _LARGEST_LOGARITHM else math.exp(end)
            for end in (judged.low, judged.high)
        )
        return Estimate(math.exp(self.ratio.estimate), low, high)


def column(dimension: Dimension, *, change: bool = True) -> Column:
    """Make the column of a dimension, headed by its name and scale."""
    return Column(f"{dimension.name} ({dimension.scale.name})", dimension.scale, change, dimension.better)


@lru_cache(maxsize=2)
def headline_dimensions(data: Results) -> tuple[Dimension, ...]:
    """Return the dimensions to look at first: quality dimensions that are not a detail of another.

    Dimensions without any value are left out, unless none has a value.
    """
    quality = data.with_role("quality")
    valued = [each for each in quality if not np.isnan(data.values(each.name)).all()] or quality
    return tuple(each for each in valued if not each.detail) or tuple(valued[:4])


def describe_threshold(data: Results) -> str:
    """Return below which adjusted p a difference can be significant."""
    return "the bound of its interim analysis" if data.analysed else f"{1 - data.whole_level:.2g}"


def can_be_significant(data: Results) -> bool:
    """Whether the families are enough for a significant difference."""
    return count_families(data) >= fewest_families(LEVEL_OF_SIGNIFICANCE)


def count_families(data: Results) -> int:
    """Return the largest number of families that a comparison has."""
    return max((row.delta.families for row in compare_arms(data).values() if row.delta.pairs), default=0)


def order_arms(data: Results, model: str) -> list[str]:
    """Return the arms or switches by their improvement on the first headline dimension, largest first."""
    arms = list(data.compared)
    for each in headline_dimensions(data)[:1]:
        sign = 1 if each.better == "higher" else -1
        changes = {arm: compare_arms(data)[model, arm, each.name].delta.estimate for arm in arms}
        arms.sort(key=lambda arm: -sign * (changes[arm] or 0.0))
    return arms


@lru_cache(maxsize=2)
def compare_arms(data: Results) -> Mapping[Place, Comparison]:
    """Compare every arm with the baseline, for every model and each quality and resource dimension.

    Quality dimensions are one family of comparisons; the logarithms of resources are another. An arm that was
    stopped early is compared as at the interim analysis that stopped it. In a screening design, rows are
    switches: attempts with the switch on are compared with attempts with the switch off.
    """
    if data.screened:
        return _compare_switches(data)
    found = _compare(data)
    by_stage = {stage: _compare(own) for stage, own in data.stages.items()}
    if not by_stage:
        return found
    stages = {place: data.find_stage(System(*place[:2])) for place in found}
    return {
        place: replace(by_stage[stage][place], is_provisional=not data.is_complete) if stage else found[place]
        for place, stage in stages.items()
    }


def _compare(data: Results) -> dict[Place, Comparison]:
    compared = {
        (model, arm, each.name): (data.subset(System(model, arm)), each)
        for model in data.models
        for role in ("quality", "resource")
        for arm in data.treatments
        for each in data.with_role(role)
    }
    ratios = {
        place: subset.log_ratio(subset.control, data.values(each.name))
        for place, (subset, each) in compared.items()
        if each.role == "resource"
    }
    verdicts, by_holm = _judge(data, ratios)
    return {
        place: Comparison(
            *place[:2],
            each,
            summarize_mean(subset, each),
            summarize_mean(subset.control, each),
            subset.difference_from(subset.control, data.values(each.name)),
            verdict=verdicts[each.role].get(place),
            p_holm=by_holm[each.role].get(place),
            ratio=ratios.get(place),
            is_provisional=not data.is_complete,
        )
        for place, (subset, each) in compared.items()
    }


def _judge(
    data: Results, ratios: Mapping[Place, PairedDelta]
) -> tuple[dict[str, Mapping[Place, Adjusted]], dict[str, dict[Place, float]]]:
    """Return the adjusted comparisons, and p after Holm, by role of the dimension."""
    amounts = data.adjust({place: each for place, each in ratios.items() if place[2] not in UNTESTED})
    verdicts = {"quality": data.main_comparisons.verdicts, "resource": amounts.verdicts}
    return verdicts, {
        role: holm({place: each.p for place, each in own.items()}) for role, own in verdicts.items()
    }


def _compare_switches(data: Results) -> Mapping[Place, Comparison]:
    pairs = {model: AttemptPairs.of(data, model) for model in data.models}
    dimensions = (*data.with_role("quality"), *data.with_role("resource"))
    fitted = {
        (model, switch, each.name): delta
        for model in data.models
        for each in dimensions
        for switch, delta in pairs[model].effects(data.values(each.name), _most(each)).items()
    }
    ratios = {
        (model, switch, each.name): delta
        for model in data.models
        for each in data.with_role("resource")
        for switch, delta in pairs[model].effects(logarithms(data.values(each.name)), None).items()
    }
    verdicts, by_holm = _judge(data, ratios)
    return {
        (model, switch, each.name): Comparison(
            model,
            switch,
            each,
            _mean_of_rows(data, pairs[model].rows_with(switch, on=True), each),
            _mean_of_rows(data, pairs[model].rows_with(switch, on=False), each),
            fitted[model, switch, each.name],
            verdict=_cut(verdicts[each.role].get((model, switch, each.name)), each),
            p_holm=by_holm[each.role].get((model, switch, each.name)),
            ratio=ratios.get((model, switch, each.name)),
            is_provisional=not data.is_complete,
        )
        for model, switch in product(data.models, data.screened)
        for each in dimensions
    }


def _most(dimension: Dimension) -> float | None:
    return None if dimension.role == "resource" else 1.0


def _cut(verdict: Adjusted | None, dimension: Dimension) -> Adjusted | None:
    """Cut the interval of a score at its possible range; a least-squares coefficient can be beyond it."""
    if verdict is None or verdict.low is None or verdict.high is None or dimension.role == "resource":
        return verdict
    return replace(verdict, low=max(-1.0, verdict.low), high=min(1.0, verdict.high))


def _mean_of_rows(data: Results, rows: Numbers, dimension: Dimension) -> Mean:
    values, failed = data.values(dimension.name)[rows], int(data.attempts.failed[rows].sum())
    known = values[~np.isnan(values)]
    mean = float(known.mean()) if len(known) else None
    return Mean(mean, len(known), len(rows) - len(known) - failed, failed)


def summarize_mean(subset: Subset, dimension: Dimension) -> Mean:
    values = subset.data.values(dimension.name)
    failed = int(np.count_nonzero(subset.data.attempts.failed[subset.rows]))
    scored = len(subset.known_values(values))
    return Mean(subset.mean_value(values), scored, len(subset.rows) - scored - failed, failed)
