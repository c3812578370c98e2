"""The words of entries and questions that are searched, and the texts that are embedded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

import yaml

from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.regime.stated_quantities import find_asking_sentence

_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been being by can do does for from given has have how if in into is it its of "
        "on one or so such than that the their them then there these they this through to was we were what "
        "when where which while will with would find calculate compute determine estimate report your answer "
        "value use using assume take give get out over per between",
    )
)
SYNONYM = 0.4  # weight relative to that of a word in the question
ASKED = 0.5  # extra weight of the asking sentence
_WORD = re.compile(r"[^\W\d]\S*")  # from its first letter, of text that has nothing but words and digits
_ASCII_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}
_ACCENT = re.compile("[\u0300-\u036f]")  # of Latin, Greek and Cyrillic letters
# Thai, Lao, Burmese, Khmer; Japanese and Chinese characters.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)"
)


def make_entry_text(equation: Equation) -> str:
    """Return an entry as one text: its names, topic, symbols and assumptions."""
    topic = f"{equation.domain} {equation.topic}".replace("_", " ")
    symbols = ", ".join(variable.desc for variable in equation.symbols.values())
    return ". ".join(filter(None, [_join_names(equation), topic, symbols, "; ".join(equation.assumptions)]))


def weigh_entry_parts(equation: Equation) -> dict[str, float]:
    """Return the texts whose weighted mean is the vector of an entry.

    A question names the case, the requested quantity or the circumstances. A separate text for each prevents
    one long text from dominating. Only the first phrase is included; the others have separate vectors.
    Conditions are left out: the regime judges them, and they change without a change of meaning.
    """
    output = equation.symbols[equation.output].desc
    relates = f"{output} from {', '.join(equation.symbols[name].desc for name in equation.inputs)}"
    circumstances = "; ".join(equation.assumptions)
    parts = [
        (make_entry_text(equation), 1.0),
        (_join_names(equation), 1.0),
        (relates, 1.0),
        *([(circumstances, 0.5)] if circumstances else []),
    ]
    parts += [(equation.phrases[0], 3.0)] if equation.phrases else []
    weights: dict[str, float] = {}
    for text, weight in parts:
        weights[text] = weights.get(text, 0.0) + weight
    return weights


def list_entry_phrases(equation: Equation) -> tuple[str, ...]:
    """Return the phrases by which users ask for an entry, or its names if there are none."""
    return equation.phrases or (_join_names(equation),)


def list_entry_terms(equation: Equation) -> list[str]:
    """Return the terms of an entry for ranking by words; names, output and first phrase are repeated."""
    name = f"{equation.name} {' '.join(equation.aliases)}"
    output = equation.symbols[equation.output].desc
    phrases = " ".join(equation.phrases)
    first = " ".join(equation.phrases[:1])
    needed = (predicate for predicate in equation.regime.require if not predicate.refused)
    conditions = ", ".join(predicate.describe() for predicate in needed).replace("_", " ")
    text = f"{make_entry_text(equation)}. {conditions}"
    return split_terms(f"{name} {name} {equation.name} {output} {text} {phrases} {first} {first}")


@lru_cache(maxsize=8)  # one search needs them several times
def weigh_question_terms(question: str) -> Mapping[str, float]:
    """Return the terms of a question with their weights.

    Terms of the asking sentence have the weight 1, other words of the question 2/3, and synonyms 0.4.
    """
    asking = find_asking_sentence(question)
    circumstance = 1.0 if asking == question.strip() else 1 / (1 + ASKED)
    weights = dict.fromkeys(split_terms(question), circumstance)
    weights |= dict.fromkeys(split_terms(asking), 1.0)
    lowered = question.lower()
    for written, meant in _load_synonyms():
        if written.search(lowered):
            for term in meant:
                weights.setdefault(term, SYNONYM)
    return weights


@cache
def _load_synonyms() -> list[tuple[re.Pattern[str], list[str]]]:
    """Return patterns of expressions, each with terms that the base uses for it."""
    text = Path(__file__).with_name("synonyms.yaml").read_text(encoding="utf-8")
    found = yaml.load(text, Loader=yaml.CSafeLoader).items()
    return [(re.compile(written.lower()), split_terms(words)) for words, written in found]


def split_terms(text: str) -> list[str]:
    """Return stems in lower case, without accents, numbers and stop words.

    Scripts without spaces between words, such as Chinese, give each pair of neighbouring characters.
    """
    words = _WORD.findall(_separate_words(text))
    if not text.isascii():
        words = [part for word in words for part in _split_pairs(word)]
    return [_stem(word) for word in words if word not in _STOP_WORDS and len(word) > 1]


def _separate_words(text: str) -> str:
    """Return text in lower case, without accents and ligatures, with spaces for all but words and digits."""
    if text.isascii():
        return text.lower().translate(_ASCII_SEPARATORS)
    plain = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", text))).casefold()
    return plain.translate(
        {ord(each): " " for each in set(plain) if unicodedata.category(each)[0] not in "LMN"}
    )


def _split_pairs(word: str) -> Iterator[str]:
    """Yield a word as it is, but a run of a script without spaces as pairs of characters."""
    for part in filter(None, _UNSPACED.split(word)):
        yield from map("".join, pairwise(part)) if _UNSPACED.match(part) else [part]


def count_unspaced(text: str) -> int:
    """Return the number of characters in scripts that have no spaces between words, such as Chinese."""
    return sum(map(len, _UNSPACED.findall(text)))


@cache
def _stem(word: str) -> str:
    import snowballstemmer

    # A new stemmer for each word, because a stemmer has mutable state and searches run in threads.
    return str(snowballstemmer.stemmer("english").stemWord(word))


def _join_names(equation: Equation) -> str:
    return ". ".join([equation.name, *equation.aliases])
