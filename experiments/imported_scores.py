"""Import scores that another tool or a spreadsheet has, as a run with report, page and comparison."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.errors import InvalidData
from ansatz.eval import Dimension, Problem, Score, ScoringContext
from ansatz.eval.answer_files import Answer
from ansatz.eval.problem import OWN, MessageTarget
from ansatz.eval.score_cells import ScoreScale
from ansatz.eval.score_columns import Axis
from ansatz.eval.score_reader import ScoreTable
from ansatz.eval.score_tables import ScoresLike, read_scores
from ansatz.experiments.design.study_settings import StudySettings
from ansatz.experiments.imported_answers import imported_design
from ansatz.experiments.ledger import Ledger, PlannedAttempt, canonical_hash
from ansatz.experiments.ledger.file import reporting_write_errors
from ansatz.experiments.ledger.record import ImportedOutcome
from ansatz.experiments.ledger.stored_results import RESOURCES
from ansatz.experiments.run import Run
from ansatz.experiments.running.manifest import build_manifest, write_manifest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_notes = logging.getLogger(__name__)
_NO_QUESTION = "(The imported table has no text of this problem.)"
_FAILED = "failed in the imported table"
_IMPORTED = "imported"
_MISSING = "the imported table has no score"


@dataclass(frozen=True)
class ImportedScores:
    """Describes the dimensions of imported scores. It cannot score."""

    dimensions: tuple[Dimension, ...]

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        raise InvalidData("imported scores have no scorer; name one with --scorer")


def from_scores(
    source: ScoresLike,
    out: str | Path = "runs/imported",
    *,
    fields: Mapping[str, str] | None = None,
    wide: Axis | None = None,
    scales: Mapping[str, tuple[float, float]] | None = None,
    baseline: str = "",
) -> Run:
    """Make a run of scores that you already have. No model is asked, and nothing is scored.

    A table without arms compares its models: each model becomes an arm.

    Parameters
    ----------
    source
        A frame of pandas or polars, a list of dicts, or the path of a CSV, Parquet or JSON Lines file. It has
        the columns `problem` and `value`, and optionally model, arm, repeat, dimension, family, tags.NAME,
        tokens, seconds, dollars, question and text.
    out
        The run folder to write.
    fields
        The columns by field, such as {"value": "accuracy"}.
    wide
        What each further column is: "model", "arm" or "dimension". The table then has no column of values.
    scales
        The ends of the scale of each dimension, such as {"score": (0, 100)}. The default is (0, 1).
    baseline
        The arm, or the model of a table without arms, to compare with; by default the first.

    Raises
    ------
    InvalidData
        With one line per fault, such as `scores.csv:7: value: 'abc' is not a score`.

    Example:
        >>> before = [0.2, 0.5, 0.4, 0.6, 0.3, 0.5]
        >>> rows = [{"problem": n, "plain": old, "tools": old + 0.3} for n, old in enumerate(before)]
        >>> run = from_scores(rows, "runs/scores", wide="arm")
        >>> run.deltas().filter(dimension="score")["estimate"].round(3).to_list()
        [0.3]
    """
    bounds = {name: ScoreScale(*ends) for name, ends in (scales or {}).items()}
    table = read_scores(source, fields, wide=wide, scales=bounds)
    for note in table.notes:
        _notes.warning("%s: %s", table.name, note)
    return write_scores(table, Path(out), baseline)


def write_scores(table: ScoreTable, folder: Path, baseline: str = "") -> Run:
    """Write the scores to a new run folder. Raises InvalidData."""
    models, arms = (table.models, table.arms) if table.has_arms else (table.arms, table.models)
    dimensions = [Dimension(name, scale=each.scale) for name, each in table.scales.items()]
    if "dollars" in table.amounts:
        dimensions.append(Dimension("dollars", scale=RESOURCES["dollars"], better="lower", role="resource"))
    settings = StudySettings.model_construct(  # a folder may have any name
        name=folder.name, baseline=baseline, repeats=int(table.repeat.max()) + 1
    )
    problems = {id: _make_problem(table, id) for id in table.problems}
    design = imported_design(settings, models, arms, problems, (ImportedScores(tuple(dimensions)),))
    attempts = _Attempts(table)
    with reporting_write_errors(folder), Ledger.open(folder) as ledger:
        if ledger.count_planned():
            raise InvalidData(f"{folder} already has a run; name another folder with --out")
        ledger.plan((), design.problems.values())
        ledger.describe({"source": None, "scored_by": design.scored_by})
        manifest = build_manifest(design, len(attempts))
        manifest["study"]["imported"] = "arms" if table.has_arms else "models"
        write_manifest(manifest, ledger, folder)
        ledger.import_attempts(attempts.planned, attempts.outcome)
    return Run(folder)


def _make_problem(table: ScoreTable, id: str) -> Problem:
    return Problem(
        id=id,
        family=table.families.get(id, id),
        benchmark=OWN,
        question=table.questions.get(id, _NO_QUESTION),
        targets=(MessageTarget(name="answer", value="(not imported)"),),
        tags=dict(table.tags.get(id, {})),
    )


class _Attempts:
    """The attempts of a table: its scores by problem, repeat, model and arm."""

    def __init__(self, table: ScoreTable) -> None:
        import numpy as np

        self._table = table
        shape = (len(table.problems), int(table.repeat.max()) + 1, len(table.models), len(table.arms))
        codes = np.ravel_multi_index((table.problem, table.repeat, table.model, table.arm), shape)
        found, rows = np.unique(codes, return_inverse=True)
        self._places = np.unravel_index(found, shape)
        self._columns = {
            name: _spread(table.value, rows, table.dimension == number, len(found))
            for number, name in enumerate(table.scales)
        }
        self._columns |= {
            name: _spread(values, rows, ~np.isnan(values), len(found))
            for name, values in table.amounts.items()
        }
        self._seconds = self._columns.pop("seconds", None)
        self._texts = {int(rows[row]): text for row, text in table.texts.items()}
        self._failed = {int(rows[row]) for row in table.failed}

    def __len__(self) -> int:
        return len(self._places[0])

    @cached_property
    def planned(self) -> list[PlannedAttempt]:
        """The attempts in the order of problems, repeats, models and arms."""
        table = self._table
        found = []
        for problem, repeat, model, arm in zip(*(each.tolist() for each in self._places), strict=True):
            who = (table.models[model], table.arms[arm])
            key = (*(who if table.has_arms else who[::-1]), table.problems[problem], repeat)
            found.append(PlannedAttempt(canonical_hash(["imported", *key]), *key))
        return found

    def outcome(self, at: int) -> ImportedOutcome:
        """Return the scores of the attempt at a place of `planned`."""
        scores = {name: _known(column[at]) for name, column in self._columns.items()}
        evidence = tuple(
            (name, _MISSING if scores[name] is None else _IMPORTED) for name in self._table.scales
        )
        text = self._texts.get(at)
        transcript = None if text is None else Answer(problem_id="-", text=text).to_transcript()
        seconds = None if self._seconds is None else _known(self._seconds[at])
        return ImportedOutcome(scores, evidence, seconds, _FAILED if at in self._failed else None, transcript)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _spread(
    values: NDArray[np.float64], rows: NDArray[np.intp], chosen: NDArray[np.bool_], size: int
) -> list[float]:
    """Return one value per attempt: that of its first chosen row, or NaN."""
    import numpy as np

    found = np.full(size, np.nan)
    found[rows[chosen][::-1]] = values[chosen][::-1]
    return list(found.tolist())
