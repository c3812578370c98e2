"""Make the problems of a set: draw its givens, solve its steps, and write its questions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ansatz.eval.benchmarks.apbench.catalogue import constants
from ansatz.eval.benchmarks.apbench.expressions import FormulaError, evaluate
from ansatz.eval.benchmarks.apbench.set_template import SetGiven, SetTemplate
from ansatz.eval.benchmarks.apbench.wording import StatedQuantity, write_problem
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import Problem
from ansatz.quantities.units import quantity

_TRIES = 5000  # an orbit above the ground is rare among sightings drawn freely
_LEAST_SHARE = 0.003  # of a vector's largest component


def make_problems(template: SetTemplate, instances: int, seed: int) -> list[Problem]:
    """The questions of `instances` different draws; each depends on set, seed and its index alone.

    Raises InvalidData where no feasible draw is found in a bounded number of tries.
    """
    seen: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for index in range(instances):
        quantities, drawn = _feasible(template, f"apbench/{template.name}/{seed}/{index}", seen)
        seen.append(drawn)
        ids: list[str] = []
        for position in range(1, len(template.questions) + 1):
            id = (
                f"{template.name}-{seed}.{index}-q{position}"
                if seed
                else f"{template.name}-{index}-q{position}"
            )
            problems.append(write_problem(template, position, id, quantities, tuple(ids)))
            ids.append(id)
    return problems


@cache
def si_factor(unit: str) -> float:
    """What a value in `unit` is multiplied by to be in SI units (angles in radians)."""
    return float(quantity(1.0, unit).to_base_units().magnitude)


def _feasible(
    template: SetTemplate, key: str, seen: Sequence[dict[str, Any]]
) -> tuple[dict[str, StatedQuantity], dict[str, Any]]:
    rng = random.Random(key)  # seeded by text: the same on every platform and in every process
    reason = "there are no further values to draw"
    for _ in range(_TRIES):
        try:
            quantities, values = _givens(template, rng)
            drawn = {name: each.value for name, each in quantities.items() if name in template.givens}
            if any(_same(drawn, other) for other in seen):
                continue
            unmet = [text for text in template.require if not evaluate(text, values)]
            if unmet:
                reason = f"require: {unmet[0]} does not hold"
                continue
            solved = _solve(template, values)
            if (faint := _faint(template, solved)) is None:
                return {**quantities, **solved}, drawn
            reason = f"a component of {faint} is too small to be told"
        except FormulaError as error:
            reason = str(error)
    raise InvalidData(f"{template.topic}/{template.name}: no feasible instance in {_TRIES} tries: {reason}")


def _same(drawn: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(np.array_equal(value, other[name]) for name, value in drawn.items())


def _faint(template: SetTemplate, solved: Mapping[str, StatedQuantity]) -> str | None:
    """A vector asked for of which one component is lost in the rounding of the others, if there is one."""
    for name in (name for question in template.questions for name in question.answers):
        parts = np.abs(np.ravel(solved[name].value))
        if parts.min() < _LEAST_SHARE * parts.max():
            return name
    return None


def _givens(template: SetTemplate, rng: random.Random) -> tuple[dict[str, StatedQuantity], dict[str, Any]]:
    """The constants and givens as stated, and their values in SI units."""
    quantities: dict[str, StatedQuantity] = {}
    for name in template.constants:
        constant = constants()[name]
        quantities[name] = StatedQuantity(constant.value, constant.unit, constant.description)
    values = {name: each.value * si_factor(each.unit) for name, each in quantities.items()}
    for name, given in template.givens.items():
        stated = _stated(given, values, rng)
        quantities[name] = StatedQuantity(stated, given.unit, given.name)
        values[name] = stated * si_factor(given.unit)
    return quantities, values


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


def _solve(template: SetTemplate, values: dict[str, Any]) -> dict[str, StatedQuantity]:
    """Every step of every question in order, from the givens as stated."""
    solved: dict[str, StatedQuantity] = {}
    known = dict(values)
    for question in template.questions:
        for step in question.steps:
            known[step.symbol] = evaluate(step.expression, known)
            solved[step.symbol] = StatedQuantity(
                known[step.symbol] / si_factor(step.unit), step.unit, question.answers.get(step.symbol, "")
            )
        if question.choose:
            letter = evaluate(question.choose, known)
            if letter not in question.options:
                raise FormulaError(f"choose: {letter!r} is no option")
            solved[question.choose] = StatedQuantity(letter, "-", "")
    return solved
