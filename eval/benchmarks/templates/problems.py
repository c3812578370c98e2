"""Make problems of a template: draw its givens, solve it, and write question and reference solution."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ansatz.errors import ExpressionError, InvalidData, UnitError, UnknownEquation
from ansatz.eval.benchmarks.templates.draw import Infeasible, draw
from ansatz.eval.benchmarks.templates.options import lettered
from ansatz.eval.benchmarks.templates.solution import bounds, components, solve
from ansatz.eval.benchmarks.templates.story import Story, final_answer, first_case
from ansatz.eval.benchmarks.templates.template import Language, Numbers, Template
from ansatz.eval.benchmarks.templates.template_parts import (
    ArgumentStep,
    GivenSpec,
    QuestionSpec,
    round_to,
)
from ansatz.eval.benchmarks.templates.traps import weak_trap
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
_SUFFIX = {"en": "", "zh": ".zh"}  # a study may ask both: one id each, one family together


@dataclass(frozen=True)
class _Instance:
    """One question on one drawing of a template, solved, and what choosing a wrong option of it shows."""

    asked: QuestionSpec
    story: Story
    bounds: tuple[TargetBound, ...]
    targets: tuple[Target, ...]
    misconceptions: Mapping[str, str]


def make_problems(
    template: Template,
    instances: int,
    seed: int,
    library: Library,
    language: Language = "en",
    *,
    or_fewer: bool = False,
) -> list[Problem]:
    """`instances` different problems. Each depends on the template, the seed and its index alone.

    The same problem in another language has the same numbers. Raises InvalidData when no feasible set of
    values is found in a bounded number of tries, with `or_fewer` only where this leaves no problem.
    """
    made: list[Problem] = []
    seen: list[dict[str, Any]] = []
    for place in range(instances):
        try:
            drawn = _draw(template, f"{template.seed_key}/{seed}/{place}", seen, library)
            id = f"{template.id}#{place}{_SUFFIX[language]}"
            made += [_written(each, id, library, language) for each in drawn]
        except InvalidData:
            if or_fewer and made:
                break
            raise
        except (UnitError, UnknownEquation, ExpressionError) as error:  # whatever values are drawn
            raise InvalidData(f"{template.id}: {error}") from error
        except KeyError as error:
            name, known = str(error.args[0]), [*template.units, *template.entities, *template.words]
            raise InvalidData(f"{template.id}: {name!r} has no value{nearest(name, known)}") from error
        seen.append(_told(drawn[0].story.values))
    return made


def _draw(
    template: Template, key: str, seen: Sequence[Mapping[str, Any]], library: Library
) -> list[_Instance]:
    """What is asked on values that are not among those seen; the key seeds the draw and the order of options.

    Raises InvalidData when a bounded number of tries finds none.
    """

    def attempt(rng: random.Random) -> list[_Instance]:
        values: dict[str, Any] = {}
        for name, given in template.givens.items():
            values[name] = _sample(given, rng, template, values)
        if _told(values) in seen:
            raise Infeasible("there are no further values to draw")
        numbers = solve(template, values, library)
        kept, story = tuple(bounds(template, numbers)), Story(template, values, numbers)
        instances = [_Instance(asked, story, kept, *_asked(asked, story, key)) for asked in template.asked]
        if weak := weak_trap(template, numbers, library):
            raise Infeasible(weak)
        return instances

    return draw(template.id, key, template.tries, attempt)


def _asked(asked: QuestionSpec, story: Story, key: str) -> tuple[tuple[Target, ...], Mapping[str, str]]:
    """What is asked for. Raises Infeasible where no case of a label holds, or no single option does."""
    if asked.choice:
        target, misconceptions = lettered(asked.choice, story, key)
        return (target,), misconceptions
    found = tuple(_targets(story.template, asked, story.numbers))
    if asked.answer and not found:
        return (MessageTarget(name="answer", weight=1.0, value=story.tell(asked.answer.text)),), {}
    return found, {}


def _told(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same with vectors as lists, which can be compared."""
    return {name: np.ravel(value).tolist() for name, value in values.items()}


