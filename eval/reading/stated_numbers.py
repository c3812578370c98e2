"""Read the quantity that an answer finally states for each target, by rules and without the right value.

The names of a target are tried in order of certainty: its symbol, other symbols for it, its words. The last
statement under a name counts. A single target is also read from a marked answer ("Answer:", a box) or from
the conclusion. If the text is ambiguous, no value is read, and the candidates are reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ansatz.eval.problem import NumberTarget, Target
from ansatz.eval.reading.emphasis import find_emphasized, list_quantities
from ansatz.eval.reading.layout import remove_afterthoughts, select_readable_part
from ansatz.quantities.assertions import find_hedged, pick_asserted, read_hedged
from ansatz.quantities.chains import Chain, find_chains
from ansatz.quantities.hedges import find_hedge
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import NUMBER, read_whole_unit, resolve_decimal_commas
from ansatz.quantities.scales import convert_value, find_scale, is_dimensional
from ansatz.quantities.statements import (
    Statement,
    StatementIndex,
    collect_statements,
    evaluate_term,
    extract_words,
    is_described,
)
from ansatz.quantities.terms import normalize_symbol, read_quantity, read_value

_MARK = "answer"  # the symbol of values in boxes, in tags and after "Answer:"
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
_LATE = 400  # a conclusion is within this number of characters from the end


@dataclass(frozen=True)
class Names:
    """Further names of a target."""

    symbols: tuple[str, ...] = ()
    """Symbols, in order of certainty."""
    words: re.Pattern[str] | None = None
    """Words before its value."""


@dataclass(frozen=True)
class NumberReading:
    """The quantity that an answer states for a target."""

    statement: Statement | None
    """The statement, or None."""
    candidates: tuple[Statement, ...] = ()
    """Quantities that the answer might mean, if it is ambiguous."""
    doubt: str = ""
    """Why the candidates are uncertain (see `hedges.find_hedge`); empty if no candidate is hedged."""


def read_numbers(
    answer: str,
    targets: Sequence[Target],
    *,
    free_form: bool = False,
    names: Callable[[str], Names] = lambda _: Names(),
) -> dict[str, NumberReading]:
    """Read what the answer states for each numeric target, by the target's name.

    Reasoning blocks such as `<think>` are skipped, and at most the last 200,000 characters are read. The time
    is linear in the length of the text.

    Parameters
    ----------
    free_form
        Whether the question leaves the form of the answer open. If so, a conclusion in other symbols than
        the targets', or without a symbol, counts too.
    names
        Returns further names of a target.
    """
    text = AnswerText(select_readable_part(answer), targets, free_form, names)
    return {target.name: text.read_target(target) for target in targets if isinstance(target, NumberTarget)}


class AnswerText:
    """The statements of one text, which `read_target` selects by target."""

    def __init__(
        self,
        text: str,
        targets: Sequence[Target],
        free_form: bool,
        names: Callable[[str], Names],
    ) -> None:
        self.text = resolve_decimal_commas(to_plain_text(text))
        self._emphasized = find_emphasized(text)
        self.chains = find_chains(self.text)
        self._targets, self._free_form, self._names = targets, free_form, names
        wanted = {target.name for target in targets if isinstance(target, NumberTarget)}
        self._wanted_symbols = {normalize_symbol(to_plain_text(name)) for name in wanted}
        doubted = (
            replace(each, symbol=name)
            for each, names in find_hedged(self.text, self.chains)
            for name in names
        )
        ordered = sorted(
            (*collect_statements(self.chains), *doubted), key=lambda statement: statement.position
        )
        self.statements = remove_afterthoughts(self.text, ordered, wanted)
        self._by_name = StatementIndex(self.statements)

    def read_target(self, target: NumberTarget) -> NumberReading:
        """Read the last assertion about a target under the most certain of its names.

        A statement in a condition ("if V were 3 m/s") counts only if nothing else is asserted.
        """
        is_single = len(self._targets) == 1
        if is_single:  # the last value that a box, a tag or "Answer:" marks
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
            found = self._pick_last_asserted([each for each in candidates if each.span[0] > after])
            if found.statement:
                return found
            doubt = doubt if doubt.doubt else found
        conditional = [
            found
            for found in (self._pick_last_asserted(each, conditions=True) for each in tiers)
            if found.statement
        ]
        concluded = self._read_conclusion(target) if is_single else NumberReading(None)
        if not doubt.doubt and self._is_conclusion_preferred(concluded.statement, target, conditional):
            return concluded
        if doubt.doubt or conditional:
            return doubt if doubt.doubt else conditional[0]
        if self._free_form and concluded.candidates:
            return concluded
        return self._read_in_any_unit(target)

    def _read_marked(self, marked: Sequence[Chain], target: NumberTarget) -> NumberReading:
        """Read the last value in a box, in a tag or after "Answer:".

        If the box contains only a symbol, the value of this symbol elsewhere counts. A number without a unit
        gets the unit that it has elsewhere. Of several quantities, the one in the target's dimension counts.
        """
        valued = (
            self._evaluate_chain(each) or read_hedged(self.text, each) or _read_number_word(each)
            for each in marked
        )
        found = self._pick_last_asserted(_prefer_fitting(filter(None, valued), target), conditions=True)
        last = found.statement
        if last is None and not found.doubt and marked:
            named = [each for name in marked[-1].names for each in self._by_name.exactly(name)]
            return self._pick_last_asserted([each for each in named if _has_fitting_unit(each, target)])
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

    def _is_conclusion_preferred(
        self, concluded: Statement | None, target: NumberTarget, conditional: list[NumberReading]
    ) -> bool:
        """Whether a conclusion counts: the form of the answer is free, or it comes after a mere condition."""
        if concluded is None or not conditional:
            return concluded is not None and self._free_form
        supposed = conditional[0].statement
        follows = supposed is not None and concluded.span[0] > supposed.span[0]
        return (
            follows
            and bool(concluded.unit)
            and is_dimensional(target.unit)
            and _has_fitting_unit(concluded, target)
        )

    def _read_in_any_unit(self, target: NumberTarget) -> NumberReading:
        """Read the last statement of the target's symbol, or else the numeric expression that it equals."""
        name = normalize_symbol(to_plain_text(target.name))
        if (
            found := self._pick_last_asserted(self._by_name.exactly(name), conditions=True)
        ).statement or found.doubt:
            return found
        named = [chain for chain in self.chains if name in map(normalize_symbol, chain.names)]
        return NumberReading(self._evaluate_chain(named[-1]) if named else None)

    def _pick_last_asserted(self, candidates: Sequence[Statement], conditions: bool = False) -> NumberReading:
        """Read the last asserted one of the candidates; with `conditions`, those in a condition count too."""
        usable = [each for each in candidates if conditions or not self._is_conditional(each)]
        return NumberReading(*pick_asserted(self.text, usable))

    def _rank_by_name(self, target: NumberTarget) -> Iterator[list[Statement]]:
        """Yield statements by symbol, by other symbols, by symbol in any case, and by words.

        A symbol in another case may belong to another target (`t` and `T`), unless it has a fitting unit.
        """
        name, names = to_plain_text(target.name), self._names(target.name)
        yield self._by_name.exactly(name)
        yield self._by_name.with_any_dot(name)
        taken = self._wanted_symbols - {normalize_symbol(name)}
        taken_in_any_case = {each.casefold() for each in taken}
        others = [alias for alias in names.symbols if alias not in taken]
        yield from map(self._by_name.exactly, others)
        for alias in (name, *others):
            folded = [(normalize_symbol(each.symbol), each) for each in self._by_name.in_any_case(alias)]
            yield [
                each
                for symbol, each in folded
                if symbol not in taken and (each.unit or symbol.casefold() not in taken_in_any_case)
            ]
        if names.words:
            yield [each for each in self.statements if names.words.search(each.label)]
        words = extract_words(target.description or (target.name if " " in target.name else ""))
        yield [each for each in self.statements if is_described(each, words)]

    def _read_conclusion(self, target: NumberTarget) -> NumberReading:
        """Read the quantity in bold at the end of a text, or else the only one there."""
        if emphasized := self._read_emphasized(target):
            return NumberReading(emphasized)
        late = [chain for chain in self.chains if chain.position >= len(self.text) - _LATE]
        found = [each for each in map(self._evaluate_chain, late) if each]
        sure = [
            each for each in found if not self._is_conditional(each) and not find_hedge(self.text, *each.span)
        ]
        fitting = _prefer_fitting(
            [each for each in sure if _CONCLUDES.search(self._find_text_before(each))] or sure, target
        )
        line = self.text[self.text.rstrip().rfind("\n") + 1 :].strip()
        start = len(self.text.rstrip()) - len(line)
        mentioned = self._read_mention(target, line, start)
        last_line = evaluate_term(line) if len(line) < 80 else None
        if last_line and not any(each.position >= start for each in fitting):
            value, unit, digits = last_line
            quantity = read_quantity(line) if read_value(line) else None
            span = (start, start + (quantity[1] if quantity else len(line)))
            statement = Statement(_NAMELESS, value, unit, line, start, digits, "", span)
            if _has_fitting_unit(statement, target) or not mentioned.statement:
                return self._pick_last_asserted([statement])
        if fitting and not self._is_mention_preferred(fitting[-1], mentioned.statement, target):
            return NumberReading(fitting[-1])
        if mentioned.candidates or mentioned.statement:
            return mentioned
        return NumberReading(None, tuple(found[-3:]))

    def _read_emphasized(self, target: NumberTarget) -> Statement | None:
        """Read the only quantity of the phrase in bold, if it is asserted and has a fitting unit."""
        found = list_quantities(self._emphasized or "", self.text, _has_written_unit(target))
        fitting = [each for each in found if _has_fitting_unit(each, target)]
        is_clear = len(fitting) == 1 and not self._is_conditional(fitting[0])
        return fitting[0] if is_clear and not find_hedge(self.text, *fitting[0].span) else None

    def _is_mention_preferred(
        self, concluded: Statement, mentioned: Statement | None, target: NumberTarget
    ) -> bool:
        """Whether a quantity in the target's unit counts rather than the value of the last equation.

        It does if that value has another unit or is an aside, or if it has no unit and comes first, as in
        "0.905, i.e. 90.5 %".
        """
        if mentioned is None or not _has_fitting_unit(concluded, target):
            return mentioned is not None
        comes_first = concluded.span[0] < mentioned.span[0]
        return self._is_aside(concluded.span[0]) or (not concluded.unit and comes_first)

    def _is_aside(self, place: int) -> bool:
        """Whether a place is in brackets within a line: "2083 kJ/kg (wet, x = 0.795)"."""
        before = self.text[self.text.rfind("\n", 0, place) + 1 : place]
        return before.count("(") > before.count(")") and before.partition("(")[0].strip() != ""

    def _read_mention(self, target: NumberTarget, line: str, start: int) -> NumberReading:
        """Read the only quantity in a unit of the target's in a line, as in "a power of 13.3 kW".

        A quantity in brackets is an aside, unless nothing else has such a unit. Several quantities are one if
        they differ by no more than their rounding: "1.4 MPa (14.0 bar)".
        """
        if not _has_written_unit(target) or len(line) > _LATE:
            return NumberReading(None)
        asserted: list[Statement] = []
        doubted: dict[Statement, str] = {}
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
        if not asserted and doubted:
            return NumberReading(None, tuple(doubted), next(iter(doubted.values())))
        stated = [each for each in asserted if not self._is_aside(each.span[0])] or asserted
        most = max(stated, key=lambda each: each.digits, default=None)
        is_one = all(_is_rounding(each, most, target.unit) for each in stated if most)
        return NumberReading(most if is_one else None)

    def _is_conditional(self, statement: Statement) -> bool:
        """Whether a statement is part of a condition, or a first estimate."""
        before = self._find_text_before(statement)
        return bool(_CONDITIONAL.search(before) or _WOULD.match(self.text, statement.span[1]))

    def _find_text_before(self, statement: Statement) -> str:
        """Return the words of the sentence, or of its part after "but", up to the stated value."""
        start = statement.span[0]
        before = _PARTS.split(self.text[max(0, start - 200) : start])[-1]
        return before if before.strip() else f"{before} {statement.label}"

    def _evaluate_chain(self, chain: Chain) -> Statement | None:
        """Return the last quantity of a chain, or else the value of its last numeric expression."""
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
    """Read the last side of a chain as a number in words, as in "three photons"."""
    text = (*chain.names, *chain.terms)[-1]
    words = text.lower().split() if len(text) < 40 else []
    if not words or len(words) > 2 or words[0] not in _NUMBER_WORDS:
        return None
    value = float(_NUMBER_WORDS.index(words[0]))
    unit = read_whole_unit(words[1]) if len(words) > 1 else ""
    span = chain.span(len(chain.terms) - 1) if chain.terms else (chain.position, chain.position)
    return Statement(_MARK, value, unit, text, chain.position, 1, chain.label, span)


