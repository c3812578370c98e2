"""The options of a multiple-choice question: their words, their order, and which of them is right."""

from __future__ import annotations

import random
from itertools import combinations

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.story import Story, shown
from ansatz.eval.benchmarks.templates.template_parts import ChoiceSpec
from ansatz.eval.problem import ChoiceTarget
from ansatz.quantities.did_you_mean import nearest

_APART = 0.05  # numbers closer than this could be the same answer, rounded on the way


def lettered(choice: ChoiceSpec, story: Story, key: str) -> tuple[ChoiceTarget, dict[str, str]]:
    """The options of one instance by letter, in an order drawn by the key, and what a wrong letter shows.

    Raises Infeasible where none or several are right, or where two are too close to be told apart, and
    InvalidData where a word that says which is right names none.
    """
    names = list(choice.options)
    random.Random(f"{key}/options").shuffle(names)
    letters = dict(zip(names, "ABCDEF", strict=False))
    right = _right(choice, story)
    texts = _texts(choice, story)
    wrong = {name: choice.options[name].misconception for name in names if name != right}
    options = {letters[name]: texts[name] for name in names}
    target = ChoiceTarget(name="answer", weight=1.0, value=letters[right], options=options)
    return target, {letters[name]: why for name, why in wrong.items() if why}


def _right(choice: ChoiceSpec, story: Story) -> str:
    if choice.correct:
        right = story.tell(choice.correct)
        if right not in choice.options:
            told = f"{right!r} is no option{nearest(right, choice.options)}"
            raise InvalidData(f"{story.template.id}: choice.correct: {told}")
        return right
    conditions = {name: option.when for name, option in choice.options.items() if option.when}
    holding = [name for name, when in conditions.items() if story.template.holds(when, story.numbers)]
    if len(holding) != 1:
        raise Infeasible(f"choice: {len(holding)} options are right")
    return holding[0]


def _texts(choice: ChoiceSpec, story: Story) -> dict[str, str]:
    """Words or computed numbers by option, each unlike the others."""
    values = {
        name: story.template.value(option.value, story.numbers)
        for name, option in choice.options.items()
        if option.value
    }
    for one, other in combinations(values.values(), 2):
        if abs(one - other) <= _APART * max(abs(one), abs(other)):
            raise Infeasible("choice: two options are too close to be told apart")
    texts = {
        name: f"{shown(values[name])} {option.unit}".removesuffix(" -")
        if name in values
        else story.tell(option.text)
        for name, option in choice.options.items()
    }
    if len(set(texts.values())) < len(texts):
        raise Infeasible("choice: two options read the same")
    return texts
