"""A run: the folder with a study's ledger, and its results."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.errors import StudyError
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.prices import format_bill, read_bill
from ansatz.experiments.ledger.stored_results import (
    StoredTexts,
    describe_isolation,
    describe_judges,
    describe_repeats,
    read_results,
)
from ansatz.experiments.running.background import in_background
from ansatz.experiments.running.progress import make_progress
from ansatz.quantities import nearest

if TYPE_CHECKING:
    from polars import DataFrame
    from rich.console import Console

    from ansatz.eval import Scorer
    from ansatz.experiments.report import ReportFiles
    from ansatz.experiments.report.charts import Plot
    from ansatz.experiments.results import Results


_WIDTH = 100  # characters


def _state(folder: Path) -> tuple[tuple[int, int, int], ...] | None:
    """Return a value that changes with every commit to the ledger; None without a ledger."""
    files = [folder / f"ledger.sqlite{suffix}" for suffix in ("", "-wal")]
    found = [each.stat() for each in files if each.is_file()]
    return tuple((each.st_ino, each.st_size, each.st_mtime_ns) for each in found) or None


@dataclass(frozen=True, init=False)
class Run:
    """A run folder, finished or not. Each property reads the present state of the ledger.

    Example: `Run("runs/pumps").deltas()`.
    """

    folder: Path

    def __init__(self, folder: str | Path) -> None:
        object.__setattr__(self, "folder", Path(folder))

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of planned, scored and failed attempts."""
        with Ledger.open(self.folder, write=False) as ledger:
            states = ledger.count_states()
            return {"planned": ledger.count_planned(), "scored": states["scored"], "failed": states["error"]}

    @property
    def results(self) -> Results:
        """The data of a report. They are read again if the ledger has changed."""
        state = _state(self.folder)
        if state is None or vars(self).get("_read_at") != state:
            vars(self).update(_read=read_results(self.folder), _read_at=state)
        found: Results = vars(self)["_read"]
        return found

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that affect all numbers: many answers are truncated, empty or refused."""
        from ansatz.experiments.report.stop_reasons import warn_of_lost_answers

        with Ledger.open(self.folder, write=False) as ledger:
            return tuple(warn_of_lost_answers(ledger.count_stop_reasons()))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on cost, judges, isolation of code, and attempts outside the plan."""
        with Ledger.open(self.folder, write=False) as ledger:
            bill = format_bill(read_bill(ledger))
            notes = [f"Paid: {bill}."] if bill else []
            notes += [*describe_repeats(ledger), *describe_judges(ledger), *describe_isolation(ledger)]
            further = (ledger.about("repeats") or {"flags": 0})["flags"]
            if (unplanned := ledger.count_unplanned() - further) > 0:
                notes.append(
                    f"{unplanned} finished attempts of an earlier plan are stored, but not reported."
                )
            return tuple(notes)

    def contrast(self, arm: str, against: str) -> DataFrame:
        """Compare one arm with another, as `deltas` does. p is adjusted for all arms compared with it.

        Example: `Run("runs/pumps").contrast("rag", "placebo")`. Raises BadInput.
        """
        from ansatz.experiments.report import deltas_frame

        self.results.with_baseline(arm)
        return deltas_frame(self.results.with_baseline(against)).filter(arm=arm)

    @property
    def spending(self) -> DataFrame:
        """Requests, tokens and dollars by model and arm, and by judge (`arm` is then "(judge)").

        Requests of failed attempts are included, simulated models are not. Unknown `dollars` are null.
        """
        from polars import DataFrame

        with Ledger.open(self.folder, write=False) as ledger:
            return DataFrame([each.to_row() for each in read_bill(ledger)], infer_schema_length=None)

    @property
    def per_solved(self) -> DataFrame:
        """The cost per solved problem by model and arm: dollars of all attempts per attempt with full score.

        `low` and `high` are the ends of Fieller's interval over families; null if there is none.
        """
        from polars import DataFrame

        from ansatz.experiments.report.cost import per_solved

        return DataFrame(per_solved(self.results), infer_schema_length=None)

    def deltas(self) -> DataFrame:
        """Compare each arm with the baseline: a row for every model, arm and dimension.

        `estimate` is the mean difference over paired problems as stored (shares, not percent), with its
        interval from `low` to `high`. `p_adjusted` is adjusted for all comparisons after Westfall and Young,
        `p_holm` after Holm. The interval from `low_simultaneous` to `high_simultaneous` holds for all
        comparisons at once. `dropped` counts the problems that are in no pair.
        """
        from ansatz.experiments.report import deltas_frame

        return deltas_frame(self.results)

    def attempts(self, arm: str | None = None) -> DataFrame:
        """Return a row for every finished attempt: question, answer, error, conversation, scores and cost.

        `reference` has the right values; `values_read` (those of the answer) and `messages` are JSON. Each
        dimension has a column. Raises StudyError for an unknown `arm`.
        """
        from polars import concat

        if arm is not None and arm not in self.results.arms:
            raise StudyError(f"the run has no arm {arm!r}{nearest(arm, self.results.arms)}")
        whole = concat(self.attempt_frames())
        return whole if arm is None else whole.filter(arm=arm)

    def attempt_frames(self, size: int = 20_000) -> Iterator[DataFrame]:
        """Yield the rows of `attempts` in parts of `size`: large runs do not fit into memory."""
        from polars import Series, String

        from ansatz.experiments.report import attempts_frame, slices

        texts = self.results.read_evidence
        assert isinstance(texts, StoredTexts)
        for rows in slices(self.results, size):
            found = texts.conversations(rows)
            yield attempts_frame(self.results, rows).with_columns(
                Series("answer", [answer for answer, _ in found], String),
                Series("messages", [messages for _, messages in found], String),
            )

    def __getitem__(self, arm: str) -> DataFrame:
        return self.attempts(arm)

    @property
    def errors(self) -> DataFrame:
        """The attempts that failed, with the reason: they have no score; the next run tries them again."""
        return self.attempts().filter(state="error").select("model", "arm", "problem", "repeat", "error")

    def tool_use(self) -> DataFrame:
        """Count what became of tool results: a row for each model, arm, source, and stage or fault.

        Stages are called, succeeded, used, in answer, right; each needs the earlier ones in one call. A
        source is a tool, a retrieved equation, or a passage. `share` is the share of the arm's finished
        attempts, with its interval over families from `low` to `high`. `offered` is null if it is not
        recorded.

        Example: `run.tool_use().filter(stage="used")`.
        """
        from ansatz.experiments.attribution.frames import funnel_frame
        from ansatz.experiments.attribution.funnel import read_tool_use

        return funnel_frame(read_tool_use(self.results))

    def tool_calls(self) -> DataFrame:
        """Return a row for every tool call and retrieved passage, with what became of it.

        `use` is used, converted, copied wrongly, ignored, failed or unknown. `places` (JSON) lists where the
        result appears later: the number of the message and the text. `decisive`: a right answer rests on it.
        """
        from ansatz.experiments.attribution.frames import call_frame
        from ansatz.experiments.attribution.funnel import read_tool_use

        return call_frame(read_tool_use(self.results))

    def plot(self) -> Plot:
        """The forest plot of the deltas: a panel for each headline dimension, a row for each arm.

        It is a matplotlib figure that notebooks display. Example: `run.plot().savefig("plot.png")`.
        """
        from ansatz.experiments.report import plot_deltas

        return plot_deltas(self.results)

    def report(self) -> ReportFiles:
        """Write the report into the folder: report.md, deltas.csv, deltas.png and what chapters add."""
        from ansatz.experiments.report import write_report

        return write_report(self.results, self.folder)

    def view(self, out: str | Path | None = None) -> Path:
        """Write the page of the run, by default into its folder `view`, and return the file to open."""
        from ansatz.experiments.view import write_view

        return write_view(self.folder, Path(out) if out else None)

    def score(self, *scorers: Scorer) -> Run:
        """Score the stored transcripts again, by these scorers or by the run's own. No answer is made again.

        Example: `Run("runs/pumps").score(Outcome(), Brevity(words=80))`.
        """
        from ansatz.experiments.running.rescoring import score_again

        in_background(score_again(self.folder, make_progress(self.folder.name), scorers))
        return Run(self.folder)

    def _repr_html_(self) -> str:
        """What a notebook shows: the table of `print(run)`, and below it the plot."""
        page = "<pre style='line-height: 1.25; overflow-x: auto'>{code}</pre>"
        table = self._print_summary().export_html(inline_styles=True, code_format=page)
        if not self.results.treatments:
            return table
        picture = b64encode(self.plot()._repr_png_()).decode()
        return f'{table}<img style="max-width: 100%" alt="Differences" src="data:image/png;base64,{picture}">'

    def __str__(self) -> str:
        """What `print(run)` shows: the table that the command line prints, without colours."""
        return self._print_summary().export_text().rstrip()

    def _print_summary(self) -> Console:
        from rich.console import Console

        from ansatz.experiments.report import Summary

        console = Console(file=io.StringIO(), width=_WIDTH, record=True, force_jupyter=False, markup=False)
        console.print(repr(self), soft_wrap=True, highlight=False)  # a path may be longer than a line
        console.print(Summary(self.results))
        return console

    def __repr__(self) -> str:
        stand = "{scored} of {planned} attempts scored, {failed} failed".format(**self.counts)
        return f"Run({str(self.folder)!r}: {stand})"
