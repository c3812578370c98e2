"""The first screen of report.md: what each arm changed, in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ansatz.eval.score import Dimension
from ansatz.experiments.report.comparisons import (
    Comparison,
    can_be_significant,
    column,
    compare_arms,
    headline_dimensions,
    order_arms,
    summarize_mean,
)
from ansatz.experiments.report.evidence import verdict
from ansatz.experiments.report.tables import TIMES
from ansatz.experiments.report.text import short
from ansatz.experiments.results import Results, System

_TOO_FEW = (
    "The families are too few for a significant difference, so breakdowns, effects of switches and "
    "comparisons between arms are left out."
)


def what_helped(data: Results) -> Iterator[str]:
    """Yield Markdown blocks: for each model a line on each arm, by effect on the first headline dimension."""
    if not data.compared or not headline_dimensions(data):
        return
    first, *others = headline_dimensions(data)
    yield "## What helped"
    for model in data.models:
        yield _introduce(data, model, first)
        yield "\n".join(
            f"- {_describe_arm(data, model, arm, first, others)}" for arm in order_arms(data, model)
        )
    if not can_be_significant(data):
        yield _TOO_FEW


def _introduce(data: Results, model: str, first: Dimension) -> str:
    name, on = data.display_name(model), f"{first.name} ({first.scale.name})"
    if data.screened:
        return (
            f"Switches by their effect on {on} of {name}. Each effect is averaged over the settings of the "
            "other switches:"
        )
    mean = summarize_mean(data.subset(System(model, data.baseline)), first)
    return (
        f"{name} reaches {first.scale.show(mean.value)} on {on} under {data.baseline}. Arms by their effect "
        f"on {first.name}:"
    )


def _describe_arm(data: Results, model: str, arm: str, first: Dimension, others: Sequence[Dimension]) -> str:
    compared = compare_arms(data)
    row = compared[model, arm, first.name]
    parts = [f"**{arm}** {short(column(first), row.estimate)}: {verdict(data, row)}"]
    moved = [each for dimension in others if (each := compared[model, arm, dimension.name]).is_significant]
    for kind, is_better in (("better", True), ("worse", False)):
        if found := [_name_change(each) for each in moved if each.is_better is is_better]:
            parts.append(f"also {kind}: {', '.join(found)}")
    tokens = compared.get((model, arm, "tokens"))
    if tokens is not None and tokens.factor is not None:
        parts.append(f"{TIMES.show(tokens.factor.value)} times the tokens")
    return "; ".join(parts) + "."


def _name_change(row: Comparison) -> str:
    return f"{row.dimension.name} {row.dimension.scale.show_change(row.delta.estimate)}"
