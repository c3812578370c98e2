"""Put a report beside the run that it is about."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ansatz.experiments.report.data_files import to_csv
from ansatz.experiments.report.figure import draw
from ansatz.experiments.report.markdown import to_markdown
from ansatz.experiments.report.table import ReportData


class ReportFiles(NamedTuple):
    markdown: Path
    csv: Path
    figure: Path


def write_report(data: ReportData, folder: Path) -> ReportFiles:
    """Write report.md, deltas.csv and deltas.png into the folder, replacing earlier ones."""
    folder.mkdir(parents=True, exist_ok=True)
    files = ReportFiles(folder / "report.md", folder / "deltas.csv", folder / "deltas.png")
    files.markdown.write_text(to_markdown(data), encoding="utf-8")
    files.csv.write_text(to_csv(data), encoding="utf-8")
    draw(data, files.figure)
    return files
