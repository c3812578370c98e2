"""From a question's text to its givens and targets, read the way a hurried person reads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ansatz.agents.slide_rule.asking import Asked, asked_quantities
from ansatz.agents.slide_rule.formulation import Formulation, Sought
from ansatz.agents.slide_rule.givens import UNIT, Given, implied, own_reading, quantities, trimmed_unit
from ansatz.agents.slide_rule.options import Options, split_options
from ansatz.agents.slide_rule.units import ONE, Unit, parse_unit, plain_text
from ansatz.agents.slide_rule.words import content_words, distinguishing

NAMELESS = "answer"  # a quantity asked for without a symbol
_REPORT = re.compile(r"^[ \t]*report your answers? as\b.*:?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_BLANK = re.compile(
    r"^[\s*-]*(?P<symbol>[^\s=:*]+)\**\s*(?P<sign>[=:])\s*_+[ \t]*(?P<unit>\S.*)?$", re.MULTILINE
)
_FIND = re.compile(
    r"\b(?:find|determine|calculate|compute|estimate|what (?:is|are)|evaluate)\b", re.IGNORECASE
)
_NO_SYMBOLS = frozenset("a an of in at to is it by on if so we do he no up as or be my me".split())  # noqa: SIM905
_SYMBOL = re.compile(r"(?<!\w)(?:[^\W\d_]\w*_\w+|[^\W\d_](?<!a))(?!\w)")


@dataclass(frozen=True)
class Target:
    """A quantity asked for, or a word such as a phase (`label`). `unit` is None where none was asked."""

    symbol: str
    unit: Unit | None
    unit_text: str
    words: frozenset[str]
    label: bool = False
    title: str = ""  # its everyday name, where the question has no symbol for it


@dataclass(frozen=True)
class Reading:
    body: str
    givens: tuple[Given, ...]
    targets: tuple[Target, ...]
    approach: frozenset[str] = field(default=frozenset())
    assumptions: str = ""
    formulated: bool = False
    options: Options = field(default=Options())

    @property
    def text(self) -> str:
        """All that says something about the case: the question and the assumptions it was given."""
        return f"{self.body}\n{self.assumptions}".lower()


def read(question: str, formulation: Formulation | None = None, earlier: tuple[Given, ...] = ()) -> Reading:
    """Givens from a formulation as they stand, otherwise from the text with this reader's slips.

    `earlier` are results of earlier questions about the same case.
    """
    question = plain_text(question)
    report = next(reversed(list(_REPORT.finditer(question))), None)
    body, blanks = (question[: report.start()], question[report.end() :]) if report else (question, "")
    body, options = split_options(body.strip())
    targets = _blanks(blanks, body) or _targets_in_prose(body)
    if options.unit is not None and all(target.label or target.unit is None for target in targets):
        targets = (*(target for target in targets if target.label), _chosen(body, options))
    if formulation is None:
        return Reading(body, (*own_reading(body), *implied(body), *earlier), targets, options=options)
    return Reading(
        body,
        (*_with_own_words(formulation.givens, body), *implied(body), *earlier),
        _as_formulated(targets, formulation),
        content_words(formulation.approach),
        f"{formulation.approach}\n{formulation.assumptions}\n{formulation.words}",
        True,
        options,
    )


def _chosen(body: str, options: Options) -> Target:
    """The quantity that lettered options are values of."""
    asked = next(reversed(asked_quantities(body)), None)
    words = asked.words if asked else content_words(" ".join(_FIND.split(body)[-1].split()[:14]))
    symbol = asked.symbol if asked and asked.symbol else NAMELESS
    return Target(symbol, options.unit, options.unit_text, words, title=asked.name if asked else "")


def _with_own_words(givens: tuple[Given, ...], body: str) -> tuple[Given, ...]:
    """A given that the formulation leaves undescribed keeps the words that the question has for it."""
    own = {given.symbol: given.about for given in quantities(body) if given.symbol}
    return tuple(replace(given, about=given.about or own.get(given.symbol, "")) for given in givens)


def _as_formulated(targets: tuple[Target, ...], formulation: Formulation) -> tuple[Target, ...]:
    """Targets described as in the formulation, with the question's words for place and kind besides."""
    sought = formulation.sought
    if not targets or all(target.symbol == NAMELESS for target in targets):
        return tuple(map(_target, sought.values())) or targets
    described = []
    for target in targets:
        words = content_words(sought[target.symbol].description) if target.symbol in sought else frozenset()
        described.append(replace(target, words=words | distinguishing(target.words)) if words else target)
    return tuple(described)


