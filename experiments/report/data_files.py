"""The comparisons as data: deltas.csv and the output of --json. Values are in the scale that is named."""

from __future__ import annotations

import csv
import io
from typing import Any

from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.section_text import chapter_json
from ansatz.experiments.report.table import Comparison, ReportData

_P_DIGITS = 5


def to_csv(data: ReportData) -> str:
    """One row per model, arm and dimension; empty where there is no number."""
    rows = [_flat(row, data.baseline) for row in data.comparisons]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["model", "arm"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_json(data: ReportData) -> dict[str, Any]:
    failed = {(c.model, c.arm, c.problem, c.repeat): c.reason for c in data.cells if c.state == "error"}
    return {
        "title": data.title,
        "models": list(data.models),
        "simulated": sorted(data.simulated),
        "baseline": data.baseline,
        "arms": list(data.arms),
        "planned": data.planned,
        "notes": list(data.notes),
        "level": data.level,
        "seed": data.seed,
        "resamples": data.resamples,
        "comparisons": [_flat(row, data.baseline) for row in data.comparisons],
        "errors": [
            {"model": model, "arm": arm, "problem": problem, "repeat": repeat, "reason": reason}
            for (model, arm, problem, repeat), reason in failed.items()
        ],
        "chapters": [chapter_json(chapter) for chapter in data.chapters],
    }


def _flat(row: Comparison, baseline: str) -> dict[str, Any]:
    scale = scale_of(row.dimension)
    return {
        "model": row.model,
        "arm": row.arm,
        "baseline": baseline,
        "dimension": row.dimension,
        "scale": scale.name,
        "delta": scale.number(row.delta.estimate),
        "low": scale.number(row.delta.low),
        "high": scale.number(row.delta.high),
        "p": _p(row.delta.p),
        "p_holm": _p(row.p_holm),
        "pairs": row.delta.pairs,
        "families": row.delta.families,
        "dropped": row.delta.dropped,
        "arm_mean": scale.number(row.mean.value),
        "arm_scored": row.mean.scored,
        "arm_unscored": row.mean.unscored,
        "arm_errors": row.mean.errors,
        "baseline_mean": scale.number(row.baseline.value),
        "baseline_scored": row.baseline.scored,
        "baseline_unscored": row.baseline.unscored,
        "baseline_errors": row.baseline.errors,
    }


def _p(p: float | None) -> float | None:
    return None if p is None else round(p, _P_DIGITS)
