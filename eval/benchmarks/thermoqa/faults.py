"""Known faults of ThermoQA: points that it gives away, and questions whose key is one of several."""

from __future__ import annotations

from ansatz.eval.benchmarks.thermoqa.published_reading import is_balance
from ansatz.eval.benchmarks.thermoqa.score import problem_score, published, strict
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.score import StatedValue


def free_items(problem: Problem) -> frozenset[str]:
    """The targets that the published rule passes for the answer 0, such as any specific volume."""
    judged = published(problem, dict.fromkeys(_numbers(problem), 0.0))
    return frozenset(name for name, one in judged.items() if one.passed)


def score_of_zeros(problem: Problem) -> dict[str, float | None]:
    """By rule, what an answer earns that states 0 for every number and no phase."""
    names = _numbers(problem)
    return {
        "published": problem_score(problem, published(problem, dict.fromkeys(names, 0.0))),
        "strict": problem_score(problem, strict(problem, dict.fromkeys(names, StatedValue(0.0)))),
    }


def lacks_reference_state(problem: Problem) -> bool:
    """Whether a refrigerant's question leaves its reference state open: the key is then one of several."""
    fluid = str(problem.tags.get("fluid", ""))
    words = ("reference", "iir", "ashrae", "nbp")
    return fluid.lower().startswith("r") and not any(word in problem.question.lower() for word in words)


def _numbers(problem: Problem) -> list[str]:
    """The numbers asked for; closing errors are made of others."""
    named = (target.name for target in problem.targets if isinstance(target, NumberTarget))
    return [name for name in named if not is_balance(name)]
