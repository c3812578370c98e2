"""The APBench chapter: numbers that can be worked out apart from it, and its files."""

import math
from dataclasses import replace

import pytest

from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.chapter import chapter as chapter_of
from ansatz.eval.benchmarks.apbench.rules import CLASSES, published, strict
from ansatz.eval.benchmarks.apbench.scoring import APBenchScore
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget, Problem
from ansatz.experiments.report import write_report
from tests.experiments.rows import Attempt, Cell, Rows

ARMS = {
    "plain": frozenset(),
    "shown": frozenset({"progressive"}),
    "other": frozenset({"progressive", "calculator"}),
}
LIKENESS = {"plain": 0.5, "shown": 0.7, "other": 0.7}
FAILED = ("other", "escape-0-q2")


def chapter(rows):
    return chapter_of(rows.results)


class NumbersAlone(APBenchScore):
    """The scorer without its embedding, which a test of the chapter need not wait for."""

    async def score(self, context):
        return () if isinstance(context.problem.targets[0], MessageTarget) else await super().score(context)


def answer(problem, arm):
    """First questions right; later ones 8 % off unless the arm is shown earlier answers; sets ending in y fail."""
    if isinstance(problem.targets[0], MessageTarget):
        return "because of the Oberth effect"
    place = int(problem.tags["position"])
    off = 1.0 if place == 1 or arm != "plain" else 1.08
    off = -1.0 if problem.family.endswith("y") else off
    return "\n".join(stated(target, off) for target in problem.targets)


def stated(target, off):
    if isinstance(target, ChoiceTarget):
        return f"Answer: {target.value}"
    return f"{target.name} = {target.value * off!r} {'' if target.unit == '-' else target.unit}"


def scores(problem, arm, text):
    if isinstance(problem.targets[0], MessageTarget):
        return {"published": float(LIKENESS[arm] > 0.6), "message": LIKENESS[arm], "cosine": 0.6}
    rules = {"published": published(problem, text), "strict": strict(problem, text)}
    return {name: float(all(each.right for each in judged)) for name, judged in rules.items()}


@pytest.fixture(scope="module")
def data():
    asked = {each.id: each for each in load(topics=["two_body"])}
    attempts = tuple(
        Attempt("m", arm, id, 0, None if (arm, id) == FAILED else answer(problem, arm))
        for id, problem in asked.items()
        for arm in ARMS
    )
    return Rows(
        title="small apbench",
        models=("m",),
        arms=tuple(ARMS),
        baseline="plain",
        dimensions=("published", "strict", "message", "cosine"),
        cells=tuple(
            Cell("m", each.arm, each.problem, asked[each.problem].family, 0, name, value, "scored")
            for each in attempts
            if each.answer
            for name, value in scores(asked[each.problem], each.arm, each.answer).items()
        ),
        resamples=200,
        problems=asked,
        attempts=attempts,
        switches=ARMS,
        scorers=(NumbersAlone(),),
    )


@pytest.fixture(scope="module")
def tables(data):
    return {table.name: table for section in chapter(data).sections for table in section.tables}


def rows(table):
    return [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows]


def values(data, arm, dimension, wanted=lambda problem: True):
    return {
        cell.problem: cell.value
        for cell in data.cells
        if (cell.arm, cell.dimension) == (arm, dimension) and wanted(data.problems[cell.problem])
    }


def mean(found):
    return sum(found.values()) / len(found)


def is_number_at(problem, position):
    return problem.tags["position"] == position and problem.tags["format"] == "numeric"


@pytest.mark.parametrize("rule", ["published", "strict"])
def test_topics_show_the_share_of_right_questions(data, tables, rule):
    shown = rows(tables[f"topics_{rule}"])
    assert [row["system"] for row in shown] == list(ARMS)
    for row in shown:
        assert row["two_body (30)"] == row["all"] == pytest.approx(mean(values(data, row["system"], rule)))


