"""The scorer `apbench`: the published rule with its adaptive margin, and a strict rule that reads units.

By APBench's margin, an answer is right within 0.1 + 0.01·ln|key| of the key, relatively. If this is below 0
or above 1, the paper uses 0.1, and the published code uses the absolute value. The logarithm is natural and
the deviation relative in the code; the paper defines neither. Both have faults, for which there is a strict
rule:

- The margin depends on the unit: 7000 km can be off by 18.9 %, the same length in metres by 25.8 %.
- It grows with the key: an energy of 1e9 J can be off by 30.7 %.
- It is zero at e⁻¹⁰ = 4.54e-5, so near it only the key itself is right. A little below, the paper's margin
  jumps to 10 %.
- It is undefined at 0, where the code ends with an error.
- The code treats an answer of 0 as no answer, and neither reads units.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel, parse_judges
from ansatz.eval.judging.panel import ask_judge
from ansatz.eval.judging.request import fence
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.outcome import judge_targets
from ansatz.eval.problem import ChoiceTarget, LabelTarget, MessageTarget, NumberTarget, Problem, Tolerance
from ansatz.eval.reading.stated_numbers import read_numbers
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.quantities.scales import convert_value
from ansatz.quantities.statements import Statement, find_statements
from ansatz.settings import Count, Share, settings

MarginRule = Literal["paper", "code"]
FALLBACK = 0.1
"""The paper's margin if the formula gives less than 0 or more than 1."""
THRESHOLD = 0.6
"""A message is right if its likeness is above this value (APBench, evaluation criteria)."""
ErrorClass = Literal[
    "not stated",
    "unit",
    "sign",
    "power of ten",
    "degrees or radians",
    "factor of two",
    "within 10 %",
    "within 50 %",
    "beyond 50 %",
    "option",
]
CLASSES: tuple[ErrorClass, ...] = get_args(ErrorClass)
_DEGREES = 180 / math.pi
_ROUNDING = 1 + 1e-12  # a deviation of exactly the tolerance passes
_TURN = {"deg": 360.0, "rad": 2 * math.pi}
_WORDS = {None: "unscored", True: "right", False: "wrong"}


@settings()
class APBenchScore(Scorer):
    """Scores numbers, choices and messages. A question is right if all its targets are.

    Dimensions: `published` is the paper's rule, with the margin for numbers and the threshold for messages.
    `strict` reads and converts units; it has no rule for messages. `message` is the likeness of a message,
    0.5 (judge + cosine), or the cosine alone without a `judge`; the evidence states which. `cosine` is the
    cosine of the sentence vectors.

    Details: `published` and `strict` have `targets`, by name, each with `right` (null if the rule has no
    verdict), `value` and `unit` as written, and in `strict` an `error` (one of `CLASSES`). `message` has
    `cosine`, `rating` (the judge's, null without one) and `reason`.
    """

    judge: JudgeLike | None = None
    """The model that compares a message with its key; without one, only sentence vectors are compared."""
    margin: MarginRule = "paper"
    """The variant of the published margin: as in the paper, or as in its code."""
    relative: Share = 0.01
    """The relative tolerance of the strict rule, for targets without a tolerance."""
    asks: Count = 2
    """The most requests to the judge for one message; the second request asks for what is missing."""

    dimensions: ClassVar[tuple[Dimension, ...]] = (
        Dimension("published", "by the publisher's rule"),
        Dimension("strict", "by the rule that also demands units"),
        Dimension("message", "answers in words, by the judge or their likeness to the key"),
        Dimension("cosine", "likeness of answers in words to the key", detail=True),
    )

    @cached_property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        return () if self.judge is None else parse_judges(self.judge)

    @property
    def prompt_hash(self) -> str:
        return Rubric.load("apbench").sha256

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Score one answer. Raises InfrastructureError if the judge cannot be reached."""
        problem, answer = context.problem, context.transcript.answer
        target = problem.targets[0]
        if isinstance(target, MessageTarget):
            return await self._score_message(context, target.value)
        return (
            _combine("published", judge_published(problem, answer, self.margin)),
            _combine("strict", judge_strict(problem, context.transcript.complete_answer, self.relative)),
            *(_score(name, None, "no message is asked for") for name in ("message", "cosine")),
        )

    async def _score_message(self, context: ScoringContext, key: str) -> tuple[Score, ...]:
        answer = context.transcript.answer
        no_rule = _score("strict", None, "a message has no strict rule; see message")
        if not answer.strip():
            right, message, cosine = (_score(n, 0.0, "no answer") for n in ("published", "message", "cosine"))
            return right, no_rule, message, cosine
        likeness = Likeness(await compute_cosine(answer, key))
        cosine = _score("cosine", likeness.cosine, "of the vectors of answer and key")
        for model in self.wanted_models:
            rubric, parts = Rubric.load("apbench"), _prompt_parts(context.problem, answer, key)
            opinion = await ask_judge(context.ask, model.title, rubric, parts, self.asks)
            if (points := opinion.points.get("likeness")) is None:
                reason = f"no likeness can be read from the judge's replies ({', '.join(opinion.faults)})"
                return _score("published", None, reason), no_rule, _score("message", None, reason), cosine
            rating, reason = rubric.criteria["likeness"].share(points), opinion.justifications["likeness"]
            likeness = replace(likeness, rating=rating, reason=reason)
        evidence = likeness.evidence
        message = Score(
            dimension="message", value=likeness.value, evidence=evidence, details=asdict(likeness)
        )
        return _score("published", float(likeness.is_right), evidence), no_rule, message, cosine


@dataclass(frozen=True)
class Likeness:
    """The likeness of an answer and its key."""

    cosine: float
    """The cosine of their sentence vectors, in [0, 1]."""
    rating: float | None = None
    """The judge's rating, in [0, 1]; None without a judge, and the cosine alone then counts."""
    reason: str = ""
    """The judge's reason."""

    @property
    def value(self) -> float:
        return self.cosine if self.rating is None else 0.5 * (self.rating + self.cosine)

    @property
    def is_right(self) -> bool:
        return self.value > THRESHOLD

    @property
    def evidence(self) -> str:
        verdict = f"{'above' if self.is_right else 'not above'} {THRESHOLD:g}"
        if self.rating is None:
            return f"embedding alone, no judge: cosine {self.cosine:.3f}, {verdict}"
        return (
            f"0.5 (judge {self.rating:.1f} + cosine {self.cosine:.3f}) = {self.value:.3f}, {verdict}; "
            f"judge: {self.reason}"
        )


