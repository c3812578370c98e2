"""Make problems from a template: draw the givens, solve, write the question and the reference solution."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ansatz.errors import ExpressionError, InvalidData, UnitError, UnknownEquation
from ansatz.eval.benchmarks.templates.draw import Infeasible, draw
from ansatz.eval.benchmarks.templates.options import make_choice
from ansatz.eval.benchmarks.templates.solution import bounds, components, follow_branches, solve
from ansatz.eval.benchmarks.templates.story import Story, final_answer, first_case
from ansatz.eval.benchmarks.templates.template import Language, Numbers, Template
from ansatz.eval.benchmarks.templates.template_parts import (
    ArgumentStep,
    GivenSpec,
    QuestionSpec,
    round_to,
)
from ansatz.eval.benchmarks.templates.traps import MIN_ERROR, find_weak_trap
from ansatz.eval.benchmarks.templates.worked import worked_steps
from ansatz.eval.problem import (
    DerivationStep,
    Entity,
    Given,
    LabelTarget,
    MessageTarget,
    NumberTarget,
    Problem,
    ReferenceSolution,
    SymbolicTarget,
    Target,
    TargetBound,
    Trap,
)
from ansatz.knowledge_base.equation import Library
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.scales import is_difference
from ansatz.quantities.units import quantity

_LEAST_SHARE = 0.003  # of a vector's largest component
_ARGUMENT = {
    "definition": "a relation the argument starts from",
    "algebra": "follows from {of}{at}",
    "solution": "solves 0 = {of}",
    "derivative": "derivative of {of} with respect to {over}",
    "integral": "integral of {of} over {over} from {low} to {high}",
    "maximum": "{over} at which {of} is greatest",
    "minimum": "{over} at which {of} is least",
    "limit": "limit of {of} as {over} goes to {to}",
}
_SUFFIX = {"en": "", "zh": ".zh"}  # a study can use both languages: separate ids, one family


@dataclass(frozen=True)
class _Instance:
    """One question with one set of values, solved, and the misconceptions of its wrong options."""

    question: QuestionSpec
    story: Story
    bounds: tuple[TargetBound, ...]
    targets: tuple[Target, ...]
    misconceptions: Mapping[str, str]
    traps: tuple[Trap, ...]


def make_problems(
    template: Template,
    instances: int,
    seed: int,
    library: Library,
    language: Language = "en",
    *,
    or_fewer: bool = False,
) -> list[Problem]:
    """Return `instances` different problems. Each depends only on the template, the seed and its index.

    The same problem in another language has the same numbers. Raises InvalidData if a bounded number of tries
    finds no feasible values. With `or_fewer`, it returns fewer problems instead, but at least one.
    """
    problems: list[Problem] = []
    seen: list[dict[str, Any]] = []
    for place in range(instances):
        try:
            drawn = _draw(template, f"{template.seed_key}/{seed}/{place}", seen, library)
            id = f"{template.id}#{place}{_SUFFIX[language]}"
            problems += [_make_problem(each, id, library, language) for each in drawn]
        except InvalidData:
            if or_fewer and problems:
                break
            raise
        except (UnitError, UnknownEquation, ExpressionError) as error:  # a fault of the template
            raise InvalidData(f"{template.id}: {error}") from error
        except KeyError as error:
            name, known = str(error.args[0]), [*template.units, *template.entities, *template.words]
            raise InvalidData(f"{template.id}: {name!r} has no value{nearest(name, known)}") from error
        seen.append(_comparable(drawn[0].story.values))
    return problems


def _draw(
    template: Template, key: str, seen: Sequence[Mapping[str, Any]], library: Library
) -> list[_Instance]:
    """Solve all questions with new values. The key seeds the values and the order of options.

    Raises InvalidData if a bounded number of tries finds no new values.
    """

    def attempt(rng: random.Random) -> list[_Instance]:
        values: dict[str, Any] = {}
        for name, given in template.givens.items():
            values[name] = _sample(given, rng, template, values)
        if _comparable(values) in seen:
            raise Infeasible("there are no further values to draw")
        numbers = solve(template, values, library)
        wrong = follow_branches(template, values, library)
        limits, story = tuple(bounds(template, numbers)), Story(template, values, numbers)
        instances = [
            _Instance(question, story, limits, *found, _make_traps(template, found[0], wrong))
            for question in template.question_specs
            for found in [_make_targets(question, story, key)]
        ]
        if weak := find_weak_trap(template, numbers, library):
            raise Infeasible(weak)
        return instances

    return draw(template.id, key, template.tries, attempt)


def _make_targets(
    question: QuestionSpec, story: Story, key: str
) -> tuple[tuple[Target, ...], Mapping[str, str]]:
    """Return the targets and misconceptions. Raises Infeasible if no label case, or not one option, holds."""
    if question.choice:
        target, misconceptions = make_choice(question.choice, story, key)
        return (target,), misconceptions
    found = tuple(_value_targets(story.template, question, story.numbers))
    if question.answer and not found:
        return (MessageTarget(name="answer", weight=1.0, value=story.fill(question.answer.text)),), {}
    return found, {}


def _make_traps(
    template: Template, targets: Sequence[Target], wrong: Mapping[str, Numbers]
) -> tuple[Trap, ...]:
    """Return the wrong branches with their values, without those that are nearly right here.

    Raises Infeasible if none is left.
    """
    traps = []
    for name, numbers in wrong.items():
        values = {
            part: value
            for given in template.targets
            for part, value in components(given, numbers[given]).items()
        }
        right = {each.name: each.value for each in targets if isinstance(each, NumberTarget)}
        errors = [abs(values[each] / (value or math.nan) - 1) for each, value in right.items()]
        if max(errors) > MIN_ERROR:
            traps.append(Trap(name=name, reason=template.branches[name].note, values=values))
    if wrong and not traps:
        raise Infeasible("no trap is off by enough")
    return tuple(traps)


def _comparable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with vectors as lists."""
    return {name: np.ravel(value).tolist() for name, value in values.items()}