def _has_fitting_unit(statement: Statement, target: NumberTarget) -> bool:
    return convert_stated_value(statement.value, statement.unit, target.unit) is not None


def _prefer_fitting(found: Iterable[Statement], target: NumberTarget) -> list[Statement]:
    """Return the statements in a unit of the target's dimension, or all of them if there are none.

    For a target without a unit, all are returned.
    """
    statements = list(found)
    return [
        each for each in statements if _has_written_unit(target) and _has_fitting_unit(each, target)
    ] or statements


def _has_written_unit(target: NumberTarget) -> bool:
    """Whether the target has a unit that an answer writes after the number, also if that is %."""
    return find_scale(target.unit) is not None and target.unit not in ("", "-")


def _is_rounding(stated: Statement, precise: Statement, unit: str) -> bool:
    """Whether a quantity is another one, rounded or in another unit."""
    value = convert_value(stated.value, stated.unit, unit)
    other = convert_value(precise.value, precise.unit, unit)
    slack = 0.5 * 10.0 ** (1 - stated.digits)
    return value is not None and other is not None and abs(value - other) <= slack * abs(other)


def convert_stated_value(value: float, unit: str, wanted: str) -> float | None:
    """Convert a value to the wanted unit; None if the units have different dimensions.

    A number without a unit is taken to be in the wanted unit.
    """
    return value if not unit or unit == wanted else convert_value(value, unit, wanted)
