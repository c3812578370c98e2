"""Make questions of a template: draw its givens, solve it, and write question and reference solution."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ansatz.eval.benchmarks.physbench.choice import Options, make_options
from ansatz.eval.benchmarks.physbench.template import Template
from ansatz.eval.benchmarks.physbench.wording import Story, answer_lines
from ansatz.eval.benchmarks.physbench.worked import with_unit, worked_steps
from ansatz.eval.benchmarks.tps.asked import asked_values, find_line
from ansatz.eval.benchmarks.tps.instance import Values, draw
from ansatz.eval.benchmarks.tps.solution import Infeasible, Solution
from ansatz.eval.benchmarks.tps.template import Calculation, GivenSpec
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import (
    ChoiceTarget,
    Entity,
    Formulation,
    Given,
    LabelTarget,
    MessageTarget,
    NumberTarget,
    Problem,
    ReferenceSolution,
    Target,
)
from ansatz.knowledge_base.equation import Library

BENCHMARK = "physbench"


def make_problems(
    template: Template,
    instances: int,
    seed: int,
    library: Library,
    renamed: Mapping[str, str] | None = None,
) -> list[Problem]:
    """At most `instances` different questions; fewer where the template has fewer values to draw.

    Each depends on the template, the seed and its index alone. `renamed` puts other words, without an
    article, in the place of entities. Raises InvalidData where no feasible values are found for the first.
    """
    seen: list[Values] = []
    problems: list[Problem] = []
    for index in range(instances):
        key = f"{BENCHMARK}/{template.id}/{seed}/{index}"
        try:
            values, solution = draw(template, key, seen, library, _askable(template, key))
        except InvalidData:
            if not problems:
                raise
            break
        seen.append(values)
        problems.append(_problem(template, key, values, solution, library, renamed or {}))
    return problems


def variety(template: Template) -> int:
    """How many different sets of givens a template can draw at least, as far as its conditions admit them."""
    return math.prod(_values(given) for given in template.givens.values())


def _values(given: GivenSpec) -> int:
    """Numbers of so many significant digits in a range, counted in steps of the coarsest; or those listed."""
    if given.between is None:
        return len(given.among or [given.value])
    low, high = given.between
    step = 10.0 ** (math.floor(math.log10(max(abs(low), abs(high)))) - given.digits + 1)
    return math.floor((high - low) / step + 1e-9) + 1


def _askable(template: Template, key: str) -> Callable[[Solution], None]:
    """A check that raises Infeasible for a solution that gives no clear word, option or target."""

    any_words: Values = {
        name: given.among[0] if given.among else given.value or ""
        for name, given in template.givens.items()
        if given.is_word
    }

    def check(solution: Solution) -> None:
        list(asked_values(template, solution.numbers))
        story = Story(template, any_words, solution.numbers)
        if template.choice:
            make_options(template.choice, story, key)

    return check


def _problem(
    template: Template,
    key: str,
    values: Values,
    solution: Solution,
    library: Library,
    renamed: Mapping[str, str],
) -> Problem:
    story = Story(template, values, solution.numbers, renamed)
    options = make_options(template.choice, story, key) if template.choice else None
    targets = _targets(template, story, solution, options)
    question = "\n\n".join([story.tell(template.statement), answer_lines(template, targets)])
    index = key.rsplit("/", 1)[1]
    return Problem(
        id=f"{template.id}#{index}",
        family=template.id,
        benchmark=BENCHMARK,
        question=question,
        givens=_givens(template, values),
        targets=targets,
        reference=_reference(template, story, solution, options, targets, library),
        entities={
            name: Entity(text=story.entities[name], kind=each.kind, quantities=each.quantities)
            for name, each in template.entities.items()
        },
        tags={
            "topic": template.topic,
            "kind": template.kind,
            "format": "multiple_choice" if template.choice else "open",
            "cognitive": template.cognitive,
            "knowledge": template.knowledge,
        },
    )


def _targets(
    template: Template, story: Story, solution: Solution, options: Options | None
) -> tuple[Target, ...]:
    if options:
        return (ChoiceTarget(name="answer", weight=1.0, value=options.correct, options=options.texts),)
    asked: tuple[NumberTarget | LabelTarget, ...] = tuple(asked_values(template, solution.numbers))
    if asked:
        return asked
    if template.answer is None:
        raise Infeasible("nothing is asked for")
    return (MessageTarget(name="answer", weight=1.0, value=story.tell(template.answer.text)),)


def _givens(template: Calculation, values: Values) -> tuple[Given, ...]:
    return tuple(
        Given(name=name, value=values[name], unit=given.unit, description=given.description)
        for name, given in template.givens.items()
    )


def _reference(
    template: Template,
    story: Story,
    solution: Solution,
    options: Options | None,
    targets: tuple[Target, ...],
    library: Library,
) -> ReferenceSolution:
    answer = template.answer
    equations = dict.fromkeys(step.equation for step in solution.steps if step.equation)
    return ReferenceSolution(
        formulation=Formulation(
            given=story.given_line(),
            find=_find(targets),
            approach=story.tell(template.formulation.approach),
            assumptions=story.tell(template.formulation.assumptions),
        ),
        steps=worked_steps(template, solution, library),
        gold_equations=tuple(equations),
        trap_equations=template.trap.equations,
        trap=template.trap.note,
        bounds=solution.bounds if template.targets else (),
        text=story.tell(answer.text) if answer else "",
        final_answer="; ".join(_final(target) for target in targets),
        key_points=tuple(story.tell(point) for point in answer.key_points) if answer else (),
        misconceptions=options.misconceptions if options else {},
    )


def _find(targets: tuple[Target, ...]) -> str:
    numbers_or_words = [target for target in targets if isinstance(target, NumberTarget | LabelTarget)]
    if numbers_or_words:
        return find_line(numbers_or_words)
    return "the right option" if isinstance(targets[0], ChoiceTarget) else "an answer with its reason"


def _final(target: Target) -> str:
    if isinstance(target, NumberTarget):
        return f"{target.name} = {with_unit(target.value or 0.0, target.unit)}"
    if isinstance(target, ChoiceTarget):
        return f"({target.value}) {target.options[target.value]}"
    if isinstance(target, LabelTarget):
        return f"{target.name} = {target.value}"
    return target.value if isinstance(target, MessageTarget) else ""