def _sample(given: GivenSpec, rng: random.Random, template: Template, known: Numbers) -> Any:
    if given.among:
        return rng.choice(given.among)
    if given.make:
        value = template.value(given.make, known, given.unit)
        if "digits" in given.model_fields_set:
            return round_to(given.digits, value)
        return np.round(value, given.places) if np.ndim(value) else round(value, given.places)
    if given.between is None:
        return given.value
    low, high = given.between
    if given.step:
        return round(low + given.step * rng.randint(0, round((high - low) / given.step)), 10)
    if given.sampled == "log":
        drawn = math.exp(rng.uniform(math.log(low), math.log(high)))
    else:
        drawn = rng.uniform(low, high)
    return round_to(given.digits, min(max(drawn, low), high))


def variety(template: Template) -> int:
    """Return the least number of different sets of givens, before conditions exclude some."""
    return math.prod(_count(given) for given in template.givens.values())


def _count(given: GivenSpec) -> int:
    """Count the listed values, or the numbers of a range in steps of its coarsest significant digit."""
    if given.between is None:
        return len(given.among or [given.value])
    low, high = given.between
    step = 10.0 ** (math.floor(math.log10(max(abs(low), abs(high)))) - given.digits + 1)
    return math.floor((high - low) / step + 1e-9) + 1


def _value_targets(template: Template, question: QuestionSpec, numbers: Numbers) -> Iterator[Target]:
    """Yield the requested closed form, then the numbers, then the labels."""
    if wanted := question.derivation:
        domains = {name: wanted.ranges.get(name) or _range(template.givens[name]) for name in wanted.symbols}
        yield SymbolicTarget(
            name=wanted.name,
            weight=wanted.weight,
            description=wanted.description,
            value=wanted.closed_form,
            symbols=wanted.symbols,
            domains=domains,
        )
    parts = {name: components(name, numbers[name]) for name in question.targets}
    share = 1 / (sum(map(len, parts.values())) or 1)
    for name, target in question.targets.items():
        unit = template.units[name]
        about: dict[str, Any] = {
            "weight": target.weight or share,
            "description": target.description,
            "unit": unit,
        }
        about["difference"] = is_difference(name, target.description, unit)
        about["tolerance"] = template.tolerance
        least = _LEAST_SHARE * max(map(abs, parts[name].values()))
        for part, value in parts[name].items():
            if len(parts[name]) > 1 and abs(value) < least:
                raise Infeasible(f"{part} is lost in the rounding of the others")
            yield NumberTarget(name=part, value=value, **about)
    for name, label in question.labels.items():
        word = first_case(name, label.cases, template, numbers)
        accepted = (label.zh[word],) if label.zh else ()
        about = {"name": name, "weight": label.weight, "description": label.description}
        yield LabelTarget(**about, value=word, accepted=accepted)


def _range(given: GivenSpec) -> tuple[float, float]:
    """Return the range of a given in SI units, angles in radians; ±20 % around a single value."""
    among = [value for value in (given.value, *(given.among or ())) if isinstance(value, float)]
    low, high = given.between or (min(among, default=0.0), max(among, default=0.0))
    if low == high:
        low, high = sorted((0.8 * low, 1.2 * high))
    low, high = (float(quantity(end, given.unit).to_base_units().magnitude) for end in (low, high))
    return low, high


def _describe_argument(step: ArgumentStep) -> DerivationStep:
    """Return a line of the argument with its reason in words."""
    at = ", ".join(f"{name} = {value}" for name, value in step.at.items())
    reason = _ARGUMENT[step.by].format(**{**step.model_dump(), "at": f" with {at}" if at else ""})
    return DerivationStep(symbol=step.gives, expression=f"{step.gives} = {step.result}", reason=reason)


def _make_problem(instance: _Instance, id: str, library: Library, language: Language) -> Problem:
    story, question, targets = instance.story, instance.question, instance.targets
    template = story.template
    return Problem(
        id=id,
        family=template.id,
        benchmark=template.benchmark,
        context=story.fill(template.context),
        question=story.question(question, targets, language),
        givens=tuple(
            Given(name=part, value=value, unit=given.unit, description=given.description)
            for name, given in template.stated(question).items()
            for part, value in components(name, story.values[name]).items()
        ),
        targets=targets,
        tags=template.tags(library, language),
        reference=_reference(instance, library, language),
        entities={
            name: Entity(text=each.text, kind=each.kind, quantities=each.quantities)
            for name, each in template.entities.items()
        },
    )


def _reference(instance: _Instance, library: Library, language: Language) -> ReferenceSolution:
    story, question, template = instance.story, instance.question, instance.story.template
    steps = template.steps_to(question)
    return ReferenceSolution(
        formulation=story.formulation(question, instance.targets, language),
        steps=tuple(worked_steps(template, steps, story.numbers, library)),
        derivation=tuple(map(_describe_argument, question.derivation.argument))
        if question.derivation
        else (),
        gold_equations=tuple(dict.fromkeys(step.equation for step in steps if step.equation)),
        trap_equations=template.trap.equations,
        trap=template.trap.note,
        traps=instance.traps,
        bounds=instance.bounds if question.targets else (),
        text=story.fill(question.answer.text) if question.answer else "",
        final_answer="; ".join(map(final_answer, instance.targets)) if template.is_worked else "",
        key_points=tuple(map(story.fill, question.answer.key_points)) if question.answer else (),
        misconceptions=dict(instance.misconceptions),
    )
