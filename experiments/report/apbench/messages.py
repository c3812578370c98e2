"""Answers in words: how alike they are to the key, and how many pass."""

from __future__ import annotations

from ansatz.experiments.report.apbench.run import APBenchRun, count, is_message
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System

_NOTE = (
    "Likeness is 0.5 (judge + cosine of sentence vectors), and above 0.6 is right. Where no judge was "
    "named it is the cosine alone, which tells the same subject rather than the same statement: an "
    "answer that says the opposite in like words passes it. Such scores are no measure of "
    "understanding."
)


def message_answers(run: APBenchRun) -> Section | None:
    """None where no message was scored."""
    rows = [row for system in run.systems if (row := _row(run, system))]
    if not rows:
        return None
    columns = [
        *(Column("system"), Column("basis"), Column("questions", COUNT), Column("answers", COUNT)),
        *(Column("likeness", POINTS), Column("cosine", POINTS), Column("right", POINTS)),
    ]
    caption = f"Answers in words{run.simulated}."
    return Section(title="Messages", tables=[Table("messages", caption, columns, rows)], notes=(_NOTE,))


def _row(run: APBenchRun, system: System) -> list[Entry]:
    likeness = run.scores(system, "message", is_message)
    if not count(likeness):
        return []
    cosine = run.scores(system, "cosine", is_message)
    basis = "embedding alone" if likeness == cosine else "judge and embedding"
    right = run.scores(system, "published", is_message)
    means = [run.mean(each) for each in (likeness, cosine, right)]
    answers = sum(is_message(problem) and bool(answer.strip()) for _, problem, answer in run.answered(system))
    return [run.label(system), basis, count(likeness), answers, *means]