def _target(sought: Sought) -> Target:
    unit = parse_unit(sought.unit_text) if sought.unit_text else None
    return Target(sought.symbol, unit, sought.unit_text, content_words(sought.description))


def _blanks(report: str, body: str) -> tuple[Target, ...]:
    targets = []
    for blank in _BLANK.finditer(report):
        unit_text = (blank["unit"] or "").strip().rstrip(".,;")
        unit = parse_unit(unit_text)
        label = blank["sign"] == ":" and not unit_text
        words = _words_about(blank["symbol"], body)
        targets.append(Target(blank["symbol"], None if label else unit or ONE, unit_text, words, label))
    return tuple(targets)


def _words_about(symbol: str, body: str) -> frozenset[str]:
    """The words around a symbol where it is named, else those of the sentence that asks."""
    asked = _FIND.split(body)[-1] if _FIND.search(body) else body.split(". ")[-1]
    for text in (asked, body):
        if found := re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)(?!\s*=\s*[-+\d])", text):
            before = re.split(r"[.;,]\s| and ", text[: found.start()])[-1].split()[-6:]
            rest = re.split(r"[.;](?:\s|$)", text[found.end() :])[0]
            after = re.split(r",(?:\s|$)| and ", rest)[0].split()[:6]
            if not after and (last := list(_SYMBOL.finditer(rest))):
                after = rest[last[-1].end() :].split()[:6]  # "T_2 and p_2 behind the shock": said of both
            return content_words(" ".join(before + after))
    return content_words(" ".join(asked.split()[:14]))


def _targets_in_prose(body: str) -> tuple[Target, ...]:
    """For a question without a list of answers: the quantities it asks for, in a unit after "in" if named."""
    if asked := asked_quantities(body):
        return tuple(map(_asked_target, asked))
    if not _FIND.search(body):
        return ()
    sentence = re.split(r"[.?](?:\s|$)", _FIND.split(body)[-1])[0]
    unit_text, unit = _unit_named(sentence)
    symbols = [word.strip(",;") for word in sentence.split()]
    symbols = [symbol for symbol in symbols if re.fullmatch(r"[^\W\d]\w?|[^\W\d]\w*_\w+", symbol)]
    symbols = [symbol for symbol in symbols if symbol.lower() not in _NO_SYMBOLS]
    if not (symbols or unit_text or re.search(r"\d", body)):
        return ()  # without symbol, unit or number, no quantity is asked for
    symbol = symbols[0] if symbols else NAMELESS
    return (Target(symbol, unit if unit_text else None, unit_text, content_words(sentence)),)


def _asked_target(asked: Asked) -> Target:
    """In the unit that the sentence names, if that is one of the quantity's, else in its usual unit."""
    usual = parse_unit(asked.unit_text) if asked.unit_text else None
    unit_text, unit = _unit_named(asked.sentence)
    if not unit_text or (usual is not None and not unit.same_kind(usual)):
        unit_text, unit = asked.unit_text, usual or ONE
    named = unit if unit_text else None
    return Target(
        asked.symbol or NAMELESS, named, unit_text, asked.words, title="" if asked.symbol else asked.name
    )


def _unit_named(sentence: str) -> tuple[str, Unit]:
    for found in re.finditer(rf"\bin ({UNIT})", sentence):
        unit_text, unit = trimmed_unit(found.group(1))
        if unit_text:
            return unit_text, unit
    return "", ONE
