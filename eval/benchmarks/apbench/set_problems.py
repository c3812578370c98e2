"""Make the problems of a set: draw its givens, solve its steps, and write its questions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from ansatz.eval.benchmarks.apbench.expressions import FormulaError, evaluate, names
from ansatz.eval.benchmarks.apbench.set_template import (
    QuestionSpec,
    SetGiven,
    SetStep,
    SetTemplate,
    constants,
    formulas,
    placeholders,
)
from ansatz.eval.benchmarks.templates.draw import Infeasible, draw
from ansatz.eval.benchmarks.templates.story import format_number
from ansatz.eval.problem import (
    ChoiceTarget,
    Formulation,
    Given,
    MessageTarget,
    NumberTarget,
    Problem,
    ReferenceSolution,
    SolutionStep,
    Target,
)
from ansatz.quantities.units import quantity

_TRIES = 5000  # an orbit above the ground is rare among sightings drawn freely
_LEAST_SHARE = 0.003  # of a vector's largest component
_DIGITS = 10  # of a key: more than any answer needs, fewer than rounding noise
_STATED_DIGITS, _MESSAGE_DIGITS, _SHOWN_DIGITS = 12, 5, 7
_PLAIN = (1e-4, 1e10)  # numbers that are written without a power of ten


@dataclass(frozen=True)
class StatedQuantity:
    """A number, a vector, or a letter; `value` is in `unit`."""

    value: Any
    unit: str
    description: str

    def parts(self, name: str) -> list[tuple[str, float]]:
        """The number itself, components as name_x, name_y, name_z, or entries as name_1, name_2, ..."""
        if np.ndim(self.value) == 0:
            return [(name, float(self.value))]
        entries = np.ravel(self.value).tolist()
        marks = "xyz" if len(entries) == 3 else range(1, len(entries) + 1)
        return [(f"{name}_{mark}", value) for mark, value in zip(marks, entries, strict=True)]

    def text(self, digits: int = _STATED_DIGITS) -> str:
        """As a question states it: `7000 km`, `0.01`, `[1, 2, 3] km/s`."""
        numbers = [format_number(value, digits, _PLAIN) for _, value in self.parts("")]
        shown = numbers[0] if np.ndim(self.value) == 0 else f"[{', '.join(numbers)}]"
        return f"{shown} {self.unit}".removesuffix(" -")


Quantities = Mapping[str, StatedQuantity]


def make_problems(template: SetTemplate, instances: int, seed: int) -> list[Problem]:
    """The questions of `instances` different draws; each depends on set, seed and its index alone.

    Raises InvalidData where no feasible draw is found in a bounded number of tries.
    """
    seen: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for index in range(instances):
        key = f"apbench/{template.name}/{seed}/{index}"
        place = f"{template.topic}/{template.name}"
        quantities = draw(place, key, _TRIES, partial(_attempt, template, seen))
        seen.append({name: quantities[name].value for name in template.givens})
        name = f"{template.name}-{seed}.{index}" if seed else f"{template.name}-{index}"
        ids = [f"{name}-q{position}" for position in range(1, len(template.questions) + 1)]
        problems += [_problem(template, ids[: at + 1], quantities) for at in range(len(ids))]
    return problems


@cache
def si_factor(unit: str) -> float:
    """What a value in `unit` is multiplied by to be in SI units (angles in radians)."""
    return float(quantity(1.0, unit).to_base_units().magnitude)


def _attempt(template: SetTemplate, seen: Sequence[Mapping[str, Any]], rng: random.Random) -> Quantities:
    """One draw of the givens with everything that follows from it. Raises Infeasible."""
    stated = {
        name: StatedQuantity(constants()[name].value, constants()[name].unit, constants()[name].description)
        for name in template.constants
    }
    values = {name: each.value * si_factor(each.unit) for name, each in stated.items()}
    for name, given in template.givens.items():
        stated[name] = StatedQuantity(_stated(given, values, rng), given.unit, given.name)
        values[name] = stated[name].value * si_factor(given.unit)
    for other in seen:
        if all(np.array_equal(stated[name].value, value) for name, value in other.items()):
            raise Infeasible("there are no further values to draw")
    for text in template.require:
        if not evaluate(text, values):
            raise Infeasible(f"require: {text} does not hold")
    solved = _solve(template, values)
    for name in (name for question in template.questions for name in question.answers):
        parts = np.abs(np.ravel(solved[name].value))
        if parts.min() < _LEAST_SHARE * parts.max():
            raise Infeasible(f"a component of {name} is lost in the rounding of the others")
    return {**stated, **solved}


def _stated(given: SetGiven, values: Mapping[str, Any], rng: random.Random) -> Any:
    if given.make:
        made = evaluate(given.make, values) / si_factor(given.unit)
        return np.round(made, given.places) if np.ndim(made) else round(float(made), given.places)
    if given.among:
        return rng.choice(given.among)
    if given.low is None or given.high is None or given.step is None:
        return given.value
    count = round((given.high - given.low) / given.step)
    return round(given.low + given.step * rng.randint(0, count), 10)


def _solve(template: SetTemplate, values: Mapping[str, Any]) -> dict[str, StatedQuantity]:
    """Every step of every question in order, from the givens as stated."""
    solved: dict[str, StatedQuantity] = {}
    known = dict(values)
    for question in template.questions:
        for step in question.steps:
            known[step.symbol] = evaluate(step.expression, known)
            value = known[step.symbol] / si_factor(step.unit)
            solved[step.symbol] = StatedQuantity(value, step.unit, question.answers.get(step.symbol, ""))
        if question.choose:
            letter = evaluate(question.choose, known)
            if letter not in question.options:
                raise FormulaError(f"choose: {letter!r} is no option")
            solved[question.choose] = StatedQuantity(letter, "-", "")
    return solved


def _problem(template: SetTemplate, ids: Sequence[str], quantities: Quantities) -> Problem:
    """The question with the last of these ids; the others are of those before it."""
    position = len(ids)
    question = template.questions[position - 1]
    asked = [template.content, *(each.ask for each in template.questions[:position])]
    named = [name for name in template.shown if any(f"{{{name}}}" in text for text in asked)]
    targets, how = _asked(question, quantities, ids[-1])
    return Problem(
        id=ids[-1],
        family=template.name,
        benchmark="apbench",
        context=_context(template, quantities),
        question=f"{_fill(question.ask, quantities)}\n\n{how}",
        givens=tuple(
            Given(
                name=part, value=value, unit=quantities[name].unit, description=quantities[name].description
            )
            for name in (*template.constants, *named)
            for part, value in quantities[name].parts(name)
        ),
        targets=targets,
        reference=_reference(template, position, quantities),
        follows=tuple(ids[:-1]),
        tags={
            "topic": template.topic,
            "set": template.name,
            "title": template.title,
            "position": str(position),
            "kind": "list" if len(targets) > 1 else question.kind,
            "format": "message" if question.kind == "message" else "numeric",
            "level": question.level,
            "formulas": question.formulas,
        },
    )


def _fill(text: str, quantities: Quantities, digits: int = _STATED_DIGITS) -> str:
    """Placeholders replaced by quantities with their units; folded lines joined."""
    shown = {name: quantities[name].text(digits) for name in placeholders(text)}
    return " ".join(text.split()).format(**shown)


def _context(template: SetTemplate, quantities: Quantities) -> str:
    listed = "; ".join(
        f"{name} = {quantities[name].text()} ({quantities[name].description})" for name in template.constants
    )
    story = _fill(template.content, quantities)
    return f"{story}\n\nConstants: {listed}." if listed else story


def _asked(question: QuestionSpec, quantities: Quantities, id: str) -> tuple[tuple[Target, ...], str]:
    """What is asked for, and how to answer.

    Options are in an order of the instance's own, so that no letter is favoured.
    """
    if question.message:
        message = _fill(question.message, quantities, _MESSAGE_DIGITS)
        return (MessageTarget(name="message", weight=1.0, value=message),), "Answer in one or two sentences."
    if question.choose:
        texts = list(question.options.values())
        random.Random(id).shuffle(texts)
        options = dict(zip(question.options, texts, strict=True))
        right = question.options[quantities[question.choose].value]
        letter = next(letter for letter, text in options.items() if text == right)
        listed = "\n".join(f"{letter}. {option}" for letter, option in options.items())
        target = ChoiceTarget(name="choice", weight=1.0, value=letter, options=options)
        return (target,), f"{listed}\n\nReport your answer as:\nAnswer: ___ (one letter)"
    parts = [
        {"name": part, "value": _rounded(value), "unit": quantities[name].unit, "description": description}
        for name, description in question.answers.items()
        for part, value in quantities[name].parts(name)
    ]
    blanks = [f"{each['name']} = ___ {each['unit']}".removesuffix(" -") for each in parts]
    numbers = [NumberTarget.model_validate({**part, "weight": 1 / len(parts)}) for part in parts]
    return tuple(numbers), "\n".join(["Report your answers as:", *blanks])


def _reference(template: SetTemplate, position: int, quantities: Quantities) -> ReferenceSolution:
    """The whole way from the givens, with the steps of earlier questions that this one needs."""
    question = template.questions[position - 1]
    rests_on = [formulas()[id] for id in question.formulas]
    steps = needed_steps(template, position)
    lines = [f"{each.text} [{each.source}]" for each in rests_on]
    lines += [
        f"{each.symbol} = {each.expression} = {quantities[each.symbol].text(_SHOWN_DIGITS)}" for each in steps
    ]
    lines += [_fill(question.message, quantities, _MESSAGE_DIGITS)] if question.message else []
    return ReferenceSolution(
        formulation=Formulation(
            given="; ".join(
                f"{quantities[name].description} {name} = {quantities[name].text()}"
                for name in (*template.constants, *template.shown)
            ),
            find="; ".join(question.answers.values()) or _fill(question.ask, quantities),
            approach="; ".join(each.text for each in rests_on),
            assumptions=template.assumptions,
        ),
        steps=tuple(
            SolutionStep(
                equation="", symbol=part, expression=step.expression, value=_rounded(value), unit=step.unit
            )
            for step in steps
            for part, value in quantities[step.symbol].parts(step.symbol)
        ),
        gold_equations=tuple(dict.fromkeys(id for each in rests_on for id in each.equations)),
        text="\n".join(lines),
    )


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def needed_steps(template: SetTemplate, position: int) -> list[SetStep]:
    """The steps that lead from the givens to question `position` (from 1), in order."""
    question = template.questions[position - 1]
    needed = {step.symbol for step in question.steps} | set(placeholders(question.message))
    needed |= names(question.choose) if question.choose else set()
    kept: list[SetStep] = []
    for step in reversed([step for each in template.questions[:position] for step in each.steps]):
        if step.symbol in needed:
            needed |= names(step.expression)
            kept.append(step)
    return kept[::-1]
