"""Read the files of problem sets, and say in one line each what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from ansatz.eval.benchmarks.apbench.expressions import FormulaError, names
from ansatz.eval.benchmarks.apbench.set_template import (
    TOPICS,
    QuestionSpec,
    SetTemplate,
    constants,
    formulas,
    placeholders,
)
from ansatz.eval.benchmarks.templates.template_files import read_all, read_one
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import UnitError, parse_unit

FOLDER = Path(__file__).parent / "sets"


@cache
def read_sets(folder: Path = FOLDER) -> tuple[SetTemplate, ...]:
    """Every set under a folder, in the order of topics and names.

    Raises InvalidData with one line for each thing that is wrong.
    """
    found, lines = read_all(folder, "", lambda file, _: read_set(file))
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(sorted(found, key=lambda each: (TOPICS.index(each.topic), each.name)))


def read_set(file: Path) -> SetTemplate:
    """One set; its topic is the folder and its name the file. Raises InvalidData with a line per fault."""
    return read_one(file, SetTemplate, _faults, {"name": file.stem, "topic": file.parent.name})


def _faults(template: SetTemplate) -> Iterator[str]:
    if template.topic not in TOPICS:
        yield f"topic: {template.topic!r} is no topic{nearest(template.topic, TOPICS)}"
    for name in template.constants:
        if name not in constants():
            yield f"constants: there is no {name!r}{nearest(name, constants())}"
    known = set(template.constants)
    for name, given in template.givens.items():
        yield from _unit_fault(f"givens.{name}.unit", given.unit)
        if name in known:
            yield f"givens.{name}: is already a constant"
        if given.make:
            yield from _unknown(f"givens.{name}.make", given.make, known)
        if not given.hidden and not given.name:
            yield f"givens.{name}.is: is missing"
        known.add(name)
    for index, text in enumerate(template.require):
        yield from _unknown(f"require[{index}]", text, known)
    shown = {*template.constants, *template.shown}
    yield from _unshown("content", template.content, shown)
    for index, question in enumerate(template.questions):
        yield from _question_faults(f"questions[{index}]", question, shown)
        shown |= {step.symbol for step in question.steps}
    texts = " ".join((template.content, *(question.ask for question in template.questions)))
    for name in sorted({*template.shown} - {*placeholders(texts)}):
        yield f"givens.{name}: no text states it"


def _question_faults(field: str, question: QuestionSpec, known: set[str]) -> Iterator[str]:
    yield from _unshown(f"{field}.ask", question.ask, known)
    here = set(known)
    for index, step in enumerate(question.steps):
        place = f"{field}.steps[{index}]"
        yield from _unit_fault(place, step.unit)
        yield from _unknown(place, step.expression, here)
        if step.symbol in here:
            yield f"{place}: {step.symbol!r} already has a value"
        here.add(step.symbol)
    own = [step.symbol for step in question.steps]
    for name in question.answers:
        if name not in own:
            yield f"{field}.answers: no step of this question gives {name!r}{nearest(name, own)}"
    if question.choose:
        yield from _unknown(f"{field}.choose", question.choose, here)
    yield from _unshown(f"{field}.message", question.message, here)
    for id in question.formulas:
        if id not in formulas():
            yield f"{field}.formulas: there is no {id!r}{nearest(id, formulas())}"


def _unit_fault(field: str, unit: str) -> Iterator[str]:
    try:
        parse_unit(unit)
    except UnitError as error:
        yield f"{field}: {error}"


def _unknown(field: str, formula: str, known: set[str]) -> Iterator[str]:
    try:
        yield from _missing(field, names(formula) - known, known)
    except FormulaError as error:
        yield f"{field}: {error}"


def _unshown(field: str, text: str, known: set[str]) -> Iterator[str]:
    if re.search(r"\{\W*\}", text):
        yield f"{field}: has an empty placeholder"
        return
    yield from _missing(field, set(placeholders(text)) - known, known, " to show")


def _missing(field: str, wanted: Iterable[str], known: set[str], use: str = "") -> Iterator[str]:
    for name in sorted(wanted):
        yield f"{field}: there is no quantity {name!r}{use}{nearest(name, sorted(known))}"