def test_positions_show_numbers_and_choices_alone(data, tables):
    for row in rows(tables["positions_published"]):
        for at in ("1", "5"):
            own = values(data, row["system"], "published", lambda each, at=at: is_number_at(each, at))
            assert row[f"q{at}"].value == pytest.approx(mean(own))


def test_progressive_is_paired_with_the_arm_that_differs_by_it_alone(data, tables):
    shown = rows(tables["progressive"])
    assert {(row["independent"], row["progressive"]) for row in shown} == {("plain", "shown")}
    for row in shown:
        one, other = (
            values(data, arm, row["dimension"], lambda each: each.tags["position"] != "1")
            for arm in ("plain", "shown")
        )
        assert one.keys() == other.keys() and row["pairs"] == len(one)
        assert row["Δ progressive"].value == pytest.approx(mean(other) - mean(one))
    strictly = next(row for row in shown if row["dimension"] == "strict")
    assert strictly["Δ progressive"].value == pytest.approx(0.8) and strictly["Δ progressive"].low > 0


def test_both_rules_are_crossed(data, tables):
    for row in rows(tables["rules"]):
        parts = [row[name] for name in ("both right", "published alone", "strict alone", "neither")]
        assert sum(parts) == row["answers"]
        assert row["at odds"] == pytest.approx((parts[1] + parts[2]) / row["answers"])
    assert rows(tables["rules"])[0]["published alone"] > 5


def test_messages_say_what_they_rest_on(data, tables):
    by_system = {row["system"]: row for row in rows(tables["messages"])}
    assert by_system["plain"]["basis"] == "judge and embedding"
    assert by_system["plain"]["questions"] == by_system["plain"]["answers"] > 2
    assert (by_system["plain"]["right"].value, by_system["shown"]["right"].value) == (0.0, 1.0)
    alone = replace(
        data,
        cells=tuple(replace(c, value=0.6) if c.dimension == "message" and c.value else c for c in data.cells),
    )
    section = next(each for each in chapter(alone).sections if each.title == "Messages")
    assert {row["basis"] for row in rows(section.tables[0])} == {"embedding alone"}


def test_every_wrong_number_has_one_class(data, tables):
    for row in rows(tables["errors"]):
        assert math.fsum(row[name] for name in CLASSES) == pytest.approx(1.0)
    plain, shown, other = rows(tables["errors"])
    assert plain["within 10 %"] > 0 and shown["sign"] == pytest.approx(1.0)
    failed = data.problems[FAILED[1]]
    assert shown["asked"] - other["asked"] == len(failed.targets)


def test_there_is_no_chapter_without_scores(data):
    assert chapter(replace(data, cells=())) is None


def test_the_report_holds_tables_and_figures(data, tmp_path):
    write_report(data.results, tmp_path)
    folder = tmp_path / "apbench"
    drawn = {"positions.png", "topics.png", "positions_strict.csv", "progressive.csv"}
    assert drawn <= {path.name for path in folder.iterdir()}
    assert "## APBench" in (tmp_path / "report.md").read_text(encoding="utf-8")


def question(value, unit="km/s"):
    target = NumberTarget(name="v", unit=unit, weight=1.0, value=value)
    return Problem(id="p", family="p", benchmark="apbench", question="v?", targets=(target,))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("v = 7.5 km/s", None),
        ("v = 7500 m/s", None),
        ("nothing", "not stated"),
        ("v = 7.5 kg", "unit"),
        ("v = -7.5 km/s", "sign"),
        ("v = 7500 km/s", "power of ten"),
        ("v = 0.075 km/s", "power of ten"),
        ("v = 429.718 km/s", "degrees or radians"),
        ("v = 15 km/s", "factor of two"),
        ("v = 3.75 km/s", "factor of two"),
        ("v = 8 km/s", "within 10 %"),
        ("v = 5 km/s", "within 50 %"),
        ("v = 0 km/s", "beyond 50 %"),
        ("v = 40 km/s", "beyond 50 %"),
    ],
)
def test_slips_are_told_apart(text, kind):
    assert [each.error for each in strict(question(7.5), text)] == [kind]
