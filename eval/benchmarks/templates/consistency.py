"""Where the parts of a template contradict each other, and where its arithmetic mixes units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping

from ansatz.eval.benchmarks.templates.template import PLACEHOLDER, OptionSpec, Template, is_literal
from ansatz.knowledge_base.equation import (
    Expression,
    ExpressionError,
    Relation,
    dimension,
    dimension_of_unit,
    dimensions_agree,
    spelled,
)
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import parse_unit, quantity

ARTICLES = ("a_", "A_")
_ENTITY = re.compile(r"(person|place|object)\d?")


def entity_of(placeholder: str) -> str:
    """The entity that a placeholder such as object or a_object stands for."""
    return placeholder[2:] if placeholder.startswith(ARTICLES) else placeholder


def contradictions(template: Template) -> Iterator[str]:
    """One line per contradiction, as `field: what is wrong`."""
    yield from _misstated(template, "statement")
    if template.statement_zh:
        yield from _misstated(template, "statement_zh")
    yield from _unplaced(template)
    yield from _unasked(template)
    yield from _unknown_names(template)
    yield from _entities(template)
    yield from _derivation(template)
    yield from template.own_faults()


def _no_value(field: str, name: str, known: Iterable[str]) -> str:
    return f"{field}: {name!r} has no value{nearest(name, sorted(known))}"


def _misstated(template: Template, field: str) -> Iterator[str]:
    """Givens that a statement leaves out, repeats, or does not put with their unit."""
    statement = " ".join(getattr(template, field).split())
    for name, given in template.givens.items():
        placed = f"{{{name}}}"
        wanted = (
            template.stated_as.format(name=name) + placed + (f" {given.unit}" if given.unit != "-" else "")
        )
        # Chinese words stand next to symbols without a space, so only ASCII letters continue a name.
        stated = re.findall(rf"(?<!\w){re.escape(wanted)}(?![\w/^])", statement, re.ASCII)
        if not given.is_word:
            if len(stated) != 1:
                yield f"{field}: must say {wanted!r} exactly once"
        elif given.among and placed not in statement:
            yield f"{field}: {placed} is missing"
        elif field == "statement" and isinstance(given.value, str) and placed not in statement:
            parts = re.split(r"[_\s]+", given.value.lower())  # such as flat_plate
            if not all(part in statement.lower() for part in parts):
                yield f"{field}: nothing says that {name} is {given.value}"
    for name in template.entities:
        if not re.search(rf"\{{(?:[aA]_)?{name}\}}", statement):
            yield f"{field}: {{{name}}} is missing"


def _unplaced(template: Template) -> Iterator[str]:
    """Placeholders that stand for nothing."""
    stated = [*template.givens, *template.entities, *template.words]
    texts = {"statement": template.statement, "statement_zh": template.statement_zh}
    later = {f"choice.options.{name}": each.text for name, each in _options(template)}
    if template.answer:
        points = enumerate(template.answer.key_points)
        later |= {"answer.text": template.answer.text}
        later |= {f"answer.key_points[{place}]": text for place, text in points}
    for field, text in (texts | later).items():
        known = stated if field in texts else [*stated, *template.numbers]
        for name in PLACEHOLDER.findall(text):
            if name not in known and entity_of(name) not in template.entities:
                kinds = "given, entity or word" if field in texts else "given, result, entity or word"
                yield f"{field}: {{{name}}} is no {kinds}{nearest(name, known)}"


def _unasked(template: Template) -> Iterator[str]:
    """Weights that do not add up, and choices that are not clear."""
    weights = [each.weight for each in template.targets.values()]
    weights += [each.weight for each in template.labels.values()]
    weights += [template.derivation.weight] if template.derivation else []
    if weights and abs(math.fsum(weights) - 1) > 1e-6:
        yield f"targets: the weights add up to {math.fsum(weights):g}, not 1"
    if not template.choice:
        return
    if weights:
        yield "choice: stands alone, without targets and labels"
    options, correct = template.choice.options, template.choice.correct
    if bool(correct) == any(option.when for option in options.values()):
        yield "choice: needs either correct, or options with when"
    word = template.givens.get(correct.strip("{}")) if PLACEHOLDER.fullmatch(correct) else None
    for named in map(str, word.among or [word.value]) if word else filter(None, [correct]):
        if named not in options:
            yield f"choice.correct: {named!r} is no option{nearest(named, options)}"
    if not any(option.misconception for option in options.values()):
        yield "choice.options: none names the misconception that it embodies"
    for name, option in options.items():
        try:
            parse_unit(option.unit or "-")
        except ValueError as error:
            yield f"choice.options.{name}.unit: {error}"


def _unknown_names(template: Template) -> Iterator[str]:
    """Names used where they have no value, values given twice, and expressions outside the grammar."""
    results = [step.gives for step in template.steps]
    named = [(field, name) for field in ("targets", "bounds", "start") for name in getattr(template, field)]
    named += [("trap.replaces", template.trap.replaces)] if template.trap.replaces else []
    for field, name in named:
        if name not in results:
            yield f"{field}.{name}: no step gives it{nearest(name, results)}"
    for id in {step.equation for step in template.steps}.intersection(template.trap.equations):
        yield f"trap.equations: {id!r} is also a step of the solution"
    known = {name for name, given in template.givens.items() if not given.is_word} | set(template.start)
    for index, step in enumerate(template.steps):
        where = f"steps[{index}]"
        if step.expression:
            yield from _unknown_in(Expression, f"{where}.expression", step.expression, known)
        if step.converts and step.converts not in known:
            yield _no_value(f"{where}.converts", step.converts, known)
        yield from _unknown_sources(where, step.inputs, known)
        if step.gives in template.givens or step.gives in results[:index]:
            yield f"{where}.gives: {step.gives!r} already has a value"
        known.add(step.gives)
    yield from _unknown_sources("trap", template.trap.inputs, known)
    for field, text in _conditions(template):
        yield from _unknown_in(Relation, field, text, known)
    for field, text in _formulas(template):
        yield from _unknown_in(Expression, field, text, known)
    for name, label in template.labels.items():
        if name in known:
            yield f"labels.{name}: {name!r} already has a value"
        if label.zh and set(label.zh) != set(label.cases):
            yield f"labels.{name}.zh: must have the words {', '.join(label.cases)}"


def _conditions(template: Template) -> Iterator[tuple[str, str]]:
    yield from ((f"require[{index}]", text) for index, text in enumerate(template.require))
    cases = {f"labels.{name}.cases": label.cases for name, label in template.labels.items()}
    cases |= {f"words.{name}": each for name, each in template.words.items()}
    for field, each in cases.items():
        yield from ((f"{field}.{word}", text) for word, text in each.items())
    yield from ((f"choice.options.{name}.when", each.when) for name, each in _options(template) if each.when)


def _formulas(template: Template) -> Iterator[tuple[str, str]]:
    for name, bound in template.bounds.items():
        sides = {"low": bound.low, "high": bound.high}
        yield from ((f"bounds.{name}.{side}", text) for side, text in sides.items() if isinstance(text, str))
    for name, option in _options(template):
        if option.value:
            yield f"choice.options.{name}.value", option.value


def _options(template: Template) -> Iterable[tuple[str, OptionSpec]]:
    return template.choice.options.items() if template.choice else ()


def _unknown_sources(where: str, inputs: Mapping[str, float | str], known: set[str]) -> Iterator[str]:
    for symbol, source in inputs.items():
        if isinstance(source, str) and not is_literal(source) and source not in known:
            yield _no_value(f"{where}.with.{symbol}", source, known)


def _unknown_in(
    kind: type[Expression] | type[Relation], where: str, text: str, known: set[str]
) -> Iterator[str]:
    try:
        names = kind.parse(text).names
    except ExpressionError as error:
        yield f"{where}: {error}"
        return
    yield from (_no_value(where, name, known) for name in sorted(names - known))


def _entities(template: Template) -> Iterator[str]:
    for name, entity in template.entities.items():
        if not _ENTITY.fullmatch(name):
            yield f"entities.{name}: must be person, place or object, with a digit where there are several"
        for kind, given in entity.quantities.items():
            if given not in template.numbers:
                yield _no_value(f"entities.{name}.quantities.{kind}", given, template.numbers)


def _derivation(template: Template) -> Iterator[str]:
    """Where a derivation contradicts its template."""
    wanted = template.derivation
    if wanted is None:
        return
    numbers = [name for name, given in template.givens.items() if not given.is_word]
    results = [step.gives for step in template.steps]
    if wanted.value not in results:
        yield f"derivation.value: no step gives {wanted.value}{nearest(wanted.value, results)}"
    if wanted.name in (*template.givens, *results):
        yield f"derivation.name: {wanted.name!r} already has a value"
    for symbol in wanted.symbols:
        if symbol not in numbers:
            yield f"derivation.symbols: {symbol!r} is not a given number{nearest(symbol, numbers)}"
    try:
        names = Expression.parse(wanted.closed_form).names
        if names != set(wanted.symbols):
            yield f"derivation.closed_form: its names are {', '.join(sorted(names))}, not the symbols"
    except ExpressionError as error:
        yield f"derivation.closed_form: {error}"


def arithmetic_faults(template: Template, numbers: Mapping[str, float]) -> Iterator[str]:
    """Expressions whose result is not in the unit stated: wrong dimensions, or inputs in units that clash.

    `numbers` are the givens and results of one instance. An expression must give the same quantity when
    all its inputs are taken in base units.
    """
    for place, step in enumerate(template.steps):
        if step.expression and (wrong := _mixed(step.expression, step.unit, template.units, numbers)):
            yield f"steps[{place}].expression: {wrong}"


def _mixed(expression: str, unit: str, units: Mapping[str, str], numbers: Mapping[str, float]) -> str | None:
    parsed = Expression.parse(expression)
    used = {name: units[name] for name in parsed.names if name in numbers}
    dimensions = {name: dimension_of_unit(parse_unit(each)) for name, each in used.items()}
    try:
        found = dimension(parsed.tree, dimensions, {})
    except ExpressionError as error:
        return str(error)
    wanted = dimension_of_unit(parse_unit(unit))
    if not dimensions_agree(found, wanted):
        return f"it is {spelled(found)}, and {unit} is {spelled(wanted)}"
    degrees = [name for name, each in used.items() if _is_angle(each, "degree")]
    if degrees and "pi/180" not in expression and not _is_angle(unit, "degree"):
        return f"{degrees[0]} is in degrees: multiply it by pi/180"
    if _is_angle(unit, "degree") and not degrees and "180/pi" not in expression:
        return "its result is in radians: multiply it by 180/pi"
    base = {name: _in_base(numbers[name], each) for name, each in used.items()}
    if not math.isclose(parsed(base), _in_base(parsed(numbers), unit), rel_tol=1e-9, abs_tol=1e-300):
        return f"its inputs are in units that do not give {unit}"
    return None


def _is_angle(unit: str, *names: str) -> bool:
    return str(parse_unit(unit)) in names


def _in_base(value: float, unit: str) -> float:
    """The value in base units, temperatures absolute; angles stay as they are."""
    if _is_angle(unit, "degree", "radian"):
        return value
    return float(quantity(value, unit).to_base_units().magnitude)
