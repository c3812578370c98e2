"""Worked examples for few-shot arms, chosen for each problem from other families."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache

from ansatz.errors import PluginError, StudyError
from ansatz.eval import Problem
from ansatz.eval.problem import NumberTarget
from ansatz.experiments.design import plugins
from ansatz.interventions.few_shot import FewShot
from ansatz.quantities.statements import extract_words


def format_worked_examples(problem: Problem, wanted: FewShot) -> str:
    """Return the examples for a problem as text. Raises StudyError if the source has too few."""
    try:
        others = [each for each in _load_examples(wanted.source) if each.family != problem.family]
    except PluginError as failure:
        raise StudyError(f"few_shot: {failure}") from failure
    if len(others) < wanted.examples:
        few = f"{len(others)} worked problems of other families than {problem.family}"
        raise StudyError(f"few_shot: {wanted.source} has {few}")
    if wanted.choose == "similar":
        common = Counter(word for each in others for word in _read_words(each.question))
        about = _read_words(problem.question)
        others.sort(key=lambda each: -sum(1 / common[word] for word in about & _read_words(each.question)))
    chosen = others[: wanted.examples]
    assert all(each.family != problem.family for each in chosen)
    return "\n\n".join(f"Example {number}. {_format_example(each)}" for number, each in enumerate(chosen, 1))


@lru_cache(maxsize=4)
def _load_examples(source: str) -> tuple[Problem, ...]:
    """Return one worked problem of every family, in a fixed random order."""
    first: dict[str, Problem] = {}
    for each in plugins.load("ansatz.benchmarks", source, {}):
        if each.reference.steps and all(isinstance(target, NumberTarget) for target in each.targets):
            first.setdefault(each.family, each)
    return tuple(random.Random(source).sample(list(first.values()), len(first)))


@lru_cache(maxsize=4096)
def _read_words(question: str) -> frozenset[str]:
    return frozenset(extract_words(question))


def _format_example(problem: Problem) -> str:
    """Format the question and its solution as text without empty lines."""
    steps = [
        f"{each.expression} = {each.value:.5g} {each.unit}".removesuffix(" -")
        for each in problem.reference.steps
    ]
    final = [
        f"{each.name} = {each.value:.5g} {each.unit}".removesuffix(" -")
        for each in problem.targets
        if isinstance(each, NumberTarget) and each.value is not None
    ]
    question = "\n".join(line for line in problem.question.splitlines() if line.strip())
    return "\n".join([f"Question: {question}", "Worked answer:", *steps, *final])
