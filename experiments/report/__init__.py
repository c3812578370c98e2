"""Reports: from the cells of a run to tables, a forest plot and files."""

from ansatz.experiments.report.data_files import to_json
from ansatz.experiments.report.table import RESOURCES, Attempt, Cell, Comparison, Mean, ReportData
from ansatz.experiments.report.terminal import render_table
from ansatz.experiments.report.write import ReportFiles, write_report

__all__ = [
    "RESOURCES",
    "Attempt",
    "Cell",
    "Comparison",
    "Mean",
    "ReportData",
    "ReportFiles",
    "render_table",
    "to_json",
    "write_report",
]