def _sample(given: GivenSpec, rng: random.Random, template: Template, known: Numbers) -> Any:
    if given.among:
        return rng.choice(given.among)
    if given.make:
        made = template.value(given.make, known, given.unit)
        return np.round(made, given.places) if np.ndim(made) else round(made, given.places)
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
    """How many different sets of givens a template can draw at least, as far as its conditions admit them."""
    return math.prod(_count(given) for given in template.givens.values())


def _count(given: GivenSpec) -> int:
    """Numbers of so many significant digits in a range, counted in steps of the coarsest; or those listed."""
    if given.between is None:
        return len(given.among or [given.value])
    low, high = given.between
    step = 10.0 ** (math.floor(math.log10(max(abs(low), abs(high)))) - given.digits + 1)
    return math.floor((high - low) / step + 1e-9) + 1


def _targets(template: Template, asked: QuestionSpec, numbers: Numbers) -> Iterator[Target]:
    """The closed form, the numbers and then the words asked for."""
    if wanted := asked.derivation:
        tried = {name: wanted.ranges.get(name) or _range(template.givens[name]) for name in wanted.symbols}
        yield SymbolicTarget(
            name=wanted.name,
            weight=wanted.weight,
            description=wanted.description,
            value=wanted.closed_form,
            symbols=wanted.symbols,
            domains=tried,
        )
    parts = {name: components(name, numbers[name]) for name in asked.targets}
    share = 1 / (sum(map(len, parts.values())) or 1)
    for name, target in asked.targets.items():
        unit = template.units[name]
        about = {"weight": target.weight or share, "description": target.description, "unit": unit}
        about["difference"] = is_difference(name, target.description, unit)
        least = _LEAST_SHARE * max(map(abs, parts[name].values()))
        for part, value in parts[name].items():
            if len(parts[name]) > 1 and abs(value) < least:
                raise Infeasible(f"{part} is lost in the rounding of the others")
            yield NumberTarget(name=part, value=value, **about)
    for name, label in asked.labels.items():
        word = first_case(name, label.cases, template, numbers)
        accepted = (label.zh[word],) if label.zh else ()
        about = {"name": name, "weight": label.weight, "description": label.description}
        yield LabelTarget(**about, value=word, accepted=accepted)


def _range(given: GivenSpec) -> tuple[float, float]:
    """The range of a given in SI units, angles in radians; about its value where it has only one."""
    among = [value for value in (given.value, *(given.among or ())) if isinstance(value, float)]
    low, high = given.between or (min(among, default=0.0), max(among, default=0.0))
    if low == high:
        low, high = sorted((0.8 * low, 1.2 * high))
    low, high = (float(quantity(end, given.unit).to_base_units().magnitude) for end in (low, high))
    return low, high


def _argued(step: ArgumentStep) -> DerivationStep:
    """A line of the argument in words."""
    put = ", ".join(f"{name} = {value}" for name, value in step.at.items())
    reason = _ARGUMENT[step.by].format(**{**step.model_dump(), "at": f" with {put}" if put else ""})
    return DerivationStep(symbol=step.gives, expression=f"{step.gives} = {step.result}", reason=reason)


def _written(instance: _Instance, id: str, library: Library, language: Language) -> Problem:
    story, asked, targets = instance.story, instance.asked, instance.targets
    template = story.template
    return Problem(
        id=id,
        family=template.id,
        benchmark=template.benchmark,
        context=story.tell(template.context),
        question=story.question(asked, targets, language),
        givens=tuple(
            Given(name=part, value=value, unit=given.unit, description=given.description)
            for name, given in template.stated(asked).items()
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
    story, asked, template = instance.story, instance.asked, instance.story.template
    steps = template.way_to(asked)
    return ReferenceSolution(
        formulation=story.formulation(asked, instance.targets, language),
        steps=tuple(worked_steps(template, steps, story.numbers, library)),
        derivation=tuple(map(_argued, asked.derivation.argument)) if asked.derivation else (),
        gold_equations=tuple(dict.fromkeys(step.equation for step in steps if step.equation)),
        trap_equations=template.trap.equations,
        trap=template.trap.note,
        bounds=instance.bounds if asked.targets else (),
        text=story.tell(asked.answer.text) if asked.answer else "",
        final_answer="; ".join(map(final_answer, instance.targets)) if template.is_worked else "",
        key_points=tuple(map(story.tell, asked.answer.key_points)) if asked.answer else (),
        misconceptions=dict(instance.misconceptions),
    )
