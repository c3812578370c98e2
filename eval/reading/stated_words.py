"""Read the word or the option that an answer finally states, from its plain text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ansatz.eval.problem import ChoiceTarget, LabelTarget
from ansatz.quantities.markup import to_plain_text

_PHRASE = r"((?:[^\n.,;|]|[.,](?=\d)){1,60})"
_PREDICATE = re.compile(rf"\b(?:is|are|remains|as) (?!not\b){_PHRASE}")
_LETTER = re.compile(r"(?<![\w'°])(?<!\d )[A-Z](?![\w'])")
_ARTICLE = re.compile(r"\b[AI] [a-z]")  # "A rise" does not name option A
_OPENS = re.compile(r"\(?([A-Z])[).:](?= )")
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)|\n")
_CLAUSE_END = re.compile(r"[.;:,](?=\s|$)|\n")
_HEDGES = re.compile(
    r"\b(?:not?|never|neither|nor|or|if|unless|whether|than|instead|would|could|might|wait|actually)\b|n't",
    re.IGNORECASE,
)
_LAST_ASIDE = re.compile(r" ?\([^()]*\)$")
_SHORT = 200  # characters of an answer that states little else
_ASIDE = re.compile(r"\w ?\(([^()]+)\)")


def read_label(target: LabelTarget, text: str, emphasized: str | None = None) -> str | None:
    """Read the last words after the target's name, or else the last accepted word after a verb like "is".

    Without either, the phrase counts that is emphasized in a sentence without a hedge. Otherwise an accepted
    word counts with which the text opens, or with which its only sentence ends.
    """
    phrases = [phrase for phrase in _PREDICATE.findall(text) if is_accepted(phrase, target)]
    stated = _find_named([target.name], text) or phrases
    if stated:
        return stated[-1]
    return _read_short_answer(target, text) or _read_emphasized(emphasized or "", text)


def _read_emphasized(phrase: str, text: str) -> str | None:
    """Return a phrase unless the sentence that contains it is hedged."""
    start = text.rfind(phrase)
    sentences = _SENTENCE_END.split(text[:start])[-1], _SENTENCE_END.split(text[start:])[0]
    return phrase if phrase and start >= 0 and not any(map(_HEDGES.search, sentences)) else None


def _read_short_answer(target: LabelTarget, text: str) -> str | None:
    """Read an accepted word before the first comma or colon, or else at the end of the only sentence.

    A long text, or one with a hedge, may speak of something else there.
    """
    text = _LAST_ASIDE.sub("", text.strip().rstrip("."))
    if len(text) > _SHORT or _HEDGES.search(text):
        return None
    opening = _CLAUSE_END.split(text, maxsplit=1)[0]
    if is_accepted(opening, target):
        return opening
    words = () if _CLAUSE_END.search(text) else (target.value, *target.accepted)
    return next((word for word in words if text.lower().endswith(f" {word.lower()}")), None)


def is_accepted(label: str, target: LabelTarget) -> bool:
    """Whether a label, or the word in brackets after it as in "vapour (wet)", is an accepted one."""
    aside = _ASIDE.search(label)
    readings = {_normalize(label), _normalize(aside[1])} if aside else {_normalize(label)}
    return not readings.isdisjoint(map(_normalize, (target.value, *target.accepted)))


def read_option(target: ChoiceTarget, text: str) -> str | None:
    """Read the letter of the stated option, or the stated words if they match no option.

    The last option after the target's name or "answer" counts; otherwise the last one after a verb such as
    "is"; otherwise the option at the beginning of lines, if it is the only one.
    """
    options = [(_normalize(to_plain_text(option)), letter) for letter, option in target.options.items()]
    counts = Counter(word for word, _ in options)  # mgh/2 and mgh^2 normalize to the same word
    letters = {word: letter for word, letter in options if counts[word] == 1}
    letters |= {_normalize(letter): letter for letter in target.options}

    def find_letter(phrase: str) -> str | None:
        mentioned = set(_LETTER.findall(phrase)) & set(target.options)
        is_clear = len(mentioned) == 1 and not _ARTICLE.search(phrase)
        return letters.get(_normalize(phrase)) or (mentioned.pop() if is_clear else None)

    def find_first_letter(line: str) -> str | None:
        opening = _OPENS.match(line)
        return letters.get(_normalize(line)) or (opening[1] if opening else None)

    named = _find_named([target.name, "answer", "choice", "option"], text)
    phrases = [phrase for phrase in _PREDICATE.findall(text) if len(phrase) > 1 or phrase in target.options]
    stated = [*(letters.get(_normalize(phrase)) for phrase in phrases), *map(find_letter, named)]
    if found := [letter for letter in stated if letter]:
        return found[-1]
    first_letters = set(filter(None, map(find_first_letter, text.split("\n"))))
    if len(first_letters) == 1 and not first_letters.isdisjoint(target.options):
        return first_letters.pop()
    return next(reversed(named), None)


def _find_named(names: Sequence[str], text: str) -> list[str]:
    """Find the phrases after one of the names, as in `phase: liquid`, or in the next cell of a table."""
    pattern = "|".join(re.escape(spelling) for name in names for spelling in (name.replace("_", " "), name))
    after = rf"\b(?:{pattern})(?: ?[:=|]| is| would be| ?[为是])(?! ?not\b) ?{_PHRASE}"
    return [phrase.strip() for phrase in re.findall(after, text, re.IGNORECASE)]


def _normalize(text: str) -> str:
    """Return a label in lower case without signs (except a minus), articles, brackets and nouns after it."""
    text = re.sub(r"(?<=\w) ?\(.*|(?<=\w)\).*", "", text.strip(" ([")).lower()
    text = re.sub(r"(?<=[a-z])_(?=\d)", "", text)  # the subscript of H₂O
    text = re.sub(r"(?:(?!(?<![a-z0-9])-\d)[^a-z0-9\u4e00-\u9fff])+", " ", text)
    text = re.sub(r"^ ?(?:(?:in|the|an?|option|choice|answer) )*", "", text)
    return re.sub(r" (?:phase|region|state)$", "", text.strip())
