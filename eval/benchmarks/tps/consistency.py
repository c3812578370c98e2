"""Where the parts of a template contradict each other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from ansatz.eval.benchmarks.tps.derivation import derivation_faults
from ansatz.eval.benchmarks.tps.template import DOMAINS, Calculation, Template, is_literal
from ansatz.knowledge_base.equation import Comparison, Expression, ExpressionError
from ansatz.quantities.did_you_mean import nearest


def contradictions(template: Template) -> Iterator[str]:
    """One line per contradiction, as `field: what is wrong`."""
    yield from _misstated(template, "statement")
    if template.statement_zh:
        yield from _misstated(template, "statement_zh")
    for domain in template.domains:
        if domain not in DOMAINS:
            yield f"domains: {domain!r} is not valid{nearest(domain, DOMAINS)}"
    weights = math.fsum(target.weight for target in template.targets.values())
    weights += math.fsum(label.weight for label in template.labels.values())
    weights += template.derivation.weight if template.derivation else 0.0
    if abs(weights - 1) > 1e-6:
        yield f"targets: the weights add up to {weights:g}, not 1"
    yield from calculation_faults(template)
    yield from derivation_faults(template)
    if template.task_type == "comparison":
        yield from _uncompared(template)


def calculation_faults(template: Calculation) -> Iterator[str]:
    """Names without a value, values given twice, and traps that are no traps."""
    results = [step.gives for step in template.steps]
    fields = ("targets", "bounds", "start")
    named = [(field, name) for field in fields for name in getattr(template, field)]
    named += [("trap.replaces", template.trap.replaces)] if template.trap.replaces else []
    for field, name in named:
        if name not in results:
            yield f"{field}.{name}: no step gives it{nearest(name, results)}"
    for id in {step.equation for step in template.steps}.intersection(template.trap.equations):
        yield f"trap.equations: {id!r} is also a step of the solution"
    yield from _unknown_names(template)


def _misstated(template: Template, field: str) -> Iterator[str]:
    """Givens that a statement leaves out, repeats, or does not put as `symbol = value unit`."""
    statement = " ".join(getattr(template, field).split())
    for name in re.findall(r"\{(\w*)\}", statement):
        if name not in template.givens:
            yield f"{field}: {{{name}}} is not a given{nearest(name, template.givens)}"
    for name, given in template.givens.items():
        wanted = f"{name} = {{{name}}}" + (f" {given.unit}" if given.unit != "-" else "")
        # Chinese words stand next to symbols without a space, so only ASCII letters continue a name.
        stated = re.findall(rf"(?<!\w){re.escape(wanted)}(?![\w/^])", statement, re.ASCII)
        if not given.is_word and len(stated) != 1:
            yield f"{field}: must say {wanted!r} exactly once"
        elif given.among and given.is_word and f"{{{name}}}" not in statement:
            yield f"{field}: {{{name}}} is missing"
        elif field == "statement" and isinstance(given.value, str) and not _is_worded(given.value, statement):
            yield f"{field}: nothing says that {name} is {given.value}"


def _is_worded(value: str, statement: str) -> bool:
    """Whether every part of a word such as flat_plate occurs."""
    return all(part in statement.lower() for part in re.split(r"[_\s]+", value.lower()))


def _uncompared(template: Template) -> Iterator[str]:
    """A comparison without two values of a kind asked for, or without a target that relates two values."""
    units = template.units
    stated = [name for name, given in template.givens.items() if not given.is_word]
    alike = [
        (first, second)
        for first in template.targets
        for second in (*template.targets, *stated)
        if first != second and units.get(first) == units.get(second)
    ]
    if not alike:
        yield "task_type: a comparison asks for two values in one unit, or for one beside a given of its unit"
    relating = [step for step in template.steps if step.gives in template.targets and step.expression]
    if not template.labels and not any(_relates(step.expression, units) for step in relating):
        yield "task_type: a comparison also asks for what relates two values, such as a ratio or a label"


def _relates(expression: str, units: Mapping[str, str]) -> bool:
    """Whether arithmetic brings together two values of one unit."""
    try:
        named = [units[name] for name in Expression.parse(expression).names if name in units]
    except ExpressionError:
        return True  # reported as such
    return len(set(named)) < len(named)


def _unknown_names(template: Calculation) -> Iterator[str]:
    """Names used where they have no value, and expressions outside the grammar."""
    known = {name for name, given in template.givens.items() if not given.is_word} | set(template.start)
    for index, step in enumerate(template.steps):
        where = f"steps[{index}]"
        if step.expression:
            yield from _unknown_in(Expression, f"{where}.expression", step.expression, known)
        if step.converts and step.converts not in known:
            yield f"{where}.converts: {step.converts!r} has no value{nearest(step.converts, sorted(known))}"
        yield from _unknown_sources(where, step.inputs, known)
        if step.gives in template.givens or step.gives in [one.gives for one in template.steps[:index]]:
            yield f"{where}.gives: {step.gives!r} already has a value"
        known.add(step.gives)
    yield from _unknown_sources("trap", template.trap.inputs, known)
    for index, condition in enumerate(template.require):
        yield from _unknown_in(Comparison, f"require[{index}]", condition, known)
    for name, label in template.labels.items():
        if name in known:
            yield f"labels.{name}: {name!r} already has a value"
        for word, condition in label.cases.items():
            yield from _unknown_in(Comparison, f"labels.{name}.cases.{word}", condition, known)
        if label.zh and set(label.zh) != set(label.cases):
            yield f"labels.{name}.zh: must have the words {', '.join(label.cases)}"
    for name, bound in template.bounds.items():
        for side, limit in (("low", bound.low), ("high", bound.high)):
            if isinstance(limit, str):
                yield from _unknown_in(Expression, f"bounds.{name}.{side}", limit, known)


def _unknown_sources(where: str, inputs: Mapping[str, float | str], known: set[str]) -> Iterator[str]:
    for symbol, source in inputs.items():
        if isinstance(source, str) and not is_literal(source) and source not in known:
            yield f"{where}.with.{symbol}: {source!r} has no value{nearest(source, sorted(known))}"


def _unknown_in(
    kind: type[Expression] | type[Comparison], where: str, text: str, known: set[str]
) -> Iterator[str]:
    try:
        names = kind.parse(text).names
    except ExpressionError as error:
        yield f"{where}: {error}"
        return
    for name in sorted(names - known):
        yield f"{where}: {name!r} has no value{nearest(name, sorted(known))}"
