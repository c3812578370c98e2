"""The report chapter on APBench: topics, positions, progressive and independent questions, and both rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ansatz.eval.benchmarks.apbench.scoring import CLASSES
from ansatz.eval.problem import MessageTarget, Problem
from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.report.tables import Chapter, Figure, Panel, Section, Table, read_notes
from ansatz.experiments.report.tabulation import (
    Measure,
    Row,
    Rows,
    Tally,
    count_column,
    estimate_column,
    mean_column,
    system_rows,
)
from ansatz.experiments.results import BenchmarkRun, Floats, Mask, Results, Subset, read_tag, values_of_tag

NOTES = read_notes(__name__)

_RULES = ("published", "strict")
_RIGHT = "right"


class APBenchRun(BenchmarkRun):
    """Attempts at APBench questions."""

    messages: Mask
    """The attempts at questions whose answer is a message."""
    numbers: Mask
    """The attempts at other questions."""
    later: Mask
    """The attempts at questions after the first of a set."""

    def __init__(self, data: Results) -> None:
        super().__init__(data, "apbench")
        self.messages = self.part & data.where(lambda each: isinstance(each.targets[0], MessageTarget))
        self.numbers = self.part & ~self.messages
        self.later = self.part & data.where(lambda problem: problem.tags.get("position") != "1")
        self.values = {name: data.values(name) for name in (*_RULES, "message", "cosine")}


def chapter(data: Results) -> Chapter | None:
    """Return the sections for which the run has data; None without a score of the scorer `apbench`."""
    run = APBenchRun(data)
    if all(np.isnan(run.values[rule][run.part]).all() for rule in _RULES):
        return None
    sections = (_topics(run), _positions(run), _progressive(run), _rules(run), _messages(run), _errors(run))
    return Chapter.from_sections("apbench", "APBench", sections)


def _topics(run: APBenchRun) -> Section | None:
    """Show scores by topic; None for files without topics."""
    topics = Counter(topic for problem in run.problems for topic in read_tag(problem, "topic"))
    if not topics:
        return None
    rows = system_rows(run.data, run.part, "system")
    caption = "Questions right under the {} rule, by topic with its number of questions"
    parts = {f"{topic} ({count})": run.data.where_tag("topic", topic) for topic, count in topics.items()}
    parts["all"] = run.part
    tables = _by_rule(run, rows, "topics", caption, parts, mean_column)
    panels = [Panel.from_rows(table, title) for title, table in tables.items()]
    figure = Figure(
        "heatmap", "topics", f"Questions right by topic, in percent{run.data.simulation_note}", panels
    )
    return Section("By topic", tables=[*tables.values()], figures=[figure], notes=(NOTES["topics"],))


def _positions(run: APBenchRun) -> Section:
    """Show scores by the position of a question in its set."""
    rows = system_rows(run.data, run.numbers, "system")
    caption = "Numbers and choices right under the {} rule, by position in the set"
    places = sorted(values_of_tag(run.problems, "position"), key=int)
    parts = {f"q{place}": run.data.where_tag("position", place) for place in places}
    tables = _by_rule(run, rows, "positions", caption, parts, estimate_column)
    panels = [Panel.from_rows(table, title) for title, table in tables.items()]
    caption = f"Numbers and choices right by position in the set{run.data.simulation_note}"
    figure = Figure("progression", "positions", caption, panels, "questions right, percent")
    return Section(
        "By position in the set", tables=[*tables.values()], figures=[figure], notes=(NOTES["positions"],)
    )


def _by_rule(
    run: APBenchRun,
    rows: Rows,
    name: str,
    caption: str,
    parts: dict[str, Mask],
    make_column: Callable[..., Measure],
) -> dict[str, Table]:
    """Return a table for each rule, with a column for each part of the questions."""
    return {
        f"{rule} rule": rows.table(
            f"{name}_{rule}",
            caption.format(rule),
            *(make_column(title, run.values[rule], part) for title, part in parts.items()),
        )
        for rule in _RULES
    }


def _progressive(run: APBenchRun) -> Section | None:
    """Compare questions with and without earlier right answers; None without such a pair of arms."""
    rows = [
        Row((one.label, one.with_arm(other).label, name), one.with_arm(other), one)
        for one in run.data.subsets(run.later)
        for arm, other, _ in run.data.find_added_switches(lambda switch: switch == "progressive")
        if one.system.arm == arm
        for name in (*_RULES, "message")
    ]

    def values(row: Row) -> Floats:
        return run.values[str(row.labels[-1])]

    def change(row: Row) -> PairedDelta:
        return row.subset.difference_from(row.context, values(row))

    heads = ["independent", "progressive", "dimension"]
    paired = Rows(run.data, heads, rows, lambda _: None).where(lambda row: change(row).pairs)
    if not paired.rows:
        return None
    table = paired.table(
        "progressive",
        "Questions after the first of a set, asked with and without earlier right answers",
        count_column("pairs", lambda row: change(row).pairs),
        count_column("after a right answer", lambda row: _count_after_right(run, row.subset)),
        Measure("independent mean", lambda row: row.context.mean_value(values(row))),
        mean_column("progressive mean", values),
        Measure("Δ progressive", change, change=True),
        in_summary=True,
    )
    return Section("Progressive and independent asking", tables=[table], notes=(NOTES["asked"],))


def _count_after_right(run: APBenchRun, subset: Subset) -> int:
    """Count the questions of a subset after a right answer in their set, by the published rule."""
    published = run.values["published"]

    def attempts(rows: Iterable[int]) -> Iterator[tuple[Problem, int]]:
        places, repeats = run.data.attempts.problem, run.data.attempts.repeat
        return ((run.data.problem_list[places[row]], int(repeats[row])) for row in rows)

    rows = run.data.subset(subset.system).rows
    right = {(problem.id, repeat) for problem, repeat in attempts(rows[published[rows] == 1])}
    return sum(
        any((id, repeat) in right for id in problem.follows) for problem, repeat in attempts(subset.rows)
    )


def _rules(run: APBenchRun) -> Section | None:
    """Compare the published and the strict rule; None without a verdict under both."""
    published, strict = (run.values[rule] for rule in _RULES)
    both = run.numbers & ~np.isnan(published) & ~np.isnan(strict)
    cases = Tally(
        lambda row: Counter(
            zip(published[row.subset.rows].tolist(), strict[row.subset.rows].tolist(), strict=True)
        )
    )
    rows = system_rows(run.data, both, "system").where(cases)
    if not rows.rows:
        return None
    table = rows.table(
        "rules",
        "Answers by both rules",
        cases.count("answers"),
        *(cases.count("both right", (1, 1)), cases.count("published alone", (1, 0))),
        *(cases.count("strict alone", (0, 1)), cases.count("neither", (0, 0))),
        cases.share("at odds", (1, 0), (0, 1)),
    )
    return Section("Published and strict rule", tables=[table], notes=(NOTES["odds"],))


def _messages(run: APBenchRun) -> Section | None:
    """Show the likeness of messages to their key, and the share that is right; None without any."""
    likeness, cosine = run.values["message"], run.values["cosine"]
    rows = system_rows(run.data, run.messages, "system").where(lambda row: row.subset.count_scored(likeness))
    if not rows.rows:
        return None

    def basis(row: Row) -> str:
        same = np.array_equal(likeness[row.subset.rows], cosine[row.subset.rows], equal_nan=True)
        return "embedding alone" if same else "judge and embedding"

    table = rows.table(
        "messages",
        "Answers in words",
        Measure("basis", basis, None),
        count_column("questions", lambda row: row.subset.count_scored(likeness)),
        # the cosine of an empty answer is 0
        count_column("answers", lambda row: int((row.subset.known_values(cosine) > 0).sum())),
        *(
            estimate_column("likeness", likeness),
            estimate_column("cosine", cosine),
            estimate_column("right", run.values["published"]),
        ),
    )
    return Section("Messages", tables=[table], notes=(NOTES["words"],))


def _errors(run: APBenchRun) -> Section | None:
    """Show the classes of wrong numbers and choices; None if none was requested."""
    classes = {
        row: Counter(
            each["error"] or _RIGHT
            for each in details.get("targets", {}).values()
            if each["right"] is not None
        )
        for row, [details] in run.data.details(run.part, "strict")
    }
    found = Tally(
        lambda row: sum((classes[at] for at in row.subset.rows.tolist() if at in classes), Counter())
    )
    rows = system_rows(run.data, run.part, "system").where(found)
    if not rows.rows:
        return None
    table = rows.table(
        "errors",
        "Wrong numbers and choices by class",
        found.count("asked"),
        count_column("wrong", lambda row: found(row).total() - found(row)[_RIGHT]),
        *(found.share(name, name, among=CLASSES) for name in CLASSES),
    )
    return Section("How answers fail", tables=[table], notes=(NOTES["failures"],))
