"""Find the last statement of a quantity that a text asserts, without a hedge or a later rejection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ansatz.quantities.chains import Chain, find_chains
from ansatz.quantities.hedges import TAKEN_BACK, find_hedge
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.scales import convert_value, is_close
from ansatz.quantities.statements import Statement, collect_statements, pick_statement
from ansatz.quantities.terms import normalize_symbol, read_quantity

_WORDS = re.compile(r"(?:[<>≲≳]=? ?|[A-Za-z']+,? |[\[(≈] ?){0,8}")
_LONGEST_HEDGE = 120
_LONGEST = 200_000  # characters; only the end of a longer text is read
_SAME = 1e-3  # relative: tolerance of a repeated value


def find_asserted(text: str, symbol: str) -> Statement | None:
    """Return the last statement of `symbol`, or None if it is hedged. Reads the last 200,000 characters.

    Example:
        >>> find_asserted("P = 4 kW, or rather P = 5 to 6 kW", "P") is None
        True
    """
    plain = to_plain_text(text[-_LONGEST:])
    chains = find_chains(plain)
    hedged = (replace(each, symbol=name) for each, names in find_hedged(plain, chains) for name in names)
    every = sorted([*collect_statements(chains), *hedged], key=lambda each: each.span)
    last = pick_statement(every, symbol)
    if last is None:
        return None
    name = normalize_symbol(last.symbol)
    return pick_asserted(plain, [each for each in every if normalize_symbol(each.symbol) == name])[0]


def pick_asserted(
    text: str, statements: Sequence[Statement]
) -> tuple[Statement | None, tuple[Statement, ...], str]:
    """Return the last asserted statement of a plain text, unless a later one is in doubt.

    A denied or rejected value withdraws earlier statements of the same value only.

    Returns:
        The asserted statement, (), and ""; or None, the hedged statements, and the reason from `find_hedge`.
    """
    denied: list[Statement] = []
    why = ""
    for each in reversed(statements):
        reason = find_hedge(text, *each.span)
        if not reason and not any(_is_same(each, other) for other in denied):
            return each, (), ""
        if reason not in ("", *TAKEN_BACK):
            return None, (each,), reason
        denied.append(each)
        why = why or reason
    return None, tuple(denied[:1]), why


def find_hedged(text: str, chains: Iterable[Chain]) -> Iterator[tuple[Statement, tuple[str, ...]]]:
    """Yield the hedged quantity at the start of each chain without a value, with the chain's names."""
    for chain in chains:
        if chain.names and not chain.values and (found := read_hedged(text, chain)):
            yield found, chain.names


def read_hedged(text: str, chain: Chain) -> Statement | None:
    """Read the quantity at the start of a chain's last side, if it is hedged."""
    if not (chain.terms and chain.places):
        return None
    term = chain.terms[-1][:_LONGEST_HEDGE]
    words = _WORDS.match(term)
    begin = words.end() if words else 0
    found = read_quantity(term[begin:])
    start = chain.places[-1] + begin
    if found is None or not find_hedge(text, start, start + found[1]):
        return None
    (value, unit, digits), end = found
    unit = unit or chain.unit
    name, span = chain.names[0] if chain.names else "", (start, start + end)
    return Statement(name, value, unit, term, chain.position, digits, chain.label, span)


def _is_same(first: Statement, second: Statement) -> bool:
    """Whether two statements have the same value; a number without a unit has the other's unit."""
    value: float | None = first.value
    if first.unit and second.unit and first.unit != second.unit:
        value = convert_value(first.value, first.unit, second.unit)
    return value is not None and is_close(value, second.value, _SAME)
