"""Write a problem from a solved set: its text, targets, worked solution and tags."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ansatz.eval.benchmarks.apbench.catalogue import catalogue
from ansatz.eval.benchmarks.apbench.expressions import names
from ansatz.eval.benchmarks.apbench.set_template import QuestionSpec, SetStep, SetTemplate, placeholders
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

BENCHMARK = "apbench"
_AXES = "xyz"
_DIGITS = 10  # of a key: more than any answer needs, fewer than rounding noise


@dataclass(frozen=True)
class StatedQuantity:
    """A number, a 3-vector, or a letter; `value` is in `unit`."""

    value: Any
    unit: str
    description: str

    def parts(self, name: str) -> list[tuple[str, float]]:
        """The number itself, components as name_x, name_y, name_z, or entries as name_1, name_2, ..."""
        if np.ndim(self.value) == 0:
            return [(name, float(self.value))]
        entries = np.ravel(self.value)
        marks = _AXES if len(entries) == len(_AXES) else [str(index + 1) for index in range(len(entries))]
        return [(f"{name}_{mark}", float(value)) for mark, value in zip(marks, entries, strict=True)]

    def text(self, digits: int = 12) -> str:
        """As a question states it: `7000 km`, `0.01`, `[1, 2, 3] km/s`."""
        numbers = [number_text(value, digits) for _, value in self.parts("")]
        shown = numbers[0] if np.ndim(self.value) == 0 else f"[{', '.join(numbers)}]"
        return shown if self.unit == "-" else f"{shown} {self.unit}"


Quantities = Mapping[str, StatedQuantity]


def number_text(value: float, digits: int = 12) -> str:
    """A number with at most so many significant digits: 0.6, 398600.4418, 1.32712440041e11."""
    if value == 0:
        return "0"
    if 1e-4 <= abs(value) < 1e10:
        decimals = max(0, digits - 1 - int(np.floor(np.log10(abs(value)))))
        text = f"{value:.{decimals}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def write_problem(
    template: SetTemplate,
    position: int,
    id: str,
    quantities: Quantities,
    follows: tuple[str, ...],
) -> Problem:
    """Question `position` (from 1) of a set, with the ids of the questions before it."""
    question = template.questions[position - 1]
    asked_so_far = [template.content, *(each.ask for each in template.questions[:position])]
    stated = {name: quantities[name] for name in template.constants}
    for name, given in template.givens.items():
        if not given.hidden and any(f"{{{name}}}" in text for text in asked_so_far):
            stated[name] = quantities[name]
    if question.kind == "choice":
        question = question.model_copy(update=_shuffled(question, quantities, id))
    targets = _targets(question, quantities)
    return Problem(
        id=id,
        family=template.name,
        benchmark=BENCHMARK,
        context=_context(template, quantities),
        question=_question(question, quantities),
        givens=tuple(
            Given(name=part, value=value, unit=each.unit, description=each.description)
            for name, each in stated.items()
            for part, value in each.parts(name)
        ),
        targets=targets,
        reference=_reference(template, position, quantities),
        follows=follows,
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


def _fill(text: str, quantities: Quantities, digits: int = 12) -> str:
    """Placeholders replaced by quantities with their units; folded lines joined."""
    shown = {name: quantities[name].text(digits) for name in placeholders(text)}
    return " ".join(text.split()).format(**shown)


def _context(template: SetTemplate, quantities: Quantities) -> str:
    story = _fill(template.content, quantities)
    if not template.constants:
        return story
    listed = "; ".join(
        f"{name} = {quantities[name].text()} ({quantities[name].description})" for name in template.constants
    )
    return f"{story}\n\nConstants: {listed}."


def _question(question: QuestionSpec, quantities: Quantities) -> str:
    text = _fill(question.ask, quantities)
    if question.kind == "message":
        return f"{text}\n\nAnswer in one or two sentences."
    if question.kind == "choice":
        options = "\n".join(f"{letter}. {option}" for letter, option in question.options.items())
        return f"{text}\n\n{options}\n\nReport your answer as:\nAnswer: ___ (one letter)"
    blanks = []
    for name in question.answers:
        unit = "" if quantities[name].unit == "-" else f" {quantities[name].unit}"
        blanks += [f"{part} = ___{unit}" for part, _ in quantities[name].parts(name)]
    return "\n".join([text, "", "Report your answers as:", *blanks])


def _shuffled(question: QuestionSpec, quantities: Quantities, id: str) -> dict[str, dict[str, str] | str]:
    """The options in an order of the instance's own, so that no letter is favoured; and the right letter."""
    right = question.options[quantities[question.choose].value]
    texts = list(question.options.values())
    random.Random(id).shuffle(texts)
    options = dict(zip(question.options, texts, strict=True))
    return {"options": options, "choose": next(letter for letter, text in options.items() if text == right)}


