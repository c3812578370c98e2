"""A run: the folder in which a study's ledger lies, and what can be read from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.experiments.background import in_background
from ansatz.experiments.judging import notes_on_judges
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.progress import shown_progress
from ansatz.experiments.results import note_on_isolation, read_results

if TYPE_CHECKING:
    from ansatz.eval import Scorer
    from ansatz.experiments.report import ReportData


@dataclass(frozen=True)
class Run:
    """What a run folder holds, finished or not: a handle that reads when it is asked.

    Example: `Run(Path("runs/pumps")).deltas()`.
    """

    folder: Path

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many attempts are planned, scored and failed."""
        with Ledger.open(self.folder, write=False) as ledger:
            states = ledger.states()
            return {"planned": ledger.planned(), "scored": states["scored"], "failed": states["error"]}

    @cached_property
    def results(self) -> ReportData:
        """All that a report is made from."""
        return read_results(self.folder)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What somebody should know beside the counts: what judges took, how code ran, what lies aside."""
        with Ledger.open(self.folder, write=False) as ledger:
            aside = ledger.set_aside()
            left_out = f"{aside} finished units of an earlier plan are kept, but in no count or report."
            notes = (*notes_on_judges(ledger), *note_on_isolation(ledger))
            return (*notes, *([left_out] if aside else []))

    def score(self, *scorers: Scorer) -> Run:
        """Score the kept transcripts again, by these scorers or by the run's own; no arm is asked.

        Example: `Run(Path("runs/pumps")).score(Outcome(), Brevity(words=80))`.
        """
        from ansatz.experiments.rescoring import score_again

        return in_background(score_again(self.folder, shown_progress(self.folder.name), scorers))

    def __repr__(self) -> str:
        stand = "{scored} of {planned} units scored, {failed} failed".format(**self.counts)
        return f"Run({str(self.folder)!r}: {stand})"
