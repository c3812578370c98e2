"""Start or resume a run: from a study file or a run folder to a finished ledger."""

from __future__ import annotations

import json
import sqlite3
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ansatz.experiments.config import Study, load_study, study_of_run
from ansatz.experiments.judging import notes_on_judges
from ansatz.experiments.ledger_file import LedgerError
from ansatz.experiments.manifest import manifest
from ansatz.experiments.prepare import Prepared, StudyError, prepare
from ansatz.experiments.record import State
from ansatz.experiments.results import note_on_isolation
from ansatz.experiments.run import rescore, run
from ansatz.experiments.store import Ledger
from ansatz.experiments.yaml_file import place


class Progress(Protocol):
    """Told how much there is to do and of each outcome; shown while the run lasts."""

    def begin(self, total: int, done: int) -> AbstractContextManager[object]: ...

    def advance(self, state: State) -> None: ...


@dataclass(frozen=True)
class Outcome:
    """How a run stands: units planned, scored and failed, the folder that holds it, and what judges took."""

    folder: Path
    planned: int
    scored: int
    errors: int
    notes: tuple[str, ...] = ()


async def launch(source: Path, out: Path | None, limit: int | None, progress: Progress) -> Outcome:
    """Run the study at `source` (a YAML file, or a run folder to resume) into `out`.

    The default folder is runs/<study name>. Units that the folder already holds are not done again.
    """
    if source.is_dir():
        if out and out.resolve() != source.resolve():
            raise StudyError(f"{source} is a run and is resumed where it is; --out is for a study file")
        folder, prepared = source, _resumed(source, limit)
    else:
        study = load_study(source)
        folder = out or Path("runs") / study.name
        try:
            prepared = prepare(study, limit=limit)
        except StudyError as failure:
            raise StudyError(f"{place(source, failure.path)}: {failure}") from failure
    try:
        with Ledger.open(folder) as ledger:
            await _fill(ledger, prepared, folder, progress)
            return _outcome(ledger, folder)
    except (sqlite3.Error, OSError) as failure:
        why = failure.strerror if isinstance(failure, OSError) else failure
        kept = "what is finished is kept; the same command goes on from there"
        raise LedgerError(f"{folder} cannot be written: {why}; {kept}") from failure


def study_at(source: Path) -> Study:
    """The study in a YAML file, or the one that a run folder holds."""
    if not source.is_dir():
        return load_study(source)
    with Ledger.open(source, write=False) as kept:
        return study_of_run(kept.about("study"), source)


def _resumed(folder: Path, limit: int | None) -> Prepared:
    with Ledger.open(folder, write=False) as kept:
        study = study_of_run(kept.about("study"), folder)
        try:
            return prepare(study, problems=kept.problems(), limit=limit)
        except StudyError as failure:
            raise StudyError(f"{folder}: {failure}") from failure


async def _fill(ledger: Ledger, prepared: Prepared, folder: Path, progress: Progress) -> None:
    study = prepared.study.model_dump(mode="json")
    held = ledger.about("study")
    if held and held["name"] != study["name"]:
        raise StudyError(
            f"{folder} holds the study {held['name']!r}, not {study['name']!r}; choose another --out"
        )
    ledger.plan(prepared.units, prepared.problems.values())
    dimensions = [name for scorer in prepared.scorers for name in scorer.dimensions]
    scored_by = {"scorers": study["scorers"], "dimensions": dimensions}
    if held and ledger.about("scored_by") != scored_by:
        ledger.describe({"scored_by": None})  # if this is broken off, all is scored again
        with progress.begin(ledger.states().count("scored"), 0):
            await rescore(prepared, ledger, progress.advance)
    about = manifest(prepared)
    ledger.describe({"study": study, "manifest": about, "scored_by": scored_by})
    (folder / "manifest.json").write_text(json.dumps(about, indent=2, ensure_ascii=False), encoding="utf-8")
    done = ledger.finished() & {unit.key for unit in prepared.units}
    with progress.begin(len(prepared.units), len(done)):
        await run(prepared, ledger, progress.advance)


def _outcome(ledger: Ledger, folder: Path) -> Outcome:
    states = ledger.states()
    counts = (ledger.planned(), states.count("scored"), states.count("error"))
    aside = ledger.set_aside()
    left_out = (
        [f"{aside} finished units of an earlier plan are kept, but in no count or report."] if aside else []
    )
    return Outcome(folder, *counts, (*notes_on_judges(ledger), *note_on_isolation(ledger), *left_out))
