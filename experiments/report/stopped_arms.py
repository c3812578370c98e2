"""What interim analyses decided about each arm, and how many of the planned requests were made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from ansatz.experiments.report.comparisons import Comparison, column, compare_arms
from ansatz.experiments.report.text import short
from ansatz.experiments.results import Decision, Results, System

_LEANS = (
    "Stopping exaggerates estimates slightly: on average, an arm that was stopped for its success is less "
    "good than estimated, and an arm that was given up is better. Intervals and stars have the level of the "
    "analysis that decided the arm, so all analyses together keep {level:.0%}."
)
_ONLY_BETTER = (
    "Only improvements were tested (`only: better`), so this study cannot prove that an arm does harm."
)


@lru_cache(maxsize=2)
def describe_stopping(data: Results) -> tuple[str, ...]:
    """Return a line for each arm, then one on requests and one on estimates; empty if arms cannot stop."""
    if data.analysed is None or not data.analysed.stages:
        return ()
    last = data.analysed.stages[-1]
    lines = [
        f"Interim analyses: {len(data.analysed.stages)} of {data.analysed.looks}, {_share(last.fraction)}."
    ]
    lines += [f"{data.label(system)}: {_describe_arm(data, system)}." for system in data.treated_systems]
    asked, planned, is_exact = count_requests(data)
    lines.append(f"Asked {asked:,} of {'' if is_exact else 'about '}{planned:,} requests.")
    lines += [_ONLY_BETTER] * data.analysed.only_better
    return (*lines, _LEANS.format(level=1 - data.analysed.success))


def _share(fraction: float) -> str:
    return f"after {fraction:.0%} of the families"


def _describe_arm(data: Results, system: System) -> str:
    rows = [compare_arms(data)[*system, name] for name in data.primary]
    stage = data.find_stage(system)
    assert stage is not None
    found, changes = decision(data, system), "; ".join(_show_change(row, len(rows) > 1) for row in rows)
    if found == "futile":
        return f"given up {_share(stage.fraction)}: {describe_futility(data, rows[0])}"
    if found == "success":
        return f"found {_share(stage.fraction)}: {changes}"
    return f"{'not found' if data.is_complete else 'open'} {_share(stage.fraction)}: {changes}"


def _show_change(row: Comparison, is_named: bool) -> str:
    text = short(column(row.dimension), row.estimate)
    return f"{row.dimension.name} " * is_named + text + "*" * row.is_significant


def decision(data: Results, system: System) -> Decision:
    """Return what the interim analyses decided about a system.

    Success is a star on a primary dimension, as the tables show it. As long as the run is not complete, it
    is what was decided so far.
    """
    stage = data.find_stage(system)
    decided = stage.decisions.get(system, "open") if stage else "open"
    if decided == "success" and data.is_complete:
        is_starred = any(compare_arms(data)[*system, name].is_significant for name in data.primary)
        return "success" if is_starred else "open"
    return decided


def explain_stop(data: Results, row: Comparison) -> str | None:
    """Return the verdict on a difference that the interim analyses determined; None for any other."""
    is_open = row.dimension.name in data.primary and not row.is_provisional and not row.is_significant
    if data.analysed is None or not is_open:
        return None
    if data.analysed.only_better and row.is_clear and not row.is_better:
        return "worse, but not tested for harm"
    system = System(row.model, row.arm)
    return f"given up: {describe_futility(data, row)}" if decision(data, system) == "futile" else None


def describe_futility(data: Results, row: Comparison) -> str:
    """Return what a system that was given up could no longer show."""
    assert data.analysed is not None and data.analysed.difference is not None
    size = row.dimension.scale.show_size(data.analysed.difference)
    return f"could no longer show {size} on {row.dimension.name} ({row.dimension.scale.name})"


def count_requests(data: Results) -> tuple[int, int, bool]:
    """Return how many requests were made, how many the whole study needs, and whether that is exact.

    An arm that makes several requests for an attempt is taken to go on as it did.
    """
    assert data.analysed is not None
    asked, planned, is_exact = 0.0, 0.0, True
    for system in data.systems:
        calls = data.values("model_calls")[data.rows_by_system[system]]
        calls = np.ones(len(calls)) if np.isnan(calls).all() else calls[~np.isnan(calls)]
        mean = float(calls.mean()) if len(calls) else 1.0
        is_exact &= len(calls) == data.analysed.attempts or bool((calls == 1).all())
        asked, planned = asked + float(calls.sum()), planned + mean * data.analysed.attempts
    return round(asked), round(planned), is_exact


def stopping_record(data: Results) -> dict[str, Any] | None:
    """Return the interim analyses as plain JSON; None if arms cannot stop."""
    if data.analysed is None:
        return None
    asked, planned, _ = count_requests(data)
    stages = [
        {"families": len(each.families), "fraction": each.fraction, "level": each.level}
        for each in data.analysed.stages
    ]
    return {
        "looks": data.analysed.looks,
        "difference": data.analysed.difference,
        "only_better": data.analysed.only_better,
        "analyses": stages,
        "arms": list(_arm_records(data)),
        "requests_asked": asked,
        "requests_planned": planned,
        "lines": list(describe_stopping(data)),
    }


def _arm_records(data: Results) -> Iterator[dict[str, Any]]:
    for system in data.treated_systems:
        if (stage := data.find_stage(system)) is not None:
            record = {"decision": decision(data, system), "fraction": stage.fraction, "level": stage.level}
            yield {"model": system.model, "arm": system.arm, **record}
