"""Fine-tuning examples: questions whose regime decides the formula, with the reason and a computed answer."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from ansatz.errors import EvaluationError
from ansatz.eval.benchmarks.templates.story import format_number
from ansatz.eval.benchmarks.tps.dfa.pairs import Exclusion, find_exclusions
from ansatz.eval.benchmarks.tps.dfa.scenario import Scenario, StatedQuantity, draw_scenario
from ansatz.eval.benchmarks.tps.dfa.wording import (
    answer_text,
    can_be_stated,
    formula,
    question_text,
    rationale,
)
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import WORDS, Equation, library

Kind = Literal["regime_shift", "formula_swap", "assumption_flagging"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_TRIES = 4  # scenarios drawn for one pair of equations
_MIN_ERROR = 0.1  # the least relative error of the wrong formula's answer


@dataclass(frozen=True)
class Example:
    """One example. `g1_score` is the score of the gold choice on G1 (0 to 2); `answer` is in `unit`.

    `inputs` are the numbers of the answer's calculation, as the question states them.
    """

    id: str
    kind: Kind
    seed_item: str
    seed_family: str
    domain: str
    level: str
    question: str
    gold_equation: str
    gold_formula: str
    rejected_equation: str
    g1_score: int
    rationale: str
    inputs: tuple[StatedQuantity, ...]
    symbol: str
    answer: float
    unit: str
    response: str

    def messages(self) -> list[dict[str, str]]:
        """Return the example as a chat."""
        return [
            {"role": "system", "content": _system_prompt()},
            {"role": "user", "content": self.question},
            {"role": "assistant", "content": self.response},
        ]

    def row(self) -> dict[str, Any]:
        """Return the example as a table row; every row has the same fields and types."""
        return {**asdict(self), "messages": self.messages()}


@cache
def _system_prompt() -> str:
    return Path(__file__).with_name("system.md").read_text(encoding="utf-8").strip()


def make_examples(
    seeds: Sequence[Problem], seed: int, advance: Callable[[int], None] = lambda _: None
) -> list[Example]:
    """Return up to three examples of each seed item, one of each kind that its equations allow.

    The draw for an item depends only on the seed and the item. No question occurs twice.
    """
    made: dict[str, Example] = {}
    for done, problem in enumerate(seeds):
        for example in _examples(problem, seed):
            made.setdefault(example.question, example)
        advance(done + 1)
    return list(made.values())


def _examples(problem: Problem, seed: int) -> Iterator[Example]:
    rng = random.Random(f"alignment/{seed}/{problem.id}")
    found = [each for id in problem.reference.gold_equations for each in find_exclusions(library().get(id))]
    rng.shuffle(found)
    for kind in KINDS:
        order = found
        if kind == "regime_shift":  # a number or the kind of flow separates two regimes
            order = [one for one in order if one.axis not in WORDS or one.axis == "flow"]
        # A formula swap prefers misleading words to numbers. A failure mode of the entry comes before a
        # condition.
        swaps = kind == "formula_swap"
        order = sorted(order, key=lambda one: (swaps and one.axis not in WORDS, not one.separator.wanted))
        made = (_example(kind, one, problem, rng) for one in order)
        yield from [example for example in made if example][:1]


def _example(kind: Kind, exclusion: Exclusion, problem: Problem, rng: random.Random) -> Example | None:
    equation = exclusion.fallback
    for _ in range(_TRIES):
        scenario = draw_scenario(exclusion, problem, rng)
        if scenario and not all(map(can_be_stated, scenario.words)):
            continue
        answer = _evaluate(equation, scenario, "refuse") if scenario else None
        if scenario is None or not answer or not _has_clear_error(exclusion.primary, scenario, answer):
            continue
        question = question_text(kind, exclusion, scenario, rng)
        reasons = rationale(exclusion, scenario, question)
        if reasons is None:
            continue
        return Example(
            id=f"{problem.id}/{kind}",
            kind=kind,
            seed_item=problem.id,
            seed_family=problem.family,
            domain=equation.domain,
            level=str(problem.tags.get("level", "")),
            question=question,
            gold_equation=equation.id,
            gold_formula=equation.expr or formula(equation),
            rejected_equation=exclusion.primary.id,
            g1_score=2,
            rationale=reasons,
            inputs=scenario.inputs,
            symbol=equation.output,
            answer=answer,
            unit=equation.symbols[equation.output].unit,
            response=answer_text(kind, exclusion, scenario, reasons, answer),
        )
    return None


def _evaluate(equation: Equation, scenario: Scenario, regime: Literal["warn", "refuse"]) -> float | None:
    """Evaluate an equation with the stated numbers; None if a number is missing or there is no value."""
    known = {
        one.symbol: f"{format_number(one.value)} {one.unit}" for one in (*scenario.numbers, *scenario.inputs)
    }
    if not set(equation.inputs) <= set(known):
        return None
    given = {name: known[name] for name in equation.inputs}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = float(equation.evaluate(regime, **given).magnitude)
    except EvaluationError:
        return None
    return value if math.isfinite(value) else None


def _has_clear_error(primary: Equation, scenario: Scenario, answer: float) -> bool:
    """Whether the wrong formula gives a clearly different answer, or cannot be evaluated."""
    wrong = _evaluate(primary, scenario, "warn")
    return wrong is None or abs(wrong / answer - 1) > _MIN_ERROR
