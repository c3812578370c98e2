"""Whether a retold problem is still the same, as far as that can be computed.

Compared are the problems' own fields (family, givens, targets, options, key) and, of the two texts, the
numbers with their units, symbols, formulas, options and the form of the answer. What only a reader can see,
such as a condition reversed or another thing asked in the same unit, is for the second opinion of a model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

from pydantic import Field

from ansatz.agents.client import ModelClient
from ansatz.eval.benchmarks.physbench.variants.numbers import TextNumber, numbers, wanted_units
from ansatz.eval.benchmarks.physbench.variants.replacing import replace
from ansatz.eval.judging.recording import RecordForm, record
from ansatz.eval.problem import ChoiceTarget, MessageTarget, Problem, Target
from ansatz.quantities.markup import plain

_REPORT = re.compile(r"\n*(?:Report your answers? as|Answer in a few sentences).*\Z", re.DOTALL)
_OPTION = re.compile(r"^\(([A-F])\)\s*(.*)$", re.MULTILINE)
_NAME = r"(?!(?:a|A|I)\s+[a-z]{2})[A-Za-zα-ωΑ-Ω]\w{0,8}(?:\([a-z]\))?"
_TERM = rf"(?:\d+(?:\.\d+)?|{_NAME}|[()])"
_FORMULA = re.compile(rf"(?<!\w){_NAME}(?:\^\d)?\s*=\s*(?:-\s*)?{_TERM}(?:\s*[-+*/^=·×]\s*{_TERM}|[()])+")
_SYMBOL = re.compile(r"(?<![\w'’])(?:[A-Za-z]{1,6}_\w+|[B-HJ-Zb-z])(?![\w'’])")


@dataclass(frozen=True)
class Change:
    """What makes a retelling another problem: the kind of thing that changed, and what it was."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


class _Changes(RecordForm):
    """Record every change that makes the retelling another problem."""

    tool = "record_changes"
    changes: list[str] = Field(description="what makes it another problem, one line each; empty for none")


class Telling(NamedTuple):
    """What the check compares of a text."""

    numbers: tuple[TextNumber, ...]
    formulas: Counter[str]
    symbols: frozenset[str]
    options: dict[str, str]
    report: str
    words: frozenset[str]
    wanted_units: frozenset[str]


def check(original: Problem, variant: Problem) -> tuple[Change, ...]:
    """Every change that makes the variant another problem; none means that no computed check objects."""
    words = {
        variant.entities[name].text: entity.text
        for name, entity in original.entities.items()
        if name in variant.entities and variant.entities[name].text != entity.text
    }
    one, other = read_telling(_statement(original)), read_telling(replace(_statement(variant), words))
    found = [*_fields(original, variant), *_numbers(one, other), *_bindings(one, other)]
    found += [*_wording(one, other), *_options(one, other)]
    for target, new in zip(original.targets, variant.targets, strict=False):
        if isinstance(target, ChoiceTarget) and isinstance(new, ChoiceTarget):
            told = {letter: replace(text, words) for letter, text in new.options.items()}
            found += _options(one._replace(options=target.options), other._replace(options=told))
    return tuple(dict.fromkeys(found))


async def second_opinion(client: ModelClient, original: Problem, variant: Problem) -> tuple[Change, ...]:
    """What a model, which sees both statements and no key, says makes the variant another problem.

    Raises UnusableReply, InfrastructureError.
    """
    prompt = files(__package__).joinpath("second_opinion.md").read_text(encoding="utf-8")
    one, other = _statement(original), _statement(variant)
    asked = f"<original>\n{one}\n</original>\n\n<retelling>\n{other}\n</retelling>"
    found = await record(client, prompt, asked, _Changes)
    return tuple(Change("opinion", what) for what in found.changes)


def _statement(problem: Problem) -> str:
    return f"{problem.context}\n\n{problem.question}".strip()


