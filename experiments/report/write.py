"""Put a report beside the run that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from ansatz.experiments.report.data_files import to_csv
from ansatz.experiments.report.figure import draw
from ansatz.experiments.report.markdown import to_markdown
from ansatz.experiments.report.section import Chapter
from ansatz.experiments.report.section_text import table_csv
from ansatz.experiments.report.table import ReportData

LISTING = "report_files.txt"
"""Names what the last report of a folder consists of, one file a line."""


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

    Each chapter puts a CSV for every table and a PNG for every figure in its own folder. What an earlier
    report made and this one does not is removed; files that no report made stay.
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
    _remove_stale(folder, {*files[:3], *(folder / name for name in beside), *_files(data.chapters, folder)})
    return files


def _files(chapters: Sequence[Chapter], folder: Path) -> Iterator[Path]:
    """The tables and figures of the chapters."""
    for chapter in chapters:
        for section in chapter.sections:
            yield from (folder / chapter.name / f"{table.name}.csv" for table in section.tables)
            yield from (folder / chapter.name / f"{figure.name}.png" for figure in section.figures)


def _remove_stale(folder: Path, made: Set[Path]) -> None:
    """Remove what the last report listed and this one did not make, then list what this one made."""
    listing = folder / LISTING
    earlier = listing.read_text(encoding="utf-8").splitlines() if listing.exists() else []
    for file in (folder / name for name in earlier):
        if file not in made and file.is_file() and folder.resolve() in file.resolve().parents:
            file.unlink()
            if file.parent != folder and not any(file.parent.iterdir()):
                file.parent.rmdir()
    names = sorted(file.relative_to(folder).as_posix() for file in made)
    listing.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def write_chapter(chapter: Chapter, folder: Path) -> Path:
    """A CSV for every table and a PNG for every figure, into a folder that is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for section in chapter.sections:
        for table in section.tables:
            (folder / f"{table.name}.csv").write_text(table_csv(table), encoding="utf-8")
        for figure in section.figures:
            figure.draw(folder / f"{figure.name}.png")
    return folder
