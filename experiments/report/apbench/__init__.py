"""The chapter on APBench: by topic and position, asked progressively and independently, and both rules."""

from __future__ import annotations

from collections.abc import Callable

from ansatz.experiments.report.apbench.errors import how_answers_fail
from ansatz.experiments.report.apbench.messages import message_answers
from ansatz.experiments.report.apbench.positions import by_position
from ansatz.experiments.report.apbench.progressive import progressive_and_independent
from ansatz.experiments.report.apbench.rules import published_and_strict
from ansatz.experiments.report.apbench.run import BENCHMARK, APBenchRun
from ansatz.experiments.report.apbench.topics import by_topic
from ansatz.experiments.report.section import Chapter, Section
from ansatz.experiments.report.table import ReportData

SECTIONS: tuple[Callable[[APBenchRun], Section | None], ...] = (
    by_topic,
    by_position,
    progressive_and_independent,
    published_and_strict,
    message_answers,
    how_answers_fail,
)


def chapter(data: ReportData) -> Chapter | None:
    """Every section that the run has something to say on; None where the scorer `apbench` scored nothing."""
    run = APBenchRun(data)
    if not run.is_scored:
        return None
    sections = [section for make in SECTIONS if (section := make(run)) is not None]
    return Chapter(BENCHMARK, "APBench", sections)
