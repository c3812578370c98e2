"""Tell a problem anew with names, places and objects of a region, so that its physics stays as it is."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

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
    retelling = _Retelling(problem, pack, random.Random(f"variants/{pack.region}/{seed}/{problem.id}"))
    words: dict[str, str] = {}
    kept: dict[str, str] = {}
    for role, entity in problem.entities.items():
        if entity.text not in words:
            new, reason = retelling.exchanged(role, entity, {*words.values()})
            (words if new else kept)[entity.text] = new or reason
    if not words:
        return Variant(problem, None, {}, kept or {"": "no name, place or object is marked (entities)"})
    told = {
        "id": f"{problem.id}@{pack.region}",
        "tags": {**problem.tags, REGION: pack.region, ORIGINAL_ID: problem.id},
    }
    return Variant(problem, retell(problem, words).model_copy(update=told), words, kept)


class _Retelling:
    """A story in a town of the region; `homeless` is why its places stay where they are."""

    def __init__(self, problem: Problem, pack: Pack, rng: random.Random) -> None:
        self.problem, self.pack, self.rng = problem, pack, rng
        self.town, self.homeless = self._settled()

    def _settled(self) -> tuple[Town, str]:
        """A town whose land offers what the places of the story need, and why there is none.

        Of those that do, one in a country that has something for most objects of the story.
        """
        told = {name: each for name, each in self.problem.entities.items() if not name.startswith("person")}
        named = " ".join(f"{each.text} {each.kind}" for each in told.values())
        found = set(re.findall(r"[a-z]+", named.lower()))
        needed = {land for land, words in limits().land.items() if land != "river" and found & set(words)}
        fitting = [town for town in self.pack.places if needed <= set(town.land)]
        if not fitting:
            return self.rng.choice(
                self.pack.places
            ), f"no town of the pack has {' and '.join(sorted(needed))}"
        objects = [each for name, each in told.items() if name.startswith("object")]
        supplied = {
            country: sum(bool(self._plausible(each, country)[0]) for each in objects)
            for country in {town.country for town in fitting}
        }
        most = max(supplied.values())
        return self.rng.choice([town for town in fitting if supplied[town.country] == most]), ""

    def exchanged(self, role: str, entity: Entity, taken: set[str]) -> tuple[str, str]:
        """New words for an entity, or none and why it stays."""
        if role.startswith("person"):
            return self._name(entity, taken)
        if role.startswith("place"):
            return ("", self.homeless) if self.homeless else (self._place(entity), "")
        fitting, reason = self._plausible(entity, self.town.country)
        free = [(text, name) for text, name in fitting if text not in taken]
        own = [text for text, name in free if entity.text in limits().classes[name].such_as]
        return (self.rng.choice(own or [text for text, _ in free]), "") if free else ("", reason)

    def _name(self, entity: Entity, taken: set[str]) -> tuple[str, str]:
        question = self.problem.question
        spoken_of = [gender for gender, pronouns in _PRONOUNS.items() if pronouns.search(question)]
        gender = spoken_of[0] if len(spoken_of) == 1 else ""
        told = set(re.findall(r"\w+", question)) | taken
        for country in (self.town.country, ""):
            if free := [name for name in self.pack.people(gender, country) if name not in told]:
                title = _TITLE.match(entity.text)
                return f"{title[0] if title else ''}{self.rng.choice(free)}", ""
        return "", "no name is left"

    def _place(self, entity: Entity) -> str:
        """A place told by what it is stays, and only where it is becomes known; a proper name gives way."""
        pack, rng, town = self.pack, self.rng, self.town.town
        if _DESCRIPTIVE.fullmatch(entity.text):
            return f"{entity.text} {'near' if entity.kind in ('road', 'hill', 'mountain') else 'in'} {town}"
        pattern = limits().places.get(entity.kind, f"the {entity.kind.replace('_', ' ')} of {{town}}")
        return pattern.format(town=town, river=rng.choice(pack.rivers), lake=rng.choice(pack.lakes))

    def _plausible(self, entity: Entity, country: str) -> tuple[list[tuple[str, str]], str]:
        """Objects of a country, with their classes, that can do what the story says; and why none is."""
        kind = entity.kind.replace("_", " ")
        classes = [name for name in classes_for(entity.kind, entity.text) if not _material(entity, name)]
        if " of " in entity.text and not any(limits().classes[name].instead_of for name in classes):
            return [], "it is a number of things"
        if not classes:
            stuff = _material(entity, "")
            return [], f"its material matters: {stuff}" if stuff else f"nothing stands for: {kind}"
        stated = stated_of(self.problem, entity)
        reason = f"{country} has no other {kind}"
        plausible = []
        for text, name in self.pack.things(classes, country):
            wrong = why_implausible(name, stated)
            if wrong:
                reason = f"{text}: {wrong}"
            elif text != entity.text:
                plausible.append((text, name))
        return plausible, reason


def _material(entity: Entity, class_name: str) -> str:
    """What an object is said to be made of, unless all of the class are."""
    own = limits().classes[class_name].made_of if class_name else ""
    found = re.findall(r"[a-z]+", entity.text.lower())
    return next((word for word in found[:-1] if word in limits().materials and word != own), "")
