"""The chapter on TPBench: its numbers, counted again from what a small run was verified and graded to be."""

from hashlib import sha256
from math import comb
from statistics import stdev

import pytest

from ansatz.eval.benchmarks.tpbench import load
from ansatz.eval.benchmarks.tpbench.chapter import chapter
from ansatz.eval.benchmarks.tpbench.score import OUTCOMES
from ansatz.eval.score import Score
from ansatz.experiments.report import write_report
from tests.experiments.rows import Attempt, Cell, Rows

REPEATS = 3
ARMS = ("zero-shot", "simple_prompt", "symbolic_check")
PROBLEMS = {
    problem.id: problem
    for problem in load(levels=[1, 3], domains=["relativity", "classical mechanics", "cosmology"])
}


def drawn(problem, answer):
    """What an answer was found to be: its outcome, the grade of an informed grader, and that of a blind one."""
    lot = int(sha256(f"{problem}{answer}".encode()).hexdigest()[:8], 16)
    outcome = "correct" if lot % 3 == 0 else OUTCOMES[lot % 7]
    informed = {"correct": "A", "wrong value": "C"}.get(outcome, "D")
    return outcome, informed, "ABCD"[lot // 7 % 4]


class Found:
    """Says what was drawn; the blind grader gives no grade now and then."""

    async def score(self, context):
        outcome, *grades = drawn(context.problem.id, context.transcript.answer)
        is_given = (True, not context.transcript.answer.endswith("0"))
        return [
            Score(dimension="auto", value=None, evidence="", details={"outcome": outcome}),
            *(
                Score(dimension=name, value=None, evidence="", details={"grade": grade} if given else {})
                for name, grade, given in zip(
                    ("grade.informed", "grade.blind"), grades, is_given, strict=True
                )
            ),
        ]


ATTEMPTS = [Attempt("m", arm, id, n, f"{arm} {n}") for arm in ARMS for id in PROBLEMS for n in range(REPEATS)]


def run(attempts, arms=ARMS):
    cells = tuple(
        Cell("m", a.arm, a.problem, a.problem, a.repeat, "auto", float(drawn(a.problem, a.answer)[0] == "correct"), "scored")
        for a in attempts
        if a.answer
    )  # fmt: skip
    return Rows(
        "t", ("m",), arms, arms[0], ("auto",), cells, problems=PROBLEMS, attempts=tuple(attempts), scorers=(Found(),), resamples=200
    )  # fmt: skip


@pytest.fixture(scope="module")
def made():
    return chapter(run(ATTEMPTS).results)


def table(made, name):
    [found] = [each for section in made.sections for each in section.tables if each.name == name]
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def of(arm, level="all"):
    """The attempts of an arm, at a level."""
    return [a for a in ATTEMPTS if a.arm == arm and level[0] in ("a", PROBLEMS[a.problem].tags["level"])]


def test_levels_have_average_best_deviation_and_unbiased_pass_at_k(made):
    rows = table(made, "levels")
    assert [row["level"] for row in rows].count("all") == len(ARMS)
    for row in rows:
        tries = {}
        for each in of(row["system"], row["level"]):
            tries.setdefault(each.problem, []).append(drawn(each.problem, each.answer)[0] == "correct")
        n = len(tries)
        assert row["problems"] == n
        assert row[f"avg@{REPEATS}"].value == pytest.approx(sum(map(sum, tries.values())) / REPEATS / n)
        assert row[f"best@{REPEATS}"].value == pytest.approx(sum(map(max, tries.values())) / n)
        assert row["deviation"] == pytest.approx(sum(map(stdev, tries.values())) / n)
        two = sum(1 - comb(REPEATS - sum(each), 2) / comb(REPEATS, 2) for each in tries.values()) / n
        assert row["pass@2"].value == pytest.approx(two)
    whole = {row["system"]: row[f"avg@{REPEATS}"] for row in rows if row["level"] == "all"}
    assert {row["system"]: row["all"] for row in table(made, "overview")} == whole


def test_outcomes_are_shares_of_all_answers(made):
    for row in table(made, "outcomes"):
        own = [drawn(each.problem, each.answer)[0] for each in of(row["system"], row["level"])]
        assert row["answers"] == len(own)
        assert [row[name] for name in OUTCOMES] == pytest.approx(
            [own.count(name) / len(own) for name in OUTCOMES]
        )


@pytest.mark.parametrize(("grader", "place"), [("informed of the verification", 1), ("not informed", 2)])
def test_grades_stand_against_verification(made, grader, place):
    rows = {row["grade"]: row for row in table(made, "grades_verified") if row["grader"] == grader}
    graded = [drawn(a.problem, a.answer) for a in ATTEMPTS if place == 1 or a.repeat]
    for grade in "ABCD":
        right = [found[0] == "correct" for found in graded if found[place] == grade]
        assert (rows[grade]["verified correct"], rows[grade]["total"]) == (sum(right), len(right))
    assert rows["all"]["total"] == len(graded)
    agreement = {row["grader"]: row for row in table(made, "grades_agreement")}[grader]
    agree = [(found[place] in "AB") == (found[0] == "correct") for found in graded]
    assert agreement["pass agrees"] == pytest.approx(sum(agree) / len(agree))
    assert (agreement["κ"].value == 1.0) == (place == 1)


def test_every_section_and_figure_is_written(made, tmp_path):
    titles = [
        "Solved by level",
        "Outcomes of auto-verification",
        "Grades beside verification",
        "Problem by problem",
    ]
    assert [section.title for section in made.sections] == titles
    write_report(run(ATTEMPTS).results, tmp_path)
    assert {path.stem for path in (tmp_path / "tpbench").glob("*.png")} == {"levels", "outcomes", "grades"}
    shares = [
        max(each for each in row.values() if isinstance(each, float)) for row in table(made, "problems")
    ]
    assert shares == sorted(shares, reverse=True) and len(shares) == len(PROBLEMS)


def test_the_figure_of_outcomes_shows_no_single_level_for_a_system_that_was_not_verified():
    attempts = [
        Attempt("m", arm, id, 0, answer) for id in PROBLEMS for arm, answer in (("a", "a 1"), ("b", None))
    ]
    [ends] = [
        each
        for each in chapter(run(attempts, ("a", "b")).results).sections
        if each.title.startswith("Outcomes")
    ]
    assert [row[:2] for row in ends.tables[0].rows][-1] == ["all", "a"]
    assert ends.figures[0].panels[0].labels == ["a"]
