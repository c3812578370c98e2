"""The page of a run as a static folder. Data are scripts, because a page on disk cannot fetch files."""

from __future__ import annotations

import json
import os
import shutil
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from ansatz.errors import BadInput
from ansatz.experiments.attribution.funnel import has_few_calls, read_tool_use
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.file import private_files
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.results import Results, read_tag, values_of_tag
from ansatz.experiments.view.overview import overview
from ansatz.experiments.view.transcripts import kinds_of_findings, parts

_MOST_VALUES = 60  # of a tag that can be filtered by
_MOST_FAULTS = 31  # bits of a column
_LEAST_PAUSE = 3.0  # seconds between two updates of a live page


Adapt = Callable[[dict[str, Any]], dict[str, Any]]


def _unchanged(overview: dict[str, Any]) -> dict[str, Any]:
    return overview


@private_files()
def write_view(run: Path, out: Path | None = None, *, live: bool = False, adapt: Adapt = _unchanged) -> Path:
    """Write the page of a run, by default into its folder `view`, and return what a browser opens.

    An earlier page is replaced. A `live` page loads newer data while it is open. `adapt` can change what the
    overview shows. Raises LedgerError without a run, and BadInput if the folder has files but no page.
    """
    data = read_results(run)
    folder = out or run / "view"
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "data" / "overview.js").is_file():
        raise BadInput(f"{folder} has files that are not a page; choose another --out")
    (folder / "data").mkdir(parents=True, exist_ok=True)
    (folder / "data" / "overview.js").touch()  # so that an interrupted page can be written again
    with as_file(files(__package__) / "static") as static:
        shutil.copytree(static, folder, dirs_exist_ok=True)
    written = set()
    with Ledger.open(run, write=False) as ledger:
        for name, content in _scripts(data, ledger, live, adapt):
            written.add(path := folder / "data" / f"{name}.js")
            text = json.dumps(json.dumps(content, separators=(",", ":"), allow_nan=False))
            _replace(path, f'ansatz.put("{name}",{text})\n')
    for path in folder.glob("data/*.js"):
        if path not in written:  # of an earlier, larger page
            path.unlink()
    return folder / "index.html"


def watch(
    run: Path, out: Path | None, on_page: Callable[[Path], None], sleep: Callable[[float], None] = time.sleep
) -> None:
    """Update the page until every attempt has an outcome; `on_page` receives its path each time.

    A pause is ten times as long as the writing, so that the run has most of the time.
    """
    live = True
    while live:
        started = time.monotonic()
        with Ledger.open(run, write=False) as ledger:
            live = ledger.count_states().total() < ledger.count_planned()
        on_page(write_view(run, out, live=live))
        if live:
            sleep(max(_LEAST_PAUSE, 10 * (time.monotonic() - started)))


def _replace(path: Path, whole: str) -> None:
    """Replace a file atomically, because the page may be open; an equal file stays untouched."""
    if path.is_file() and path.stat().st_size == len(whole) and path.read_text("ascii") == whole:
        return
    temporary = path.with_suffix(".tmp")
    temporary.write_text(whole, encoding="ascii")
    os.replace(temporary, path)


def _scripts(data: Results, ledger: Ledger, live: bool, adapt: Adapt) -> Iterator[tuple[str, Any]]:
    """Yield the data of each script by name. Texts are strings within a string, never code.

    The stamp comes last: an open page reloads everything if it has changed.
    """
    errors = {each.name: data.values(each.name) for each in data.with_role("error")}
    faults: list[set[str]] = [set() for _ in range(len(data.attempts))]
    ended = np.zeros(len(data.attempts))
    places: list[int] = []  # the part that each problem is in
    tool_use = read_tool_use(data) if has_few_calls(data) and not live else None
    for number, part in enumerate(parts(data, ledger, tool_use)):
        yield f"p{number}", {"texts": part.texts, "problems": part.problems}
        places += [number] * len(part.problems)
        for attempt in (each for problem in part.problems for each in problem["attempts"]):
            row = attempt["row"]
            own = {name for name, values in errors.items() if np.nan_to_num(values[row])}
            faults[row], ended[row] = kinds_of_findings(attempt) | own, attempt["at"]
    yield "problems", _problems(data, places)
    yield "attempts", {**_attempts(data, faults), "at": _packed(ended, "<f8")}
    for number, dimension in enumerate(data.dimensions):
        yield f"d{number}", _packed(data.values(dimension.name), "<f4")
    plans = (ledger.about("manifest") or {}).get("arms") or {}
    about = adapt(overview(data))
    yield "overview", {**about, "plans": plans, "live": live}
    yield "stamp", [about["planned"], about["finished"], about["failed"]]


def _packed(values: np.ndarray, kind: str) -> str:
    return b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()


def _attempts(data: Results, found: list[set[str]]) -> dict[str, Any]:
    """Pack the attempts in columns; stop reasons and faults are numbers in the lists `stops` and `faults`."""
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
    """Describe the problems, with the tags to filter by: those with several values, but not too many."""
    tags = {}
    for tag in dict.fromkeys(tag for problem in data.problem_list for tag in problem.tags):
        values = {value: number for number, value in enumerate(values_of_tag(data.problem_list, tag))}
        if 1 < len(values) <= _MOST_VALUES:
            own = [[values[value] for value in read_tag(problem, tag)] for problem in data.problem_list]
            tags[tag] = {"values": list(values), "of": own}
    return {
        "ids": [problem.id for problem in data.problem_list],
        "families": list(dict.fromkeys(problem.family for problem in data.problem_list)),
        "family": data.family.tolist(),
        "part": places,
        "tags": tags,
    }
