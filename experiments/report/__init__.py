"""Reports: from the stored rows of a study to tables, figures and files."""

from ansatz.experiments.report.frames import attempts_frame, deltas_frame, plot_deltas, score_frames, slices
from ansatz.experiments.report.summary import Summary
from ansatz.experiments.report.write import ReportFiles, to_json, write_report

__all__ = [
    "ReportFiles",
    "Summary",
    "attempts_frame",
    "deltas_frame",
    "plot_deltas",
    "score_frames",
    "slices",
    "to_json",
    "write_report",
]
