"""Make problems of a template: draw its givens, solve it, and write question and reference solution."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ansatz.eval.benchmarks.templates.draw import Infeasible, draw
from ansatz.eval.benchmarks.templates.options import Options, make_options
from ansatz.eval.benchmarks.templates.solution import SolvedTemplate, solve
from ansatz.eval.benchmarks.templates.story import Story, Values, final_answer, first_case
from ansatz.eval.benchmarks.templates.template import Language, Template
from ansatz.eval.benchmarks.templates.template_parts import ArgumentStep, DerivationSpec, GivenSpec, round_to
from ansatz.eval.benchmarks.templates.traps import weak_trap
from ansatz.eval.benchmarks.templates.worked import worked_steps
from ansatz.eval.problem import (
    ChoiceTarget,
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
)
from ansatz.eval.validation import InvalidData
from ansatz.knowledge_base.equation import ExpressionError, Library, UnknownEquation
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.scales import is_difference
from ansatz.quantities.units import UnitError, quantity

_TRIES = 300
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
    """One drawing of a template, solved; `key` seeds the order of options."""

    template: Template
    key: str
    values: Values
    solution: SolvedTemplate

    @cached_property
    def story(self) -> Story:
        return Story(self.template, self.values, self.solution.numbers)

    @cached_property
    def options(self) -> Options | None:
        return make_options(self.template.choice, self.story, self.key) if self.template.choice else None

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """What is asked for. Raises Infeasible where no case of a label holds, or no single option does."""
        if self.options:
            right, texts = self.options.correct, self.options.texts
            return (ChoiceTarget(name="answer", weight=1.0, value=right, options=texts),)
        asked = tuple(_asked(self.template, self.solution.numbers))
        if asked or self.template.answer is None:
            return asked
        return (MessageTarget(name="answer", weight=1.0, value=self.story.tell(self.template.answer.text)),)


def make_problems(
    template: Template, instances: int, seed: int, library: Library, language: Language = "en"
) -> list[Problem]:
    """`instances` different problems. Each depends on the template, the seed and its index alone.

    The same problem in another language has the same numbers. Raises InvalidData when no feasible set of
    values is found in a bounded number of tries.
    """
    return list(_problems(template, range(instances), seed, library, language))


def make_at_most(template: Template, instances: int, seed: int, library: Library) -> list[Problem]:
    """As `make_problems`, but fewer where the template has fewer values to draw."""
    found: list[Problem] = []
    try:
        for problem in _problems(template, range(instances), seed, library, "en"):
            found.append(problem)
    except InvalidData:
        if not found:
            raise
    return found


def _problems(
    template: Template, places: range, seed: int, library: Library, language: Language
) -> Iterator[Problem]:
    seen: list[Values] = []
    for place in places:
        try:
            instance = _draw(template, f"{template.seed_key}/{seed}/{place}", seen, library)
            made = _written(instance, f"{template.id}#{place}{_SUFFIX[language]}", library, language)
        except (UnitError, UnknownEquation, ExpressionError) as error:  # whatever values are drawn
            raise InvalidData(f"{template.id}: {error}") from error
        except KeyError as error:
            name, known = str(error.args[0]), [*template.units, *template.entities, *template.words]
            raise InvalidData(f"{template.id}: {name!r} has no value{nearest(name, known)}") from error
        seen.append(instance.values)
        yield made


def _draw(template: Template, key: str, seen: Sequence[Values], library: Library) -> _Instance:
    """Values that are not among those seen, and their solution; the key seeds the draw.

    Raises InvalidData when a bounded number of tries finds none.
    """

    def attempt(rng: random.Random) -> _Instance:
        values = {name: _sample(given, rng) for name, given in template.givens.items()}
        if values in seen:
            raise Infeasible("there are no further values to draw")
        instance = _Instance(template, key, values, solve(template, values, library))
        instance.targets  # noqa: B018 - what cannot be asked is refused here
        if weak := weak_trap(template, instance.solution.numbers, library):
            raise Infeasible(weak)
        return instance

    return draw(template.id, key, _TRIES, attempt)


def _sample(given: GivenSpec, rng: random.Random) -> float | str:
    if given.among:
        return rng.choice(given.among)
    if given.between is None:
        assert given.value is not None
        return given.value
    low, high = given.between
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


def _asked(template: Template, numbers: Mapping[str, float]) -> Iterator[Target]:
    """The closed form, the numbers and then the words asked for."""
    if wanted := template.derivation:
        yield SymbolicTarget(
            name=wanted.name,
            weight=wanted.weight,
            description=wanted.description,
            value=wanted.closed_form,
            symbols=wanted.symbols,
            domains=_domains(template, wanted),
        )
    for name, target in template.targets.items():
        about = {"name": name, "weight": target.weight, "description": target.description}
        unit = template.units[name]
        difference = is_difference(name, target.description, unit)
        yield NumberTarget(**about, unit=unit, value=numbers[name], difference=difference)
    for name, label in template.labels.items():
        about = {"name": name, "weight": label.weight, "description": label.description}
        word = first_case(name, label.cases, numbers)
        yield LabelTarget(**about, value=word, accepted=(label.zh[word],) if label.zh else ())


def _domains(template: Template, wanted: DerivationSpec) -> dict[str, tuple[float, float]]:
    """Where each symbol of a closed form is tried, in SI units."""
    return {name: wanted.ranges.get(name) or _range(template.givens[name]) for name in wanted.symbols}


def _range(given: GivenSpec) -> tuple[float, float]:
    """The range of a given in SI units, angles in radians; about its value where it has only one."""
    among = [value for value in (given.value, *(given.among or ())) if isinstance(value, float)]
    low, high = given.between or (min(among, default=0.0), max(among, default=0.0))
    if low == high:
        low, high = sorted((0.8 * low, 1.2 * high))
    return _si(low, given.unit), _si(high, given.unit)


def _si(value: float, unit: str) -> float:
    return float(quantity(value, unit).to_base_units().magnitude)


def _argued(step: ArgumentStep) -> DerivationStep:
    """A line of the argument in words."""
    put = ", ".join(f"{name} = {value}" for name, value in step.at.items())
    reason = _ARGUMENT[step.by].format(**{**step.model_dump(), "at": f" with {put}" if put else ""})
    return DerivationStep(symbol=step.gives, expression=f"{step.gives} = {step.result}", reason=reason)


def _written(instance: _Instance, id: str, library: Library, language: Language) -> Problem:
    template, story, targets = instance.template, instance.story, instance.targets
    return Problem(
        id=id,
        family=template.id,
        benchmark=template.benchmark,
        question=story.question(targets, language),
        givens=tuple(
            Given(name=name, value=instance.values[name], unit=given.unit, description=given.description)
            for name, given in template.givens.items()
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
    template, solution, story = instance.template, instance.solution, instance.story
    answer, wanted = template.answer, template.derivation
    equations = dict.fromkeys(step.equation for step in solution.steps if step.equation)
    return ReferenceSolution(
        formulation=story.formulation(instance.targets, language),
        steps=worked_steps(template, solution, library),
        derivation=tuple(map(_argued, wanted.argument)) if wanted else (),
        gold_equations=tuple(equations),
        trap_equations=template.trap.equations,
        trap=template.trap.note,
        bounds=solution.bounds if template.targets else (),
        text=story.tell(answer.text) if answer else "",
        final_answer="; ".join(map(final_answer, instance.targets)) if template.is_worked else "",
        key_points=tuple(map(story.tell, answer.key_points)) if answer else (),
        misconceptions=instance.options.misconceptions if instance.options else {},
    )
