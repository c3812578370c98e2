"""A run: the folder in which a study's ledger lies, and what can be read from it."""

from __future__ import annotations

import html
import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

<<<<<<< HEAD
from ansatz.experiments.design import StudyError
=======
from ansatz.experiments.background import in_background
>>>>>>> main
from ansatz.experiments.judging import notes_on_judges
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.progress import shown_progress
from ansatz.experiments.results import note_on_isolation, read_results
from ansatz.quantities import nearest

if TYPE_CHECKING:
<<<<<<< HEAD
    from matplotlib.figure import Figure
    from polars import DataFrame

    from ansatz.experiments.ledger import Record
    from ansatz.experiments.report import ReportData, ReportFiles

_DELTAS: dict[str, type] = {
    **dict.fromkeys(("model", "arm", "dimension"), str),
    **dict.fromkeys(("estimate", "low", "high", "p", "p_holm"), float),
    **dict.fromkeys(("pairs", "dropped"), int),
}
_ATTEMPTS: dict[str, type] = {
    **dict.fromkeys(("model", "arm", "problem"), str),
    "repeat": int,
    **dict.fromkeys(("state", "answer", "stop", "error", "messages"), str),
}
=======
    from ansatz.eval import Scorer
    from ansatz.eval.views import Results
>>>>>>> main


@dataclass(frozen=True, init=False)
class Run:
    """What a run folder holds, finished or not: a handle that reads when it is asked.

    Example: `Run("runs/pumps").deltas()`.
    """

    folder: Path

    def __init__(self, folder: str | Path) -> None:
        object.__setattr__(self, "folder", Path(folder))

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many attempts are planned, scored and failed."""
        with Ledger.open(self.folder, write=False) as ledger:
            states = ledger.states()
            return {"planned": ledger.planned(), "scored": states["scored"], "failed": states["error"]}

    @cached_property
    def results(self) -> Results:
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

<<<<<<< HEAD
    @cached_property
    def records(self) -> tuple[Record, ...]:
        """Every finished attempt with its transcript and scores, or its error, in the order of the plan."""
        with Ledger.open(self.folder, write=False) as ledger:
            return tuple(ledger.records())

    def deltas(self) -> DataFrame:
        """Each arm against the baseline: a row for every model, arm and dimension.

        `estimate` is the mean difference over paired problems, with an interval from `low` to `high`, as
        stored (shares, not percent); `p_holm` is `p` adjusted for all comparisons of the model. `dropped`
        counts the problems that are in no pair.
        """
        from polars import DataFrame

        rows = []
        for each in self.results.comparisons:
            delta = each.delta
            interval = (delta.estimate, delta.low, delta.high)
            tests = (delta.p, each.p_holm, delta.pairs, delta.dropped)
            rows.append((each.model, each.arm, each.dimension, *interval, *tests))
        return DataFrame(rows, _DELTAS, orient="row")

    def attempts(self, arm: str | None = None) -> DataFrame:
        """A row for every finished attempt, of one arm or of all: answer, error, conversation, scores, cost.

        `messages` is the conversation as JSON; a column for every dimension follows. Raises StudyError for an
        arm that the run does not have.
        """
        from polars import DataFrame

        arms, dimensions = self.results.arms, self.results.dimensions
        if arm is not None and arm not in arms:
            raise StudyError(f"the run has no arm {arm!r}{nearest(arm, arms)}")
        cells: defaultdict[tuple[object, ...], dict[str, float | None]] = defaultdict(dict)
        for cell in self.results.cells:
            cells[cell.model, cell.arm, cell.problem, cell.repeat][cell.dimension] = cell.value
        rows = []
        for record in self.records:
            if arm in (None, record.arm):
                values = cells[record.model, record.arm, record.problem, record.repeat]
                rows.append((*_about(record), *(values[each] for each in dimensions)))
        return DataFrame(rows, {**_ATTEMPTS, **dict.fromkeys(dimensions, float)}, orient="row")

    def __getitem__(self, arm: str) -> DataFrame:
        return self.attempts(arm)

    @property
    def errors(self) -> DataFrame:
        """The attempts that failed, with the reason: they have no score; the next run tries them again."""
        return self.attempts().filter(state="error").select("model", "arm", "problem", "repeat", "error")

    def plot(self) -> Figure:
        """The forest plot of the deltas: a panel for each dimension, a row for each arm."""
        from ansatz.experiments.report.figure import forest_plot

        return forest_plot(self.results)

    def report(self) -> ReportFiles:
        """Write the report into the folder: report.md, deltas.csv, deltas.png and what chapters add."""
        from ansatz.experiments.report import write_report

        return write_report(self.results, self.folder)

    def _repr_html_(self) -> str:
        table: str = self.deltas()._repr_html_()
        return f"<p>{html.escape(repr(self))}</p>{table}"
=======
    def score(self, *scorers: Scorer) -> Run:
        """Score the kept transcripts again, by these scorers or by the run's own; no arm is asked.

        Example: `Run(Path("runs/pumps")).score(Outcome(), Brevity(words=80))`.
        """
        from ansatz.experiments.rescoring import score_again

        return in_background(score_again(self.folder, shown_progress(self.folder.name), scorers))
>>>>>>> main

    def __repr__(self) -> str:
        stand = "{scored} of {planned} units scored, {failed} failed".format(**self.counts)
        return f"Run({str(self.folder)!r}: {stand})"


def _about(record: Record) -> tuple[str | int | None, ...]:
    """The columns of `_ATTEMPTS`."""
    answered = record.transcript
    said = json.dumps(answered.messages, ensure_ascii=False) if answered else None
    ended = (answered.answer, answered.stop) if answered else (None, None)
    return (record.model, record.arm, record.problem, record.repeat, record.state, *ended, record.error, said)
