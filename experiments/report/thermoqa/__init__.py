"""The chapter on ThermoQA: the analyses of its paper, and the tool track that it left open."""

from __future__ import annotations

from collections.abc import Callable

from ansatz.experiments.report.section import Chapter, Section
from ansatz.experiments.report.table import ReportData
from ansatz.experiments.report.thermoqa.consistency import self_consistency
from ansatz.experiments.report.thermoqa.errors import error_propagation, missing_or_wrong
from ansatz.experiments.report.thermoqa.faults import published_and_strict
from ansatz.experiments.report.thermoqa.gain import gain_by_kind
from ansatz.experiments.report.thermoqa.kinds import components_and_cycles, depth_progression
from ansatz.experiments.report.thermoqa.models import models_compared
from ansatz.experiments.report.thermoqa.run import BENCHMARK, ThermoQARun
from ansatz.experiments.report.thermoqa.runs import scores_over_runs
from ansatz.experiments.report.thermoqa.separation import discriminators
from ansatz.experiments.report.thermoqa.tokens import token_efficiency
from ansatz.experiments.report.thermoqa.tools import tools_by_tier

SECTIONS: tuple[Callable[[ThermoQARun], Section | None], ...] = (
    tools_by_tier,
    gain_by_kind,
    scores_over_runs,
    models_compared,
    discriminators,
    components_and_cycles,
    depth_progression,
    token_efficiency,
    missing_or_wrong,
    error_propagation,
    self_consistency,
    published_and_strict,
)


def chapter(data: ReportData) -> Chapter | None:
    """Every section that the run has something to say on; None without an answer to a ThermoQA question."""
    run = ThermoQARun(data)
    if not any(each.steps for attempts in run.judged.values() for each in attempts):
        return None
    sections = [section for make in SECTIONS if (section := make(run)) is not None]
    return Chapter(BENCHMARK, "ThermoQA", sections)
