"""Put other words in the place of names and things, with the articles and plurals that they need."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from ansatz.eval.benchmarks.templates.story import article
from ansatz.eval.problem import ChoiceTarget, MessageTarget, Problem, Target

_Model = TypeVar("_Model", bound=BaseModel)
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
    reference = problem.reference
    formulation = reference.formulation
    if formulation:
        formulation = _told(formulation, words, "given", "find", "approach", "assumptions")
    texts = _told(reference, words, "text", "final_answer", "key_points", "misconceptions")
    return _told(problem, words, "question", "context").model_copy(
        update={
            "targets": tuple(_target(target, words) for target in problem.targets),
            "reference": texts.model_copy(update={"formulation": formulation}),
            "entities": {name: _told(each, words, "text") for name, each in problem.entities.items()},
        }
    )


def _told(model: _Model, words: Mapping[str, str], *fields: str) -> _Model:
    """The model with the texts of some fields told in the new words, in lists and by key too."""

    def told(field: Any) -> Any:
        if isinstance(field, Mapping):
            return {name: replace(text, words) for name, text in field.items()}
        return replace(field, words) if isinstance(field, str) else tuple(replace(t, words) for t in field)

    return model.model_copy(update={name: told(getattr(model, name)) for name in fields})


def _target(target: Target, words: Mapping[str, str]) -> Target:
    if isinstance(target, ChoiceTarget):
        return _told(target, words, "options")
    return _told(target, words, "value") if isinstance(target, MessageTarget) else target
