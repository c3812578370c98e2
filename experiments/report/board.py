"""A static page of several runs: models and arms by set, with ranges of ranks, manifests and hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

from ansatz.errors import BadInput
from ansatz.experiments.ledger import Ledger, canonical_hash
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.comparisons import headline_dimensions
from ansatz.experiments.report.ranking import rank_systems
from ansatz.experiments.results import Results, safe_file_name

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;display:block;overflow-x:auto}th,td{padding:.3rem .8rem;text-align:right;"
    "border-bottom:1px solid #ddd;white-space:nowrap}th:first-child,td:first-child{text-align:left}"
    "small,.soft{color:#666}code{overflow-wrap:anywhere}h2{margin-top:2.5rem}"
)
_NOTE = (
    "Means have an interval over problem families. A range of ranks has 95 % of the resamples of families, "
    "within one set; overlapping ranges do not distinguish systems. Means and ranks of different sets do not "
    "compare: the problems differ."
)


@dataclass(frozen=True)
class BoardRow:
    """A system on one set."""

    model: str
    arm: str
    simulated: bool
    mean: float | None
    """On the scale of the dimension; so are the ends of its interval."""
    low: float | None
    high: float | None
    rank: int
    rank_low: int | None
    """The ends of the range of the rank; None with fewer than two families."""
    rank_high: int | None


@dataclass(frozen=True)
class BoardSet:
    """A run on a board."""

    name: str
    dimension: str
    scale: str
    problems: int
    """Problems that every system has a score for."""
    families: int
    attempts: int
    complete: bool
    manifest: str
    """The file of the manifest."""
    manifest_sha256: str
    problems_sha256: str
    scores_sha256: str
    """Hash of every attempt with its score."""
    standings: tuple[BoardRow, ...]


def write_board(runs: Sequence[Path], out: Path) -> tuple[Path, tuple[BoardSet, ...]]:
    """Write the page, `board.json` and the manifests of runs into a folder. Returns the page and its sets.

    Raises BadInput for a folder that has files but no board, and LedgerError for a folder without a run.
    """
    if out.is_dir() and any(out.iterdir()) and not (out / "board.json").is_file():
        raise BadInput(f"{out} has files that are not a board; choose another --out")
    names: list[str] = []
    for run in runs:
        name, number = safe_file_name(run.resolve().name), 2
        while name in names:
            name, number = f"{safe_file_name(run.resolve().name)}-{number}", number + 1
        names.append(name)
    found = [_read_set(run, name) for run, name in zip(runs, names, strict=True)]
    (out / "manifests").mkdir(parents=True, exist_ok=True)
    for each, manifest in found:
        (out / each.manifest).write_text(manifest, encoding="utf-8")
    sets = tuple(each for each, _ in found)
    content = json.dumps({"sets": [asdict(each) for each in sets]}, indent=2, ensure_ascii=False)
    (out / "board.json").write_text(content, encoding="utf-8")
    (out / "index.html").write_text(_format_page(sets), encoding="utf-8")
    return out / "index.html", sets


def _read_set(run: Path, name: str) -> tuple[BoardSet, str]:
    """Return a run as a set, and its manifest as text."""
    with Ledger.open(run, write=False) as ledger:
        manifest: dict[str, Any] = ledger.about("manifest") or {}
    data = read_results(run)
    dimensions = headline_dimensions(data)
    if not dimensions:
        raise BadInput(f"{run}: the run measures no quality, so it has no ranks")
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    dimension, scale = dimensions[0], dimensions[0].scale
    ranked = rank_systems(data, dimension)
    standings = [
        BoardRow(
            *_name_system(data, system.model, system.arm),
            simulated=system.model in data.simulated,
            mean=scale.to_number(mean.value),
            low=scale.to_number(mean.low),
            high=scale.to_number(mean.high),
            rank=int(rank.value or 0),
            rank_low=None if rank.low is None else int(rank.low),
            rank_high=None if rank.high is None else int(rank.high),
        )
        for system, (mean, rank) in ranked.items()
    ]
    scores = zip(data.attempt_keys, map(repr, data.values(dimension.name).tolist()), strict=True)
    about = BoardSet(
        name=name,
        dimension=dimension.name,
        scale=scale.name,
        problems=max((mean.n or 0 for mean, _ in ranked.values()), default=0),
        families=len(set(data.family.tolist())),
        attempts=len(data.attempts),
        complete=data.is_complete,
        manifest=f"manifests/{name}.json",
        manifest_sha256=hashlib.sha256(text.encode()).hexdigest(),
        problems_sha256=str(manifest.get("problems", {}).get("sha256", "")),
        scores_sha256=canonical_hash(sorted([*key, value] for key, value in scores)),
        standings=tuple(standings),
    )
    return about, text


def _name_system(data: Results, model: str, arm: str) -> tuple[str, str]:
    """Return model and arm; the arms of a table that compares models are its models."""
    return (arm, "") if data.imported == "models" else (model, arm)


def _format_page(sets: Sequence[BoardSet]) -> str:
    parts = ["<h1>Board</h1>", f"<p>{escape(_NOTE)}</p>"]
    if len(sets) > 1:
        parts.append(_format_matrix(sets))
    for each in sets:
        rows = [[_format_name(row), _format_mean(row), _format_rank(row)] for row in each.standings]
        state = "" if each.complete else " The run is not complete."
        parts += [
            f"<h2>{escape(each.name)}</h2>",
            f"<p>{each.problems:,} problems that every system has a score for, {each.families:,} families, "
            f"{each.attempts:,} attempts.{state}</p>",
            _format_table(["system", f"{each.dimension} ({each.scale})", "rank"], rows),
            f'<p><small><a href="{escape(each.manifest)}">manifest</a> sha256 '
            f"<code>{each.manifest_sha256}</code><br>"
            f"problems sha256 <code>{escape(each.problems_sha256)}</code><br>"
            f"scores sha256 <code>{each.scores_sha256}</code></small></p>",
        ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Board</title><style>{_STYLE}</style>{''.join(parts)}</html>\n"
    )


def _format_matrix(sets: Sequence[BoardSet]) -> str:
    """Return the table of all systems by set: mean and range of the rank."""
    by_set = [{(row.model, row.arm): row for row in each.standings} for each in sets]
    systems = dict.fromkeys(place for own in by_set for place in own)
    rows = []
    for place in systems:
        found = [own.get(place) for own in by_set]
        name = _format_name(next(row for row in found if row is not None))
        rows.append(
            [
                name,
                *(
                    "–" if row is None else f"{_format_mean(row)}<br>rank {_format_rank(row)}"
                    for row in found
                ),
            ]
        )
    return _format_table(["system", *(each.name for each in sets)], rows)


def _format_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{lines}</table>"


def _format_name(row: BoardRow) -> str:
    arm = f', <span class="soft">{escape(row.arm)}</span>' if row.arm else ""
    return f"{escape(row.model)}{arm}{' <small>(simulated)</small>' if row.simulated else ''}"


def _format_mean(row: BoardRow) -> str:
    if row.mean is None:
        return "–"
    ends = "" if row.low is None else f' <span class="soft">[{row.low:.1f}, {row.high:.1f}]</span>'
    return f"{row.mean:.1f}{ends}"


def _format_rank(row: BoardRow) -> str:
    if row.rank_low is None or row.rank_low == row.rank_high:
        return str(row.rank)
    return f"{row.rank_low} to {row.rank_high}"
