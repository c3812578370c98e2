"""The tidy tables of a run as files: attempts, scores and deltas, with a card that dataset hubs read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.experiments.report import deltas_frame, scores_frame
from ansatz.experiments.run import Run

if TYPE_CHECKING:
    from polars import DataFrame

FORMATS: dict[str, Callable[[DataFrame, Path], None]] = {
    "parquet": lambda frame, path: frame.write_parquet(path),
    "csv": lambda frame, path: frame.write_csv(path),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
}
_TABLES = {
    "attempts": "a row for each attempt: answer, conversation as JSON, scores, cost and how it ended",
    "scores": "a row for each attempt and dimension with its value; null where the scorer could not tell",
    "deltas": "a row for each model, arm and dimension: difference from the baseline, interval, p, pairs",
}


def write_tables(run: Path, kind: str, out: Path) -> list[Path]:
    """Write attempts, scores and deltas in one of `FORMATS`, and README.md, which says what they hold.

    Values are as stored: shares of 1, amounts as they are. Raises LedgerError without a run.
    """
    whole = Run(run)
    frames = {
        "attempts": whole.attempts(),
        "scores": scores_frame(whole.results),
        "deltas": deltas_frame(whole.results),
    }
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, frame in frames.items():
        written.append(out / f"{name}.{kind}")
        FORMATS[kind](frame, written[-1])
    (out / "README.md").write_text(_card(whole, kind), encoding="utf-8")
    return [*written, out / "README.md"]


def _card(run: Run, kind: str) -> str:
    """A dataset card: a header that names the tables, then words."""
    data = run.results
    header = "\n".join(f"- config_name: {name}\n  data_files: {name}.{kind}" for name in _TABLES)
    dimensions = "\n".join(
        f"- `{each.name}`: {each.summary or each.scale.name} ({each.better} is better)"
        for each in data.dimensions
    )
    models = ", ".join(f"{each} (simulated)" if each in data.simulated else each for each in data.models)
    tables = "\n".join(f"- `{name}.{kind}`: {what}" for name, what in _TABLES.items())
    return (
        f"---\nconfigs:\n{header}\n---\n\n# {data.title}\n\nA run of Ansatz. Models: {models}. "
        f"Arms: {', '.join(data.arms)}; the baseline is {data.baseline}.\n\n{tables}\n\n"
        f"Dimensions:\n\n{dimensions}\n"
    )
