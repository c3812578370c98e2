"""A run as a static folder: data as scripts beside the page, since a page on a disk cannot fetch."""

from __future__ import annotations

import json
import os
import shutil
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from ansatz.errors import AnsatzError
from ansatz.eval.problem import Problem
from ansatz.eval.views import Results, tag_values
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.view.overview import overview
from ansatz.experiments.view.transcripts import faults, parts

_MOST_VALUES = 60  # of a tag that can be filtered by
_MOST_FAULTS = 31  # bits of a column
_PATIENCE = 3.0  # seconds between two looks at a run that lasts


class ViewError(AnsatzError):
    """The page cannot be written where it is wanted; the message says why."""


def write_view(run: Path, out: Path | None = None, *, live: bool = False) -> Path:
    """Write the page of a run, by default into its folder `view`, and return what a browser opens.

    What is there of an earlier page is replaced. A `live` page looks for newer data while it is open. Raises
    LedgerError without a run, and ViewError where the folder holds something else than a page.
    """
    data = read_results(run)
    folder = out or run / "view"
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "data" / "overview.js").is_file():
        raise ViewError(f"{folder} holds something else than a page; choose another --out")
    pages = _Files(folder / "data")
    with as_file(files(__package__) / "static") as static:
        shutil.copytree(static, folder, dirs_exist_ok=True)
    about = overview(data)
    with Ledger.open(run, write=False) as ledger:
        manifest = ledger.about("manifest") or {}
        about["plans"] = manifest.get("arms") or {}
        places, found, ended = _write_parts(pages, data, ledger)
    pages.write("problems", _problems(data, places))
    pages.write("attempts", {**_attempts(data, found), "at": _packed(ended, "<f8")})
    for number, dimension in enumerate(data.dimensions):
        pages.write(f"d{number}", _packed(data.values(dimension.name), "<f4"))
    pages.write("overview", {**about, "live": live})
    pages.write("stamp", [about["planned"], about["finished"], about["failed"]])
    pages.remove_others()
    return folder / "index.html"


def watch(
    run: Path, out: Path | None, tell: Callable[[Path], None], sleep: Callable[[float], None] = time.sleep
) -> None:
    """Write the page anew while the run goes on, until every unit has an outcome; `tell` hears of each page.

    Most of the time is left to the run: a pause is ten times as long as the writing took.
    """
    live = True
    while live:
        started = time.monotonic()
        with Ledger.open(run, write=False) as ledger:
            live = ledger.states().total() < ledger.planned()
        tell(write_view(run, out, live=live))
        if live:
            sleep(max(_PATIENCE, 10 * (time.monotonic() - started)))


class _Files:
    """Scripts that hand their data to the page. A text in them is a string in a string, never code."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._written: set[str] = set()

    def write(self, name: str, content: Any) -> None:
        text = json.dumps(json.dumps(content, separators=(",", ":"), allow_nan=False))
        path = self._folder / f"{name}.js"
        self._written.add(path.name)
        whole = f'ansatz.put("{name}",{text})\n'
        if path.is_file() and path.stat().st_size == len(whole) and path.read_text("ascii") == whole:
            return
        beside = path.with_suffix(".tmp")
        beside.write_text(whole, encoding="ascii")
        os.replace(beside, path)

    def remove_others(self) -> None:
        """What an earlier, larger page had."""
        for path in self._folder.glob("*.js"):
            if path.name not in self._written:
                path.unlink()


def _packed(values: np.ndarray, kind: str) -> str:
    return b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()


def _write_parts(
    pages: _Files, data: Results, ledger: Ledger
) -> tuple[list[int], list[set[str]], np.ndarray]:
    """The part that each problem is in, and for each attempt its faults and when it ended."""
    errors = [each.name for each in data.of_role("error")]
    columns = {name: data.values(name) for name in errors}
    found: list[set[str]] = [set() for _ in range(len(data.attempts))]
    ended = np.zeros(len(data.attempts))
    places: list[int] = []
    for number, part in enumerate(parts(data, ledger)):
        pages.write(f"p{number}", part.to_json())
        places += [number] * len(part.problems)
        for attempt in (each for problem in part.problems for each in problem["attempts"]):
            row = attempt["row"]
            values = {name: float(np.nan_to_num(column[row])) for name, column in columns.items()}
            found[row], ended[row] = faults(attempt, values), attempt["at"]
    return places, found, ended


def _attempts(data: Results, found: list[set[str]]) -> dict[str, Any]:
    """A row an attempt, in packed columns; words are numbers in the lists beside."""
    attempts = data.attempts
    ends = ["error" if error else stop for error, stop in zip(attempts.error, attempts.stop, strict=True)]
    stops = list(dict.fromkeys(ends))
    numbers = {stop: number for number, stop in enumerate(stops)}
    common = Counter(fault for each in found for fault in each).most_common(_MOST_FAULTS)
    bits = {fault: 1 << number for number, (fault, _) in enumerate(common)}
    masks = [sum(bits.get(fault, 0) for fault in each) for each in found]
    return {
        "rows": len(attempts),
        "stops": stops,
        "faults": list(bits),
        "model": _packed(attempts.model, "<u1"),
        "arm": _packed(attempts.arm, "<u2"),
        "problem": _packed(attempts.problem, "<u4"),
        "repeat": _packed(attempts.repeat, "<u2"),
        "stop": _packed(np.array([numbers[each] for each in ends]), "<u1"),
        "fault": _packed(np.array(masks, dtype=np.uint32), "<u4"),
    }


def _problems(data: Results, places: list[int]) -> dict[str, Any]:
    families = list(dict.fromkeys(data.families.values()))
    numbers = {family: number for number, family in enumerate(families)}
    return {
        "ids": [problem.id for problem in data.asked],
        "families": families,
        "family": [numbers[problem.family] for problem in data.asked],
        "part": places,
        "tags": {tag: _tag(data.asked, tag) for tag in _filterable(data.asked)},
    }


def _tag(problems: Iterable[Problem], tag: str) -> dict[str, Any]:
    """The values of a tag, and by problem the numbers of those it has."""
    own = [tag_values(problem, tag) for problem in problems]
    values = {value: number for number, value in enumerate(dict.fromkeys(v for each in own for v in each))}
    return {"values": list(values), "of": [[values[value] for value in each] for each in own]}


def _filterable(problems: Iterable[Problem]) -> list[str]:
    """Tags of several values, but not of one for nearly every problem; the set of origin is one too."""
    seen: dict[str, set[str]] = {}
    for problem in problems:
        for tag in problem.tags:
            seen.setdefault(tag, set()).update(tag_values(problem, tag))
    return [tag for tag, values in seen.items() if 1 < len(values) <= _MOST_VALUES]
