"""Put a report beside the run that it is about."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ansatz.experiments.report.data_files import to_csv
from ansatz.experiments.report.figure import draw
from ansatz.experiments.report.markdown import to_markdown
from ansatz.experiments.report.section import Chapter
from ansatz.experiments.report.section_text import table_csv
from ansatz.experiments.report.table import ReportData


class ReportFiles(NamedTuple):
    """`further` are the folders with the tables and figures of chapters, and files that chapters add."""

    markdown: Path
    csv: Path
    figure: Path
    further: tuple[Path, ...] = ()

    def listed(self) -> str:
        """The paths, as a line for people."""
        return ", ".join(map(str, (self.markdown, self.csv, self.figure, *self.further)))


def write_report(data: ReportData, folder: Path) -> ReportFiles:
    """Write report.md, deltas.csv and deltas.png into the folder, replacing earlier ones.

    Each chapter puts a CSV for every table and a PNG for every figure in its own folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chapters = tuple(write_chapter(chapter, folder / chapter.name) for chapter in data.chapters)
    beside = {name: text for chapter in data.chapters for name, text in chapter.beside.items()}
    for name, text in beside.items():
        (folder / name).write_text(text, encoding="utf-8")
    further = (*chapters, *(folder / name for name in beside))
    files = ReportFiles(folder / "report.md", folder / "deltas.csv", folder / "deltas.png", further)
    files.markdown.write_text(to_markdown(data), encoding="utf-8")
    files.csv.write_text(to_csv(data), encoding="utf-8")
    draw(data, files.figure)
    return files


def write_chapter(chapter: Chapter, folder: Path) -> Path:
    """A CSV for every table and a PNG for every figure, into a folder that is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for section in chapter.sections:
        for table in section.tables:
            (folder / f"{table.name}.csv").write_text(table_csv(table), encoding="utf-8")
        for figure in section.figures:
            figure.draw(folder / f"{figure.name}.png")
    return folder