def _targets(question: QuestionSpec, quantities: Quantities) -> tuple[Target, ...]:
    if question.kind == "message":
        message = _fill(question.message, quantities, digits=5)
        return (MessageTarget(name="message", weight=1.0, value=message),)
    if question.kind == "choice":
        return (ChoiceTarget(name="choice", weight=1.0, value=question.choose, options=question.options),)
    parts = [
        (part, value, quantities[name].unit, description)
        for name, description in question.answers.items()
        for part, value in quantities[name].parts(name)
    ]
    return tuple(
        NumberTarget(
            name=part,
            unit=unit,
            weight=1 / len(parts),
            value=float(f"{value:.{_DIGITS}g}"),
            description=description,
        )
        for part, value, unit, description in parts
    )


def _reference(template: SetTemplate, position: int, quantities: Quantities) -> ReferenceSolution:
    """The whole way from the givens, with the steps of earlier questions that this one needs."""
    question = template.questions[position - 1]
    steps = needed_steps(template, position)
    lines = [f"{catalogue()[id].text} [{catalogue()[id].source}]" for id in question.formulas]
    lines += [
        f"{step.symbol} = {step.expression} = {quantities[step.symbol].text(digits=7)}" for step in steps
    ]
    if question.message:
        lines.append(_fill(question.message, quantities, digits=5))
    gold = dict.fromkeys(equation for id in question.formulas for equation in catalogue()[id].equations)
    return ReferenceSolution(
        formulation=Formulation(
            given=_listed(template, quantities),
            find="; ".join(question.answers.values()) or _fill(question.ask, quantities),
            approach="; ".join(catalogue()[id].text for id in question.formulas),
            assumptions=template.assumptions,
        ),
        steps=tuple(
            SolutionStep(
                equation="",
                symbol=part,
                expression=step.expression,
                value=float(f"{value:.{_DIGITS}g}"),
                unit=step.unit,
            )
            for step in steps
            for part, value in quantities[step.symbol].parts(step.symbol)
        ),
        gold_equations=tuple(gold),
        text="\n".join(lines),
    )


def _listed(template: SetTemplate, quantities: Quantities) -> str:
    """Every constant and given by name and value, as one line."""
    shown = [name for name, given in template.givens.items() if not given.hidden]
    return "; ".join(
        f"{quantities[name].description} {name} = {quantities[name].text()}"
        for name in (*template.constants, *shown)
    )


def needed_steps(template: SetTemplate, position: int) -> list[SetStep]:
    """The steps that lead from the givens to question `position`, in order."""
    question = template.questions[position - 1]
    own = {step.symbol for step in question.steps}
    needed = (
        own | set(placeholders(question.message)) | (names(question.choose) if question.choose else set())
    )
    earlier = [step for each in template.questions[: position - 1] for step in each.steps]
    kept: list[SetStep] = []
    for step in reversed([*earlier, *question.steps]):
        if step.symbol in needed:
            needed |= names(step.expression)
            kept.append(step)
    return kept[::-1]
