"""What two statements must have in common: each comparison yields the changes that it finds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ansatz.eval.benchmarks.physbench.variants.arrangement import arranged_otherwise, exchanged_names
from ansatz.eval.benchmarks.physbench.variants.asking import asked_quantities
from ansatz.eval.benchmarks.physbench.variants.bodies import impossible
from ansatz.eval.benchmarks.physbench.variants.concepts import (
    absences,
    concepts,
    conditions_lost,
    constants_lost,
    count,
    exchanges,
    had,
    had_not,
    multiplied,
    negated,
    perhaps_negated,
    qualities,
    quantities_in,
)
from ansatz.eval.benchmarks.physbench.variants.numerals import counted_things, counts
from ansatz.eval.benchmarks.physbench.variants.roles import (
    content_words,
    role_changes,
    stem,
    symbol_roles,
)
from ansatz.eval.benchmarks.physbench.variants.statement import Statement
from ansatz.eval.benchmarks.physbench.variants.subjects import label_changes, route_changes, subject_changes
from ansatz.eval.benchmarks.physbench.variants.unit_spelling import BARE, spelled
from ansatz.eval.benchmarks.physbench.variants.unmatched import (
    CLOSE,
    nearness,
    telling_only_in,
    unmatched_changes,
)


@dataclass(frozen=True)
class Change:
    """One thing that a retelling changed: what kind of thing, and what about it."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


_COMMON = {"distance", "length", "time", "number", "ratio"}  # asked for in words that name no quantity
Comparison = Callable[[Statement, Statement], Iterator[Change]]


def numbers(one: Statement, other: Statement) -> Iterator[Change]:
    """Values with their units, however ordered, and the symbols that they are given to."""
    old, new = ({mention.key for mention in each.mentions if not mention.is_count} for each in (one, other))
    for value, unit in sorted(old - new):
        yield Change("number", f"{value:g} {unit}".rstrip() + " is missing")
    known = {mention.value for mention in one.mentions}
    for value, unit in sorted(new - old):
        if unit or value not in known:
            yield Change("number", f"{value:g} {unit}".rstrip() + " is new")
    values = [{each.symbol: each.key for each in part.mentions if each.symbol} for part in (one, other)]
    for symbol in values[0].keys() & values[1].keys():
        if values[0][symbol] != values[1][symbol]:
            yield Change("number", f"{symbol} has another value")
    yield from _counted(one, other)


def _counted(one: Statement, other: Statement) -> Iterator[Change]:
    """Whole numbers without a unit; a new one matters where it counts what the original tells of."""
    old, new = counts(one.words), counts(other.words)
    values = ({mention.value for mention in each.mentions} for each in (one, other))
    told, retold = values
    known = content_words(one.words)
    for value in sorted(old.keys() - new.keys() - retold - _listed(one)):
        yield Change("number", f"{value} is missing")
    for value in sorted(new.keys() - old.keys() - told):
        if {stem(thing) for thing in counted_things(other.words, value)} & known:
            yield Change("number", f"{value} is new")


def _listed(statement: Statement) -> set[int]:
    """How many quantities of one unit it tells: "three signals" says no more than the three themselves."""
    return set(Counter(mention.unit for mention in statement.mentions if not mention.is_count).values())


def units_wanted(one: Statement, other: Statement) -> Iterator[Change]:
    """Another unit that the answer or a variable shall be in; the answer's line may say it alone."""
    for symbol in one.report.keys() & other.report.keys():
        if one.report[symbol] != other.report[symbol]:
            yield Change(
                "unit",
                f"{symbol} was in {one.report[symbol] or 'no unit'}, now {other.report[symbol] or 'none'}",
            )
    old, new = ({spelled(unit) for unit in BARE.findall(each.prose)} for each in (one, other))
    if old - new and new - old:
        yield Change("unit", f"wanted in {', '.join(sorted(old))}, now {', '.join(sorted(new))}")


def formulas(one: Statement, other: Statement) -> Iterator[Change]:
    old, new = Counter(one.formulas), Counter(other.formulas)
    if old != new:
        yield Change("formula", f"{', '.join(old - new) or 'none'} became {', '.join(new - old) or 'none'}")


def symbols(one: Statement, other: Statement) -> Iterator[Change]:
    """A quantity may lose its symbol, but not take another one, and what is wanted must be named."""
    named = [{each.key: each.symbol for each in part.mentions if each.symbol} for part in (one, other)]
    for key in named[0].keys() & named[1].keys():
        if named[0][key] != named[1][key] and named[0][key] not in named[1].values():
            yield Change("symbol", f"{named[0][key]} became {named[1][key]}")
    valued = {*named[0].values(), *named[1].values()}
    lost, gained = one.symbols - other.symbols - valued, other.symbols - one.symbols - valued
    if lost and gained:
        yield Change("symbol", f"{', '.join(sorted(lost))} became {', '.join(sorted(gained))}")
    for symbol in sorted(one.wanted):
        if _stands_in(symbol, one.prose) and not _stands_in(symbol, other.prose):
            yield Change("asked", f"{symbol} is no longer asked for")


def _stands_in(symbol: str, text: str) -> bool:
    return re.search(rf"(?<![\w]){re.escape(symbol)}(?!\w)", text) is not None


