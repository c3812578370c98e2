"""The chapter on APBench: by topic and position, asked progressively and independently, and both rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ansatz.eval.benchmarks.apbench.error_classes import CLASSES
from ansatz.eval.benchmarks.apbench.margin import margin
from ansatz.eval.problem import MessageTarget, NumberTarget, Problem
from ansatz.eval.score import PERCENT
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut, Mask, Results, values_of_tag
from ansatz.eval.views.section import COUNT, Chapter, Column, Entry, Figure, Panel, Section, Table
from ansatz.eval.views.tabulation import (
    Measure,
    Row,
    TableText,
    counted,
    each_system,
    given,
    mean,
    tabulate,
    value,
)
from ansatz.quantities.scales import convert

NOTES = Notes(__name__)

_RULES = ("published", "strict")
_PROGRESSIVE = "progressive"
_REASONS = ("wide margin", "unit not read", "narrow margin", "other")


class APBenchRun:
    """Attempts at APBench questions. Positions are numbers from 1, topics the tags of our own sets."""

    def __init__(self, data: Results) -> None:
        self.data = data
        self.part = data.of_benchmarks("apbench")
        self.problems = [problem for problem in data.asked if problem.benchmark == "apbench"]
        self.messages = self.part & data.where(_is_message)
        self.numbers = self.part & ~self.messages
        self.positions = sorted({_position(problem) for problem in self.problems})
        self.later = self.part & data.where(
            lambda problem: problem in self.problems and _position(problem) > 1
        )
        self.values = {name: data.values(name) for name in (*_RULES, "message", "cosine", "tokens")}

    def at(self, place: int) -> Mask:
        return self.part & self.data.tagged("position", str(place))

    def pairs(self) -> list[tuple[Cut, Cut]]:
        """Each independent system with the progressive one that is otherwise the same."""
        switches = self.data.switches
        return [
            (cut, cut.under(other))
            for cut in self.data.cuts(self.part)
            for other in self.data.arms
            if _PROGRESSIVE not in switches.get(cut.system.arm, ())
            and switches.get(other) == switches.get(cut.system.arm, frozenset()) | {_PROGRESSIVE}
        ]


def chapter(data: Results) -> Chapter | None:
    """Every section that the run has something to say on; None where the scorer `apbench` scored nothing."""
    run = APBenchRun(data)
    if all(np.isnan(run.values[rule][run.part]).all() for rule in _RULES):
        return None
    made = (_topics(run), _by_position(run), _progressive(run), _rules(run), _messages(run), _failures(run))
    return Chapter("apbench", "APBench", [section for section in made if section is not None])


def _position(problem: Problem) -> int:
    """The place of a question in its set, from 1."""
    return int(str(problem.tags["position"]))


def _is_message(problem: Problem) -> bool:
    return isinstance(problem.targets[0], MessageTarget)


def _topics(run: APBenchRun) -> Section | None:
    """Scores by topic of astrodynamics; None for files without topics."""
    topics = values_of_tag(run.problems, "topic")
    if not topics:
        return None
    data = run.data
    places = {topic: data.tagged("topic", topic) for topic in topics} | {"all": data.everything}
    tables, panels = [], []
    for rule in _RULES:
        rows: list[list[Entry]] = []
        for topic, part in places.items():
            asked = sum(topic in (*values_of_tag([problem], "topic"), "all") for problem in run.problems)
            means = [cut.value(run.values[rule]) for cut in data.cuts(run.part & part)]
            rows.append([topic, asked, *means])
        names = [data.label(system) for system in data.systems]
        columns = [Column("topic"), Column("questions", COUNT), *(Column(name, PERCENT) for name in names)]
        caption = f"Questions right under the {rule} rule, by topic{data.simulation}."
        tables.append(Table(f"topics_{rule}", caption, columns, rows))
        shown = Panel.of_columns(Table("", "", columns, rows[:-1]), names)
        panels.append(Panel(f"{rule} rule", shown.labels, shown.series))
    figure = Figure("heatmap", "topics", f"Questions right by topic, in percent{data.simulation}", panels)
    return Section("By topic", tables=tables, figures=[figure], notes=(NOTES["topics"],))


def _by_position(run: APBenchRun) -> Section:
    """Scores by the position of a question in its set."""
    published, strict = (run.values[rule] for rule in _RULES)
    rows = [
        Row((data_cut.label, place), data_cut.where(run.at(place)))
        for data_cut in run.data.cuts(run.part)
        for place in run.positions
    ]
    table = tabulate(
        TableText("positions", f"Questions right by position in the set{run.data.simulation}."),
        ["system", Column("position", COUNT)],
        rows,
        [
            counted("questions", lambda row: row.cut.scored(published)),
            mean("published", published),
            counted("numbers and choices", lambda row: row.cut.where(run.numbers).scored(published)),
            Measure("their published", lambda row: row.cut.where(run.numbers).mean(published)),
            Measure("strict", lambda row: row.cut.where(run.numbers).mean(strict)),
        ],
    )
    panels = []
    for rule, name in zip(_RULES, ("their published", "strict"), strict=True):
        found = Panel.of_columns(table, [name]).series[name]
        size = len(run.positions)
        lines = {cut.label: found[at * size : (at + 1) * size] for at, cut in enumerate(run.data.cuts())}
        panels.append(Panel(f"{rule} rule", [f"q{place}" for place in run.positions], lines))
    caption = f"Numbers and choices right by position in the set{run.data.simulation}"
    figure = Figure("progression", "positions", caption, panels, "questions right, percent")
    return Section("By position in the set", tables=[table], figures=[figure], notes=(NOTES["positions"],))


def _progressive(run: APBenchRun) -> Section | None:
    """The same questions with and without earlier right answers; None without such a pair of arms."""
    pairs = run.pairs()
    later = [place for place in run.positions if place > 1]
    if not pairs or not later:
        return None
    said = run.data.simulation
    rows = [Row((other.label, rule), one, other) for one, other in pairs for rule in _RULES]
    columns = [
        Measure(f"Δ at q{place}", given(lambda row, place: _shift(run, row, place), place), change=True)
        for place in later
    ]
    caption = f"Difference by position, numbers and choices{said}; p is adjusted over the table."
    places = tabulate(TableText("progressive_positions", caption), ["progressive", "rule"], rows, columns)
    panels = []
    for at, rule in enumerate(_RULES):
        own = Table("", "", places.columns, places.rows[at :: len(_RULES)])
        panels.append(Panel.of_rows(own, f"{rule} rule", 2, [f"q{place}" for place in later]))
    drawn = f"Progressive less independent by position, numbers and choices{said}"
    return Section(
        "Progressive and independent asking",
        tables=[_with_and_without(run, pairs), places, _shown(run, pairs)],
        figures=[Figure("intervals", "progressive", drawn, panels, "points", zero=True)],
        notes=(NOTES["asked"],),
    )


def _shift(run: APBenchRun, row: Row, place: int) -> Any:
    part = run.at(place) & run.numbers
    return row.about.where(part).less(row.cut.where(part), run.values[str(row.labels[1])])


def _with_and_without(run: APBenchRun, pairs: list[tuple[Cut, Cut]]) -> Table:
    places = [
        (one.where(run.later), other.where(run.later), name)
        for one, other in pairs
        for name in (*_RULES, "message")
    ]
    deltas = {at: other.less(one, run.values[name]) for at, (one, other, name) in enumerate(places)}
    rows: list[list[Entry]] = []
    for at, change in run.data.adjusted(deltas).items():
        one, other, name = places[at]
        if change is not None:
            means = (each.value(run.values[name]) for each in (one, other))
            rows.append([one.label, other.label, name, deltas[at].pairs, *means, change])
    columns = [Column("independent"), Column("progressive"), Column("dimension"), Column("pairs", COUNT)]
    columns += [Column("independent mean", PERCENT), Column("progressive mean", PERCENT)]
    columns += [Column("Δ progressive", PERCENT, change=True)]
    said = run.data.simulation
    caption = f"Questions after the first of a set, asked with and without earlier right answers{said}."
    return Table("progressive", caption, columns, rows, summary=True)


def _shown(run: APBenchRun, pairs: list[tuple[Cut, Cut]]) -> Table:
    """What the difference can rest on: prompts that hold an earlier answer, and the tokens they take."""
    scale, tokens = run.data.dimension("tokens").scale, run.values["tokens"]
    rows = [Row((other.label,), other.where(run.later), one.where(run.later)) for one, other in pairs]
    caption = (
        f"Questions after the first, and those of a set with an earlier right answer{run.data.simulation}."
    )
    return tabulate(
        TableText("progressive_shown", caption),
        ["progressive"],
        rows,
        [
            counted("questions asked", lambda row: len(row.cut.rows)),
            counted("after a right answer", lambda row: _after_right(run, row.cut)),
            Measure("independent tokens", lambda row: row.about.value(tokens), scale),
            value("progressive tokens", tokens, scale=scale),
            Measure("Δ tokens", lambda row: row.cut.less(row.about, tokens), scale, change=True),
        ],
    )


def _after_right(run: APBenchRun, cut: Cut) -> int:
    """Later questions of a set in which an earlier answer was right by the published rule."""
    data = run.data
    places = [(data.asked[at], int(n)) for at, n in zip(*_where(data, cut), strict=True)]
    right = [
        (data.asked[at].id, int(n)) for at, n in zip(*_where(data, data.cut(cut.system), 1.0), strict=True)
    ]
    held = set(right)
    return sum(any((id, repeat) in held for id in problem.follows) for problem, repeat in places)


def _where(data: Results, cut: Cut, published: float | None = None) -> tuple[Any, Any]:
    """Problem and repeat of the attempts of a cut, or of those with this published score."""
    rows = cut.rows
    rows = rows if published is None else rows[data.values("published")[rows] == published]
    return data.attempts.problem[rows], data.attempts.repeat[rows]


def _rules(run: APBenchRun) -> Section | None:
    """Where the published and the strict rule differ, and why; None without a verdict under both."""
    one, other = (run.values[rule] for rule in _RULES)
    both = run.numbers & ~np.isnan(one) & ~np.isnan(other)
    odd = both & (one != other)
    why = {row: _reason(run, row, targets) for row, targets in _stored(run, odd, "published")}
    rows = [row for row in each_system(run.data, both) if len(row.cut.rows)]
    if not rows:
        return None

    def share(row: Row) -> float:
        return len(row.cut.where(odd).rows) / len(row.cut.rows)

    def case(name: str, first: float, second: float) -> Measure:
        mask = (one == first) & (other == second)
        return counted(name, lambda row: len(row.cut.where(mask).rows))

    def reason(name: str) -> Measure:
        return counted(name, lambda row: sum(why.get(at) == name for at in row.cut.rows.tolist()))

    columns = [
        counted("answers", lambda row: len(row.cut.rows)),
        *(case("both right", 1, 1), case("published alone", 1, 0), case("strict alone", 0, 1)),
        *(case("neither", 0, 0), Measure("at odds", share), *map(reason, _REASONS)),
    ]
    text = TableText("rules", f"Answers by both rules, and why they are at odds{run.data.simulation}.")
    table = tabulate(text, ["system"], rows, columns)
    return Section(
        "Published and strict rule",
        findings=(_margins(run),),
        tables=[table],
        notes=(NOTES["odds"],),
    )


def _stored(run: APBenchRun, part: Mask, rule: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """By attempt, what its scores by a rule say of each target."""
    for row, [found] in run.data.details(part, rule):
        yield row, found.get("targets", {})


def _reason(run: APBenchRun, row: int, stated: Mapping[str, Any]) -> str:
    """The first target that tells why the rules are at odds."""
    data = run.data
    passed_published = run.values["published"][row] == 1
    for target in data.asked[data.attempts.problem[row]].targets:
        found = stated.get(target.name, {})
        if not isinstance(target, NumberTarget) or not target.value or found.get("value") is None:
            continue
        number, unit = found["value"], found["unit"]
        converted = convert(number, unit, target.unit) if unit else number
        if converted is None or abs(converted - number) > 1e-9 * abs(number):
            return "unit not read"
        apart = abs(converted - target.value) / abs(target.value)
        if passed_published and apart > 0.01:
            return "wide margin"
        if not passed_published and apart >= margin(target.value):
            return "narrow margin" if margin(target.value) < 0.01 else "other"
    return "other"


def _margins(run: APBenchRun) -> str:
    keys = [
        abs(target.value)
        for problem in run.problems
        for target in problem.targets
        if isinstance(target, NumberTarget) and target.value
    ]
    widths = sorted(margin(key) for key in keys)
    if not widths:
        return "No number is asked for."
    middle = widths[len(widths) // 2]
    return (
        f"The adaptive margin of the {len(widths):,} numbers asked for lies between {widths[0]:.1%} and "
        f"{widths[-1]:.1%}, with a median of {middle:.1%}."
    )


def _messages(run: APBenchRun) -> Section | None:
    """Answers in words: how alike they are to the key, and how many pass; None where none was scored."""
    likeness, cosine = run.values["message"], run.values["cosine"]
    rows = [row for row in each_system(run.data, run.messages) if row.cut.scored(likeness)]
    if not rows:
        return None

    def basis(row: Row) -> str:
        same = np.array_equal(likeness[row.cut.rows], cosine[row.cut.rows], equal_nan=True)
        return "embedding alone" if same else "judge and embedding"

    columns = [
        Measure("basis", basis, None),
        counted("questions", lambda row: row.cut.scored(likeness)),
        counted("answers", lambda row: int((row.cut.known(cosine) > 0).sum())),  # without words it is 0
        *(mean("likeness", likeness), mean("cosine", cosine), mean("right", run.values["published"])),
    ]
    table = tabulate(
        TableText("messages", f"Answers in words{run.data.simulation}."), ["system"], rows, columns
    )
    return Section("Messages", tables=[table], notes=(NOTES["words"],))


def _failures(run: APBenchRun) -> Section | None:
    """How answers fail: every wrong number or choice in one class; None where none is asked for."""
    kinds = {
        row: Counter(each["error"] for each in targets.values() if each["right"] is not None)
        for row, targets in _stored(run, run.part, "strict")
    }
    totals = {
        cut.system: sum((kinds.get(row, Counter()) for row in cut.rows.tolist()), Counter())
        for cut in run.data.cuts(run.part)
    }
    rows = [row for row in each_system(run.data, run.part) if totals[row.cut.system]]
    if not rows:
        return None

    def wrong(row: Row) -> int:
        found = totals[row.cut.system]
        return int(found.total() - found[None])

    def share(name: str) -> Measure:
        return Measure(name, lambda row: totals[row.cut.system][name] / wrong(row) if wrong(row) else None)

    asked = counted("asked", lambda row: totals[row.cut.system].total())
    columns = [asked, counted("wrong", wrong), *map(share, CLASSES)]
    text = TableText("errors", f"Wrong numbers and choices by class{run.data.simulation}.")
    table = tabulate(text, ["system"], rows, columns)
    return Section("How answers fail", tables=[table], notes=(NOTES["failures"],))
