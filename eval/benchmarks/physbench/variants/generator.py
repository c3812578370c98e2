"""Rewrite a problem with the names, places and objects of a region, without changing its physics."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from ansatz.eval.benchmarks.physbench.variants.packs import (
    Pack,
    Town,
    explain_implausible,
    find_classes,
    find_stated_properties,
    read_limits,
)
from ansatz.eval.benchmarks.templates.story import article
from ansatz.eval.probes import ORIGINAL_ID, PROBE
from ansatz.eval.problem import ChoiceTarget, Entity, MessageTarget, Problem, Target

_Model = TypeVar("_Model", bound=BaseModel)

_SIBILANT = ("s", "x", "z", "ch", "sh")
_TITLE = re.compile(r"(?:Doctor|Dr\.?|Professor|Mr\.?|Mrs\.?|Ms\.?|Captain|Nurse) (?=[A-Z])")
_PRONOUNS = {
    "m": re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
    "f": re.compile(r"\b(?:she|hers?|herself)\b", re.IGNORECASE),
}
_DESCRIPTIVE = re.compile(r"the [^A-Z]+")


@dataclass(frozen=True)
class Variant:
    """A problem and its variant for one region."""

    original: Problem
    problem: Problem | None
    """The variant; None if nothing could be replaced."""
    words: dict[str, str] = field(default_factory=dict)
    """The replacement for each replaced text."""
    unchanged: dict[str, str] = field(default_factory=dict)
    """The reason for each entity that could not be replaced."""


def make_variant(problem: Problem, pack: Pack, seed: int) -> Variant:
    """Return one variant of the problem. It depends only on the seed, the problem's id and the region.

    Only the problem's `entities` are replaced.
    """
    chooser = _ReplacementChooser(problem, pack, random.Random(f"variants/{pack.region}/{seed}/{problem.id}"))
    words: dict[str, str] = {}
    unchanged: dict[str, str] = {}
    for role, entity in problem.entities.items():
        if entity.text not in words:
            new, reason = chooser.choose(role, entity, {*words.values()})
            (words if new else unchanged)[entity.text] = new or reason
    if not words:
        return Variant(problem, None, {}, unchanged or {"": "the problem has no `entities` to replace"})
    identity = {
        "id": f"{problem.id}@{pack.region}",
        "tags": {**problem.tags, PROBE: pack.region, ORIGINAL_ID: problem.id},
    }
    return Variant(problem, _replace_in_problem(problem, words).model_copy(update=identity), words, unchanged)


class _ReplacementChooser:
    """Chooses words for one story, which takes place in one town of the region."""

    def __init__(self, problem: Problem, pack: Pack, rng: random.Random) -> None:
        self.problem, self.pack, self.rng = problem, pack, rng
        self.town, self.no_town_reason = self._choose_town()

    def _choose_town(self) -> tuple[Town, str]:
        """Return a town with the landscape that the story needs, and the reason if there is none.

        Prefer a country that has replacements for most objects of the story.
        """
        things = {name: each for name, each in self.problem.entities.items() if not name.startswith("person")}
        text = " ".join(f"{each.text} {each.kind}" for each in things.values())
        found = set(re.findall(r"[a-z]+", text.lower()))
        needed = {
            land for land, words in read_limits().land.items() if land != "river" and found & set(words)
        }
        fitting = [town for town in self.pack.places if needed <= set(town.land)]
        if not fitting:
            town = self.rng.choice(self.pack.places)
            return town, f"no town of the pack has {' and '.join(sorted(needed))}"
        objects = [each for name, each in things.items() if name.startswith("object")]
        replaceable = {
            country: sum(bool(self._plausible_objects(each, country)[0]) for each in objects)
            for country in {town.country for town in fitting}
        }
        most = max(replaceable.values())
        return self.rng.choice([town for town in fitting if replaceable[town.country] == most]), ""

    def choose(self, role: str, entity: Entity, taken: set[str]) -> tuple[str, str]:
        """Return the new words for an entity, or "" and the reason why it stays."""
        if role.startswith("person"):
            return self._choose_name(entity, taken)
        if role.startswith("place"):
            return ("", self.no_town_reason) if self.no_town_reason else (self._name_place(entity), "")
        fitting, reason = self._plausible_objects(entity, self.town.country)
        free = [(text, name) for text, name in fitting if text not in taken]
        preferred = [text for text, name in free if entity.text in read_limits().classes[name].such_as]
        return (self.rng.choice(preferred or [text for text, _ in free]), "") if free else ("", reason)

    def _choose_name(self, entity: Entity, taken: set[str]) -> tuple[str, str]:
        question = self.problem.question
        genders = [gender for gender, pronouns in _PRONOUNS.items() if pronouns.search(question)]
        gender = genders[0] if len(genders) == 1 else ""
        used = set(re.findall(r"\w+", question)) | taken
        for country in (self.town.country, ""):
            if free := [name for name in self.pack.people(gender, country) if name not in used]:
                title = _TITLE.match(entity.text)
                return f"{title[0] if title else ''}{self.rng.choice(free)}", ""
        return "", "no name is left"

    def _name_place(self, entity: Entity) -> str:
        """Add the town to a description such as "the loading bay"; replace a proper name."""
        pack, rng, town = self.pack, self.rng, self.town.town
        if _DESCRIPTIVE.fullmatch(entity.text):
            return f"{entity.text} {'near' if entity.kind in ('road', 'hill', 'mountain') else 'in'} {town}"
        pattern = read_limits().places.get(entity.kind, f"the {entity.kind.replace('_', ' ')} of {{town}}")
        return pattern.format(town=town, river=rng.choice(pack.rivers), lake=rng.choice(pack.lakes))

    def _plausible_objects(self, entity: Entity, country: str) -> tuple[list[tuple[str, str]], str]:
        """Return a country's objects that fit the story with their classes, or the reason for none."""
        kind = entity.kind.replace("_", " ")
        classes = [name for name in find_classes(entity.kind, entity.text) if not _material(entity, name)]
        if " of " in entity.text and not any(read_limits().classes[name].instead_of for name in classes):
            return [], "it is a number of things"
        if not classes:
            material = _material(entity, "")
            return [], f"its material matters: {material}" if material else f"no class replaces: {kind}"
        stated = find_stated_properties(self.problem, entity)
        reason = f"{country} has no other {kind}"
        plausible = []
        for text, name in self.pack.things(classes, country):
            conflict = explain_implausible(name, stated)
            if conflict:
                reason = f"{text}: {conflict}"
            elif text != entity.text:
                plausible.append((text, name))
        return plausible, reason


