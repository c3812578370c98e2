"""Warnings about data that can show no difference, with what would change that."""

from __future__ import annotations

import numpy as np

from ansatz.eval.score import Dimension
from ansatz.eval.statistics.power import fewest_families, minimum_detectable, predict_detectable, sidak_level
from ansatz.experiments.report.comparisons import (
    can_be_significant,
    compare_arms,
    count_families,
    headline_dimensions,
)
from ansatz.experiments.report.evidence import variance_components
from ansatz.experiments.results import Results


def describe_few_families(
    families: int, problems: int, dimension: Dimension | None = None, effect: float | None = None
) -> str:
    """Return the warning for fewer families than a significant difference needs.

    `effect` is the smallest effect on the dimension that would be detected if each problem were a family.
    """
    least = fewest_families()
    one = f"all {problems} problems are in one family" if problems > 1 else "there is one problem"
    counted = one if families == 1 else f"{families} families"
    if problems < least:
        remedy = f"add at least {least - problems} problems of other families"
    else:
        remedy = f"if the problems are not variants of each other, leave `family` out: {problems} families "
        if dimension is None or effect is None:
            remedy += "can show a difference"
        elif effect > 1:
            remedy += (
                f"can show one, but only above the whole scale of {dimension.name}, so add problems, too"
            )
        else:
            size = dimension.scale.show_size(effect)
            remedy += f"would show effects above {size} on {dimension.name} ({dimension.scale.name})"
    return f"Warning: {counted}: no difference can be significant below {least} families; {remedy}."


def describe_small_study(dimension: Dimension, remedy: str) -> str:
    """Return the warning for a study that detects only effects larger than the scale."""
    return (
        "Warning: the smallest effect this study could detect is larger than the whole scale "
        f"({dimension.scale.name}) on {dimension.name}; {remedy}."
    )


def describe_inert_arm(arm: str, baseline: str) -> str:
    """Return the warning for an arm whose requests are those of the baseline."""
    return (
        f"Warning: {arm} sends the same requests as {baseline} for every problem, so it cannot differ; "
        "remove it, or add problems that it applies to."
    )


def warn_of_power(data: Results) -> list[str]:
    """Warn of a finished run that can show no difference: few families, wide intervals, inert arms."""
    inert = [describe_inert_arm(arm, data.baseline) for arm in data.inert_arms if arm in data.treatments]
    if not data.is_complete or not data.treatments or not headline_dimensions(data):
        return inert
    first = headline_dimensions(data)[0]
    rows = [row for row in compare_arms(data).values() if row.dimension == first and row.delta.pairs]
    if not rows:
        return inert
    if not can_be_significant(data):
        problems = max(row.delta.pairs for row in rows)
        found = [variance_components(data, row) for row in rows]
        level = sidak_level(len(rows) * len(headline_dimensions(data)))
        repeats = int(data.attempts.repeat.max()) + 1
        sizes = np.ones(problems)
        effects = [
            predict_detectable(each, sizes, repeats, level=level) for each in found if each is not None
        ]
        effect = max(filter(None, effects), default=None)
        return [describe_few_families(count_families(data), problems, first, effect), *inert]
    least = [
        minimum_detectable(row.delta, level=data.main_comparisons.simultaneous_level(row.delta))
        for row in rows
    ]
    known = [each for each in least if each is not None]
    is_small = bool(known) and min(known) > 1
    return [describe_small_study(first, "add problems of other families")] * is_small + inert
