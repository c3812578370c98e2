"""What speaks for and against a formula whatever is asked: its source, its conditions, what is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ansatz.agents.slide_rule.formula import Formula
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.known_values import known_of_what_is_named
from ansatz.agents.slide_rule.matching import bind, likeness
from ansatz.agents.slide_rule.memory import assumed_of_air
from ansatz.agents.slide_rule.reading import Reading
from ansatz.agents.slide_rule.regime import Case
from ansatz.agents.slide_rule.sheet import Exclusion, Sheet
from ansatz.agents.slide_rule.units import Dimension
from ansatz.agents.slide_rule.words import content_words, overlap

_TRUST_IN_A_SHEET = 0.25  # what a formula before one's eyes has over one from memory
_COMPLETE = 0.4  # what a school formula gains if all its inputs are surely given
_TOLD = 0.3  # what it gains if the question uses all words of its name
_FAMILIAR = 0.05  # what each word that calls its topic to mind adds
_MOST_FAMILIAR = 4
_TURNED = 0.1  # what it loses for having to be turned round
_FORGOTTEN = 0.3  # what all of school physics loses against the engineer's own formulas


def words_of(reading: Reading) -> frozenset[str]:
    """All words that may call a topic to mind."""
    return content_words(reading.body) | reading.approach


@dataclass
class Liking:
    """Marks for formulas, which depend on what is `known`; `forget` them when that changes."""

    case: Case
    words: frozenset[str]
    known: list[Given]
    _merits: dict[tuple[str, bool], float] = field(default_factory=dict)

    def forget(self) -> None:
        self._merits.clear()
        self.__dict__.pop("_kinds_known", None)

    def merit(self, formula: Formula) -> float:
        """What speaks for a formula whatever is asked."""
        key = (formula.name, formula.from_sheet)
        if key not in self._merits:
            trust = _TRUST_IN_A_SHEET if formula.from_sheet else 0.0
            recalled = self._familiarity(formula) if formula.of_school else 0.0
            self._merits[key] = trust + self._preference(formula) + self._coverage(formula) + recalled
        return self._merits[key]

    def assumable(self, formula: Formula) -> tuple[Given, ...]:
        """Values that go without saying: of air, unless the gas is another; at school of what is named."""
        if not formula.of_school:
            return self._of_air
        wordings = [wording for symbol in formula.inputs for wording in symbol.wordings]
        return tuple(given for given in self._of_things if given.words in wordings)

    @cached_property
    def _of_air(self) -> tuple[Given, ...]:
        return assumed_of_air() if self.case.judge("gas = air").holds is not False else ()

    @cached_property
    def _of_things(self) -> tuple[Given, ...]:
        gravity = tuple(given for given in assumed_of_air() if given.symbol == "g")
        return (*gravity, *known_of_what_is_named(self.case.reading.body))

    @cached_property
    def _kinds_known(self) -> set[tuple[Dimension, bool]]:
        return {(given.unit.dimension, given.unit.angle) for given in (*self.known, *self._of_things)}

    def _coverage(self, formula: Formula) -> float:
        """A formula that uses what is known is likelier meant than one that leaves it over or needs more."""
        binding = bind(formula, (*self.known, *self.assumable(formula)), strict=True)
        used = sum(not given.assumed for given in binding.bound.values()) / max(1, len(self.known))
        return 0.3 * used - 0.2 * len(binding.missing) / max(1, len(formula.inputs))

    def _preference(self, formula: Formula) -> float:
        """What conditions add to a match: `best for` most, a requirement that is met a little."""
        marks = {True: 0.2, False: -0.2, None: 0.0}
        preferred = sum(marks[self.case.judge(clause).holds] for clause in formula.best_for)
        return preferred + sum(0.1 for clause in formula.requires if self.case.judge(clause).holds)

    def _familiarity(self, formula: Formula) -> float:
        """School formulas come to mind by topic and by name, and first those for which all is given."""
        called = _FAMILIAR * min(_MOST_FAMILIAR, len(formula.cues & self.words))
        named = content_words(formula.title)
        told = _TOLD * len(named & self.words) / len(named)
        turned = _TURNED if formula.title != formula.name else 0.0
        return called + told + self._completeness(formula) - turned - _FORGOTTEN

    def _completeness(self, formula: Formula) -> float:
        """How surely all inputs are given; nothing if one is missing."""
        kinds = self._kinds_known
        if any((symbol.unit.dimension, symbol.unit.angle) not in kinds for symbol in formula.inputs):
            return 0.0
        binding = bind(formula, (*self.known, *self.assumable(formula)))
        if binding.missing:
            return 0.0
        sure = [
            min(1.0, likeness(symbol, binding.bound[symbol.name]))
            for symbol in formula.inputs
            if not binding.bound[symbol.name].assumed
        ]
        return _COMPLETE * (0.5 + 0.5 * sum(sure) / max(1, len(sure)))


def admitted(sheet: Sheet, case: Case) -> tuple[list[Formula], list[tuple[Formula, str]]]:
    """Sheet entries none of whose conditions is false, and why the others are not."""
    kept, rejected = [], []
    for formula in sheet.formulas:
        against = [verdict for verdict in map(case.judge, formula.requires) if verdict.holds is False]
        against += [verdict for verdict in map(case.judge, formula.avoid) if verdict.holds is True]
        if against:
            rejected.append((formula, f"{against[0].because}, against {against[0].condition!r}"))
        else:
            kept.append(formula)
    return kept, rejected


def is_excluded(formula: Formula, exclusions: Sequence[Exclusion]) -> bool:
    """The sheet warns against this formula by name."""
    return any(overlap(formula.words, content_words(exclusion.name)) > 0.6 for exclusion in exclusions)
