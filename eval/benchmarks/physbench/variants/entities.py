"""Find the people, places and objects of a story in which none are marked, by a lexicon."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.physbench.variants.replacing import plural
from ansatz.eval.problem import Entity, Problem

_PRONOUNS = {
    "m": re.compile(r"\b(?:he|him|his|himself)\b", re.I),
    "f": re.compile(r"\b(?:she|hers?|herself)\b", re.I),
}
_FIRST_WORDS = "A|An|Along|At|By|From|In|Near|On|Over|The|Through|Under"
_UNITS = {
    "mass": ("kg", "g", "mg", "t"),
    "speed": ("m/s", "km/h", "cm/s", "km/s"),
    "voltage": ("V", "kV"),
    "power": ("W", "kW", "MW"),
}


class Lexicon(BaseModel):
    """Words by what they are: names, words that end the name of a place, and nouns with their kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    women: frozenset[str]
    men: frozenset[str]
    towns: tuple[str, ...]
    place_words: dict[str, str]
    objects: dict[str, str]


@cache
def lexicon() -> Lexicon:
    text = Path(__file__).with_name("lexicon.yaml").read_text(encoding="utf-8")
    return Lexicon.model_validate(yaml.load(text, Loader=yaml.CBaseLoader))


def gender_of(name: str, text: str) -> str:
    """f or m by the name, or by the only pronoun of the text; empty where it is open."""
    if name in lexicon().women:
        return "f"
    if name in lexicon().men:
        return "m"
    told = [gender for gender, pronouns in _PRONOUNS.items() if pronouns.search(text)]
    return told[0] if len(told) == 1 else ""


def find_entities(problem: Problem) -> dict[str, Entity]:
    """People, places and objects by their place in the story: person, person2, place, object, ..."""
    text = f"{problem.context} {problem.question}".strip()
    found = [*_people(text), *_places(text), *_objects(text)]
    counts: dict[str, int] = {}
    entities = {}
    for role, entity in found:
        counts[role] = counts.get(role, 0) + 1
        entities[role if counts[role] == 1 else f"{role}{counts[role]}"] = entity
    return entities


def stated_of_object(
    noun: str, text: str, others: Collection[str] = ()
) -> dict[str, list[tuple[float, str]]]:
    """The masses, speeds, voltages and powers that a story states nearest to one of its people or objects.

    `others` are further nouns that a quantity may belong to, beside those of the lexicon.
    """
    mentions = [(word, place) for word in (*_nouns(text), *others) for place in _mentions(word, text)]
    found: dict[str, list[tuple[float, str]]] = {}
    for name, units in _UNITS.items():
        spelled = "|".join(map(re.escape, sorted(units, key=len, reverse=True)))
        for value in re.finditer(rf"(?<![\w.^])(\d[\d,]*(?:\.\d+)?)[\s-]*({spelled})(?![\w/^·*])", text):
            nearest = min(mentions, key=lambda each: _apart(each[1], value.span()), default=("", (0, 0)))
            if nearest[0] == noun:
                found.setdefault(name, []).append((float(value[1].replace(",", "")), value[2]))
    return found


def _nouns(text: str) -> list[str]:
    return [entity.text for _, entity in (*_people(text), *_objects(text))]


def _mentions(noun: str, text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(_forms(noun), text, re.I)]


def _forms(noun: str) -> str:
    return rf"(?<![\w-])(?:{re.escape(noun)}|{re.escape(plural(noun))})(?![\w-])"


def _apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(one[0] - other[1], other[0] - one[1])


def _people(text: str) -> Iterator[tuple[str, Entity]]:
    names = lexicon().women | lexicon().men
    for name in dict.fromkeys(re.findall(r"\b[A-Z][a-z]+\b", text)):
        law = re.search(rf"\b{name}(?:['’]s)? (?:[Ll]aw|[Cc]onstant|[Ee]quation|[Pp]rinciple)", text)
        if name in names and not law:
            yield "person", Entity(text=name, kind="person")


def _places(text: str) -> Iterator[tuple[str, Entity]]:
    words = lexicon().place_words
    pattern = rf"\b(?:the )?(?:[A-Z][a-z]+ )+(?:{'|'.join(words)})\b|\bLake [A-Z][a-z]+\b"
    found = (re.sub(rf"^(?:{_FIRST_WORDS}) ", "", place) for place in re.findall(pattern, text))
    places = [place for place in dict.fromkeys(found) if " " in place]
    rest = text
    for place in places:
        rest = rest.replace(place, "")
        last = "Lake" if place.startswith("Lake") else place.split()[-1]
        yield "place", Entity(text=place, kind=words[last])
    for town in lexicon().towns:
        if re.search(rf"\b{town}\b", rest):
            yield "place", Entity(text=town, kind="bare_town")


def _objects(text: str) -> Iterator[tuple[str, Entity]]:
    rest = text
    for noun in sorted(lexicon().objects, key=len, reverse=True):
        if re.search(_forms(noun), rest, re.I):
            rest = re.sub(_forms(noun), "", rest, flags=re.I)
            yield "object", Entity(text=noun, kind=lexicon().objects[noun])
