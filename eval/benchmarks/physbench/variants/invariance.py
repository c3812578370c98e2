"""Whether a retold problem is still the same physics: what is given, what is asked, and the answer.

Two layers: the fields of the problems (targets, options, givens) must agree, and the two texts must say the
same numbers, units, formulas, symbols, conditions and questions, in whatever words. The words that carry
physics are in concepts.yaml; a change in words that it does not know is not seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ansatz.eval.benchmarks.physbench.variants.concepts import (
    absences,
    concepts,
    count,
    quantities_in,
    stated_in,
)
from ansatz.eval.benchmarks.physbench.variants.entities import lexicon
from ansatz.eval.benchmarks.physbench.variants.packs import REGIONS, pack
from ansatz.eval.benchmarks.physbench.variants.replacing import replace
from ansatz.eval.benchmarks.physbench.variants.roles import role_changes, subject_changes, symbol_roles
from ansatz.eval.benchmarks.physbench.variants.statement import Statement, read_statement
from ansatz.eval.benchmarks.physbench.variants.unit_spelling import BARE, spelled
from ansatz.eval.problem import ChoiceTarget, MessageTarget, Problem, Target

_REPORT = re.compile(r"\n*(?:Report your answers? as|Answer in a few sentences).*\Z", re.DOTALL)


@dataclass(frozen=True)
class Change:
    """One thing that a retelling changed: what kind of thing, and what about it."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


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
    variant = replace(variant, _people(original, variant))
    one, other = (read_statement(_REPORT.sub("", text)) for text in (original, variant))
    found: dict[Change, None] = {}
    for compare in _COMPARISONS:
        found.update(dict.fromkeys(compare(one, other)))
    return tuple(found)


def _exchanged(original: Problem, variant: Problem) -> dict[str, str]:
    """The original's words by those of the variant, for the entities that both mark."""
    return {
        variant.entities[name].text: entity.text
        for name, entity in original.entities.items()
        if name in variant.entities and variant.entities[name].text != entity.text
    }


def _people(original: str, variant: str) -> dict[str, str]:
    """The original's people by those of the variant, in the order in which each text brings them in."""
    known = {
        *lexicon().women,
        *lexicon().men,
        *(name for region in REGIONS for name in pack(region).people()),
    }
    texts = [re.findall(r"\w+", text) for text in (original, variant)]
    one, other = ([word for word in dict.fromkeys(words) if word in known] for words in texts)
    return {new: old for old, new in zip(one, other, strict=False) if new not in one and old not in other}


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
        if likest != letter:
            yield Change("options", f"({letter}) says what ({likest}) said")
        elif text != one[letter]:
            parts = read_statement(one[letter]), read_statement(text)
            yield from (
                Change("options", f"({letter}) {change}")
                for compare in (_numbers, _stated, _negations, _formulas)
                for change in compare(*parts)
            )
            if _alike(one[letter], text) < 0.3:
                yield Change("options", f"({letter}) says something else")


def _alike(one: str, other: str) -> float:
    words = [Counter(re.findall(r"\w+", text.lower())) for text in (one, other)]
    return 2 * sum((words[0] & words[1]).values()) / max(1, sum(words[0].values()) + sum(words[1].values()))


def _text_options(one: Statement, other: Statement) -> Iterator[Change]:
    return _options(one.options, other.options)


def _numbers(one: Statement, other: Statement) -> Iterator[Change]:
    """Values with their units, however ordered, and the symbols that they are given to."""
    old, new = (Counter(mention.key for mention in each.mentions) for each in (one, other))
    for value, unit in old - new:
        yield Change("number", f"{value:g} {unit}".rstrip() + " is missing")
    for value, unit in new - old:
        yield Change("number", f"{value:g} {unit}".rstrip() + " is new")
    values = [{each.symbol: each.key for each in part.mentions if each.symbol} for part in (one, other)]
    for symbol in values[0].keys() & values[1].keys():
        if values[0][symbol] != values[1][symbol]:
            yield Change("number", f"{symbol} has another value")


def _units_wanted(one: Statement, other: Statement) -> Iterator[Change]:
    old, new = ({spelled(unit) for unit in BARE.findall(each.prose)} for each in (one, other))
    if old != new:
        yield Change(
            "unit", f"wanted in {', '.join(sorted(old)) or 'none'}, now {', '.join(sorted(new)) or 'none'}"
        )


def _formulas(one: Statement, other: Statement) -> Iterator[Change]:
    old, new = Counter(one.formulas), Counter(other.formulas)
    if old != new:
        yield Change("formula", f"{', '.join(old - new) or 'none'} became {', '.join(new - old) or 'none'}")


def _symbols(one: Statement, other: Statement) -> Iterator[Change]:
    for symbol in sorted(one.symbols - other.symbols):
        yield Change("symbol", f"{symbol} is missing")
    for symbol in sorted(other.symbols - one.symbols):
        yield Change("symbol", f"{symbol} is new")


def _stated(one: Statement, other: Statement) -> Iterator[Change]:
    old, new = stated_in(one.words), stated_in(other.words)
    for name in old:
        if old[name] and not new[name]:
            yield Change("condition", f"{name!r} is missing")
        if new[name] and not old[name]:
            yield Change("condition", f"{name!r} is new")
    for pair in concepts().opposites:
        counts = {name: (count(words, one.words), count(words, other.words)) for name, words in pair.items()}
        fell = [name for name, (before, after) in counts.items() if after < before]
        rose = [name for name, (before, after) in counts.items() if after > before]
        if fell and rose:
            yield Change("condition", f"{fell[0]!r} became {rose[0]!r}")


def _negations(one: Statement, other: Statement) -> Iterator[Change]:
    (old, old_others), (new, new_others) = absences(one.prose), absences(other.prose)
    for name, present in sorted({key for key in old | new if bool(old[key]) != bool(new[key])}):
        verb = "is" if new[(name, present)] else "is no longer"
        yield Change("negation", f"{name} {verb} said to be {'present' if present else 'absent'}")
    if old_others != new_others:
        yield Change("negation", f"{old_others} negations became {new_others}")


def _asked(one: Statement, other: Statement) -> Iterator[Change]:
    old, new = quantities_in(one.asked), quantities_in(other.asked)
    if old != new:
        yield Change("asked", f"{', '.join(sorted(old)) or 'none'} became {', '.join(sorted(new)) or 'none'}")


def _roles(one: Statement, other: Statement) -> Iterator[Change]:
    for what in (*role_changes(one, other), *symbol_roles(one, other)):
        yield Change("role", what)
    for what in subject_changes(one, other):
        yield Change("asked", what)


_COMPARISONS: tuple[Callable[[Statement, Statement], Iterator[Change]], ...] = (
    _numbers,
    _units_wanted,
    _formulas,
    _symbols,
    _stated,
    _negations,
    _asked,
    _roles,
    _text_options,
)
