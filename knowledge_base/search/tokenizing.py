"""What is searched of an entry and of a question: their words and the texts that are embedded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import yaml

from ansatz.knowledge_base.equation.equation import Equation

_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been being by can do does for from given has have how if in into is it its of "
        "on one or so such than that the their them then there these they this through to was we were what "
        "when where which while will with would find calculate compute determine estimate report your answer "
        "value use using assume take give get out over per between",
    )
)
SYNONYM = 0.4  # of the weight of a word that the question itself has
ASKED = 0.5  # how much the sentence that asks counts beyond its part in the question
_SENTENCE = re.compile(r"(?<=[.?!;:])\s+")
_ASKS = re.compile(
    r"(?:find|compute|calculate|estimate|determine|evaluate|give|what|which|how|where|when|why)\b",
    re.IGNORECASE,
)


def make_entry_text(equation: Equation) -> str:
    """An entry in one text: what it is, what it relates, and what it assumes."""
    topic = f"{equation.domain} {equation.topic}".replace("_", " ")
    symbols = ", ".join(variable.desc for variable in equation.symbols.values())
    return ". ".join(filter(None, [_join_names(equation), topic, symbols, "; ".join(equation.assumptions)]))


def weigh_entry_parts(equation: Equation) -> dict[str, float]:
    """The texts whose vectors make up an entry's, with their weights: the whole, and what is asked for most.

    A question names the case, the quantity it asks for, or the circumstances; a part for each keeps one long
    text from drowning the others. Of its phrases only the first is a part: the others stand for themselves.
    Conditions are no part: they are judged by what they say, and change without a change of meaning.
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
    parts += [(equation.asked[0], 3.0)] if equation.asked else []
    weights: dict[str, float] = {}
    for text, weight in parts:
        weights[text] = weights.get(text, 0.0) + weight
    return weights


def list_entry_phrases(equation: Equation) -> tuple[str, ...]:
    """The ways in which an entry is asked for, or its names if it has none; at least one."""
    return equation.asked or (_join_names(equation),)


def list_entry_terms(equation: Equation) -> list[str]:
    """The terms of an entry for ranking by words; its names, output and first phrase count again."""
    name = f"{equation.name} {' '.join(equation.aliases)}"
    output = equation.symbols[equation.output].desc
    asked = " ".join(equation.asked)
    first = " ".join(equation.asked[:1])
    conditions = ", ".join(predicate.words() for predicate in equation.regime.require).replace("_", " ")
    text = f"{make_entry_text(equation)}. {conditions}"
    return split_terms(f"{name} {name} {equation.name} {output} {text} {asked} {first} {first}")


def find_asked_sentence(question: str) -> str:
    """Find the last sentence that asks; without one, the last. The others describe the circumstances."""
    sentences = [each for each in map(str.strip, _SENTENCE.split(question)) if each]
    asking = [each for each in sentences if each.endswith("?")] or [
        each for each in sentences if _ASKS.match(each)
    ]
    return (asking or sentences or [""])[-1]


@lru_cache(maxsize=8)  # one search asks several times
def weigh_question_terms(question: str) -> Mapping[str, float]:
    """The terms of a question with their weights: its own words, and for less the base's words for them.

    What stands in the sentence that asks weighs half as much again as the circumstances.
    """
    asking = find_asked_sentence(question)
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
    """Ways to say a thing, and the terms under which the base is likely to have it."""
    text = Path(__file__).with_name("synonyms.yaml").read_text(encoding="utf-8")
    found = yaml.load(text, Loader=yaml.CSafeLoader).items()
    return [(re.compile(written.lower()), split_terms(words)) for words, written in found]


def split_terms(text: str) -> list[str]:
    """Lower-case stems without numbers and stop words."""
    words = re.findall(r"[a-z]+[a-z0-9]*", text.lower().replace("_", " "))
    return [_stem(word) for word in words if word not in _STOP_WORDS and len(word) > 1]


@cache
def _stem(word: str) -> str:
    import snowballstemmer

    # One of its own for each word: a stemmer holds the word that it is at, and questions come in threads.
    return str(snowballstemmer.stemmer("english").stemWord(word))


def _join_names(equation: Equation) -> str:
    return ". ".join([equation.name, *equation.aliases])
