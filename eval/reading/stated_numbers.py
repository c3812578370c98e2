"""Which quantity an answer finally states for each target, read from its text without a model or a key.

The last statement wins by the surest of a target's names: its symbol, other symbols for it, its words. A
target that is alone may also be met by what is marked as the answer, or by the conclusion. Where the text
leaves doubt nothing is read, and the candidates are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ansatz.eval.problem import NumberTarget, Target
from ansatz.eval.reading.layout import remove_afterthoughts, select_readable_part
from ansatz.quantities.assertions import find_hedged, pick_asserted, read_hedged
from ansatz.quantities.chains import Chain, find_chains
from ansatz.quantities.hedges import find_hedge
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import NUMBER, read_whole_unit
from ansatz.quantities.scales import convert_value, is_dimensional
from ansatz.quantities.statements import (
    Statement,
    StatementIndex,
    collect_statements,
    evaluate_term,
    extract_words,
    is_described,
)
from ansatz.quantities.terms import normalize_symbol, read_quantity, read_value

_MARK = "answer"  # the symbol under which boxes, tags and "Answer:" are read
_NAMELESS = ""
_CONDITIONAL = re.compile(
    r"\b(?:if|suppose|were|would|had|unless|check(?:ing)?|verif\w+|initially|at first"
    r"|first (?:guess|attempt|estimate|try))\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\n|[.;] |,? but |, (?:so|thus|hence|therefore) ")
_WOULD = re.compile(r",? (?:would|might|could)\b", re.IGNORECASE)  # 5 kW would be the ideal power
_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|finally|consequently|final|answer|result|conclu\w+"
    r"|we (?:get|find|have|obtain))\b",
    re.IGNORECASE,
)
_LATE = 400  # characters from the end within which a quantity concludes


@dataclass(frozen=True)
class Names:
    """What else a target may be called: symbols in the order of their claim, and words before its value."""

    symbols: tuple[str, ...] = ()
    words: re.Pattern[str] | None = None


@dataclass(frozen=True)
class NumberReading:
    """What an answer states for a target: the statement, or None, the candidates, and why they are in doubt.

    `doubt` is a reason of `hedges.find_hedge`; "" where no candidate is hedged.
    """

    statement: Statement | None
    candidates: tuple[Statement, ...] = ()
    doubt: str = ""


def read_numbers(
    answer: str,
    targets: Sequence[Target],
    *,
    givens: Sequence[str] | None = None,
    names: Callable[[str], Names] = lambda _: Names(),
) -> dict[str, NumberReading]:
    """What the answer states for each numeric target, by its name. Never raises; linear in the text,
    of which at most the last 200,000 characters are read.

    What stands only in a `<think>` block before it is not stated. `givens` are the symbols that the question
    states, if it leaves the form of its answer free: a conclusion in other symbols or none is then read.
    `names` gives further names of a target.
    """
    text = AnswerText(select_readable_part(answer), targets, givens, names)
    return {target.name: text.read_target(target) for target in targets if isinstance(target, NumberTarget)}


class AnswerText:
    """The statements of one text, asked for by target."""

    def __init__(
        self,
        text: str,
        targets: Sequence[Target],
        givens: Sequence[str] | None,
        names: Callable[[str], Names],
    ) -> None:
        self.text = to_plain_text(text)
        self.chains = find_chains(self.text)
        self._targets, self._givens, self._names = targets, givens, names
        asked = {target.name for target in targets if isinstance(target, NumberTarget)}
        self._asked = {normalize_symbol(to_plain_text(name)) for name in asked}
        doubted = (
            replace(each, symbol=name)
            for each, names in find_hedged(self.text, self.chains)
            for name in names
        )
        ordered = sorted(
            (*collect_statements(self.chains), *doubted), key=lambda statement: statement.position
        )
        self.statements = remove_afterthoughts(self.text, ordered, asked)
        self._by_name = StatementIndex(self.statements)

    def read_target(self, target: NumberTarget) -> NumberReading:
        """What is asserted last for a target by the surest of its names.

        What a condition governs counts only where nothing else is asserted.
        """
        alone = len(self._targets) == 1
        if alone:  # the last value that a box, a tag or "Answer:" marks
            marked = [chain for chain in self.chains if _MARK in map(str.lower, chain.names)]
            found = self._read_marked(marked, target)
            if found.statement or found.doubt:
                return found
        tiers = [
            [each for each in found if _has_fitting_unit(each, target)]
            for found in self._rank_by_name(target)
        ]
        doubt = NumberReading(None)
        for candidates in tiers:
            after = max((each.span[0] for each in doubt.candidates), default=-1)
            found = self._last_asserted([each for each in candidates if each.span[0] > after])
            if found.statement:
                return found
            doubt = doubt if doubt.doubt else found
        conditional = [
            found
            for found in (self._last_asserted(each, conditions=True) for each in tiers)
            if found.statement
        ]
        concluded = self._read_conclusion(target) if alone else NumberReading(None)
        if not doubt.doubt and self._conclusion_overrides(concluded.statement, target, conditional):
            return concluded
        if doubt.doubt or conditional:
            return doubt if doubt.doubt else conditional[0]
        if self._givens is not None and concluded.candidates:
            return concluded
        return self._read_in_any_unit(target)

    def _read_marked(self, marked: Sequence[Chain], target: NumberTarget) -> NumberReading:
        """The last value in a box, a tag or behind "Answer:".

        A symbolic box takes the value that its symbol has elsewhere, a bare number the unit that it has
        elsewhere, and of several quantities in a box the one of the target's dimension counts.
        """
        valued = (
            self._evaluate_chain(each) or read_hedged(self.text, each) or _read_number_word(each)
            for each in marked
        )
        found = self._last_asserted(_prefer_fitting(filter(None, valued), target), conditions=True)
        last = found.statement
        if last is None and not found.doubt and marked:
            named = [each for name in marked[-1].names for each in self._by_name.exactly(name)]
            return self._last_asserted([each for each in named if _has_fitting_unit(each, target)])
        if last and not _has_fitting_unit(last, target):
            start = last.span[1]
            line = self.text[start:].partition("\n")[0]
            other = self._read_mention(target, line, start)
            return other if other.statement else found
        if last and not last.unit and is_dimensional(target.unit):
            same = {each.unit for each in self.statements if each.unit and each.value == last.value}
            units = [unit for unit in same if convert_value(1.0, unit, target.unit) is not None]
            return NumberReading(replace(last, unit=units[0])) if len(units) == 1 else found
        return found

    def _conclusion_overrides(
        self, concluded: Statement | None, target: NumberTarget, conditional: list[NumberReading]
    ) -> bool:
        """Whether a conclusion is read: the form is free, or it follows what was only supposed."""
        if concluded is None or not conditional:
            return concluded is not None and self._givens is not None
        supposed = conditional[0].statement
        follows = supposed is not None and concluded.span[0] > supposed.span[0]
        return (
            follows
            and bool(concluded.unit)
            and is_dimensional(target.unit)
            and _has_fitting_unit(concluded, target)
        )

    def _read_in_any_unit(self, target: NumberTarget) -> NumberReading:
        """The last statement of the target's symbol; failing that, the numeric expression that it equals."""
        name = normalize_symbol(to_plain_text(target.name))
        if (
            found := self._last_asserted(self._by_name.exactly(name), conditions=True)
        ).statement or found.doubt:
            return found
        named = [chain for chain in self.chains if name in map(normalize_symbol, chain.names)]
        return NumberReading(self._evaluate_chain(named[-1]) if named else None)

    def _last_asserted(self, candidates: Sequence[Statement], conditions: bool = False) -> NumberReading:
        """The last of some statements that is asserted; statements in a condition need `conditions`."""
        usable = [each for each in candidates if conditions or not self._is_conditional(each)]
        return NumberReading(*pick_asserted(self.text, usable))

    def _rank_by_name(self, target: NumberTarget) -> Iterator[list[Statement]]:
        """Statements by name, by other symbols, without regard to case, in words.

        In another case a symbol may be another target's own, unless its unit says otherwise.
        """
        name, names = to_plain_text(target.name), self._names(target.name)
        yield self._by_name.exactly(name)
        yield self._by_name.with_any_dot(name)
        taken = self._asked - {normalize_symbol(name)}
        alike = {each.casefold() for each in taken}
        others = [alias for alias in names.symbols if alias not in taken]
        yield from map(self._by_name.exactly, others)
        for alias in (name, *others):
            folded = [(normalize_symbol(each.symbol), each) for each in self._by_name.in_any_case(alias)]
            yield [
                each
                for symbol, each in folded
                if symbol not in taken and (each.unit or symbol.casefold() not in alike)
            ]
        if names.words:
            yield [each for each in self.statements if names.words.search(each.label)]
        words = extract_words(target.description or (target.name if " " in target.name else ""))
        yield [each for each in self.statements if is_described(each, words)]

    def _read_conclusion(self, target: NumberTarget) -> NumberReading:
        """The last quantity that the end of the text states, named or not, if it is the only one there."""
        late = [chain for chain in self.chains if chain.position >= len(self.text) - _LATE]
        found = [each for each in map(self._evaluate_chain, late) if each]
        sure = [
            each for each in found if not self._is_conditional(each) and not find_hedge(self.text, *each.span)
        ]
        fitting = _prefer_fitting(
            [each for each in sure if _CONCLUDES.search(self._text_before(each))] or sure, target
        )
        line = self.text[self.text.rstrip().rfind("\n") + 1 :].strip()
        start = len(self.text.rstrip()) - len(line)
        alone = evaluate_term(line) if len(line) < 80 else None
        if alone and not any(each.position >= start for each in fitting):
            value, unit, digits = alone
            quantity = read_quantity(line) if read_value(line) else None
            span = (start, start + (quantity[1] if quantity else len(line)))
            return self._last_asserted([Statement(_NAMELESS, value, unit, line, start, digits, "", span)])
        if fitting:
            return NumberReading(fitting[-1])
        mentioned = self._read_mention(target, line, start)
        return (
            mentioned
            if mentioned.candidates or mentioned.statement
            else NumberReading(None, tuple(found[-3:]))
        )

    def _read_mention(self, target: NumberTarget, line: str, start: int) -> NumberReading:
        """The one quantity of the target's dimension that the last line asserts: a power of 13.3 kW."""
        if not is_dimensional(target.unit) or len(line) > _LATE:
            return NumberReading(None)
        asserted, doubted = [], {}
        for number in NUMBER.finditer(line):
            text = line[number.start() :]
            read = read_value(text)
            if read and read.unit and convert_value(read.value, read.unit, target.unit) is not None:
                place = start + number.start()
                _, end = read_quantity(text) or (read, len(number.group()))
                span = (place, place + end)
                each = Statement(_NAMELESS, read.value, read.unit, line, place, read.digits, "", span)
                if self._is_conditional(each):
                    continue
                if reason := find_hedge(self.text, *span):
                    doubted[each] = reason
                else:
                    asserted.append(each)
        if asserted or not doubted:
            return NumberReading(asserted[0] if len(asserted) == 1 else None)
        return NumberReading(None, tuple(doubted), next(iter(doubted.values())))

    def _is_conditional(self, statement: Statement) -> bool:
        """Whether a statement stands in a condition, or is what was found at first."""
        return bool(
            _CONDITIONAL.search(self._text_before(statement)) or _WOULD.match(self.text, statement.span[1])
        )

    def _text_before(self, statement: Statement) -> str:
        """The words of a sentence, or of the part of it behind "but", up to the value that it states."""
        start = statement.span[0]
        before = _PARTS.split(self.text[max(0, start - 200) : start])[-1]
        return before if before.strip() else f"{before} {statement.label}"

    def _evaluate_chain(self, chain: Chain) -> Statement | None:
        """The quantity a chain arrives at; failing that, the value of its last numeric expression."""
        name = chain.names[0] if chain.names else _NAMELESS
        if found := collect_statements([replace(chain, names=(name,))]):
            return found[0]
        for index, term in reversed([*enumerate(chain.terms)]):
            if quantity := evaluate_term(term):
                value, unit, digits = quantity
                unit, span = unit or chain.unit, chain.span(index)
                return Statement(name, value, unit, term, chain.position, digits, chain.label, span)
        return None


