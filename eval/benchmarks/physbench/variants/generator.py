"""Tell a problem anew with names, places and objects of a region, so that its physics stays as it is."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ansatz.eval.benchmarks.physbench.variants.packs import (
    Pack,
    Town,
    classes_for,
    limits,
    stated_of,
    why_implausible,
)
from ansatz.eval.benchmarks.physbench.variants.replacing import retell
from ansatz.eval.problem import Entity, Problem

REGION, ORIGINAL_ID, NO_REGION = "region", "original_id", "original"
_TITLE = re.compile(r"(?:Doctor|Dr\.?|Professor|Mr\.?|Mrs\.?|Ms\.?|Captain|Nurse) (?=[A-Z])")
_PRONOUNS = {
    "m": re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
    "f": re.compile(r"\b(?:she|hers?|herself)\b", re.IGNORECASE),
}
_DESCRIPTIVE = re.compile(r"the [^A-Z]+")


class _Telling(NamedTuple):
    """What one story is told with."""

    problem: Problem
    pack: Pack
    town: Town
    rng: random.Random


@dataclass(frozen=True)
class Variant:
    """A retold problem; `words` are the new words by the old, `kept` why an entity stayed as it was.

    `problem` is None where nothing could be exchanged.
    """

    original: Problem
    problem: Problem | None
    words: dict[str, str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)


def vary(problem: Problem, pack: Pack, seed: int) -> Variant:
    """One variant, drawn by the seed, the problem's id and the region alone.

    What may change are the entities that the problem marks.
    """
    rng = random.Random(f"variants/{pack.region}/{seed}/{problem.id}")
    town, homeless = _settle(problem, pack, rng)
    telling = _Telling(problem, pack, town, rng)
    words: dict[str, str] = {}
    kept: dict[str, str] = {}
    for role, entity in problem.entities.items():
        if entity.text in words:
            continue
        stays = homeless if role.startswith("place") else ""
        new, reason = (None, stays) if stays else _exchange(telling, role, {*words.values()})
        if new is None:
            kept[entity.text] = reason
        else:
            words[entity.text] = new
    if not words:
        return Variant(problem, None, {}, kept or {"": "no name, place or object is marked (entities)"})
    told = {
        "id": f"{problem.id}@{pack.region}",
        "tags": {**problem.tags, REGION: pack.region, ORIGINAL_ID: problem.id},
    }
    return Variant(problem, retell(problem, words).model_copy(update=told), words, kept)


def _settle(problem: Problem, pack: Pack, rng: random.Random) -> tuple[Town, str]:
    """A town whose land offers what the places of the story need, and why there is none.

    Of those that do, one in a country that has something for most objects of the story.
    """
    told = {name: each for name, each in problem.entities.items() if not name.startswith("person")}
    found = set(re.findall(r"[a-z]+", " ".join(f"{each.text} {each.kind}" for each in told.values()).lower()))
    needed = {land for land, words in limits().land.items() if land != "river" and found & set(words)}
    fitting = [town for town in pack.places if needed <= set(town.land)]
    if not fitting:
        return rng.choice(pack.places), f"no town of the pack has {' and '.join(sorted(needed))}"
    objects = [each for name, each in told.items() if name.startswith("object")]
    supplied = {
        country: sum(bool(_plausible(problem, each, pack, country)[0]) for each in objects)
        for country in {town.country for town in fitting}
    }
    most = max(supplied.values())
    return rng.choice([town for town in fitting if supplied[town.country] == most]), ""


def _exchange(telling: _Telling, role: str, taken: set[str]) -> tuple[str | None, str]:
    """New words for an entity, or why it stays."""
    entity = telling.problem.entities[role]
    if role.startswith("person"):
        return _name(telling, entity, taken)
    if role.startswith("place"):
        return _place(telling, entity), ""
    return _object(telling, entity, taken)


def _name(telling: _Telling, entity: Entity, taken: set[str]) -> tuple[str | None, str]:
    question = telling.problem.question
    spoken_of = [gender for gender, pronouns in _PRONOUNS.items() if pronouns.search(question)]
    gender = spoken_of[0] if len(spoken_of) == 1 else ""
    told = set(re.findall(r"\w+", question))
    for country in (telling.town.country, ""):
        names = telling.pack.people(gender, country)
        free = [name for name in names if name not in taken and name not in told]
        if free:
            title = _TITLE.match(entity.text)
            return f"{title[0] if title else ''}{telling.rng.choice(free)}", ""
    return None, "no name is left"


def _place(telling: _Telling, entity: Entity) -> str:
    """A place told by what it is stays, and only where it is becomes known; a proper name gives way."""
    pack, rng, town = telling.pack, telling.rng, telling.town.town
    if _DESCRIPTIVE.fullmatch(entity.text):
        return f"{entity.text} {'near' if entity.kind in ('road', 'hill', 'mountain') else 'in'} {town}"
    pattern = limits().places.get(entity.kind, f"the {entity.kind.replace('_', ' ')} of {{town}}")
    return pattern.format(town=town, river=rng.choice(pack.rivers), lake=rng.choice(pack.lakes))


def _object(telling: _Telling, entity: Entity, taken: set[str]) -> tuple[str | None, str]:
    fitting, reason = _plausible(telling.problem, entity, telling.pack, telling.town.country)
    free = [(text, name) for text, name in fitting if text not in taken]
    own = [text for text, name in free if entity.text in limits().classes[name].such_as]
    if free:
        return telling.rng.choice(own or [text for text, _ in free]), ""
    return None, reason


def _plausible(
    problem: Problem, entity: Entity, pack: Pack, country: str
) -> tuple[list[tuple[str, str]], str]:
    """Objects of a country, with their classes, that can do what the story says; and why there is none."""
    kind = entity.kind.replace("_", " ")
    classes = [name for name in classes_for(entity.kind, entity.text) if not _material(entity, name)]
    if " of " in entity.text and not any(limits().classes[name].instead_of for name in classes):
        return [], "it is a number of things"
    if not classes:
        stuff = _material(entity, "")
        return [], f"its material matters: {stuff}" if stuff else f"nothing stands for: {kind}"
    stated = stated_of(problem, entity)
    reasons = [f"{country} has no other {kind}"]
    plausible = []
    for text, name in pack.things(classes, country):
        wrong = why_implausible(name, stated)
        if wrong:
            reasons.append(f"{text}: {wrong}")
        elif text != entity.text:
            plausible.append((text, name))
    return plausible, reasons[-1]


def _material(entity: Entity, class_name: str) -> str:
    """What an object is said to be made of, unless all of the class are."""
    own = limits().classes[class_name].made_of if class_name else ""
    found = re.findall(r"[a-z]+", entity.text.lower())
    return next((word for word in found[:-1] if word in limits().materials and word != own), "")
