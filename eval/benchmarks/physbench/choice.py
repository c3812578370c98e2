"""The options of a multiple-choice question: their words, their order, and which of them is right."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations

from ansatz.eval.benchmarks.physbench.template import ChoiceSpec, OptionSpec
from ansatz.eval.benchmarks.physbench.wording import Story
from ansatz.eval.benchmarks.physbench.worked import shown
from ansatz.eval.benchmarks.tps.solution import Infeasible
from ansatz.knowledge_base.equation import Comparison, Expression, ExpressionError

_APART = 0.05  # numbers closer than this could be the same answer, rounded on the way


@dataclass(frozen=True)
class Options:
    """Texts by letter, the right letter, and what choosing a wrong one shows."""

    texts: dict[str, str]
    correct: str
    misconceptions: dict[str, str]


def make_options(choice: ChoiceSpec, story: Story, key: str) -> Options:
    """The options of one instance, in an order drawn by the key.

    Raises Infeasible where none or several are right, or where two are too close to be told apart.
    """
    names = list(choice.options)
    random.Random(f"{key}/options").shuffle(names)
    letters = dict(zip(names, "ABCDEF", strict=False))
    right = _right(choice, story)
    _check_apart(choice, story)
    return Options(
        texts={letters[name]: _text(choice.options[name], story) for name in names},
        correct=letters[right],
        misconceptions={
            letters[name]: choice.options[name].misconception
            for name in names
            if name != right and choice.options[name].misconception
        },
    )


def _right(choice: ChoiceSpec, story: Story) -> str:
    if choice.correct:
        return story.tell(choice.correct)
    holding = [
        name
        for name, option in choice.options.items()
        if option.when and Comparison.parse(option.when).holds(story.numbers)
    ]
    if len(holding) != 1:
        raise Infeasible(f"choice: {len(holding)} options are right")
    return holding[0]


def _check_apart(choice: ChoiceSpec, story: Story) -> None:
    values = [_value(option, story) for option in choice.options.values() if option.value]
    texts = [_text(option, story) for option in choice.options.values()]
    if any(abs(one - other) <= _APART * max(abs(one), abs(other)) for one, other in combinations(values, 2)):
        raise Infeasible("choice: two options are too close to be told apart")
    if len(set(texts)) < len(texts):
        raise Infeasible("choice: two options read the same")


def _text(option: OptionSpec, story: Story) -> str:
    if option.text:
        return story.tell(option.text)
    return f"{shown(_value(option, story))} {option.unit}".removesuffix(" -")


def _value(option: OptionSpec, story: Story) -> float:
    try:
        return Expression.parse(option.value)(story.numbers)
    except ExpressionError as error:
        raise Infeasible(str(error)) from error
