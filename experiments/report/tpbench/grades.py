"""Letter grades beside auto-verification: does the grader see what the computer finds?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from ansatz.eval.agreement import cohen_kappa, spearman, with_interval
from ansatz.eval.benchmarks.tpbench.grading import GRADES, VALUES, Grade
from ansatz.experiments.report.chart import Panel, Stacked
from ansatz.experiments.report.section import (
    COEFFICIENT,
    COUNT,
    POINTS,
    Column,
    Entry,
    Estimate,
    Section,
    Table,
)
from ansatz.experiments.report.tpbench.run import GRADINGS, Place, TPBenchRun

_PASSING: tuple[Grade, ...] = ("A", "B")


def grades_and_verification(run: TPBenchRun) -> Section | None:
    """Grade × verified, agreement, and grades by level; None where nothing was graded."""
    graded = {name: grades for name in GRADINGS if (grades := run.grades(name))}
    if not graded:
        return None
    return Section(
        title="Grades beside verification",
        figures=[_figure(run, graded)],
        tables=[_against_verified(run, graded), _agreement(run, graded), _by_level(run, graded)],
        notes=(
            "A grader that was informed has seen the outcome of the verification, so that its agreement with "
            "it is not evidence of its own; the other has not. Solutions without both a grade and an outcome "
            "are left out. ρ is Spearman's between the grade and the outcome; κ is Cohen's, with A and B "
            "taken as a pass.",
        ),
    )


def _pairs(run: TPBenchRun, grades: Mapping[Place, Grade]) -> list[tuple[Place, Grade, bool]]:
    return [
        (place, grade, run.outcomes[place] == "correct")
        for place, grade in grades.items()
        if place in run.outcomes
    ]


def _against_verified(run: TPBenchRun, graded: Mapping[str, Mapping[Place, Grade]]) -> Table:
    columns = [Column("grader"), Column("grade"), Column("verified correct", COUNT)]
    columns += [Column("verified incorrect", COUNT), Column("total", COUNT), Column("correct", POINTS)]
    rows: list[list[Entry]] = []
    for name, grades in graded.items():
        counted = Counter((grade, correct) for _, grade, correct in _pairs(run, grades))
        for grade in GRADES:
            rows.append([GRADINGS[name], grade, *_counts(counted[grade, True], counted[grade, False])])
        right, wrong = (sum(counted[grade, correct] for grade in GRADES) for correct in (True, False))
        rows.append([GRADINGS[name], "all", *_counts(right, wrong)])
    return Table("grades_verified", f"Grades against auto-verification{run.simulated}.", columns, rows)


def _counts(right: int, wrong: int) -> list[Entry]:
    total = right + wrong
    return [right, wrong, total, right / total if total else None]


def _agreement(run: TPBenchRun, graded: Mapping[str, Mapping[Place, Grade]]) -> Table:
    columns = [Column("grader"), Column("solutions", COUNT), Column("pass agrees", POINTS)]
    columns += [Column("ρ", COEFFICIENT), Column("κ", COEFFICIENT)]
    rows: list[list[Entry]] = []
    for name, grades in graded.items():
        pairs = _pairs(run, grades)
        if not pairs:
            continue
        letters = [VALUES[grade] for _, grade, _ in pairs]
        passed = [float(grade in _PASSING) for _, grade, _ in pairs]
        right = [float(correct) for _, _, correct in pairs]
        families = [run.families[place[2]] for place, _, _ in pairs]
        agrees = sum(one == other for one, other in zip(passed, right, strict=True)) / len(pairs)
        rho = with_interval(
            lambda at, letters=letters, right=right: spearman(  # type: ignore[misc]
                [letters[i] for i in at], [right[i] for i in at]
            ),
            families,
        )
        kappa = with_interval(
            lambda at, passed=passed, right=right: cohen_kappa(  # type: ignore[misc]
                [passed[i] for i in at], [right[i] for i in at], (0.0, 1.0), "identity"
            ),
            families,
        )
        row: list[Entry] = [GRADINGS[name], len(pairs), agrees]
        rows.append([*row, *(Estimate(each.value, each.low, each.high) for each in (rho, kappa))])
    return Table("grades_agreement", f"Agreement of grades and verification{run.simulated}.", columns, rows)


def _by_level(run: TPBenchRun, graded: Mapping[str, Mapping[Place, Grade]]) -> Table:
    columns = [Column("grader"), Column("level"), Column("system"), *(Column(each, COUNT) for each in GRADES)]
    rows: list[list[Entry]] = []
    for name, grades in graded.items():
        counted: defaultdict[tuple[str, str, str], Counter[Grade]] = defaultdict(Counter)
        for (model, arm, problem, _), grade in grades.items():
            counted[str(run.problems[problem].tags.get("level", "")), model, arm][grade] += 1
        for level in run.levels:
            for system in run.systems:
                one = counted.get((level, system.model, system.arm))
                if one:
                    row: list[Entry] = [GRADINGS[name], run.level_name(level), run.label(system)]
                    rows.append([*row, *(one[grade] for grade in GRADES)])
    return Table("grades_levels", f"Grades by level{run.simulated}.", columns, rows)


def _figure(run: TPBenchRun, graded: Mapping[str, Mapping[Place, Grade]]) -> Stacked:
    panels = []
    for name, grades in graded.items():
        counted = Counter((grade, correct) for _, grade, correct in _pairs(run, grades))
        total = counted.total()
        series = {
            f"verified {'correct' if correct else 'incorrect'}": [
                Estimate(counted[grade, correct] / total if total else None) for grade in GRADES
            ]
            for correct in (True, False)
        }
        panels.append(Panel(GRADINGS[name], GRADES, series))
    caption = f"Solutions by grade, and what auto-verification says of them{run.simulated}"
    return Stacked("grades", caption, panels, axis="% of all solutions")