async def compute_cosine(answer: str, key: str) -> float:
    """Return the cosine of the vectors of all-MiniLM-L6-v2, at least 0. It is computed in another thread."""

    def compute() -> float:
        from ansatz.knowledge_base.search import embed_question

        return min(1.0, max(0.0, float(embed_question(answer) @ embed_question(key))))

    return await asyncio.to_thread(compute)


def _prompt_parts(problem: Problem, answer: str, key: str) -> tuple[str, ...]:
    """Return the parts of the judge's prompt, which are the same for equal answers of different arms."""
    return (
        f"# Question\n\n{problem.ask().text}",
        f"# Reference answer\n\n{key}",
        f"# Answer\n\n{fence(answer, 'ANSWER')}",
    )


def _score(dimension: str, value: float | None, evidence: str) -> Score:
    return Score(dimension=dimension, value=value, evidence=evidence)


@dataclass(frozen=True)
class RuleVerdict:
    """The verdict of a rule on one target."""

    name: str
    """The name of the target."""
    right: bool | None
    """None if the rule has no verdict."""
    evidence: str
    stated: float | str | None = None
    """The value that the answer states."""
    unit: str = ""
    """The unit as written."""
    error: ErrorClass | None = None
    """The class of error of a wrong answer, under the strict rule."""

    def details(self) -> dict[str, Any]:
        return {"right": self.right, "value": self.stated, "unit": self.unit, "error": self.error}


def _combine(dimension: str, verdicts: Sequence[RuleVerdict]) -> Score:
    """Return the score of a question: 1 if all targets are right, None if a target has no verdict."""
    evidence = "; ".join(f"{each.name}: {_WORDS[each.right]} ({each.evidence})" for each in verdicts)
    scorable = verdicts and all(each.right is not None for each in verdicts)
    return Score(
        dimension=dimension,
        value=float(all(each.right for each in verdicts)) if scorable else None,
        evidence=evidence or "no target that this rule can score",
        details={"targets": {each.name: each.details() for each in verdicts}},
    )


def compute_margin(key: float, rule: MarginRule = "paper") -> float:
    """Return the accepted relative deviation. Raises ValueError for a key of 0 or one that is not finite."""
    if key == 0 or not math.isfinite(key):
        raise ValueError(f"the adaptive margin is undefined for a key of {key:g}")
    adaptive = 0.1 + 0.01 * math.log(abs(key))
    if rule == "code":
        return abs(adaptive)
    return adaptive if 0 <= adaptive <= 1 else FALLBACK


def is_within_margin(stated: float, key: float, rule: MarginRule = "paper") -> bool:
    """Whether a bare number is within the margin of the key. Raises ValueError like `compute_margin`."""
    margin = compute_margin(key, rule)
    if rule == "code" and stated == 0:
        return False
    return stated == key or abs(stated - key) / abs(key) < margin


