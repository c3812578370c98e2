"""The expressions that an answer writes: what each defines, and the value it is said to have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ansatz.eval.rubrics.arithmetic import Formula, read_formula
from ansatz.eval.rubrics.prose import FUNCTION_WORDS
from ansatz.quantities.chains import Chain, read_value
from ansatz.quantities.letters import GREEK_NAMES
from ansatz.quantities.terms import is_symbolic, read_quantity

_GOES_ON = re.compile(r" (?:of|at|for|on|per|in|whatever|above|below|times)\b| [a-z]{4,}\b")
_AUXILIARIES = frozenset(("will", "would", "can", "could", "must", "should", "may", "might"))
_OPERATES_IN_WORDS = re.compile(r"\b(?:times|plus|minus|over|less|with|by|to the)[ (]*$")  # times 2/3 = 0.13
_LAST_WORD = re.compile(r"(?:^|[\s(])([A-Za-z]\w*) +$")
_SHORTEST_WORD = 4  # letters; shorter ones such as cp and eps may be symbols
_MOST_STARTS = 24  # words of prose after which a formula may begin
_CHAINS_AHEAD = 2  # chains in which the result of a substitution that ends a line is sought


@dataclass(frozen=True)
class Term:
    """A side of an equality that is an expression: what it defines, and the value it is said to have.

    Of a balance `A = B` between two formulas it is their difference, and `sides` holds both.
    """

    names: tuple[str, ...]
    formula: Formula
    claimed: tuple[float, str, int] | None
    position: int
    sides: tuple[Formula, ...] = ()


def terms(found: tuple[Chain, ...]) -> Iterator[Term]:
    """The expressions among the sides of equalities, in reading order."""
    for place, chain in enumerate(found):
        if chain.names and set(chain.names) <= _AUXILIARIES:
            continue
        if not chain.names and len(chain.terms) == 2:
            yield from _balance(chain)
        for i, text in enumerate(chain.terms):
            formula = read_formula(text) if chain.names else _formula_after_prose(text)
            if formula and formula.operations:
                ahead = chain.terms[i + 1 : i + 2 if formula.names else None]
                claimed = _claimed(ahead)
                if i + 1 == len(chain.terms) and not formula.names and not _is_fraction(formula):
                    claimed = _stated_next(chain, found[place + 1 : place + 1 + _CHAINS_AHEAD])
                yield Term(chain.names, formula, claimed, chain.position)


def _is_fraction(formula: Formula) -> bool:
    """Whether it is a constant such as 5/2, whose value nobody states."""
    return all(literal.is_integer() and abs(literal) < 10 for literal in formula.literals)


def _claimed(sides: tuple[str, ...]) -> tuple[float, str, int] | None:
    """The first value among the sides that follow; one that goes on in words is bare: 0.17 of the radius."""
    for side in sides:
        value = read_value(side)
        if value:
            return value
        begun = read_quantity(side)
        if begun and _GOES_ON.match(side, begun[3]):
            return begun[:3]
    return None


def _formula_after_prose(text: str) -> Formula | None:
    """The longest end of a text that is a formula and holds no words."""
    starts = [0, *(found.end() for found in re.finditer(r"\s+|(?<=:)", text))]
    for start in starts[-_MOST_STARTS:]:
        if text[:start].rstrip().endswith(("*", "/", "+", "^")):
            continue  # the rest of a longer expression
        if _OPERATES_IN_WORDS.search(text[:start]) or _is_cut(text[:start]):
            continue
        formula = read_formula(text[start:])
        if formula and not any(_is_word(name) for name in formula.names):
            return formula
    return None


def _is_cut(before: str) -> bool:
    """Whether a text ends with a factor or function, so that what follows is the rest of a product."""
    last = _LAST_WORD.search(before)
    return last is not None and is_symbolic(last[1])


def _is_word(name: str) -> bool:
    return name in FUNCTION_WORDS or (
        name.isalpha() and name.islower() and len(name) >= _SHORTEST_WORD and name not in GREEK_NAMES
    )


def _stated_next(chain: Chain, following: tuple[Chain, ...]) -> tuple[float, str, int] | None:
    """The value on the next line for a symbol whose substitution ends this one."""
    same = (each for each in following if set(each.names) & set(chain.names))
    return next((read_value(each.terms[0]) for each in same if each.terms), None)


def _balance(chain: Chain) -> Iterator[Term]:
    """`A = B` between two formulas in symbols, as the formula A - B."""
    left, right = map(read_formula, chain.terms)
    if left and right and left.names and right.names:
        difference = read_formula(f"({left.text}) - ({right.text})")
        if difference:
            yield Term((), difference, None, chain.position, (left, right))
