"""The report chapter on TPBench: levels, repeated attempts, outcomes of auto-verification, and grades.

Tables and figures refer to the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial

import numpy as np

from ansatz.eval.benchmarks.tpbench import BENCHMARK
from ansatz.eval.benchmarks.tpbench.grading import GRADES, VALUES, Grade
from ansatz.eval.benchmarks.tpbench.records import LEVELS
from ansatz.eval.benchmarks.tpbench.score import OUTCOMES
from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.statistics.agreement import cohen_kappa, spearman, with_interval
from ansatz.eval.statistics.pass_at_k import AttemptSummary, summarize_attempts
from ansatz.experiments.report.tables import (
    COEFFICIENT,
    COUNT,
    Chapter,
    Column,
    Entry,
    Figure,
    Panel,
    Section,
    Table,
    read_notes,
)
from ansatz.experiments.report.tabulation import Measure, Row, Rows, Tally, system_rows
from ansatz.experiments.results import BenchmarkRun, Estimate, Mask, Results, System

NOTES = read_notes(__name__)

_GRADINGS = {"grade.informed": "informed of the verification", "grade.blind": "not informed"}
_ALL = "all"  # all levels together
_MAX_ROWS = 12


class TPBenchRun(BenchmarkRun):
    """Attempts at TPBench problems."""

    levels: list[str]
    """The levels of the problems, from 1 to 5 as text; with "all" unless there is only one."""
    at: dict[str, Mask]
    """The attempts at each level."""
    outcomes: dict[int, str]
    """The outcome of verification by row of an attempt."""
    grades: dict[str, dict[int, Grade]]
    """For each grading, the grade by row of an attempt."""
    repeats: int
    """The largest number of scored attempts at a problem in one arm: the k of avg@k and best@k."""

    def __init__(self, data: Results) -> None:
        super().__init__(data, BENCHMARK)
        tagged = {str(problem.tags.get("level", "")) for problem in self.problems}
        found = [level for level in LEVELS if level in tagged]
        self.levels = [*found, _ALL] if len(found) != 1 else found
        self.at = {level: self.part & data.where_tag("level", level) for level in found} | {_ALL: self.part}
        self.auto = data.values("auto")
        self.outcomes = {}
        self.grades = {name: {} for name in _GRADINGS}
        for row, (auto, *graded) in data.details(self.part, "auto", *_GRADINGS):
            if "outcome" in auto:
                self.outcomes[row] = auto["outcome"]
            for grades, grading in zip(self.grades.values(), graded, strict=True):
                if "grade" in grading:
                    grades[row] = grading["grade"]
        self.repeats = max(
            (len(each) for subset in self.subsets for each in subset.values_by_problem(self.auto)), default=0
        )
        self.passing = cache(self._passing)

    @cached_property
    def rows(self) -> Rows:
        """Rows for every level and system."""
        titles = {level: level if level == _ALL else f"{level}: {LEVELS[level]}" for level in self.levels}
        rows = [
            Row((titles[level], subset.label), subset.where(self.at[level]), level)
            for level in self.levels
            for subset in self.subsets
        ]
        return Rows(self.data, ["level", "system"], rows)

    def _passing(self, system: System, level: str, k: int) -> AttemptSummary | None:
        subset = self.data.subset(system, self.at[level])
        families = self.data.family[subset.problems]
        return (
            summarize_attempts(subset.values_by_problem(self.auto), families, k, seed=self.data.seed)
            if len(families)
            else None
        )


def chapter(data: Results) -> Chapter | None:
    """Return the sections for which the run has data; None without a verified or graded answer."""
    run = TPBenchRun(data)
    sections = (_levels(run), _outcomes(run), _grades(run), _problems(run))
    return Chapter.from_sections(BENCHMARK, "TPBench", sections)


def _levels(run: TPBenchRun) -> Section | None:
    """Show avg@k, best@k and pass@k by level and system (table 3, figures 1 and 2); None without scores."""
    k = run.repeats
    if not k:
        return None

    def measure(
        name: str, part: Callable[[AttemptSummary], Entry], scale: Scale = PERCENT, n: int = k, at: str = ""
    ) -> Measure:
        """Return a column for the level of each row, or for the level `at` in all rows."""

        def entry(row: Row) -> Entry:
            found = run.passing(row.subset.system, at or row.context, n)
            return part(found) if found else None

        return Measure(name, entry, scale)

    counts = sorted({k, *(2**power for power in range(k.bit_length()) if 2**power <= k)})
    levels = run.rows.where(lambda row: run.passing(row.subset.system, row.context, k)).table(
        "levels",
        f"Auto-verified answers in {k} attempts at each problem",
        measure("problems", lambda each: each.problems, COUNT),
        measure(f"avg@{k}", lambda each: _mean(each.average)),
        measure("deviation", lambda each: each.deviation),
        measure(f"best@{k}", lambda each: _mean(each.best)),
        *(measure(f"pass@{n}", lambda each: _mean(each.passed), n=n) for n in counts),
        measure("dropped", lambda each: each.dropped, COUNT),
    )
    heads = {row.context: str(row.labels[0]) for row in run.rows.rows}
    rows = system_rows(run.data, run.part, "system")
    columns = [measure(head, lambda each: _mean(each.average), at=level) for level, head in heads.items()]
    overview = rows.table("overview", f"avg@{k} by level", *columns, in_summary=True)
    single = [level for level in run.levels if level != _ALL] or run.levels
    blocks = overview.split_rows(run.data.models)
    panels = [Panel.from_rows(block, model, labels=single) for model, block in blocks.items()]
    caption = f"Auto-verified share of correct answers by level, avg@{k}{run.data.simulation_note}"
    figure = Figure("progression", "levels", caption, panels, f"avg@{k} (0–100)")
    return Section(
        "Solved by level",
        figures=[figure] if "correct" in run.outcomes.values() else [],
        tables=[overview, levels],
        notes=(NOTES["levels"].format(k=k, level=run.data.level),),
    )


def _mean(delta: PairedDelta) -> Estimate:
    return Estimate(delta.estimate, delta.low, delta.high, n=delta.pairs)


def _outcomes(run: TPBenchRun) -> Section | None:
    """Show the outcomes of auto-verification; None if nothing was verified."""
    if not run.outcomes:
        return None
    found = Tally(
        lambda row: Counter(run.outcomes[at] for at in row.subset.rows.tolist() if at in run.outcomes)
    )
    table = run.rows.where(found).table(
        "outcomes",
        "Answers by their outcome, in percent of those verified",
        found.count("answers"),
        *(found.share(outcome, outcome) for outcome in OUTCOMES),
    )
    last = run.rows.rows[-1].labels[0]  # all levels together, or the only level
    whole = replace(table, rows=[row for row in table.rows if row[0] == last])
    panel = Panel.from_columns(whole, OUTCOMES, "all levels", label="system")
    caption = f"Outcomes of auto-verification by arm{run.data.simulation_note}"
    figure = Figure("stacked", "outcomes", caption, [panel], "% of answers")
    return Section(
        "Outcomes of auto-verification", tables=[table], figures=[figure], notes=(NOTES["outcomes"],)
    )


def _grades(run: TPBenchRun) -> Section | None:
    """Compare grades with auto-verification; None if nothing was graded."""
    against: list[list[Entry]] = []
    agreement: list[list[Entry]] = []
    graded = {_GRADINGS[name]: grades for name, grades in run.grades.items() if grades}
    for name, grades in graded.items():
        rows = [row for row in grades if row in run.outcomes]
        right = [run.outcomes[row] == "correct" for row in rows]
        for label in (*GRADES, _ALL):
            chosen = [ok for row, ok in zip(rows, right, strict=True) if label in (grades[row], _ALL)]
            share = sum(chosen) / len(chosen) if chosen else None
            against.append([name, label, sum(chosen), len(chosen) - sum(chosen), len(chosen), share])
        if rows:
            agreement.append([name, len(rows), *_agreement(run, grades, rows)])
    if not graded:
        return None
    counted = dict.fromkeys(("verified correct", "verified incorrect", "total"), COUNT)
    coefficients = Column("ρ", COEFFICIENT), Column("κ", COEFFICIENT)
    table = Table(
        "grades_verified",
        f"Grades against auto-verification{run.data.simulation_note}.",
        [Column(*each) for each in {"grader": None, "grade": None, **counted, "correct": PERCENT}.items()],
        against,
    )
    agreeing = Table(
        "grades_agreement",
        f"Agreement of grades and verification{run.data.simulation_note}.",
        [Column("grader"), Column("solutions", COUNT), Column("pass agrees", PERCENT), *coefficients],
        agreement,
    )
    blocks = table.split_rows(list(graded))
    panels = [Panel.from_columns(block, ["correct"], name, label="grade") for name, block in blocks.items()]
    caption = (
        f"Share of solutions of each grade that auto-verification finds correct{run.data.simulation_note}"
    )
    figure = Figure("intervals", "grades", caption, panels, "% verified correct")
    return Section(
        "Grades and verification", figures=[figure], tables=[table, agreeing], notes=(NOTES["grades"],)
    )


def _agreement(run: TPBenchRun, grades: Mapping[int, Grade], rows: Sequence[int]) -> list[Entry]:
    """Return how often a pass (A or B) and verification agree, ρ of grades, and κ of passes."""
    right = [float(run.outcomes[row] == "correct") for row in rows]
    passed = [float(grades[row] in GRADES[:2]) for row in rows]
    families = [run.data.problem_list[run.data.attempts.problem[row]].family for row in rows]
    kappa = partial(cohen_kappa, scale=(0.0, 1.0), weights="identity")
    found = [
        with_interval(spearman, [[VALUES[grades[row]] for row in rows], right], families),
        with_interval(kappa, [passed, right], families),
    ]
    agrees = float(np.mean(np.equal(passed, right)))
    return [agrees, *(Estimate(each.value, each.low, each.high) for each in found)]


def _problems(run: TPBenchRun) -> Section | None:
    """Show every problem in every system (table 7); None if nothing was verified."""
    if not run.outcomes:
        return None
    shares = [subset.mean_by_problem(run.auto) for subset in run.subsets]
    columns = [Column("problem"), Column("level"), Column("domain")]
    columns += [Column(subset.label, PERCENT) for subset in run.subsets]
    rows: list[list[Entry]] = []
    for place, problem in enumerate(run.data.problem_list):
        if problem.benchmark == BENCHMARK:
            title, level, domain = (str(problem.tags.get(tag, "")) for tag in ("title", "level", "domain"))
            values = [None if np.isnan(each[place]) else float(each[place]) for each in shares]
            rows.append([title or problem.id, level, domain, *values])
    rows.sort(key=lambda row: -max((each for each in row[3:] if isinstance(each, float)), default=0.0))
    caption = (
        f"Share of a problem's attempts that were verified, most solved first{run.data.simulation_note}."
    )
    return Section(
        "Problem by problem", tables=[Table("problems", caption, columns, rows, max_rows=_MAX_ROWS)]
    )