def judge_published(problem: Problem, answer: str, rule: MarginRule = "paper") -> list[RuleVerdict]:
    """Apply the published rule to all targets but messages. It compares numbers without their units."""

    def judge(target: NumberTarget, key: float, stated: Statement | None) -> RuleVerdict:
        if key == 0:
            return RuleVerdict(target.name, None, "the adaptive margin is undefined for a key of 0")
        if stated is None:
            return RuleVerdict(target.name, False, "not stated")
        evidence = f"{stated.value:.6g} for {key:.6g} within {compute_margin(key, rule):.1%}"
        return RuleVerdict(target.name, is_within_margin(stated.value, key, rule), evidence)

    return list(_judge_targets(problem, answer, judge))


def judge_strict(problem: Problem, answer: str, relative: float = 0.01) -> list[RuleVerdict]:
    """Apply the strict rule to all targets but messages.

    A number in another unit of the correct dimension is converted. A number without a unit is assumed to have
    the requested unit. A unit of another dimension is wrong. A target's own tolerance replaces `relative`;
    without one, only zero is right for a key of zero. Angles within one turn are compared the short way
    round.
    """

    def judge(target: NumberTarget, key: float, stated: Statement | None) -> RuleVerdict:
        if stated is None:
            return RuleVerdict(target.name, False, "not stated", error="not stated")
        value = convert_value(stated.value, stated.unit, target.unit) if stated.unit else stated.value
        if value is None:
            evidence = f"{stated.value:.6g} {stated.unit} is no {target.unit}"
            return RuleVerdict(target.name, False, evidence, error="unit")
        tolerance = target.tolerance or Tolerance(relative=relative)
        allowed = max(tolerance.relative * abs(key), tolerance.absolute)
        right = measure_deviation(value, key, target.unit) <= allowed * _ROUNDING
        evidence = f"{value:.6g} for {key:.6g} {target.unit} within {tolerance.text(target.unit)}"
        error = None if right else _classify_error(value, key, relative)
        return RuleVerdict(target.name, right, evidence, error=error)

    return list(_judge_targets(problem, answer, judge))


def _judge_targets(
    problem: Problem, answer: str, judge: Callable[[NumberTarget, float, Statement | None], RuleVerdict]
) -> Iterator[RuleVerdict]:
    """Yield the verdicts on all targets but messages; `judge` compares numbers with their key."""
    read = read_statements(problem, answer)
    for target in problem.targets:
        if isinstance(target, ChoiceTarget | LabelTarget):
            [found] = judge_targets([target], answer)
            error: ErrorClass | None = None if found.exact else "option"
            yield RuleVerdict(target.name, found.exact, found.evidence, found.stated, error=error)
        elif isinstance(target, NumberTarget):
            stated = read[target.name]
            if target.value is None:
                verdict = RuleVerdict(target.name, None, "no key")
            else:
                verdict = judge(target, target.value, stated)
            yield replace(verdict, stated=stated.value, unit=stated.unit) if stated else verdict


def read_statements(problem: Problem, answer: str) -> dict[str, Statement | None]:
    """Return the last statement of each requested number.

    If the question has no symbols for its numbers (their names are answer, or answer_1, answer_2, ...), the
    last numbers of the answer are taken in order.
    """
    found = {name: each.statement for name, each in read_numbers(answer, problem.targets).items()}
    if not any(found.values()) and all(name.startswith("answer") for name in found):
        last = find_statements(answer)[-len(found) :]
        return dict(zip(found, last, strict=True)) if len(last) == len(found) else found
    return found


def measure_deviation(value: float, key: float, unit: str) -> float:
    """Return |value − key|, the short way round for two angles within one turn."""
    turn = _TURN.get(unit)
    difference = abs(value - key)
    if turn is None or max(abs(value), abs(key)) > turn:
        return difference
    return min(difference, abs(turn - difference))


def _classify_error(value: float, key: float, relative: float) -> ErrorClass:
    """Return the first class that fits a wrong number, of the slips that are common in orbit calculations.

    A power of ten is the key times 10, 100, ... or their inverses. All factors hold within `relative`.
    """
    ratio = value / key if key else math.inf
    power = 10.0 ** round(math.log10(ratio)) if 0 < ratio < math.inf else 1.0
    slips: dict[ErrorClass, tuple[float, ...]] = {
        "sign": (-1.0,),
        "power of ten": (power,) if power != 1 else (),
        "degrees or radians": (_DEGREES, 1 / _DEGREES),
        "factor of two": (2.0, 0.5),
    }
    for name, factors in slips.items():
        if any(abs(ratio / factor - 1) <= relative for factor in factors):
            return name
    difference = abs(ratio - 1)
    return "within 10 %" if difference <= 0.1 else "within 50 %" if difference <= 0.5 else "beyond 50 %"