def _material(entity: Entity, class_name: str) -> str:
    """Return the material in the entity's name, or "" if the whole class is made of it."""
    usual = read_limits().classes[class_name].made_of if class_name else ""
    found = re.findall(r"[a-z]+", entity.text.lower())
    return next((word for word in found[:-1] if word in read_limits().materials and word != usual), "")


def _plural(noun: str) -> str:
    """Return the regular plural of a noun phrase; "sack of rice" becomes "sacks of rice"."""
    head, of, rest = noun.partition(" of ")
    if head.endswith(_SIBILANT):
        plural = f"{head}es"
    elif head.endswith("y") and head[-2:-1] not in "aeiou":
        plural = f"{head[:-1]}ies"
    else:
        plural = f"{head}s"
    return f"{plural}{of}{rest}"


def replace_words(text: str, words: Mapping[str, str]) -> str:
    """Replace every old word, singular or plural, by its new one, all at the same time.

    An indefinite article before the word is adapted. A capital at the start of a sentence stays a capital.

    >>> replace_words("A tram stops.", {"tram": "ox cart"})
    'An ox cart stops.'
    """
    if not words:
        return text
    forms = dict(words) | {_plural(old): _plural(new) for old, new in words.items()}
    old_words = "|".join(sorted(map(re.escape, forms), key=len, reverse=True))
    pattern = re.compile(rf"(?:\b([Aa]n?) )?(?<![\w-])({old_words})(?![\w-])", re.IGNORECASE)
    by_lower_case = {old.lower(): new for old, new in forms.items()}

    def replacement(found: re.Match[str]) -> str:
        new = by_lower_case[found[2].lower()]
        if found[1]:
            chosen = article(new)
            return f"{chosen.capitalize() if found[1][0] == 'A' else chosen} {new}"
        starts_sentence = found[2][0].isupper() and not forms.get(found[2])
        return new[0].upper() + new[1:] if starts_sentence else new

    return pattern.sub(replacement, text)


def _replace_in_problem(problem: Problem, words: Mapping[str, str]) -> Problem:
    """Replace words in the question, options, answers and reference."""
    reference = problem.reference
    formulation = reference.formulation
    if formulation:
        formulation = _replace_in_fields(formulation, words, "given", "find", "approach", "assumptions")
    texts = _replace_in_fields(reference, words, "text", "final_answer", "key_points", "misconceptions")
    return _replace_in_fields(problem, words, "question", "context").model_copy(
        update={
            "targets": tuple(_replace_in_target(target, words) for target in problem.targets),
            "reference": texts.model_copy(update={"formulation": formulation}),
            "entities": {
                name: _replace_in_fields(each, words, "text") for name, each in problem.entities.items()
            },
        }
    )


def _replace_in_fields(model: _Model, words: Mapping[str, str], *fields: str) -> _Model:
    """Replace words in some fields, each a text, a sequence of texts or a mapping with texts."""

    def replaced(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: replace_words(text, words) for name, text in value.items()}
        if isinstance(value, str):
            return replace_words(value, words)
        return tuple(replace_words(text, words) for text in value)

    return model.model_copy(update={name: replaced(getattr(model, name)) for name in fields})


def _replace_in_target(target: Target, words: Mapping[str, str]) -> Target:
    if isinstance(target, ChoiceTarget):
        return _replace_in_fields(target, words, "options")
    return _replace_in_fields(target, words, "value") if isinstance(target, MessageTarget) else target
