"""Where the parts of a template contradict each other, and where its arithmetic mixes units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from ansatz.eval.benchmarks.physbench.template import TOPICS, OptionSpec, Template
from ansatz.eval.benchmarks.tps.consistency import calculation_faults
from ansatz.knowledge_base.equation import (
    Comparison,
    Expression,
    ExpressionError,
    dimension,
    dimension_of_unit,
    dimensions_agree,
    spelled,
)
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import parse_unit, quantity

PLACEHOLDER = re.compile(r"\{(\w*)\}")
ARTICLES = ("a_", "A_")
_ENTITY = re.compile(r"(person|place|object)\d?")


def entity_of(placeholder: str) -> str:
    """The entity that a placeholder such as object or a_object stands for."""
    return placeholder[2:] if placeholder.startswith(ARTICLES) else placeholder


def contradictions(template: Template) -> Iterator[str]:
    """One line per contradiction, as `field: what is wrong`."""
    if template.topic not in TOPICS:
        yield f"id: {template.topic!r} is no topic{nearest(template.topic, TOPICS)}"
    yield from _misstated(template)
    yield from calculation_faults(template)
    yield from _unknown_entities(template)
    yield from _unasked(template)
    yield from _unplaced(template)
    yield from _unknown_conditions(template)


def _names(template: Template) -> set[str]:
    """Names of the givens and results that are numbers."""
    return {name for name, given in template.givens.items() if not given.is_word} | {
        step.gives for step in template.steps
    }


def _misstated(template: Template) -> Iterator[str]:
    """Placeholders without a meaning, and givens that the statement does not put as `{name} unit` once."""
    statement = " ".join(template.statement.split())
    known = [*template.givens, *template.entities, *template.words]
    for name in PLACEHOLDER.findall(statement):
        if name not in known and entity_of(name) not in template.entities:
            yield f"statement: {{{name}}} is no given, entity or word{nearest(name, known)}"
    for name, given in template.givens.items():
        wanted = f"{{{name}}}" + (f" {given.unit}" if given.unit != "-" else "")
        stated = re.findall(rf"{re.escape(wanted)}(?![\w/^])", statement)
        if not given.is_word and len(stated) != 1:
            yield f"statement: must say {wanted!r} exactly once"
        elif given.is_word and wanted not in statement:
            yield f"statement: {wanted} is missing"
    for name in template.entities:
        if not re.search(rf"\{{(?:[aA]_)?{name}\}}", statement):
            yield f"statement: {{{name}}} is missing"


def _unknown_entities(template: Template) -> Iterator[str]:
    names = _names(template)
    for name, entity in template.entities.items():
        if not _ENTITY.fullmatch(name):
            yield f"entities.{name}: must be person, place or object, with a digit where there are several"
        for kind, given in entity.quantities.items():
            if given not in names:
                field = f"entities.{name}.quantities.{kind}"
                yield f"{field}: {given!r} has no value{nearest(given, sorted(names))}"


def _unasked(template: Template) -> Iterator[str]:
    """Templates that ask for nothing, for too much, or have no reference solution of their kind."""
    weights = [target.weight for target in template.targets.values()]
    weights += [label.weight for label in template.labels.values()]
    if weights and abs(math.fsum(weights) - 1) > 1e-6:
        yield f"targets: the weights add up to {math.fsum(weights):g}, not 1"
    if weights and template.choice:
        yield "choice: stands alone, without targets and labels"
    if template.kind == "problem_solving" and not template.steps:
        yield "steps: a problem to be solved needs at least one"
    if template.kind == "problem_solving" and not (weights or template.choice):
        yield "targets: a problem to be solved asks for numbers, labels or a choice"
    if template.kind == "conceptual" and not template.answer:
        yield "answer: a conceptual question needs one, with its key points"
    if template.choice:
        yield from _undecided(template)


def _undecided(template: Template) -> Iterator[str]:
    assert template.choice
    options, correct = template.choice.options, template.choice.correct
    conditional = [name for name, option in options.items() if option.when]
    if bool(correct) == bool(conditional):
        yield "choice: needs either correct, or options with when"
    for named in _named_by(template, correct):
        if named not in options:
            yield f"choice.correct: {named!r} is no option{nearest(named, options)}"
    if not any(option.misconception for option in options.values()):
        yield "choice.options: none names the misconception that it embodies"
    for name, option in options.items():
        try:
            parse_unit(option.unit or "-")
        except ValueError as error:
            yield f"choice.options.{name}.unit: {error}"


def _named_by(template: Template, correct: str) -> list[str]:
    """The options that `correct` can stand for: itself, or every value of the word in braces."""
    given = template.givens.get(correct.strip("{}")) if PLACEHOLDER.fullmatch(correct) else None
    if given is None:
        return [correct] if correct else []
    return [str(value) for value in given.among or [given.value]]


def _unplaced(template: Template) -> Iterator[str]:
    """Placeholders in options and answers that stand for nothing."""
    known = [*template.givens, *_names(template), *template.entities, *template.words]
    texts = {f"choice.options.{name}": each.text for name, each in _options(template)}
    if template.answer:
        texts["answer.text"] = template.answer.text
        texts |= {
            f"answer.key_points[{place}]": text for place, text in enumerate(template.answer.key_points)
        }
    for field, text in texts.items():
        for name in PLACEHOLDER.findall(text):
            if name not in known and entity_of(name) not in template.entities:
                yield f"{field}: {{{name}}} is no given, result, entity or word{nearest(name, known)}"


def _unknown_conditions(template: Template) -> Iterator[str]:
    conditions = {
        f"words.{name}.{word}": text for name, cases in template.words.items() for word, text in cases.items()
    }
    conditions |= {f"choice.options.{name}.when": each.when for name, each in _options(template) if each.when}
    values = {f"choice.options.{name}.value": each.value for name, each in _options(template) if each.value}
    known = _names(template)
    for field, text in (conditions | values).items():
        try:
            names = (Comparison if field in conditions else Expression).parse(text).names
        except ExpressionError as error:
            yield f"{field}: {error}"
            continue
        for name in sorted(names - known):
            yield f"{field}: {name!r} has no value{nearest(name, sorted(known))}"


def _options(template: Template) -> list[tuple[str, OptionSpec]]:
    return list(template.choice.options.items()) if template.choice else []


def arithmetic_faults(template: Template, numbers: Mapping[str, float]) -> Iterator[str]:
    """Expressions whose result is not in the unit stated: wrong dimensions, or inputs in units that clash.

    `numbers` are the givens and results of one instance. An expression must give the same quantity when
    all its inputs are taken in base units.
    """
    sources = [(f"steps[{place}]", step.expression, step.unit) for place, step in enumerate(template.steps)]
    for field, expression, unit in sources:
        if expression and (wrong := _mixed(expression, unit, template.units, numbers)):
            yield f"{field}.expression: {wrong}"


def _mixed(expression: str, unit: str, units: Mapping[str, str], numbers: Mapping[str, float]) -> str | None:
    parsed = Expression.parse(expression)
    used = {name: units[name] for name in parsed.names if name in numbers}
    try:
        found = dimension(
            parsed.tree, {name: dimension_of_unit(parse_unit(each)) for name, each in used.items()}, {}
        )
    except ExpressionError as error:
        return str(error)
    wanted = dimension_of_unit(parse_unit(unit))
    if not dimensions_agree(found, wanted):
        return f"it is {spelled(found)}, and {unit} is {spelled(wanted)}"
    if wrong := _unturned(expression, unit, used):
        return wrong
    base = {name: _in_base(numbers[name], each) for name, each in used.items()}
    if not math.isclose(parsed(base), _in_base(parsed(numbers), unit), rel_tol=1e-9, abs_tol=1e-300):
        return f"its inputs are in units that do not give {unit}"
    return None


def _in_base(value: float, unit: str) -> float:
    """The value in base units, temperatures absolute; angles stay as they are."""
    return value if _is_angle(unit) else float(quantity(value, unit).to_base_units().magnitude)


def _is_angle(unit: str) -> bool:
    return str(parse_unit(unit)) in ("degree", "radian")


def _unturned(expression: str, unit: str, used: Mapping[str, str]) -> str | None:
    """Degrees that enter arithmetic, or leave it, without being turned into radians or back."""
    degrees = [name for name, each in used.items() if str(parse_unit(each)) == "degree"]
    if degrees and "pi/180" not in expression and str(parse_unit(unit)) != "degree":
        return f"{degrees[0]} is in degrees: multiply it by pi/180"
    if str(parse_unit(unit)) == "degree" and not degrees and "180/pi" not in expression:
        return "its result is in radians: multiply it by 180/pi"
    return None
