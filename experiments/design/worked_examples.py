"""Worked examples for arms that are shown some: chosen per question, from families other than its own."""

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


def worked_examples(problem: Problem, wanted: FewShot) -> str:
    """The examples as a solver may see them. Raises StudyError for a source without enough of them."""
    try:
        others = [each for each in _pool(wanted.source) if each.family != problem.family]
    except PluginError as failure:
        raise StudyError(f"few_shot: {failure}") from failure
    if len(others) < wanted.examples:
        few = f"{len(others)} worked problems of other families than {problem.family}"
        raise StudyError(f"few_shot: {wanted.source} has {few}")
    if wanted.choose == "similar":
        common = Counter(word for each in others for word in _words(each.question))
        about = _words(problem.question)
        others.sort(key=lambda each: -sum(1 / common[word] for word in about & _words(each.question)))
    shown = others[: wanted.examples]
    assert all(each.family != problem.family for each in shown)
    return "\n\n".join(f"Example {number}. {_worked(each)}" for number, each in enumerate(shown, 1))


@lru_cache(maxsize=4)
def _pool(source: str) -> tuple[Problem, ...]:
    """One worked problem of every family, in an order that is always the same."""
    first: dict[str, Problem] = {}
    for each in plugins.load("ansatz.benchmarks", source, {}):
        if each.reference.steps and all(isinstance(target, NumberTarget) for target in each.targets):
            first.setdefault(each.family, each)
    return tuple(random.Random(source).sample(list(first.values()), len(first)))


@lru_cache(maxsize=4096)
def _words(question: str) -> frozenset[str]:
    return frozenset(extract_words(question))


def _worked(problem: Problem) -> str:
    """The question and its solution as one paragraph each."""
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
