"""Put other words in the place of names and things, with the articles and plurals that they need."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ansatz.eval.benchmarks.templates.story import article
from ansatz.eval.problem import (
    ChoiceTarget,
    Entity,
    Formulation,
    MessageTarget,
    Problem,
    ReferenceSolution,
    Target,
)

_SIBILANT = ("s", "x", "z", "ch", "sh")


def plural(noun: str) -> str:
    """The regular plural of a noun phrase: of what stands before "of" where there is one."""
    head, of, rest = noun.partition(" of ")
    if head.endswith(_SIBILANT):
        made = f"{head}es"
    elif head.endswith("y") and head[-2:-1] not in "aeiou":
        made = f"{head[:-1]}ies"
    else:
        made = f"{head}s"
    return f"{made}{of}{rest}"


def mentions(noun: str, text: str) -> bool:
    """Whether a text has a noun phrase, in the singular or plural."""
    return _forms(noun).search(text) is not None


@cache
def _forms(noun: str) -> re.Pattern[str]:
    forms = "|".join(map(re.escape, (noun, plural(noun))))
    return re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.IGNORECASE)


def replace(text: str, words: Mapping[str, str]) -> str:
    """The text with every old word, in the singular or plural, exchanged for its new one, all at once.

    An indefinite article right before it follows the new sound; a capital that starts a sentence stays.
    """
    if not words:
        return text
    forms = dict(words) | {plural(old): plural(new) for old, new in words.items()}
    old_words = "|".join(sorted(map(re.escape, forms), key=len, reverse=True))
    pattern = re.compile(rf"(?:\b([Aa]n?) )?(?<![\w-])({old_words})(?![\w-])", re.IGNORECASE)
    folded = {old.lower(): new for old, new in forms.items()}

    def put(found: re.Match[str]) -> str:
        new = folded[found[2].lower()]
        if found[1]:
            chosen = article(new)
            return f"{chosen.capitalize() if found[1][0] == 'A' else chosen} {new}"
        starts = found[2][0].isupper() and not forms.get(found[2])
        return new[0].upper() + new[1:] if starts else new

    return pattern.sub(put, text)


def retell(problem: Problem, words: Mapping[str, str]) -> Problem:
    """The problem with every text told in the new words: question, options, answers and reference."""
    return problem.model_copy(
        update={
            "question": replace(problem.question, words),
            "context": replace(problem.context, words),
            "targets": tuple(_target(target, words) for target in problem.targets),
            "reference": _reference(problem.reference, words),
            "entities": {
                name: Entity(text=replace(each.text, words), kind=each.kind, quantities=each.quantities)
                for name, each in problem.entities.items()
            },
        }
    )


def _target(target: Target, words: Mapping[str, str]) -> Target:
    if isinstance(target, ChoiceTarget):
        options = {letter: replace(text, words) for letter, text in target.options.items()}
        return target.model_copy(update={"options": options})
    if isinstance(target, MessageTarget):
        return target.model_copy(update={"value": replace(target.value, words)})
    return target


def _reference(reference: ReferenceSolution, words: Mapping[str, str]) -> ReferenceSolution:
    told = reference.formulation
    formulation = told and Formulation(
        given=replace(told.given, words),
        find=replace(told.find, words),
        approach=replace(told.approach, words),
        assumptions=replace(told.assumptions, words),
        language=told.language,
    )
    return reference.model_copy(
        update={
            "formulation": formulation,
            "text": replace(reference.text, words),
            "final_answer": replace(reference.final_answer, words),
            "key_points": tuple(replace(point, words) for point in reference.key_points),
            "misconceptions": {
                letter: replace(text, words) for letter, text in reference.misconceptions.items()
            },
        }
    )