def conditions(one: Statement, other: Statement) -> Iterator[Change]:
    """Conditions lost or gained, and alternatives exchanged."""
    for name in conditions_lost(one.text, other.text):
        yield Change("condition", f"{name!r} is missing")
    for name in conditions_lost(other.text, one.text):
        yield Change("condition", f"{name!r} is new")
    for old, new in exchanges(one.words, other.words):
        yield Change("condition", f"{old!r} became {new!r}")


def qualified(one: Statement, other: Statement) -> Iterator[Change]:
    """The same noun with another quality of a row, and quantities that no longer stay the same."""
    for row in concepts().qualities:
        old, new = qualities(one.words, row), qualities(other.words, row)
        for quality, noun in sorted(old):
            others = {each for each, of in new if of == noun}
            before = {each for each, of in old if of == noun}
            fewer = count(quality, other.words) < count(quality, one.words)
            if others - before and fewer:
                yield Change(
                    "condition", f"{quality} {noun} became {', '.join(sorted(others - before))} {noun}"
                )
    for first, second, verb in ((one, other, "no longer"), (other, one, "now")):
        for name in constants_lost(first.prose, second.prose):
            yield Change("condition", f"{name} is {verb} constant or the same")


def multiples(one: Statement, other: Statement) -> Iterator[Change]:
    """What is said to be so many times another: "4 times the radius" is not "4 times the period"."""
    old, new = (multiplied(each.words) for each in (one, other))
    if old - new and new - old:
        yield Change(
            "condition", f"a multiple of {', '.join(sorted(old))} became one of {', '.join(sorted(new))}"
        )


def negations(one: Statement, other: Statement) -> Iterator[Change]:
    """What is absent must stay so, and nothing that was said may now be denied."""
    old, new = absences(one.prose), absences(other.prose)
    for name, present in sorted({key for key in old | new if bool(old[key]) != bool(new[key])}):
        if present and not new[(name, present)]:
            continue
        verb = "is" if new[(name, present)] else "is no longer"
        yield Change("negation", f"{name} {verb} said to be {'present' if present else 'absent'}")
    for first, second in ((one, other), (other, one)):
        for thing in sorted(
            (had_not(first.words) - had(first.words)) & (had(second.words) - had_not(second.words))
        ):
            yield Change("negation", f"{thing} is there in one text and not in the other")
    for first, second, verb in ((one, other, "no longer"), (other, one, "now")):
        denied, elsewhere = negated(first.words), perhaps_negated(second.words)
        said = content_words(second.words)
        for word in sorted({*map(stem, denied)} - {*map(stem, elsewhere)}):
            if word in said:
                yield Change("negation", f"{word!r} is {verb} denied")


def asked(one: Statement, other: Statement) -> Iterator[Change]:
    """One quantity asked for in the place of another, or the lesser in the place of the greater."""
    ways = [[count(words, each.asked) > 0 for words in concepts().more_or_less] for each in (one, other)]
    if ways[0] == ways[1][::-1] != ways[1] and not count("times?|long|first|sooner", other.asked + one.asked):
        yield Change("asked", "the greater and the lesser have changed places")
    lost = asked_quantities(one.asking) - quantities_in(other.asked)
    gained = asked_quantities(other.asking) - quantities_in(one.asked)
    foreign = (
        gained - quantities_in(one.prose) - _COMMON - _reported(one)
        if not asked_quantities(one.asking)
        else frozenset()
    )
    if gained and (lost or foreign):
        yield Change(
            "asked", f"{', '.join(sorted(lost)) or 'no quantity'} became {', '.join(sorted(gained))}"
        )


def _reported(statement: Statement) -> frozenset[str]:
    """The quantities that a statement wants by the units of its answer's lines alone, such as m^3."""
    wanted_in = {spelled(unit) for unit in statement.report.values() if unit}
    return frozenset(name for name, units in concepts().told_by_unit.items() if wanted_in & {*units})


def roles(one: Statement, other: Statement) -> Iterator[Change]:
    for what in (
        *role_changes(one, other),
        *symbol_roles(one, other),
        *route_changes(one, other),
        *label_changes(one, other),
    ):
        yield Change("role", what)
    for what in subject_changes(one, other):
        yield Change("asked", what)


def unmatched(one: Statement, other: Statement) -> Iterator[Change]:
    """Words of physics and of the question that a close retelling lost or brought in."""
    for what in unmatched_changes(one, other):
        yield Change("word", what)


def arranged(one: Statement, other: Statement) -> Iterator[Change]:
    """Laws, ratios and, in a close retelling, the same words in another order."""
    for what in exchanged_names(one, other):
        yield Change("role", what)
    if nearness(one, other) >= CLOSE:
        for what in arranged_otherwise(one, other):
            yield Change("role", what)


def unmatched_in_option(one: Statement, other: Statement) -> Iterator[Change]:
    """Words of physics for an option, which is only given other names and things."""
    for first, second, verb in ((one, other, "missing"), (other, one, "new")):
        for root in telling_only_in(first, second):
            yield Change("word", f"{root!r} is {verb}")


def plausible(one: Statement, other: Statement) -> Iterator[Change]:
    """Nothing new may have a number that is impossible for it."""
    for what in impossible(one, other):
        yield Change("object", what)


COMPARISONS: tuple[Comparison, ...] = (
    numbers,
    units_wanted,
    formulas,
    symbols,
    conditions,
    qualified,
    multiples,
    negations,
    asked,
    roles,
    unmatched,
    arranged,
    plausible,
)
IN_OPTIONS: tuple[Comparison, ...] = (numbers, conditions, negations, formulas, unmatched_in_option)
"""Those that hold for the options of a choice."""
