"""Write a report: Markdown, CSV and figures; and its numbers as JSON."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import Any, NamedTuple

from ansatz.experiments.ledger.file import private_files
from ansatz.experiments.report.chapters import (
    benchmark_chapters,
    markdown_chapters,
    report_chapters,
    run_chapters,
)
from ansatz.experiments.report.comparisons import describe_threshold
from ansatz.experiments.report.deltas import delta_records, deltas_csv, plot_headlines
from ansatz.experiments.report.stop_reasons import count_finished, list_warnings
from ansatz.experiments.report.stopped_arms import describe_stopping, stopping_record
from ansatz.experiments.report.text import chapter_json, chapter_markdown, literal, table_csv
from ansatz.experiments.report.what_helped import what_helped
from ansatz.experiments.results import Results

LISTING = "report_files.txt"
"""This file lists the files of the last report, one per line."""

PROVISIONAL = "Differences are provisional: an incomplete run is not tested and has no stars."


class ReportFiles(NamedTuple):
    """The files of a report; `further` are the folders of its chapters."""

    markdown: Path
    csv: Path
    figure: Path
    further: tuple[Path, ...] = ()

    def listed(self) -> str:
        """Return the paths in one line."""
        return ", ".join(map(str, (self.markdown, self.csv, self.figure, *self.further)))


@private_files()
def write_report(data: Results, folder: Path, *, full: bool = False) -> ReportFiles:
    """Write report.md, deltas.csv and deltas.png into the folder, replacing earlier ones.

    Without `full`, report.md has no details if the study is small, and no table that shows nothing unusual.
    Each chapter has a folder with a CSV for every table and a PNG for every figure. Stale files of an earlier
    report are removed; other files stay.
    """
    from ansatz.experiments.report.charts import write_png

    folder.mkdir(parents=True, exist_ok=True)
    every = report_chapters(data)
    further = tuple(folder / chapter.name for chapter in every)
    files = ReportFiles(folder / "report.md", folder / "deltas.csv", folder / "deltas.png", further)
    made = set(files[:3])
    for chapter, own in zip(every, further, strict=True):
        own.mkdir(exist_ok=True)
        for section in chapter.sections:
            for table in section.tables:
                made.add(own / table.file)
                (own / table.file).write_text(table_csv(table), encoding="utf-8")
            for figure in section.figures:
                made.add(own / figure.file)
                write_png(figure, own / figure.file)
    files.markdown.write_text(to_markdown(data, full=full), encoding="utf-8")
    files.csv.write_text(deltas_csv(data), encoding="utf-8")
    if data.with_role("quality"):
        write_png(plot_headlines(data), files.figure)
    _remove_stale(folder, made)
    return files


def _remove_stale(folder: Path, made: Set[Path]) -> None:
    """Remove the files that only the last report wrote, then list the files of this one."""
    listing = folder / LISTING
    earlier = listing.read_text(encoding="utf-8").splitlines() if listing.exists() else []
    for file in (folder / name for name in earlier):
        if file not in made and file.is_file() and folder.resolve() in file.resolve().parents:
            file.unlink()
            if file.parent != folder and not any(file.parent.iterdir()):
                file.parent.rmdir()
    names = sorted(file.relative_to(folder).as_posix() for file in made)
    listing.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def to_markdown(data: Results, *, full: bool = False) -> str:
    warned = [f"> **{line.replace('Warning:', 'Warning:**', 1)}" for line in list_warnings(data)]
    blocks = [f"# {data.title}", *warned]
    if data.simulated:
        blocks.append(
            f"> **Simulated.** {', '.join(sorted(data.simulated))} is a rule-based offline solver, not a "
            "language model. Its results only show that the measurement works."
        )
    blocks += [_overview(data), *what_helped(data)]
    blocks += ["\n".join(f"- {line}" for line in describe_stopping(data))] * bool(describe_stopping(data))
    blocks += ["![Deltas](deltas.png)"] * bool(data.with_role("quality"))
    blocks += data.notes
    chapters, left_out = markdown_chapters(data, full)
    blocks += [block for chapter in chapters for block in chapter_markdown(chapter)]
    if left_out:
        blocks.append(f"Left out: {'; '.join(left_out)}. `ansatz report RUN --full` writes them here, too.")
    return literal("\n\n".join([*blocks, _method(data)])) + "\n"


def _overview(data: Results) -> str:
    done = count_finished(data)
    asked = set(data.attempts.problem.tolist())
    families = {data.problem_list[place].family for place in asked}
    repeats = len(set(data.attempts.repeat.tolist()))
    lines = [
        f"{_count(len(asked), 'problem')} of {_count(len(families), 'family')}, "
        f"{_count_arms(data)}, {_count(repeats, 'repeat')}: {done} of "
        f"{data.planned} attempts finished, {len(data.attempts) - done} failed."
    ]
    if done < data.planned:
        lines.append("**The run is not complete**; resume it with `ansatz run`.")
    if not data.is_complete:
        lines.append(PROVISIONAL)
    return " ".join(lines)


def _method(data: Results) -> str:
    adjusted = "after Westfall and Young" if data.correction == "westfall-young" else "after Holm"
    threshold = describe_threshold(data)
    if data.screened:
        what = (
            "An effect is the least-squares coefficient of a switch in the differences within pairs of "
            "attempts; pairs not scored in both attempts are dropped. Every pair has equal weight; "
        )
    else:
        what = (
            f"A difference is the mean over problems of arm − {data.baseline}, repeats averaged first, over "
            "the n problems scored in both; problems not scored in both are dropped. Every problem has equal "
            "weight; "
        )
    return (
        f"## How to read this\n\n{what}"
        "the results generalize to further families of such problems. Brackets are intervals from "
        f"{data.resamples} resamples of whole problem families (seed {data.seed}) that hold at "
        f"{data.whole_level:.0%} for all comparisons of a kind at once; p is from sign flips of whole "
        f"families, adjusted {adjusted} for all models, arms and dimensions (resources separately, by their "
        "ratios; seconds are not tested). **Bold** differences have an interval that excludes zero (for "
        f"resources, that of the ratio) and p < {threshold}. Every column names its scale. In the figure, "
        f"grey intervals include zero and filled circles have p < {threshold}. More in docs/statistics.md."
    )


def _count_arms(data: Results) -> str:
    if data.screened:
        return f"pairs of settings of {_count(len(data.screened), 'switch')}"
    return _count(len(data.arms), "arm")


def _count(number: int, thing: str) -> str:
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + ("es" if thing.endswith("ch") else "s")
    return f"{number} {thing if number == 1 else plural}"


def to_json(data: Results) -> dict[str, Any]:
    return {
        "title": data.title,
        "models": list(data.models),
        "simulated": sorted(data.simulated),
        "baseline": data.baseline,
        "arms": list(data.arms),
        "planned": data.planned,
        "notes": list(data.notes),
        **({"stopping": stopping_record(data)} if data.analysed else {}),
        "warnings": list_warnings(data),
        "level": data.level,
        "seed": data.seed,
        "resamples": data.resamples,
        "dimensions": [each.to_json() for each in data.dimensions],
        "comparisons": delta_records(data),
        "errors": [
            dict(
                zip(("model", "arm", "problem", "repeat"), data.attempt_keys[row], strict=True), reason=reason
            )
            for row, reason in enumerate(data.attempts.error)
            if reason
        ],
        "chapters": [chapter_json(chapter) for chapter in benchmark_chapters(data)],
        "views": [chapter_json(chapter) for chapter in run_chapters(data)],
    }
