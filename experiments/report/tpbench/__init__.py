"""The chapter on TPBench: levels, repeated attempts, outcomes of auto-verification, and grades."""

from __future__ import annotations

from collections.abc import Callable

from ansatz.experiments.report.section import Chapter, Section
from ansatz.experiments.report.table import ReportData
from ansatz.experiments.report.tpbench.grades import grades_and_verification
from ansatz.experiments.report.tpbench.levels import levels
from ansatz.experiments.report.tpbench.outcomes import outcomes
from ansatz.experiments.report.tpbench.problems import problem_by_problem
from ansatz.experiments.report.tpbench.run import BENCHMARK, TPBenchRun

SECTIONS: tuple[Callable[[TPBenchRun], Section | None], ...] = (
    levels,
    outcomes,
    grades_and_verification,
    problem_by_problem,
)


def chapter(data: ReportData) -> Chapter | None:
    """Every section that the run has something to say on; None without a verified or graded answer."""
    run = TPBenchRun(data)
    sections = [section for make in SECTIONS if (section := make(run)) is not None]
    return Chapter(BENCHMARK, "TPBench", sections) if sections else None
