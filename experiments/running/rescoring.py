"""Score the stored transcripts of a run again. This makes no new answers, and needs only the run folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ansatz.agents.credentials import mask_credentials
from ansatz.errors import LedgerError, StudyError
from ansatz.eval import Scorer
from ansatz.experiments.design import resolution, study_file
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.scorers import connect_judges
from ansatz.experiments.design.study_file import Choice
from ansatz.experiments.design.study_settings import StudySettings
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.file import reporting_write_errors
from ansatz.experiments.running.manifest import describe_scoring, write_manifest
from ansatz.experiments.running.progress import Progress
from ansatz.experiments.running.runner import rescore


async def score_again(
    folder: Path, progress: Progress, scorers: Sequence[Scorer] = (), choices: Sequence[Choice] = ()
) -> None:
    """Score with these scorers or named choices; without either, with the run's scorers.

    They are stored as the run's scorers, so that a resumed run and its report use them. Raises LedgerError,
    StudyError, and RunStopped after repeated identical failures.
    """
    with Ledger.open(folder, write=False) as ledger:
        study, source = ledger.about("study"), ledger.about("source")
        if study is None:
            raise LedgerError(f"{folder}: the run was interrupted before its first attempt")
    with reporting_write_errors(folder), Ledger.open(folder) as ledger:
        stored, base = study_file.read_stored_study(source, folder) if source else (None, Path())
        if not scorers:
            if not choices and stored is None:
                raise StudyError(f"{folder}: this run was started from Python; name its scorers")
            choices = choices or (stored.scorers if stored else ())
            scorers = resolution.load_scorers(choices, base)
            if source:
                source["file"]["scorers"] = mask_credentials(choices)
        reading = resolution.load_answer_reader(stored, base) if stored else None
        judges = connect_judges(scorers, reading)
        settings = StudySettings.model_construct(name=study["name"], answer_reader=reading)
        design = Design(
            settings=settings,
            models={},
            arms={},
            problems=ledger.problems(),
            scorers=scorers,
            judges=judges,
        )
        scoring = {key: design.describe()[key] for key in ("dimensions", "scorers", "judges")}
        whole = {**ledger.about("manifest"), "study": {**study, **scoring}, **describe_scoring(design)}
        # Without `scored_by`, a resumed run scores everything again after an interruption.
        ledger.describe({"source": source, "scored_by": None})
        write_manifest(whole, ledger, folder)
        with progress.begin(len(ledger.planned_attempts(answered=True)), 0):
            await rescore(design, ledger, progress.advance)
        ledger.describe({"scored_by": design.scored_by})
