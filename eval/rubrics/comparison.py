"""Comparisons that a text states: "0.38 is below the Carnot limit of 0.55", "q < 4.9e7 W/m^2"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ansatz.eval.rubrics.prose import words
from ansatz.eval.rubrics.working import Working, si
from ansatz.quantities.chains import read_value
from ansatz.quantities.scales import scale
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import spelled

_FAR = r"(?:well |far |safely |much |slightly |just |roughly |considerably |significantly )?"
_LESS = (
    rf"(?:{_FAR}(?:below|less than|smaller than|lower than|at most|no more than|short of|beneath)"
    r"|(?:well|far|safely|just) under)"
)
_MORE = (
    rf"(?:{_FAR}(?:above|greater than|larger than|higher than|more than|at least|exceeds?|exceeding)"
    r"|(?:well|far|safely|just) over)"
)
_COMPARATOR = re.compile(
    rf"(?P<less><<|<=?)|(?P<more>>>|>=?)|\b(?P<between>between|within(?: the range)?|in the range)\b"
    r"|\b(?P<negated>(?:not|n't|cannot|never) (?:be )?)?"
    rf"(?:(?P<words_less>{_LESS})|(?P<words_more>{_MORE}))\b"
)
_QUANTITY_START = re.compile(r"(?<![\w.^_*/(+])(?<!\d )[-+]?(?:\d|\.\d)")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*")
_IT = re.compile(r"\b(?:[Tt]his|[Ii]t|[Tt]he (?:result|value|answer))\b")
_RANGE = re.compile(r" ?(?:and|to|-|,) ?(?=[-+.\d])")
_THIS = re.compile(
    r" ?(?:this|that|it|the (?:\w+ )?(?:limit|bound|value|maximum|minimum|ceiling))\b", re.IGNORECASE
)
_MOST = 40


@dataclass(frozen=True)
class Side:
    """A side of a comparison: its number, unit, and what it is the value of ("" for a bare number)."""

    value: float
    unit: str
    symbol: str


@dataclass(frozen=True)
class Comparison:
    """A stated comparison whose two sides could be read, and whether it is true."""

    text: str
    left: Side
    right: Side
    holds: bool


def comparisons(working: Working) -> Iterator[Comparison]:
    """The comparisons of an answer between quantities of the same dimension."""
    count, before = 0, ""
    for sentence in working.sentences:
        for found in _COMPARATOR.finditer(sentence):
            count += 1
            if count > _MOST:
                return
            read = _read(sentence, found, working, before)
            if read:
                yield read
        before = sentence


def _read(sentence: str, found: re.Match[str], working: Working, before: str) -> Comparison | None:
    """One comparison; `before` is the sentence before, where "this limit" may be found."""
    left = _left(sentence[max(0, found.start() - 160) : found.start()], working)
    after = sentence[found.end() : found.end() + 160]
    right = _right(after, working) or (_referred(before, left) if left and _THIS.match(after) else None)
    if left is None or right is None:
        return None
    pair = _common(left, right, signs=bool(found["less"] or found["more"]))
    if found["between"]:
        upper = _upper(after)
        above = _common(left, upper, signs=False) if upper else None
        if upper is None or above is None:
            return None
        low = si(right.value, right.unit or upper.unit)
        holds = low is not None and min(low, above[1]) <= above[0] <= max(low, above[1])
        right = upper
    elif pair is not None:
        holds = pair[0] <= pair[1] if found["less"] or found["words_less"] else pair[0] >= pair[1]
        holds = not holds if found["negated"] else holds
    else:
        return None
    return Comparison(sentence[:160], left, right, holds)


def _left(text: str, working: Working) -> Side | None:
    """The quantity or known symbol nearest before the comparator; failing that, a target described."""
    numbers = list(quantities(text))
    names = [(each.start(), side) for each in _NAME.finditer(text) if (side := _named(each.group(), working))]
    nearest = max([*numbers, *names], key=lambda pair: pair[0], default=None)
    if nearest:
        return nearest[1]
    said = words(text)
    if len(working.finals) == 1 and _IT.search(text):
        ((name, final),) = working.finals.items()
        return Side(final.value, final.unit, name)
    for target in working.targets:
        about, stated = words(target.description), working.finals.get(target.name)
        if stated and about and 2 * len(said & about) >= len(about):
            return Side(stated.value, stated.unit, target.name)
    return None


def _right(text: str, working: Working) -> Side | None:
    """The first complete quantity after the comparator, or a known symbol that stands right there."""
    name = _NAME.match(text.lstrip(" ("))
    side = _named(name.group(), working) if name else None
    first = next(quantities(text), None)
    return side or (first[1] if first else None)


def _referred(before: str, left: Side) -> Side | None:
    """The last quantity of the sentence before that can be compared with the left side."""
    alike = (side for _, side in reversed(list(quantities(before))) if _common(left, side, signs=False))
    return next(alike, None)


def quantities(text: str) -> Iterator[tuple[int, Side]]:
    """Every complete quantity of a text with its place."""
    for found in _QUANTITY_START.finditer(text):
        read = read_value(text[found.start() : found.start() + 60].split(", ")[0])
        if read:
            yield found.start(), Side(read[0], read[1], "")


def _upper(text: str) -> Side | None:
    found = list(quantities(text))
    return found[1][1] if len(found) > 1 and _RANGE.search(text) else None


def _named(name: str, working: Working) -> Side | None:
    statement: Statement | None = _by_name(working).get(spelled(name))
    return Side(statement.value, statement.unit, statement.symbol) if statement else None


def _by_name(working: Working) -> dict[str, Statement]:
    return {spelled(each.symbol): each for each in working.statements}


def _common(left: Side, right: Side, signs: bool) -> tuple[float, float] | None:
    """Both values in SI, or bare where neither has a unit; None where they cannot be compared."""
    if not left.unit and not right.unit:
        return left.value, right.value
    if not left.unit or not right.unit:
        pure = scale(left.unit or right.unit)
        alike = pure is not None and not any(pure.dimension)
        return _si_pair(left, right) if alike else (left.value, right.value) if signs else None
    one, two = scale(left.unit), scale(right.unit)
    if one is None or two is None or one.dimension != two.dimension:
        return None
    return _si_pair(left, right)


def _si_pair(left: Side, right: Side) -> tuple[float, float] | None:
    one, two = si(left.value, left.unit), si(right.value, right.unit)
    return None if one is None or two is None else (one, two)
