"""Which word or make_choice option an answer finally states, read from its plain text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ansatz.eval.problem import ChoiceTarget, LabelTarget
from ansatz.quantities.markup import to_plain_text

_PHRASE = r"((?:[^\n.,;|]|[.,](?=\d)){1,60})"
_PREDICATE = re.compile(rf"\b(?:is|are|remains|as) (?!not\b){_PHRASE}")
_LETTER = re.compile(r"(?<![\w'°])(?<!\d )[A-Z](?![\w'])")
_ARTICLE = re.compile(r"\b[AI] [a-z]")  # A rise is no option A
_OPENS = re.compile(r"\(?([A-Z])[).:](?= )")
_ASIDE = re.compile(r"\w ?\(([^()]+)\)")


def read_label(target: LabelTarget, text: str) -> str | None:
    """What follows the target's name last; failing that, an accepted word that something "is"."""
    phrases = [phrase for phrase in _PREDICATE.findall(text) if is_accepted(phrase, target)]
    return next(reversed(_find_named([target.name], text) or phrases), None)


def is_accepted(label: str, target: LabelTarget) -> bool:
    """Whether a label is an accepted one, or what stands in brackets behind it, as in "vapour (wet)"."""
    aside = _ASIDE.search(label)
    readings = {_normalize(label), _normalize(aside[1])} if aside else {_normalize(label)}
    return not readings.isdisjoint(map(_normalize, (target.value, *target.accepted)))


def read_option(target: ChoiceTarget, text: str) -> str | None:
    """The letter of the option that is stated, or what is stated in its place.

    The last option that follows the target's name or "answer" counts; failing that, the last that something
    "is"; failing that, the only one with which lines open.
    """
    options = [(_normalize(to_plain_text(option)), letter) for letter, option in target.options.items()]
    alike = Counter(word for word, _ in options)  # mgh/2 and mgh^2 are told apart by their letters alone
    letters = {word: letter for word, letter in options if alike[word] == 1}
    letters |= {_normalize(letter): letter for letter in target.options}

    def among(phrase: str) -> str | None:
        named = set(_LETTER.findall(phrase)) & set(target.options)
        is_sure = len(named) == 1 and not _ARTICLE.search(phrase)
        return letters.get(_normalize(phrase)) or (named.pop() if is_sure else None)

    def opening(line: str) -> str | None:
        opened = _OPENS.match(line)
        return letters.get(_normalize(line)) or (opened[1] if opened else None)

    named = _find_named([target.name, "answer", "choice", "option"], text)
    phrases = [phrase for phrase in _PREDICATE.findall(text) if len(phrase) > 1 or phrase in target.options]
    stated = [*(letters.get(_normalize(phrase)) for phrase in phrases), *map(among, named)]
    if found := [letter for letter in stated if letter]:
        return found[-1]
    opened = set(filter(None, map(opening, text.split("\n"))))
    if len(opened) == 1 and not opened.isdisjoint(target.options):
        return opened.pop()
    return next(reversed(named), None)


def _find_named(names: Sequence[str], text: str) -> list[str]:
    """What is said behind one of the names, as in `phase: liquid`, or in the next cell of a table."""
    named = "|".join(re.escape(each) for name in names for each in (name.replace("_", " "), name))
    behind = rf"\b(?:{named})(?: ?[:=|]| is| would be| ?[为是])(?! ?not\b) ?{_PHRASE}"
    return [phrase.strip() for phrase in re.findall(behind, text, re.IGNORECASE)]


def _normalize(text: str) -> str:
    """A label without case, signs but for a minus, articles, brackets and the nouns that may follow it."""
    text = re.sub(r"(?<=\w) ?\(.*|(?<=\w)\).*", "", text.strip(" ([")).lower()
    text = re.sub(r"(?:(?!(?<![a-z0-9])-\d)[^a-z0-9\u4e00-\u9fff])+", " ", text)
    text = re.sub(r"^ ?(?:(?:in|the|an?|option|choice|answer) )*", "", text)
    return re.sub(r" (?:phase|region|state)$", "", text.strip())
