"""Words that tell of physics, words of the scene, and the roots that forms and synonyms share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.physbench.variants.bodies import bodies
from ansatz.eval.benchmarks.physbench.variants.concepts import compiled, without_idioms
from ansatz.eval.benchmarks.physbench.variants.entities import lexicon
from ansatz.eval.benchmarks.physbench.variants.packs import REGIONS, limits, pack

_WORD = re.compile(r"(?<![\w_])[A-Za-z][a-z]*(?:['’-][a-z]+)*(?![\w_])")
_SENTENCE_START = re.compile(r"(?:^|[.?!:\n\"“(])\s*$")
_NAME = r"[A-Z\u00c0-\u017f][\w'’-]+"
_BEFORE_PLACE = (
    "in at on near behind beside outside of from for to above below over off along through into around by "
    "toward towards under down up across"
)
_NOT_IN_PLACE = "is are was were has have had by and or that which who whose as it to with if when while than"
_QUESTION_WORDS = frozenset({"how", "where", "when", "why", "who", "whether"})
_ENDINGS = ("ation", "ating", "ated", "ates", "ate", "ions", "ion", "ing", "ed", "es", "ly", "s", "e")


class TellingWords(BaseModel):
    """The words of telling_words.yaml, separated by spaces; its comments say of what kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    same: tuple[str, ...]
    others: str
    adding: str
    soft: str
    opposites: tuple[str, ...]
    scene: str
    sites: str
    joining: str
    told_by_units: str
    things: tuple[str, ...]
    phrases: dict[str, str]
    forms: tuple[str, ...]


@cache
def telling_words() -> TellingWords:
    text = Path(__file__).with_name("telling_words.yaml").read_text(encoding="utf-8")
    return TellingWords.model_validate(yaml.load(text, Loader=yaml.CBaseLoader))


@lru_cache(maxsize=4096)
def roots(text: str, *, names: bool = False) -> tuple[str, ...]:
    """The roots of the words in their order, without names (unless wanted) and words that only join."""
    for said, phrase in telling_words().phrases.items():
        text = compiled(phrase).sub(said, text)
    text, found = without_idioms(text), []
    for word in _WORD.finditer(text):
        base = root(word[0])
        if word[0][0].isupper() and not names:
            is_known = base in telling() or word[0].lower() in _QUESTION_WORDS
            if not is_known or not _SENTENCE_START.search(text[: word.start()]):
                continue
        if base not in joining() and len(word[0]) > 1:
            found.append(base)
    return tuple(found)


@lru_cache(maxsize=4096)
def without_things(text: str) -> str:
    """The text without objects of more than one word: the "electric" of a kettle may come and go."""
    return _things().sub(" ", text)


@cache
def root(word: str) -> str:
    """What the forms of a word and its synonyms share: "falls" and "dropping" are one."""
    return _synonyms().get(_bare(word), _bare(word))


@cache
def telling() -> frozenset[str]:
    """Roots of the words that tell of physics."""
    words = (*telling_words().others.split(), *" ".join(telling_words().same).split())
    return frozenset(map(root, words))


@cache
def adding() -> frozenset[str]:
    """Roots of those of them that make another problem where they come anew, even if no other goes."""
    return frozenset(map(root, telling_words().adding.split()))


@cache
def soft() -> frozenset[str]:
    """Roots of telling words that come and go with the turn of a sentence."""
    return frozenset(map(root, telling_words().soft.split()))


@cache
def opposites() -> frozenset[frozenset[str]]:
    """Pairs of soft words of which one may not take the place of the other."""
    return frozenset(frozenset(map(root, row.split())) for row in telling_words().opposites)


@cache
def joining() -> frozenset[str]:
    """Roots of words without a meaning of their own."""
    return frozenset(map(root, telling_words().joining.split()))


@cache
def scene_words() -> frozenset[str]:
    """Roots of the words of the scene, objects left aside."""
    return frozenset(map(root, telling_words().scene.split())) - telling()


@cache
def scenery() -> frozenset[str]:
    """Roots of words that may come and go: of the scene, and of the objects that the lists know."""
    words = [word for each in _objects() for word in re.findall(r"[a-z]+", each.lower())]
    return (scene_words() | frozenset(map(root, words))) - telling()


@cache
def told_by_units() -> frozenset[str]:
    """Roots of the quantities that may go unnamed beside a number with its unit."""
    return frozenset(map(root, telling_words().told_by_units.split()))


@cache
def _objects() -> tuple[str, ...]:
    objects = [*lexicon().objects, *(each for region in REGIONS for each in pack(region).objects)]
    objects += [each for kind in limits().classes.values() for each in (*kind.such_as, *kind.instead_of)]
    for name in type(bodies()).model_fields:
        objects += getattr(bodies(), name)
    return tuple(dict.fromkeys(objects))


@cache
def _things() -> re.Pattern[str]:
    """Objects of more than one word, and other phrases that tell no physics."""
    phrases = [*telling_words().things, *(each for each in _objects() if " " in each)]
    longest = sorted((re.escape(each.lower()) for each in phrases), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest)})(?:e?s)?\b", re.I)


def place_words(text: str, elsewhere: str) -> Counter[str]:
    """The roots of phrases that tell of a place which the second text does not name."""
    return Counter(
        word
        for found in _place().finditer(text)
        if (found["name"] or found["site"]) not in elsewhere
        for word in roots(found[0])
    )


@cache
def _place() -> re.Pattern[str]:
    """A preposition with a proper name behind it, or with a site such as "the old market"."""
    before = "|".join(f"{word}|{word.capitalize()}" for word in _BEFORE_PLACE.split())
    word = rf"(?!(?:{'|'.join(_NOT_IN_PLACE.split())})\b)[a-z-]+ "
    name = (
        rf"(?:(?:the|an?|one|his|her) (?:{word}){{0,5}}?)?(?P<name>{_NAME}(?: (?:{_NAME}|da|de|del|do|of))*)"
    )
    site = rf"(?P<site>(?:the|an?) (?:[a-z-]+ ){{0,2}}(?:{'|'.join(telling_words().sites.split())}))"
    return re.compile(rf"\b(?:{before}) (?:{name}|{site}\b)")


@cache
def _bare(word: str) -> str:
    """A word without its endings."""
    word = word.lower().replace("’", "'").removesuffix("'s").removesuffix("s'")
    word = _forms().get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


@cache
def _forms() -> dict[str, str]:
    rows = (row.split() for row in telling_words().forms)
    return {form: row[0] for row in rows for form in row}


@cache
def _synonyms() -> dict[str, str]:
    rows = ([_bare(word) for word in row.split()] for row in telling_words().same)
    return {word: row[0] for row in rows for word in row}


def places_left_out(first: str, second: str) -> Collection[str]:
    """Roots that the first text has only where it tells of a place that the second does not name."""
    there = place_words(first, second)
    return (there - (Counter(roots(first)) - there)).keys()


def strange_names(text: str) -> frozenset[str]:
    """Capitalised words that are no places and not known to the lists: people, as far as one can tell."""
    ordinary = telling() | joining() | scenery()
    found = {
        word[0]: text[: word.start()].split()[-1:]
        for word in re.finditer(r"(?<!\w)[A-Z][a-z]{2,}(?!\w)", text)
        if root(word[0]) not in ordinary
    }
    return frozenset(
        name for name, before in found.items() if not before or before[0].lower() not in _BEFORE_PLACE.split()
    )
