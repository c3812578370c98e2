"""Examples for fine-tuning: questions in which the regime decides, with the reason and a computed answer."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from ansatz.eval.benchmarks.templates.story import format_number
from ansatz.eval.data.dfa.exclusions import Exclusion, exclusions
from ansatz.eval.data.dfa.scenario import Scenario, draw
from ansatz.eval.data.dfa.wording import answer_text, question_text, rationale
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import Equation, EvaluationError, library

Kind = Literal["regime_shift", "formula_swap", "assumption_flagging"]
KINDS: tuple[Kind, ...] = ("regime_shift", "formula_swap", "assumption_flagging")
_TRIES = 12  # scenarios drawn for one pair before it is given up
_TELLING = 0.1  # an answer of the wrong formula within this of the right one teaches nothing


@dataclass(frozen=True)
class Stated:
    """A quantity that an example's question states."""

    symbol: str
    value: float
    unit: str
    description: str


@dataclass(frozen=True)
class Example:
    """One example. `g1_score` is what the gold choice earns on G1 (0 to 2); `answer` is in `unit`.

    `inputs` are the numbers that the answer is computed from, as the question states them.
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
    inputs: tuple[Stated, ...]
    symbol: str
    answer: float
    unit: str
    response: str

    def messages(self) -> list[dict[str, str]]:
        """The example as a chat."""
        return [
            {"role": "system", "content": system_prompt()},
            {"role": "user", "content": self.question},
            {"role": "assistant", "content": self.response},
        ]


@cache
def system_prompt() -> str:
    return Path(__file__).with_name("system.md").read_text(encoding="utf-8").strip()


def make_examples(
    seeds: Sequence[Problem], seed: int, advance: Callable[[int], None] = lambda _: None
) -> list[Example]:
    """Up to three examples of each seed item, one of each kind that its equations give.

    The draw for an item depends on the seed and the item alone. No question occurs twice.
    """
    made: dict[str, Example] = {}
    for done, problem in enumerate(seeds):
        for example in _examples(problem, seed):
            made.setdefault(example.question, example)
        advance(done + 1)
    return list(made.values())


def recompute(example: Example) -> float:
    """The answer once more, from the stated numbers by the gold equation, in the example's unit."""
    equation = library().get(example.gold_equation)
    given = {stated.symbol: f"{format_number(stated.value)} {stated.unit}" for stated in example.inputs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(equation.evaluate("warn", **given).magnitude)


def _examples(problem: Problem, seed: int) -> Iterator[Example]:
    rng = random.Random(f"alignment/{seed}/{problem.id}")
    found = [
        exclusion for id in problem.reference.gold_equations for exclusion in exclusions(library().get(id))
    ]
    rng.shuffle(found)
    for kind in KINDS:
        # Flagging comes last, so that it may take a pair that another kind has used.
        fitting = [exclusion for exclusion in found if _fits(kind, exclusion)]
        for exclusion in sorted(fitting, key=lambda one: (_is_second(kind, one), _preference(one))):
            if example := _example(kind, exclusion, problem, rng):
                yield example
                break


def _fits(kind: Kind, exclusion: Exclusion) -> bool:
    if kind == "regime_shift":
        return exclusion.is_numeric or (
            exclusion.predicate is not None and exclusion.predicate.axis == "flow"
        )
    return True


def _is_second(kind: Kind, exclusion: Exclusion) -> bool:
    """Whether a pair suits a kind less: a formula is swapped where words mislead, before numbers do."""
    return kind == "formula_swap" and exclusion.is_numeric


def _preference(exclusion: Exclusion) -> int:
    """What the entry itself says of the pair comes before what only its conditions say."""
    return {"failure": 0, "prose": 1, "requirement": 2 if exclusion.effect else 3}[exclusion.basis]


def _example(kind: Kind, exclusion: Exclusion, problem: Problem, rng: random.Random) -> Example | None:
    for _ in range(_TRIES):
        scenario = draw(exclusion, problem, rng)
        if scenario is None:
            continue
        answer = _answer(exclusion.fallback, scenario)
        if answer is None or not _is_telling(exclusion.primary, scenario, answer):
            continue
        question = question_text(kind, exclusion, scenario, rng)
        reasons = rationale(exclusion, scenario, question)
        if reasons is not None:
            return _written(kind, exclusion, problem, scenario, (question, reasons, answer))
    return None


def _written(
    kind: Kind, exclusion: Exclusion, problem: Problem, scenario: Scenario, found: tuple[str, str, float]
) -> Example:
    question, reasons, answer = found
    fallback = exclusion.fallback
    level = problem.tags.get("level", "")
    return Example(
        id=f"{problem.id}/{kind}",
        kind=kind,
        seed_item=problem.id,
        seed_family=problem.family,
        domain=fallback.domain,
        level=str(level),
        question=question,
        gold_equation=fallback.id,
        gold_formula=fallback.expr or f"0 = {fallback.residual}",
        rejected_equation=exclusion.primary.id,
        g1_score=2,
        rationale=reasons,
        inputs=tuple(
            Stated(symbol, value, scenario.units[symbol], fallback.symbols[symbol].desc)
            for symbol, value in scenario.inputs.items()
        ),
        symbol=fallback.output,
        answer=answer,
        unit=fallback.symbols[fallback.output].unit,
        response=answer_text(kind, exclusion, scenario, reasons, answer),
    )


def _answer(equation: Equation, scenario: Scenario) -> float | None:
    """What the equation gives for the stated numbers; None outside its regime or without a finite value."""
    given = {
        symbol: f"{format_number(value)} {scenario.units[symbol]}"
        for symbol, value in scenario.inputs.items()
    }
    try:
        value = float(equation.evaluate("refuse", **given).magnitude)
    except EvaluationError:
        return None
    return value if value == value and abs(value) not in (0.0, float("inf")) else None


def _is_telling(primary: Equation, scenario: Scenario, answer: float) -> bool:
    """Whether the wrong formula, where the stated numbers suffice for it, gives a clearly other answer."""
    known = {**scenario.numbers, **scenario.inputs}
    if not set(primary.inputs) <= set(known):
        return True
    given = {symbol: f"{format_number(known[symbol])} {scenario.units[symbol]}" for symbol in primary.inputs}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wrong = float(primary.evaluate("warn", **given).magnitude)
    except EvaluationError:
        return True
    return abs(wrong / answer - 1) > _TELLING
