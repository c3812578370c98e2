"""The first screen of the page: the question, effects with a verdict, stop reasons, and faults."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from ansatz.eval.problem import OWN
from ansatz.experiments.report.comparisons import (
    Comparison,
    compare_arms,
    describe_threshold,
    headline_dimensions,
)
from ansatz.experiments.report.evidence import missing_scores, verdict
from ansatz.experiments.report.screening_chapter import describe_fit
from ansatz.experiments.report.stop_reasons import count_finished, count_stop_reasons, failures, list_warnings
from ansatz.experiments.report.stopped_arms import describe_stopping
from ansatz.experiments.report.text import sentence, show
from ansatz.experiments.results import Results, System

_MOST_NAMED = 4


def overview(data: Results) -> dict[str, Any]:
    """Plain JSON; differences are as stored, and the page applies each dimension's scale."""
    failed = failures(data)
    return {
        "id": _identify(data),
        "title": data.title,
        "question": question(data),
        "baseline": data.arms.index(data.baseline),
        "level": data.whole_level,
        "threshold": describe_threshold(data),
        "planned": data.planned,
        "finished": count_finished(data),
        "failed": len(data.attempts) - count_finished(data),
        "problems": len(data.problems),
        "families": len(set(data.family.tolist())),
        "models": [{"title": each, "simulated": each in data.simulated} for each in data.models],
        "arms": [{"name": arm, "switches": sorted(data.switches.get(arm, ()))} for arm in data.arms],
        "dimensions": [
            {**each.to_json(), "title": each.title, "headline": each in headline_dimensions(data)}
            for each in data.dimensions
        ],
        "effects": [] if data.screened else _list_effects(data, data.arms),
        "screening": _describe_screening(data),
        "baselines": [
            {each.name: subset.mean_value(data.values(each.name)) for each in data.dimensions}
            for subset in data.subsets()
            if subset.is_baseline
        ],
        "stop_reasons": [
            [dict(count_stop_reasons(data.subset(System(m, arm)))) for arm in data.arms] for m in data.models
        ],
        "failures": [list(row) for table in failed.tables for row in table.rows] if failed else [],
        "missing": _list_missing(data),
        "warnings": list_warnings(data),
        "stopping": list(describe_stopping(data)),
        "notes": list(data.notes),
    }


def _describe_screening(data: Results) -> dict[str, Any] | None:
    """Return the effects of switches, whose `arm` is their number, and the test for interactions by model."""
    if not data.screened:
        return None
    switches = list(data.screened)
    return {
        "switches": switches,
        "effects": _list_effects(data, switches),
        "fit": [sentence(describe_fit(data, model)) for model in data.models],
    }


def _list_effects(data: Results, names: Sequence[str]) -> list[dict[str, Any]]:
    return [_effect(data, row, names) for row in compare_arms(data).values()]


def _identify(data: Results) -> str:
    """Return an id of the run, under which a browser stores its notes."""
    whole = json.dumps([data.title, data.models, data.arms, list(data.problems)])
    return sha256(whole.encode()).hexdigest()[:16]


def _list_missing(data: Results) -> list[list[str]]:
    """Return the table of missing pairs as text, its heads first; empty without any."""
    section = missing_scores(data)
    if section is None:
        return []
    [table] = section.tables
    rows = [
        [show(*each) for each in zip(table.columns, row, strict=True)] for row in table.rows[: table.max_rows]
    ]
    return [[column.name for column in table.columns], *rows]


def question(data: Results) -> str:
    """What the study asked, in one sentence."""
    arms = _listed(data.compared)
    models = _listed([data.display_name(each) for each in data.models])
    names = dict.fromkeys(problem.benchmark for problem in data.problem_list)
    sets = _listed(["your own file" if name == OWN else name for name in names])
    repeats = int(data.attempts.repeat.max()) + 1 if len(data.attempts) else 1
    times = "once" if repeats == 1 else f"{repeats} times"
    verb = "Does" if len(data.compared) == 1 else "Do"
    help_ = f"{verb} {arms} help {models}" if data.compared else f"How does {models} do"
    against = f", against {data.baseline}" if data.treatments else ""
    families = len(set(data.family.tolist()))
    return (
        f"{help_} with {len(data.problems):,} problem{'s' * (len(data.problems) != 1)} in {families:,} "
        f"famil{'y' if families == 1 else 'ies'} of {sets}{against}, asked {times} each?"
    )


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMED + 1:
        names = [*names[:_MOST_NAMED], f"{len(names) - _MOST_NAMED} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _effect(data: Results, row: Comparison, names: Sequence[str]) -> dict[str, Any]:
    delta, (low, high) = row.delta, row.ends
    return {
        "model": data.models.index(row.model),
        "arm": names.index(row.arm),
        "dimension": row.dimension.name,
        "estimate": delta.estimate,
        "low": low,
        "high": high,
        "p": row.p_adjusted,
        "pairs": delta.pairs,
        "dropped": delta.dropped,
        "mean": row.mean.value,
        "significant": row.is_significant,
        "clear": row.is_clear,
        "better": row.is_better,
        "verdict": verdict(data, row),
    }