def _read_number_word(chain: Chain) -> Statement | None:
    """The number that the last side of a chain is in words, as in "three photons"."""
    text = (*chain.names, *chain.terms)[-1]
    words = text.lower().split() if len(text) < 40 else []
    if not words or len(words) > 2 or words[0] not in _NUMBER_WORDS:
        return None
    value = float(_NUMBER_WORDS.index(words[0]))
    unit = read_whole_unit(words[1]) if len(words) > 1 else ""
    span = chain.span(len(chain.terms) - 1) if chain.terms else (chain.position, chain.position)
    return Statement(_MARK, value, unit, text, chain.position, 1, chain.label, span)


def _has_fitting_unit(statement: Statement, target: NumberTarget) -> bool:
    return value_in_unit(statement.value, statement.unit, target.unit) is not None


def _prefer_fitting(found: Iterable[Statement], target: NumberTarget) -> list[Statement]:
    """Those in a unit of the target's dimension, if any; a pure number may be told in any."""
    every = list(found)
    return [
        each for each in every if is_dimensional(target.unit) and _has_fitting_unit(each, target)
    ] or every


def value_in_unit(value: float, unit: str, wanted: str) -> float | None:
    """A value read in the unit wanted; None where its unit is another dimension's.

    A number without a unit is taken to be in the unit asked for.
    """
    return value if not unit or unit == wanted else convert_value(value, unit, wanted)
