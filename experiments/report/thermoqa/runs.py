"""The leaderboard: mean ± σ over runs for every tier, the drop from tier 1 to 3, and the composite."""

from __future__ import annotations

import math

from ansatz.eval.benchmarks.thermoqa.analysis import RULES, Rule
from ansatz.eval.statistics import mean_and_sigma, weighted_mean
from ansatz.experiments.report.section import POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.thermoqa.run import ThermoQARun

_NOTE = (
    "A run is one repeat of the whole set; its score is the mean over its questions. ± is the sample "
    "standard deviation over runs, which shows how steady a system is on these questions and nothing of "
    "how it would do on others. The composite weighs the tiers by their numbers of questions, Σ nₜ Sₜ / Σ "
    "nₜ."
)


def scores_over_runs(run: ThermoQARun) -> Section:
    tables = [_table(run, rule) for rule in RULES]
    single = " One repeat was made, so there is no spread to show." if len(run.repeats) < 2 else ""
    return Section(title="Scores over runs", tables=tables, notes=(_NOTE + single,))


def run_scores(run: ThermoQARun, system: System, tier: str, rule: Rule) -> dict[int, float]:
    """By repeat, the mean over the questions of a tier that were scored in it."""
    values: dict[int, list[float]] = {}
    for each in run.of(system, tier):
        score = each.score(rule)
        if score is not None:
            values.setdefault(each.attempt.repeat, []).append(score)
    return {repeat: math.fsum(scores) / len(scores) for repeat, scores in sorted(values.items())}


def composite_scores(run: ThermoQARun, system: System, rule: Rule) -> dict[int, float]:
    """By repeat, the tiers weighted by their numbers of questions; repeats that lack a tier have none."""
    tiers = [run_scores(run, system, tier, rule) for tier in run.tiers]
    asked = [sum(each.tags["tier"] == tier for each in run.problems.values()) for tier in run.tiers]
    whole = [repeat for repeat in run.repeats if all(repeat in scores for scores in tiers)]
    return {repeat: weighted_mean([scores[repeat] for scores in tiers], asked) for repeat in whole}


def _table(run: ThermoQARun, rule: Rule) -> Table:
    spans = len(run.tiers) > 1
    drop = [Column(f"tier {run.tiers[0]} → {run.tiers[-1]}", POINTS, change=True)] if spans else []
    columns = [
        Column("system"),
        *(Column(f"tier {tier}", POINTS) for tier in run.tiers),
        *drop,
        *([Column("composite", POINTS)] if spans else []),
    ]
    rows: list[list[Entry]] = []
    for system in run.systems:
        tiers = [run_scores(run, system, tier, rule) for tier in run.tiers]
        row: list[Entry] = [run.label(system), *(_over_runs(list(scores.values())) for scores in tiers)]
        if spans:
            both = tiers[0].keys() & tiers[-1].keys()
            row.append(_over_runs([tiers[-1][repeat] - tiers[0][repeat] for repeat in sorted(both)]))
            row.append(_over_runs(list(composite_scores(run, system, rule).values())))
        rows.append(row)
    return Table(f"runs_{rule}", f"Mean ± σ over runs under the {rule} rule{run.simulated}.", columns, rows)


def _over_runs(scores: list[float]) -> Estimate:
    if not scores:
        return Estimate(None)
    mean, sigma = mean_and_sigma(scores)
    return Estimate(mean, sigma=sigma)
