"""A served study of TPBench end to end: the chapter's numbers, counted again from the ledger."""

import csv
import io
import re
from math import comb
from statistics import stdev

import pytest

from ansatz.eval.benchmarks.tpbench import load
from ansatz.eval.benchmarks.tpbench.chapter import chapter
from ansatz.eval.benchmarks.tpbench.score import OUTCOMES
from ansatz.eval.score import Score
from ansatz.experiments.ledger.store import Ledger
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report import write_report
from tests.eval.tpbench_served import ServedPhysicist, write_study
from tests.experiments.quiet import ran
from tests.experiments.records import records_of
from tests.experiments.rows import Attempt, Rows
from tests.fakes.openai_server import OpenAIServer

REPEATS = 2
WHERE = {"domain": ["relativity", "classical mechanics"], "level": ["1", "3"]}


@pytest.fixture(scope="module")
def physicist():
    return ServedPhysicist()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, physicist):
    folder = tmp_path_factory.mktemp("physicist")
    patch = pytest.MonkeyPatch()
    patch.setenv("OPENAI_API_KEY", "loopback")
    with OpenAIServer(physicist) as server:
        study = write_study(folder, server.base_url, REPEATS, WHERE)
        ran(study, folder / "run")
    patch.undo()
    write_report(read_results(folder / "run"), folder / "run")
    return folder / "run"


@pytest.fixture(scope="module")
def records(folder):
    with Ledger.open(folder, write=False) as ledger:
        problems = ledger.problems()
        return [(record, problems[record.problem].tags["level"]) for record in records_of(ledger)]


def table(folder, name):
    return list(csv.DictReader(io.StringIO((folder / "tpbench" / f"{name}.csv").read_text(encoding="utf-8"))))


def score(record, dimension):
    [found] = [each for each in record.scores if each.dimension == dimension]
    return found


def values(records, arm, level=None):
    """Auto-verified values by problem."""
    found = {}
    for record, its_level in records:
        if record.arm == arm and level in (None, its_level):
            found.setdefault(record.problem, []).append(score(record, "auto").value)
    return found


def test_every_attempt_was_verified_and_graded(records):
    assert len(records) == 4 * 3 * REPEATS
    assert {record.state for record, _ in records} == {"scored"}
    assert 0 < sum(score(record, "auto").value for record, _ in records) < len(records)


def test_levels_have_average_best_deviation_and_unbiased_pass_at_k(folder, records):
    rows = table(folder, "levels")
    assert [row["level"] for row in rows].count("all") == 3
    for row in rows:
        tries = values(records, row["system"], None if row["level"] == "all" else row["level"][0])
        n = len(tries)
        average = sum(map(sum, tries.values())) / REPEATS / n
        assert float(row[f"avg@{REPEATS}"]) == pytest.approx(100 * average, abs=1e-3)
        assert float(row[f"best@{REPEATS}"]) == pytest.approx(
            100 * sum(map(max, tries.values())) / n, abs=1e-3
        )
        spread = sum(stdev(each) for each in tries.values()) / n
        assert float(row["deviation"]) == pytest.approx(100 * spread, abs=1e-3)
        two = sum(1 - comb(REPEATS - int(sum(each)), 2) / comb(REPEATS, 2) for each in tries.values()) / n
        assert float(row["pass@2"]) == pytest.approx(100 * two, abs=1e-3)


def test_outcomes_are_shares_of_all_answers(folder, records):
    for row in table(folder, "outcomes"):
        if row["level"] == "all":
            mine = [score(r, "auto").details["outcome"] for r, _ in records if r.arm == row["system"]]
            for outcome in OUTCOMES:
                assert float(row[outcome]) == pytest.approx(100 * mine.count(outcome) / len(mine), abs=1e-3)
            assert sum(float(row[outcome]) for outcome in OUTCOMES) == pytest.approx(100, abs=1e-2)


@pytest.mark.parametrize(
    ("grader", "dimension"),
    [("informed of the verification", "grade.informed"), ("not informed", "grade.blind")],
)
def test_grades_stand_against_verification(folder, records, grader, dimension):
    rows = {row["grade"]: row for row in table(folder, "grades_verified") if row["grader"] == grader}
    for grade in "ABCD":
        mine = [r for r, _ in records if score(r, dimension).evidence.startswith(grade)]
        right = sum(score(r, "auto").value == 1 for r in mine)
        assert (float(rows[grade]["verified correct"]), float(rows[grade]["total"])) == (right, len(mine))
    assert float(rows["all"]["total"]) == len(records)


def test_an_informed_grader_agrees_better_by_construction(folder):
    agreement = {row["grader"]: float(row["pass agrees"]) for row in table(folder, "grades_agreement")}
    assert agreement["informed of the verification"] == 100.0
    assert agreement["not informed"] < 90


def test_what_solvers_were_shown_holds_no_reference_and_no_finding(physicist):
    solving = [text for text in physicist.texts if "SOLUTION BEGINS" not in text]
    assert len(solving) > 30
    assert not [text for text in solving if "atan2(g1 * g2" in text or "inputs agree" in text]


def test_every_section_and_figure_is_written(folder):
    report = (folder / "report.md").read_text(encoding="utf-8")
    titles = re.findall(r"^### (.*)$", report, re.MULTILINE)
    assert titles[-4:] == [
        *(
            "Solved by level",
            "Outcomes of auto-verification",
            "Grades beside verification",
            "Problem by problem",
        )
    ]
    drawn = {path.stem for path in (folder / "tpbench").glob("*.png")}
    assert drawn == {"levels", "outcomes", "grades"}


class Verified:
    """Finds every answer correct."""

    async def score(self, context):
        return [Score(dimension="auto", value=1.0, evidence="correct", details={"outcome": "correct"})]


def test_the_figure_of_outcomes_shows_no_single_level_for_a_system_that_was_not_verified():
    problems = {each.id: each for each in load(levels=[1, 2])}
    attempts = tuple(
        Attempt("m", arm, id, 0, answer) for id in problems for arm, answer in (("a", "x"), ("b", None))
    )
    rows = Rows(
        "t",
        ("m",),
        ("a", "b"),
        "a",
        ("auto",),
        (),
        problems=problems,
        attempts=attempts,
        scorers=(Verified(),),
    )
    [ends] = [each for each in chapter(rows.results).sections if each.title.startswith("Outcomes")]
    assert [row[:2] for row in ends.tables[0].rows][-1] == ["all", "a"]
    assert ends.figures[0].panels[0].labels == ["a"]
