"""Write the tidy tables of a run: attempts, scores and deltas, with a dataset card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.experiments.ledger.file import private_files
from ansatz.experiments.report import deltas_frame, score_frames
from ansatz.experiments.report.text import csv_cell
from ansatz.experiments.run import Run

if TYPE_CHECKING:
    from polars import DataFrame, LazyFrame

FORMATS: dict[str, Callable[[LazyFrame, Path], Any]] = {
    "parquet": lambda table, path: table.sink_parquet(path),
    "csv": lambda table, path: table.sink_csv(path),
    "jsonl": lambda table, path: table.sink_ndjson(path),
}
_CSV_NOTE = (
    "\nA text cell that begins with =, +, -, @, a tab or a line break has an apostrophe in front, so that no "
    "spreadsheet runs it; control characters are shown as visible signs. Parquet and JSONL hold texts as "
    "they are.\n"
)
_ROWS = 20_000  # in memory at once
_TABLES = {
    "attempts": "a row for each attempt: question, reference, answer, values read, conversation, scores",
    "scores": "a row for each attempt and dimension: value (null if the scorer gave none) and evidence",
    "deltas": "a row for each model, arm and dimension: difference from the baseline, interval, p, pairs",
}


@private_files()
def write_tables(run: Run, kind: str, out: Path) -> list[Path]:
    """Write attempts, scores and deltas in one of `FORMATS`, and README.md, which describes them.

    Values are as stored: shares of 1, amounts as they are. Raises LedgerError without a run.
    """
    tables = {
        "attempts": run.attempt_frames(_ROWS),
        "scores": score_frames(run.results, _ROWS),
        "deltas": [deltas_frame(run.results)],
    }
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, frames in tables.items():
        written.append(out / f"{name}.{kind}")
        FORMATS[kind](_stream_frames(map(_escape_frame, frames) if kind == "csv" else frames), written[-1])
    (out / "README.md").write_text(_make_card(run, kind), encoding="utf-8")
    return [*written, out / "README.md"]


def _escape_frame(frame: DataFrame) -> DataFrame:
    """Convert texts by `csv_cell`."""
    from polars import Series, String

    texts = [column for column in frame if column.dtype == String]
    return frame.with_columns(Series(text.name, map(csv_cell, text), String) for text in texts)


def _stream_frames(frames: Iterable[DataFrame]) -> LazyFrame:
    """Make a lazy frame that is written frame by frame; it can be read once."""
    from polars.io.plugins import register_io_source

    rest = iter(frames)
    first = next(rest)

    def source(
        columns: list[str] | None, predicate: object, rows: int | None, size: int | None
    ) -> Iterator[DataFrame]:
        for frame in chain([first], rest):
            yield frame if columns is None else frame.select(columns)

    return register_io_source(source, schema=first.schema)


def _make_card(run: Run, kind: str) -> str:
    """Make a dataset card: a header that names the tables, then a description."""
    data = run.results
    header = "\n".join(f"- config_name: {name}\n  data_files: {name}.{kind}" for name in _TABLES)
    dimensions = "\n".join(
        f"- `{each.name}`: {each.summary or each.scale.name} ({each.better} is better)"
        for each in data.dimensions
    )
    models = ", ".join(map(data.display_name, data.models))
    tables = "\n".join(f"- `{name}.{kind}`: {what}" for name, what in _TABLES.items())
    return (
        f"---\nconfigs:\n{header}\n---\n\n# {data.title}\n\nA run of Ansatz. Models: {models}. "
        f"Arms: {', '.join(data.arms)}; the baseline is {data.baseline}.\n\n{tables}\n\n"
        f"Dimensions:\n\n{dimensions}\n{_CSV_NOTE if kind == 'csv' else ''}"
    )
