"""The chapter on TPS-CalcBench: its three tracks, its analyses, and what noise does to them.

Tables and sections named in these modules are those of its paper (arXiv:2604.17966).
"""

from __future__ import annotations

from collections.abc import Callable

from ansatz.experiments.report.leaderboard import leaderboard
from ansatz.experiments.report.section import Chapter, Section
from ansatz.experiments.report.table import ReportData
from ansatz.experiments.report.tps.breakdown import breakdown
from ansatz.experiments.report.tps.composite import track_c
from ansatz.experiments.report.tps.errors import error_taxonomy
from ansatz.experiments.report.tps.noise import noise_sensitivity
from ansatz.experiments.report.tps.outcome import track_a
from ansatz.experiments.report.tps.process import track_b
from ansatz.experiments.report.tps.quadrants import quadrants
from ansatz.experiments.report.tps.run import TPSRun

SECTIONS: tuple[Callable[[TPSRun], Section | None], ...] = (
    track_a,
    track_b,
    track_c,
    quadrants,
    breakdown,
    error_taxonomy,
    noise_sensitivity,
)


def chapter(data: ReportData) -> Chapter | None:
    """Every section that the run has something to say on; None without an answer to a TPS item."""
    run = TPSRun(data)
    if not any(reading.verdicts for readings in run.readings.values() for reading in readings):
        return None
    sections = [section for make in SECTIONS if (section := make(run)) is not None]
    board = leaderboard(run)
    return Chapter("tps", "TPS-CalcBench", sections, beside=board.files() if board else {})
