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
from ansatz.eval.reading.layout import without_afterthoughts, without_reasoning
from ansatz.quantities.chains import Chain, chains
from ansatz.quantities.markup import plain
from ansatz.quantities.notation import NUMBER
from ansatz.quantities.scales import convert, is_dimensional
from ansatz.quantities.statements import ByName, Statement, content, evaluated, is_described, stated
from ansatz.quantities.terms import read_value, spelled

_MARK = "answer"  # the symbol under which boxes, tags and "Answer:" are read
_NAMELESS = ""
_CONDITIONAL = re.compile(r"\b(?:if|suppose|were|would|had|unless|check(?:ing)?|verif\w+)\b", re.IGNORECASE)
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
class Found:
    """What an answer states for a target: the statement, or None and the candidates among which is doubt."""

    statement: Statement | None
    candidates: tuple[Statement, ...] = ()


def read_numbers(
    answer: str,
    targets: Sequence[Target],
    *,
    givens: Sequence[str] | None = None,
    names: Callable[[str], Names] = lambda _: Names(),
) -> dict[str, Found]:
    """What the answer states for each numeric target, by its name. Never raises; linear in the text.

    What stands only in a `<think>` block before it is not stated. `givens` are the symbols that the question
    states, if it leaves the form of its answer free: a conclusion in other symbols or none is then read.
    `names` gives further names of a target.
    """
    text = AnswerText(without_reasoning(answer), targets, givens, names)
    return {target.name: text.number(target) for target in targets if isinstance(target, NumberTarget)}


class AnswerText:
    """The statements of one text, asked for by target."""

    def __init__(
        self,
        text: str,
        targets: Sequence[Target],
        givens: Sequence[str] | None,
        names: Callable[[str], Names],
    ) -> None:
        self.text = plain(text)
        self.chains = chains(self.text)
        self._targets, self._givens, self._names = targets, givens, names
        asked = {target.name for target in targets if isinstance(target, NumberTarget)}
        self._asked = {spelled(plain(name)) for name in asked}
        ordered = sorted(stated(self.chains), key=lambda statement: statement.position)
        self.statements = without_afterthoughts(self.text, ordered, asked)
        self._by_name = ByName(self.statements)

    def number(self, target: NumberTarget) -> Found:
        """What is stated last for a target by the surest of its names."""
        alone = len(self._targets) == 1
        if alone:  # the last value that a box, a tag or "Answer:" marks
            marked = [chain for chain in self.chains if _MARK in map(str.lower, chain.names)]
            if fitting := _fitting(filter(None, map(_valued, marked)), target):
                return Found(fitting[-1])
        for candidates in self._tiers(target):
            fitting = [each for each in self._sure(candidates) or candidates if _fits(each, target)]
            if fitting:
                return Found(fitting[-1])
        if alone and self._givens is not None:
            concluded = self._concluded(target)
            if concluded.statement or concluded.candidates:
                return concluded
        name = spelled(plain(target.name))
        if exact := self._by_name.exactly(name):
            return Found(exact[-1])
        # The value of the numeric expression that the target's symbol is last said to equal.
        named = [chain for chain in self.chains if name in map(spelled, chain.names)]
        return Found(_valued(named[-1]) if named else None)

    def _tiers(self, target: NumberTarget) -> Iterator[list[Statement]]:
        """Statements by name, by other symbols, without regard to case, in words.

        In another case a symbol may be another target's own, unless its unit says otherwise.
        """
        name, names = plain(target.name), self._names(target.name)
        yield self._by_name.exactly(name)
        yield self._by_name.with_any_dot(name)
        taken = self._asked - {spelled(name)}
        alike = {each.casefold() for each in taken}
        others = [alias for alias in names.symbols if alias not in taken]
        yield from map(self._by_name.exactly, others)
        for alias in (name, *others):
            folded = [(spelled(each.symbol), each) for each in self._by_name.in_any_case(alias)]
            yield [
                each
                for symbol, each in folded
                if symbol not in taken and (each.unit or symbol.casefold() not in alike)
            ]
        if names.words:
            yield [each for each in self.statements if names.words.search(each.label)]
        words = content(target.description or (target.name if " " in target.name else ""))
        yield [each for each in self.statements if is_described(each, words)]

    def _concluded(self, target: NumberTarget) -> Found:
        """The last quantity that the end of the text states, named or not, if it is the only one there."""
        late = [chain for chain in self.chains if chain.position >= len(self.text) - _LATE]
        found = [each for each in map(_valued, late) if each]
        sure = self._sure(found)
        fitting = _fitting([each for each in sure if _CONCLUDES.search(self._sentence(each))] or sure, target)
        line = self.text[self.text.rstrip().rfind("\n") + 1 :].strip()
        alone = evaluated(line) if len(line) < 80 else None
        if alone and not any(each.position >= len(self.text) - len(line) - 1 for each in fitting):
            value, unit, digits = alone
            return Found(Statement(_NAMELESS, value, unit, line, len(self.text) - len(line), digits, ""))
        if fitting:
            return Found(fitting[-1])
        mentioned = self._mentioned(target, line)
        return Found(mentioned, () if mentioned else tuple(found[-3:]))

    def _mentioned(self, target: NumberTarget, line: str) -> Statement | None:
        """The one quantity of the target's dimension that the last line mentions: a power of 13.3 kW."""
        if not is_dimensional(target.unit) or len(line) > _LATE or _CONDITIONAL.search(line):
            return None
        start, found = len(self.text.rstrip()) - len(line), []
        for number in NUMBER.finditer(line):
            read = read_value(line[number.start() :])
            if read and read.unit and convert(read.value, read.unit, target.unit) is not None:
                place = start + number.start()
                found.append(Statement(_NAMELESS, read.value, read.unit, line, place, read.digits, line))
        return found[0] if len(found) == 1 else None

    def _sure(self, found: Iterable[Statement]) -> list[Statement]:
        """Those that stand in no condition."""
        return [each for each in found if not _CONDITIONAL.search(self._sentence(each))]

    def _sentence(self, statement: Statement) -> str:
        """The words of a sentence up to the value that it states."""
        before = self.text[max(0, statement.position - 200) : statement.position]
        start = max(before.rfind("\n"), before.rfind(". "))
        return f"{before[start + 1 :]} {statement.label}"


def _valued(chain: Chain) -> Statement | None:
    """The quantity a chain arrives at; failing that, the value of its last numeric expression."""
    name = chain.names[0] if chain.names else _NAMELESS
    if found := stated([replace(chain, names=(name,))]):
        return found[0]
    for term in reversed(chain.terms):
        if quantity := evaluated(term):
            value, unit, digits = quantity
            return Statement(name, value, unit or chain.unit, term, chain.position, digits, chain.label)
    return None


def _fits(statement: Statement, target: NumberTarget) -> bool:
    return in_unit(statement.value, statement.unit, target.unit) is not None


def _fitting(found: Iterable[Statement], target: NumberTarget) -> list[Statement]:
    """Those in a unit of the target's dimension, if any; a pure number may be told in any."""
    every = list(found)
    return [each for each in every if is_dimensional(target.unit) and _fits(each, target)] or every


def in_unit(value: float, unit: str, wanted: str) -> float | None:
    """A value read in the unit wanted; None where its unit is another dimension's.

    A number without a unit is taken to be in the unit asked for.
    """
    return value if not unit or unit == wanted else convert(value, unit, wanted)
