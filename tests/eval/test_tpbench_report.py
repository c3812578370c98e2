"""The chapter on TPBench: its numbers, counted again from what a small run was verified and graded to be."""

from hashlib import sha256
from math import comb
from statistics import mean, stdev

import pytest

from ansatz.eval.benchmarks.tpbench import load
from ansatz.eval.benchmarks.tpbench.chapter import chapter
from ansatz.eval.benchmarks.tpbench.score import OUTCOMES
from ansatz.eval.score import Score
from ansatz.experiments.report import write_report
from tests.experiments.rows import Attempt, Cell, Rows

REPEATS = 3
ARMS = ("zero-shot", "simple_prompt", "symbolic_check")
DOMAINS = ["relativity", "classical mechanics", "cosmology"]
PROBLEMS = {problem.id: problem for problem in load(levels=[1, 3], domains=DOMAINS)}
ATTEMPTS = [Attempt("m", arm, id, n, f"{arm} {n}") for arm in ARMS for id in PROBLEMS for n in range(REPEATS)]


def drawn(problem, answer):
    """What an answer was found to be: its outcome, and the grades of an informed grader and of a blind one."""
    lot = int(sha256(f"{problem}{answer}".encode()).hexdigest()[:8], 16)
    outcome = "correct" if lot % 3 == 0 else OUTCOMES[lot % 7]
    informed = {"correct": "A", "wrong value": "C"}.get(outcome, "D")
    # the blind grader gives no grade now and then
    return outcome, informed, None if answer.endswith("0") else "ABCD"[lot // 7 % 4]


class Found:
    """Says what was drawn."""

    async def score(self, context):
        found = drawn(context.problem.id, context.transcript.answer)
        named = zip(
            ("auto", "grade.informed", "grade.blind"), ("outcome", "grade", "grade"), found, strict=True
        )
        return [
            Score(dimension=dimension, value=None, evidence="", details={name: each} if each else {})
            for dimension, name, each in named
        ]


def run(attempts, arms=ARMS):
    cells = tuple(
        Cell("m", a.arm, a.problem, a.problem, a.repeat, "auto", float(outcome == "correct"), "scored")
        for a in attempts
        if a.answer
        for outcome, *_ in [drawn(a.problem, a.answer)]
    )
    told = {"problems": PROBLEMS, "attempts": tuple(attempts), "scorers": (Found(),), "resamples": 200}
    return Rows("t", ("m",), arms, arms[0], ("auto",), cells, **told)


@pytest.fixture(scope="module")
def made():
    return chapter(run(ATTEMPTS).results)


def table(made, name):
    [found] = [each for section in made.sections for each in section.tables if each.name == name]
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def outcomes(row):
    """By problem, the outcomes of the attempts that a row is about."""
    found = {}
    for a in ATTEMPTS:
        if a.arm == row["system"] and row["level"][0] in ("a", PROBLEMS[a.problem].tags["level"]):
            found.setdefault(a.problem, []).append(drawn(a.problem, a.answer)[0])
    return found


def test_levels_have_average_best_deviation_and_unbiased_pass_at_k(made):
    rows = table(made, "levels")
    assert [row["level"] for row in rows].count("all") == len(ARMS)
    for row in rows:
        tries = [[each == "correct" for each in own] for own in outcomes(row).values()]
        assert row["problems"] == len(tries)
        assert row[f"avg@{REPEATS}"].value == pytest.approx(mean(sum(own) / REPEATS for own in tries))
        assert row[f"best@{REPEATS}"].value == pytest.approx(mean(map(max, tries)))
        assert row["deviation"] == pytest.approx(mean(map(stdev, tries)))
        two = mean(1 - comb(REPEATS - sum(own), 2) / comb(REPEATS, 2) for own in tries)
        assert row["pass@2"].value == pytest.approx(two)
    whole = {row["system"]: row[f"avg@{REPEATS}"] for row in rows if row["level"] == "all"}
    assert {row["system"]: row["all"] for row in table(made, "overview")} == whole


def test_outcomes_are_shares_of_all_answers(made):
    for row in table(made, "outcomes"):
        own = [each for tried in outcomes(row).values() for each in tried]
        assert row["answers"] == len(own)
        shares = [own.count(name) / len(own) for name in OUTCOMES]
        assert [row[name] for name in OUTCOMES] == pytest.approx(shares)


@pytest.mark.parametrize(("grader", "place"), [("informed of the verification", 1), ("not informed", 2)])
def test_grades_stand_against_verification(made, grader, place):
    rows = {row["grade"]: row for row in table(made, "grades_verified") if row["grader"] == grader}
    graded = [found for a in ATTEMPTS if (found := drawn(a.problem, a.answer))[place]]
    for grade in "ABCD":
        right = [found[0] == "correct" for found in graded if found[place] == grade]
        assert (rows[grade]["verified correct"], rows[grade]["total"]) == (sum(right), len(right))
    assert rows["all"]["total"] == len(graded)
    agreement = {row["grader"]: row for row in table(made, "grades_agreement")}[grader]
    agree = mean((found[place] in "AB") == (found[0] == "correct") for found in graded)
    assert agreement["pass agrees"] == pytest.approx(agree)
    assert (agreement["κ"].value == 1.0) == (place == 1)


def test_problems_are_ordered_and_every_figure_is_drawn(made, tmp_path):
    write_report(run(ATTEMPTS).results, tmp_path)
    assert {path.stem for path in (tmp_path / "tpbench").glob("*.png")} == {"levels", "outcomes", "grades"}
    rows = table(made, "problems")
    shares = [max(each for each in row.values() if isinstance(each, float)) for row in rows]
    assert shares == sorted(shares, reverse=True) and len(shares) == len(PROBLEMS)


def test_the_figure_of_outcomes_shows_no_single_level_for_a_system_that_was_not_verified():
    attempts = [
        Attempt("m", arm, id, 0, text) for id in PROBLEMS for arm, text in (("a", "a 1"), ("b", None))
    ]
    ends = chapter(run(attempts, ("a", "b")).results).sections[1]
    assert [row[:2] for row in ends.tables[0].rows][-1] == ["all", "a"]
    assert ends.figures[0].panels[0].labels == ["a"]
