"""The chapter on TPBench: levels, repeated attempts, outcomes of auto-verification, and grades.

Tables and figures named here are those of its paper.
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
from ansatz.experiments.results import BenchmarkRun, Estimate, Results, System

NOTES = read_notes(__name__)

_GRADINGS = {"grade.informed": "informed of the verification", "grade.blind": "not informed"}
_ALL = "all"  # the levels together
_SHOWN = 12


class TPBenchRun(BenchmarkRun):
    """`levels` are those that the problems have, from 1 to 5 as text, and all of them together.

    `outcomes` and `grades` are by attempt, where one was verified or graded. `repeats` are the most scored
    attempts that any problem has in any arm: the k of avg@k and best@k.
    """

    def __init__(self, data: Results) -> None:
        super().__init__(data, BENCHMARK)
        tagged = {str(problem.tags.get("level", "")) for problem in self.problems}
        found = [level for level in LEVELS if level in tagged]
        self.levels = [*found, _ALL] if len(found) != 1 else found
        self.at = {level: self.part & data.where_tag("level", level) for level in found} | {_ALL: self.part}
        self.auto = data.values("auto")
        self.outcomes: dict[int, str] = {}
        self.grades: dict[str, dict[int, Grade]] = {name: {} for name in _GRADINGS}
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
        """A row for every level and system."""
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
    """Every section that the run has something to say on; None without a verified or graded answer."""
    run = TPBenchRun(data)
    made = (_levels(run), _ends(run), _graded(run), _problems(run))
    return Chapter.from_sections(BENCHMARK, "TPBench", made)


def _levels(run: TPBenchRun) -> Section | None:
    """avg@k, best@k and pass@k by level and system (table 3, figures 1 and 2); None without any."""
    k = run.repeats
    if not k:
        return None

    def of(
        name: str, part: Callable[[AttemptSummary], Entry], scale: Scale = PERCENT, n: int = k, at: str = ""
    ) -> Measure:
        """Of the level that a row is about, or of one `at` all rows."""

        def entry(row: Row) -> Entry:
            found = run.passing(row.subset.system, at or row.context, n)
            return part(found) if found else None

        return Measure(name, entry, scale)

    counts = sorted({k, *(2**power for power in range(k.bit_length()) if 2**power <= k)})
    levels = run.rows.where(lambda row: run.passing(row.subset.system, row.context, k)).table(
        "levels",
        f"Auto-verified answers in {k} attempts at each problem",
        of("problems", lambda each: each.problems, COUNT),
        of(f"avg@{k}", lambda each: _mean(each.average)),
        of("deviation", lambda each: each.deviation),
        of(f"best@{k}", lambda each: _mean(each.best)),
        *(of(f"pass@{n}", lambda each: _mean(each.passed), n=n) for n in counts),
        of("dropped", lambda each: each.dropped, COUNT),
    )
    heads = {row.context: str(row.labels[0]) for row in run.rows.rows}
    rows = system_rows(run.data, run.part, "system")
    columns = [of(head, lambda each: _mean(each.average), at=level) for level, head in heads.items()]
    overview = rows.table("overview", f"avg@{k} by level", *columns, in_summary=True)
    single = [level for level in run.levels if level != _ALL] or run.levels
    blocks = overview.split_rows(run.data.models)
    panels = [Panel.from_rows(own, model, labels=single) for model, own in blocks.items()]
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


def _ends(run: TPBenchRun) -> Section | None:
    """What becomes of answers in auto-verification; None where nothing was verified."""
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
    last = run.rows.rows[-1].labels[0]  # the levels together, or the only one
    whole = replace(table, rows=[row for row in table.rows if row[0] == last])
    panel = Panel.from_columns(whole, OUTCOMES, "all levels", label="system")
    caption = f"Outcomes of auto-verification by arm{run.data.simulation_note}"
    figure = Figure("stacked", "outcomes", caption, [panel], "% of answers")
    return Section(
        "Outcomes of auto-verification", tables=[table], figures=[figure], notes=(NOTES["outcomes"],)
    )


def _graded(run: TPBenchRun) -> Section | None:
    """Does the grader see what the computer finds? None where nothing was graded."""
    against: list[list[Entry]] = []
    agreement: list[list[Entry]] = []
    graded = {_GRADINGS[name]: grades for name, grades in run.grades.items() if grades}
    for name, grades in graded.items():
        kept = [row for row in grades if row in run.outcomes]
        right = [run.outcomes[row] == "correct" for row in kept]
        for label in (*GRADES, _ALL):
            own = [ok for row, ok in zip(kept, right, strict=True) if label in (grades[row], _ALL)]
            share = sum(own) / len(own) if own else None
            against.append([name, label, sum(own), len(own) - sum(own), len(own), share])
        if kept:
            agreement.append([name, len(kept), *_agreement(run, grades, kept)])
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
    panels = [Panel.from_columns(own, ["correct"], name, label="grade") for name, own in blocks.items()]
    caption = (
        f"Share of solutions of each grade that auto-verification finds correct{run.data.simulation_note}"
    )
    figure = Figure("intervals", "grades", caption, panels, "% verified correct")
    return Section(
        "Grades beside verification", figures=[figure], tables=[table, agreeing], notes=(NOTES["grades"],)
    )


def _agreement(run: TPBenchRun, grades: Mapping[int, Grade], kept: Sequence[int]) -> list[Entry]:
    """How often a pass (A or B) is a verified answer, ρ of the letters, and κ of passes."""
    right = [float(run.outcomes[row] == "correct") for row in kept]
    passed = [float(grades[row] in GRADES[:2]) for row in kept]
    families = [run.data.problem_list[run.data.attempts.problem[row]].family for row in kept]
    kappa = partial(cohen_kappa, scale=(0.0, 1.0), weights="identity")
    found = [
        with_interval(spearman, [[VALUES[grades[row]] for row in kept], right], families),
        with_interval(kappa, [passed, right], families),
    ]
    agrees = float(np.mean(np.equal(passed, right)))
    return [agrees, *(Estimate(each.value, each.low, each.high) for each in found)]


def _problems(run: TPBenchRun) -> Section | None:
    """Every problem in every system (table 7); None where nothing was verified."""
    if not run.outcomes:
        return None
    shares = [subset.mean_by_problem(run.auto) for subset in run.subsets]
    columns = [Column("problem"), Column("level"), Column("domain")]
    columns += [Column(subset.label, PERCENT) for subset in run.subsets]
    rows: list[list[Entry]] = []
    for place, problem in enumerate(run.data.problem_list):
        if problem.benchmark == BENCHMARK:
            title, level, domain = (str(problem.tags.get(tag, "")) for tag in ("title", "level", "domain"))
            own = [None if np.isnan(each[place]) else float(each[place]) for each in shares]
            rows.append([title or problem.id, level, domain, *own])
    rows.sort(key=lambda row: -max((each for each in row[3:] if isinstance(each, float)), default=0.0))
    caption = (
        f"Share of a problem's attempts that were verified, most solved first{run.data.simulation_note}."
    )
    return Section("Problem by problem", tables=[Table("problems", caption, columns, rows, max_rows=_SHOWN)])
