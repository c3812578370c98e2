"""The chapter on APBench: by topic and position, asked progressively and independently, and both rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ansatz.eval.benchmarks.apbench.rules import CLASSES, margin
from ansatz.eval.problem import MessageTarget, NumberTarget, Problem
from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.attempts import Floats, Mask, values_of_tag
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut, Results
from ansatz.eval.views.section import COUNT, Chapter, Column, Entry, Figure, Panel, Section, Table
from ansatz.eval.views.tabulation import Measure, Row, Rows, Tally, counted, mean, systems, value
from ansatz.quantities.scales import convert

NOTES = Notes(__name__)

_RULES = ("published", "strict")
_PROGRESSIVE = "progressive"
_RIGHT = "right"
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
    return Chapter.of("apbench", "APBench", made)


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
        Row((cut.label, place), cut.where(run.at(place)))
        for cut in run.data.cuts(run.part)
        for place in run.positions
    ]
    table = Rows(run.data, ["system", Column("position", COUNT)], rows).table(
        "positions",
        "Questions right by position in the set",
        counted("questions", lambda row: row.cut.scored(published)),
        mean("published", published),
        counted("numbers and choices", lambda row: row.cut.where(run.numbers).scored(published)),
        mean("their published", published, run.numbers),
        mean("strict", strict, run.numbers),
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

    def change(place: int) -> Measure:
        return Measure(f"Δ at q{place}", lambda row: _shift(run, row, place), change=True)

    caption = f"Difference by position, numbers and choices{said}; p is adjusted over the table."
    asked = Rows(run.data, ["progressive", "rule"], rows)
    places = asked.table("progressive_positions", caption, *map(change, later))
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


def _shift(run: APBenchRun, row: Row, place: int) -> PairedDelta:
    part = run.at(place) & run.numbers
    progressive: Cut = row.about
    return progressive.where(part).less(row.cut.where(part), _named(run, row))


def _with_and_without(run: APBenchRun, pairs: list[tuple[Cut, Cut]]) -> Table:
    rows = [
        Row((one.label, other.label, name), other.where(run.later), one.where(run.later))
        for one, other in pairs
        for name in (*_RULES, "message")
    ]

    def change(row: Row) -> PairedDelta:
        return row.cut.less(row.about, _named(run, row))

    heads = ["independent", "progressive", "dimension"]
    asked = Rows(run.data, heads, rows, lambda _: None).where(lambda row: change(row).pairs)
    return asked.table(
        "progressive",
        "Questions after the first of a set, asked with and without earlier right answers",
        counted("pairs", lambda row: change(row).pairs),
        Measure("independent mean", lambda row: row.about.value(_named(run, row))),
        value("progressive mean", lambda row: _named(run, row)),
        Measure("Δ progressive", change, change=True),
        summary=True,
    )


def _named(run: APBenchRun, row: Row) -> Floats:
    """The values of the dimension that a row ends its labels with."""
    return run.values[str(row.labels[-1])]


def _shown(run: APBenchRun, pairs: list[tuple[Cut, Cut]]) -> Table:
    """What the difference can rest on: prompts that hold an earlier answer, and the tokens they take."""
    scale, tokens = run.data.dimension("tokens").scale, run.values["tokens"]
    rows = [Row((other.label,), other.where(run.later), one.where(run.later)) for one, other in pairs]
    return Rows(run.data, ["progressive"], rows).table(
        "progressive_shown",
        "Questions after the first, and those of a set with an earlier right answer",
        counted("questions asked", lambda row: len(row.cut.rows)),
        counted("after a right answer", lambda row: _after_right(run, row.cut)),
        Measure("independent tokens", lambda row: row.about.value(tokens), scale),
        value("progressive tokens", tokens, scale=scale),
        Measure("Δ tokens", lambda row: row.cut.less(row.about, tokens), scale, change=True),
    )


def _after_right(run: APBenchRun, cut: Cut) -> int:
    """Later questions of a set in which an earlier answer was right by the published rule."""
    published = run.values["published"]

    def asked(rows: Iterable[int]) -> Iterator[tuple[Problem, int]]:
        places, repeats = run.data.attempts.problem, run.data.attempts.repeat
        return ((run.data.asked[places[row]], int(repeats[row])) for row in rows)

    rows = run.data.cut(cut.system).rows
    held = {(problem.id, repeat) for problem, repeat in asked(rows[published[rows] == 1])}
    return sum(any((id, repeat) in held for id in problem.follows) for problem, repeat in asked(cut.rows))


def _rules(run: APBenchRun) -> Section | None:
    """Where the published and the strict rule differ, and why; None without a verdict under both."""
    one, other = (run.values[rule] for rule in _RULES)
    both = run.numbers & ~np.isnan(one) & ~np.isnan(other)
    odd = both & (one != other)
    why = {row: _reason(run, row, targets) for row, targets in _stored(run, odd, "published")}
    rows = systems(run.data, both, "system").where(lambda row: len(row.cut.rows))
    if not rows.rows:
        return None
    cases = Tally(
        lambda row: Counter(zip(one[row.cut.rows].tolist(), other[row.cut.rows].tolist(), strict=True))
    )
    reasons = Tally(lambda row: Counter(why[at] for at in row.cut.rows.tolist() if at in why))
    table = rows.table(
        "rules",
        "Answers by both rules, and why they are at odds",
        cases.count("answers"),
        *(cases.count("both right", (1, 1)), cases.count("published alone", (1, 0))),
        *(cases.count("strict alone", (0, 1)), cases.count("neither", (0, 0))),
        Measure("at odds", lambda row: len(row.cut.where(odd).rows) / len(row.cut.rows)),
        *(reasons.count(name, name) for name in _REASONS),
    )
    notes = (NOTES["odds"],)
    return Section("Published and strict rule", findings=(_margins(run),), tables=[table], notes=notes)


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
    rows = systems(run.data, run.messages, "system").where(lambda row: row.cut.scored(likeness))
    if not rows.rows:
        return None

    def basis(row: Row) -> str:
        same = np.array_equal(likeness[row.cut.rows], cosine[row.cut.rows], equal_nan=True)
        return "embedding alone" if same else "judge and embedding"

    table = rows.table(
        "messages",
        "Answers in words",
        Measure("basis", basis, None),
        counted("questions", lambda row: row.cut.scored(likeness)),
        counted("answers", lambda row: int((row.cut.known(cosine) > 0).sum())),  # without words it is 0
        *(mean("likeness", likeness), mean("cosine", cosine), mean("right", run.values["published"])),
    )
    return Section("Messages", tables=[table], notes=(NOTES["words"],))


def _failures(run: APBenchRun) -> Section | None:
    """How answers fail: every wrong number or choice in one class; None where none is asked for."""
    kinds = {
        row: Counter(each["error"] or _RIGHT for each in targets.values() if each["right"] is not None)
        for row, targets in _stored(run, run.part, "strict")
    }
    fates = Tally(lambda row: sum((kinds[at] for at in row.cut.rows.tolist() if at in kinds), Counter()))
    rows = systems(run.data, run.part, "system").where(fates)
    if not rows.rows:
        return None
    table = rows.table(
        "errors",
        "Wrong numbers and choices by class",
        fates.count("asked"),
        counted("wrong", lambda row: fates(row).total() - fates(row)[_RIGHT]),
        *(fates.share(name, name, among=CLASSES) for name in CLASSES),
    )
    return Section("How answers fail", tables=[table], notes=(NOTES["failures"],))