def read_telling(text: str) -> Telling:
    """A question as the check sees it."""
    report = _REPORT.search(text)
    told = plain(_REPORT.sub("", text))
    options = dict(_OPTION.findall(told))
    prose = _OPTION.sub("", told)
    found = tuple(numbers(prose))
    words = prose
    for number in found:
        words = words[: number.start] + " " * (number.end - number.start) + words[number.end :]
    return Telling(
        found,
        Counter(_formulas(prose)),
        frozenset(_SYMBOL.findall(words)),
        options,
        report[0].strip() if report else "",
        frozenset(re.findall(r"[^\W\d_]+", words.lower())),
        wanted_units(words),
    )


def _formulas(prose: str) -> Iterator[str]:
    """Equations whose right side is more than a number with its unit, without blanks."""
    for found in _FORMULA.finditer(prose):
        written = re.sub(r"\s+", "", found[0])
        while written.count(")") > written.count("("):
            written = written[: written.rindex(")")]
        if re.search(r"=.*[A-Za-z].*[-+*/^·×]|=.*[-+*/^·×].*[A-Za-z]", written):
            yield written


def _numbers(one: Telling, other: Telling) -> Iterator[Change]:
    """Lost and new numbers. Counts in words may come ("both", "a third time") or go, but not change."""
    old, new = (Counter(number.key for number in each.numbers) for each in (one, other))
    written = {number.key: number.written for number in (*other.numbers, *one.numbers)}
    free = {each.key for each in (*one.numbers, *other.numbers) if each.in_words and not each.dimension}
    lost, gained = old - new, new.keys() - old.keys()
    for key, count in lost.items():
        often = "is missing" if key not in new else f"stands {new[key]} times, not {new[key] + count}"
        if key not in free or gained:
            yield Change("number", f"{written[key]} {often}")
    for key in gained:
        if key not in free or lost:
            yield Change("number", f"{written[key]} is new")


def _bindings(one: Telling, other: Telling) -> Iterator[Change]:
    """A symbol that both texts give a value to has the same one."""
    old, new = ({each.symbol: each for each in part.numbers if each.symbol} for part in (one, other))
    for symbol in old.keys() & new.keys():
        if old[symbol].key != new[symbol].key:
            yield Change("symbol", f"{symbol} was {old[symbol].written} and is {new[symbol].written}")


def _wording(one: Telling, other: Telling) -> Iterator[Change]:
    """Formulas, symbols and the form of the answer, as they are written."""
    for formula in one.formulas - other.formulas:
        yield Change("formula", f"{formula} is missing")
    for formula in other.formulas.keys() - one.formulas.keys():
        yield Change("formula", f"{formula} is new")
    lost, gained = one.symbols - other.symbols, other.symbols - one.symbols
    if lost and gained:
        yield Change("symbol", f"{', '.join(sorted(lost))} became {', '.join(sorted(gained))}")
    if one.wanted_units - other.wanted_units and other.wanted_units - one.wanted_units:
        yield Change("asked", "the answer is wanted in another unit")
    if one.report != other.report:
        yield Change("answer", "the form of the answer is another")


def _fields(original: Problem, variant: Problem) -> Iterator[Change]:
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
        if _without_words(target) != _without_words(new):
            yield Change("answer", f"the key of {target.name} differs")


def _without_words(target: Target) -> Target:
    """A target without what a retelling may word anew."""
    if isinstance(target, ChoiceTarget):
        return target.model_copy(update={"options": {}})
    return target.model_copy(update={"value": ""}) if isinstance(target, MessageTarget) else target


def _options(one: Telling, other: Telling) -> Iterator[Change]:
    """Options, each with the words of their story: by letter the same numbers, formulas and words.

    Only words that the stories exchanged too may differ.
    """
    if list(one.options) != list(other.options):
        letters = (", ".join(each.options) or "none" for each in (one, other))
        yield Change("options", " became ".join(letters))
        return
    for letter, text in other.options.items():
        old, new = read_telling(one.options[letter]), read_telling(text)
        for change in (*_numbers(old, new), *_wording(old, new)):
            yield Change("options", f"({letter}) {change}")
        foreign = (old.words - new.words - one.words) | (new.words - old.words - other.words)
        if foreign:
            yield Change("options", f"({letter}) differs in {', '.join(sorted(foreign))}")
