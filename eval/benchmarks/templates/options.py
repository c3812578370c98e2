"""The options of a multiple-choice question: their texts, their order, and the correct one."""

from __future__ import annotations

import random
from itertools import combinations

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.story import Story, format_result
from ansatz.eval.benchmarks.templates.template_parts import ChoiceSpec
from ansatz.eval.problem import ChoiceTarget
from ansatz.quantities.did_you_mean import nearest

_APART = 0.05  # two numbers closer than this could be the same answer with different rounding


def make_choice(choice: ChoiceSpec, story: Story, key: str) -> tuple[ChoiceTarget, dict[str, str]]:
    """Return the options of one instance in an order drawn by the key, and the misconception of each letter.

    Raises Infeasible if none or several options are correct, or two are too close to distinguish. Raises
    InvalidData if `correct` does not name an option.
    """
    names = list(choice.options)
    random.Random(f"{key}/options").shuffle(names)
    letters = dict(zip(names, "ABCDEF", strict=False))
    right = _correct_option(choice, story)
    texts = _texts(choice, story)
    wrong = {name: choice.options[name].misconception for name in names if name != right}
    options = {letters[name]: texts[name] for name in names}
    target = ChoiceTarget(name="answer", weight=1.0, value=letters[right], options=options)
    return target, {letters[name]: why for name, why in wrong.items() if why}


def _correct_option(choice: ChoiceSpec, story: Story) -> str:
    if choice.correct:
        right = story.fill(choice.correct)
        if right not in choice.options:
            message = f"{right!r} is no option{nearest(right, choice.options)}"
            raise InvalidData(f"{story.template.id}: choice.correct: {message}")
        return right
    conditions = {name: option.when for name, option in choice.options.items() if option.when}
    holding = [name for name, when in conditions.items() if story.template.holds(when, story.numbers)]
    if len(holding) != 1:
        raise Infeasible(f"choice: {len(holding)} options are correct")
    return holding[0]


def _texts(choice: ChoiceSpec, story: Story) -> dict[str, str]:
    """Return the words or the computed number of each option. Raises Infeasible if two are equal."""
    values = {
        name: story.template.value(option.value, story.numbers)
        for name, option in choice.options.items()
        if option.value
    }
    for one, other in combinations(values.values(), 2):
        if abs(one - other) <= _APART * max(abs(one), abs(other)):
            raise Infeasible("choice: two options are too close to distinguish")
    texts = {
        name: f"{format_result(values[name])} {option.unit}".removesuffix(" -")
        if name in values
        else story.fill(option.text)
        for name, option in choice.options.items()
    }
    if len(set(texts.values())) < len(texts):
        raise Infeasible("choice: two options read the same")
    return texts
