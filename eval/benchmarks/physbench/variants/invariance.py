"""Whether a retold problem is still the same physics: what is given, what is asked, and the answer.

Two layers: the fields of the problems (targets, options, givens) must agree, and the two texts must say the
same numbers, units, formulas, symbols, conditions and questions, in whatever words. The words that carry
physics are in concepts.yaml; a change in words that it does not know is not seen. A retelling that keeps
nearly all the words is held to them more strictly (unmatched.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import permutations

from ansatz.eval.benchmarks.physbench.variants.comparisons import COMPARISONS, IN_OPTIONS, Change
from ansatz.eval.benchmarks.physbench.variants.entities import lexicon
from ansatz.eval.benchmarks.physbench.variants.packs import REGIONS, pack
from ansatz.eval.benchmarks.physbench.variants.replacing import replace
from ansatz.eval.benchmarks.physbench.variants.statement import Statement, read_statement
from ansatz.eval.benchmarks.physbench.variants.subjects import name_changes
from ansatz.eval.benchmarks.physbench.variants.telling import strange_names
from ansatz.eval.problem import ChoiceTarget, MessageTarget, Problem, Target

_PERMUTED = 3  # people; the ways to name more would be too many


def check(original: Problem, variant: Problem) -> tuple[Change, ...]:
    """Every change that makes the variant another problem; none means that it is faithful."""
    words = _exchanged(original, variant)
    told = replace(f"{variant.context}\n\n{variant.question}".strip(), words)
    text = f"{original.context}\n\n{original.question}".strip()
    options = {
        letter: replace(option, words)
        for target in variant.targets
        if isinstance(target, ChoiceTarget)
        for letter, option in target.options.items()
    }
    return (*_fields(original, variant, options), *check_texts(text, told))


def check_texts(original: str, variant: str) -> tuple[Change, ...]:
    """The same for two questions as they are read, without the lines on how to report an answer."""
    if original == variant:
        return ()
    one = read_statement(original)
    least: tuple[Change, ...] | None = None
    for words, names in _people(original, variant):
        found = _changes(one, replace(variant, words), names)
        if not found:
            return ()
        least = found if least is None or len(found) < len(least) else least
    return least or ()


def _changes(one: Statement, told: str, names: Collection[str]) -> tuple[Change, ...]:
    other = read_statement(told)
    found: dict[Change, None] = {}
    for compare in (*COMPARISONS, _text_options):
        found.update(dict.fromkeys(compare(one, other)))
    found.update(dict.fromkeys(Change("role", what) for what in name_changes(one, other, names)))
    return tuple(found)


def _exchanged(original: Problem, variant: Problem) -> dict[str, str]:
    """The original's words by those of the variant, for the entities that both mark."""
    return {
        variant.entities[name].text: entity.text
        for name, entity in original.entities.items()
        if name in variant.entities and variant.entities[name].text != entity.text
    }


def _people(original: str, variant: str) -> list[tuple[dict[str, str], tuple[str, ...]]]:
    """Ways to give the variant's people the names of the original's, each with the people of both.

    First in the order in which each text brings them in; two or three people may come in another order.
    """
    known = _given_names()
    one, other = (list(dict.fromkeys(re.findall(r"\w+", text))) for text in (original, variant))
    people = tuple(name for name in one if name in known)
    gone = tuple(name for name in people if name not in other)
    new = [name for name in other if name in known and name not in one]
    if len(new) < len(gone):
        strangers = strange_names(variant)
        new = [name for name in other if name not in one and (name in new or name in strangers)]
    orders = permutations(gone) if len(gone) == len(new) <= _PERMUTED else [gone]
    return [(dict(zip(new, order, strict=False)), people) for order in orders]


@cache
def _given_names() -> frozenset[str]:
    packed = (name for region in REGIONS for name in pack(region).people())
    return frozenset({*lexicon().women, *lexicon().men, *packed})


def _fields(original: Problem, variant: Problem, options: dict[str, str]) -> Iterator[Change]:
    if original.family != variant.family:
        yield Change("family", f"{original.family} became {variant.family}")
    givens = {each.name: (each.value, each.unit) for each in original.givens}
    told = {each.name: (each.value, each.unit) for each in variant.givens}
    for name in givens | told:
        if givens.get(name) != told.get(name):
            yield Change("given", f"{name} was {givens.get(name)} and is {told.get(name)}")
    if [target.name for target in original.targets] != [target.name for target in variant.targets]:
        yield Change("asked", "the targets have other names")
        return
    for target, new in zip(original.targets, variant.targets, strict=True):
        if isinstance(target, ChoiceTarget) and isinstance(new, ChoiceTarget):
            yield from _options(target.options, options)
        if _without_words(target) != _without_words(new):
            yield Change("answer", f"the key of {target.name} differs")


def _without_words(target: Target) -> Target:
    """A target without what a retelling may word anew."""
    if isinstance(target, ChoiceTarget):
        return target.model_copy(update={"options": {}})
    return target.model_copy(update={"value": ""}) if isinstance(target, MessageTarget) else target


def _options(one: dict[str, str], other: dict[str, str]) -> Iterator[Change]:
    """Options by letter: each must say the same, and none may be more like another's text."""
    if list(one) != list(other):
        yield Change("options", f"{', '.join(one) or 'none'} became {', '.join(other) or 'none'}")
        return
    for letter, text in other.items():
        likest = max(one, key=lambda each: (_alike(one[each], text), each == letter))
        if _alike(one[likest], text) > _alike(one[letter], text) + 0.25:
            yield Change("options", f"({letter}) says what ({likest}) said")
        elif text != one[letter]:
            parts = read_statement(one[letter]), read_statement(text)
            yield from (
                Change("options", f"({letter}) {change}")
                for compare in IN_OPTIONS
                for change in compare(*parts)
            )
            if _alike(one[letter], text) < 0.3:
                yield Change("options", f"({letter}) says something else")


def _alike(one: str, other: str) -> float:
    words = [Counter(re.findall(r"\w+", text.lower())) for text in (one, other)]
    return 2 * sum((words[0] & words[1]).values()) / max(1, sum(words[0].values()) + sum(words[1].values()))


def _text_options(one: Statement, other: Statement) -> Iterator[Change]:
    return _options(one.options, other.options)
