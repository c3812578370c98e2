"""APBench scores in two columns: the published rule with its adaptive margin, and a strict one with units."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from ansatz.eval.benchmarks.apbench.error_classes import ErrorClass, error_class
from ansatz.eval.benchmarks.apbench.margin import MarginRule, is_right, margin
from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel, judge_models
from ansatz.eval.judging.panel import ask_judge
from ansatz.eval.judging.request import fenced
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.outcome import judge as judge_labels
from ansatz.eval.problem import ChoiceTarget, LabelTarget, MessageTarget, NumberTarget, Problem
from ansatz.eval.score import Dimension, Score, ScoringContext
from ansatz.quantities.scales import convert
from ansatz.quantities.statements import Statement, pick, statements

_ROUNDING = 1 + 1e-12  # a deviation of exactly the tolerance passes
_TURN = {"deg": 360.0, "rad": math.tau}


@dataclass(frozen=True)
class Judged:
    """One target: what was read for it, and whether it is right; None where the rule has no verdict.

    `stated` is the value as written, in `unit`; `error` is how it is wrong by the strict rule.
    """

    name: str
    right: bool | None
    evidence: str
    stated: float | str | None = None
    unit: str = ""
    error: ErrorClass | None = None

    def details(self) -> dict[str, Any]:
        return {"right": self.right, "value": self.stated, "unit": self.unit, "error": self.error}


THRESHOLD = 0.6
"""A likeness above it is right (APBench, evaluation criteria)."""


@dataclass(frozen=True)
class Likeness:
    """How alike an answer and its key are: the cosine of their vectors in [0, 1], and a judge's mark there.

    `mark` is None where no judge was asked; the cosine then stands alone.
    """

    cosine: float
    mark: float | None = None
    reason: str = ""

    @property
    def value(self) -> float:
        return self.cosine if self.mark is None else 0.5 * (self.mark + self.cosine)

    @property
    def is_right(self) -> bool:
        return self.value > THRESHOLD

    @property
    def evidence(self) -> str:
        verdict = f"{'above' if self.is_right else 'not above'} {THRESHOLD:g}"
        if self.mark is None:
            return f"embedding alone, no judge: cosine {self.cosine:.3f}, {verdict}"
        return (
            f"0.5 (judge {self.mark:.1f} + cosine {self.cosine:.3f}) = {self.value:.3f}, {verdict}; "
            f"judge: {self.reason}"
        )


@dataclass(frozen=True)
class APBenchScore:
    """Scores numeric, choice and message answers; a question is right if all that it asks for is.

    `published` is the paper's rule: the bare number against the adaptive margin (`margin`: as the paper says
    or as its code does), and a message by its likeness above 0.6. `strict` reads units and converts them, and
    accepts a deviation of `relative`; it has no rule for messages. `message` is the likeness of a message:
    0.5 (judge + cosine), or the cosine alone where no `judge` is named, which the evidence says; `cosine` is
    the embedding's part of it.

    Details: of `published` and `strict` `targets`, by name, each with right (null where the rule has no
    verdict), value and unit as written, and of `strict` also error (see error_classes.py); of `message`
    cosine, mark (the judge's, null without one) and reason.
    """

    judge: JudgeLike | None = None
    margin: MarginRule = "paper"
    relative: float = 0.01
    asks: int = 2

    dimensions: ClassVar[tuple[Dimension, ...]] = (
        Dimension("published", "by the publisher's rule"),
        Dimension("strict", "by the rule that also demands units"),
        Dimension("message", "answers in words, by the judge or their likeness to the key"),
        Dimension("cosine", "likeness of answers in words to the key", detail=True),
    )

    def __post_init__(self) -> None:
        if self.asks < 1:
            raise ValueError("asks must be 1 or more")
        if not 0 < self.relative < 1:
            raise ValueError(f"relative must be between 0 and 1, not {self.relative:g}")

    @cached_property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        return () if self.judge is None else judge_models(self.judge)

    @property
    def prompt_hash(self) -> str:
        return Rubric.load("apbench").sha256

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where the judge cannot be reached."""
        problem, answer = context.problem, context.transcript.answer
        target = problem.targets[0]
        if isinstance(target, MessageTarget):
            return await self._message(context, target.value)
        return (
            _score("published", published(problem, answer, self.margin)),
            _score("strict", strict(problem, answer, self.relative)),
            _unscored("message", "no message is asked for"),
            _unscored("cosine", "no message is asked for"),
        )

    async def _message(self, context: ScoringContext, key: str) -> tuple[Score, ...]:
        answer = context.transcript.answer
        no_rule = _unscored("strict", "a message has no strict rule; see message")
        if not answer.strip():
            return _nothing("published"), no_rule, _nothing("message"), _nothing("cosine")
        likeness = Likeness(await cosine(answer, key))
        alike = Score(dimension="cosine", value=likeness.cosine, evidence="of the vectors of answer and key")
        for model in self.wanted_models:
            rubric, shown = Rubric.load("apbench"), _shown(context.problem, answer, key)
            opinion = await ask_judge(context.ask, model.title, rubric, shown, self.asks)
            if (mark := opinion.marks.get("likeness")) is None or mark.points is None:
                why = f"the judge's replies hold no mark that can be read ({', '.join(opinion.faults)})"
                return _unscored("published", why), no_rule, _unscored("message", why), alike
            share = rubric.criteria[0].share(mark.points)
            likeness = replace(likeness, mark=share, reason=mark.justification)
        right, told = float(likeness.is_right), likeness.evidence
        return (
            Score(dimension="published", value=right, evidence=told),
            no_rule,
            Score(dimension="message", value=likeness.value, evidence=told, details=asdict(likeness)),
            alike,
        )


async def cosine(answer: str, key: str) -> float:
    """The cosine of the vectors of all-MiniLM-L6-v2, in a thread of its own; a negative one counts as 0."""

    def cosine_of_vectors() -> float:
        from ansatz.knowledge_base.search import question_vector

        return min(1.0, max(0.0, float(question_vector(answer) @ question_vector(key))))

    return await asyncio.to_thread(cosine_of_vectors)


def _shown(problem: Problem, answer: str, key: str) -> tuple[str, ...]:
    """What a judge of the rubric "apbench" is shown: the same for equal answers, whichever arm gave them."""
    return (
        f"# Question\n\n{problem.ask().text}",
        f"# Reference answer\n\n{key}",
        f"# Answer\n\n{fenced(answer, 'ANSWER')}",
    )


def readings(problem: Problem, answer: str) -> dict[str, Statement | None]:
    """What an answer states last for each number asked for.

    A number may be named by its symbol or its description. Where a question gives its numbers no symbols (all
    are called answer, or answer_1, answer_2, ...), the last numbers stated are taken in order.
    """
    wanted = [target for target in problem.targets if isinstance(target, NumberTarget)]
    found = statements(answer)
    read = {target.name: pick(found, target.name, description=target.description) for target in wanted}
    if len(wanted) == 1 and read[wanted[0].name] is None:
        read[wanted[0].name] = pick(found, "answer")
    nameless = all(re.fullmatch(r"answer(_\d+)?", target.name) for target in wanted)
    if nameless and all(each is None for each in read.values()) and len(found) >= len(wanted):
        read = dict(zip(read, found[len(found) - len(wanted) :], strict=True))
    return read


def published(problem: Problem, answer: str, rule: MarginRule = "paper") -> list[Judged]:
    """The published rule on every target but messages: bare numbers, whatever unit they are given in."""

    def within_margin(target: NumberTarget, key: float, stated: Statement | None) -> Judged:
        if key == 0:
            return Judged(target.name, None, "the adaptive margin is undefined for a key of 0")
        if stated is None:
            return Judged(target.name, False, "not stated")
        evidence = f"{stated.value:.6g} for {key:.6g} within {margin(key, rule):.1%}"
        return Judged(target.name, is_right(stated.value, key, rule), evidence)

    return list(_judged(problem, answer, within_margin))


def strict(problem: Problem, answer: str, relative: float = 0.01) -> list[Judged]:
    """The strict rule on every target but messages.

    A number in another unit of the right dimension is converted, one without a unit is taken in the unit
    asked for, and one in a unit of another dimension is wrong. An expected zero is met by zero alone, or
    within the absolute tolerance of its target. Angles within one turn are compared the short way round.
    """

    def in_unit(target: NumberTarget, key: float, stated: Statement | None) -> Judged:
        right, evidence = False, "not stated"
        if stated is not None:
            value = convert(stated.value, stated.unit, target.unit) if stated.unit else stated.value
            evidence = f"{stated.value:.6g} {stated.unit} is no {target.unit}"
            if value is not None:
                absolute = target.tolerance.absolute if target.tolerance else 0.0
                allowed = max(relative * abs(key), absolute) * _ROUNDING
                right = deviation(value, key, target.unit) <= allowed
                evidence = f"{value:.6g} for {key:.6g} {target.unit} within {relative:.1%}"
        error = None if right else error_class(target, stated, relative)
        return Judged(target.name, right, evidence, error=error)

    return list(_judged(problem, answer, in_unit))


def _judged(
    problem: Problem, answer: str, rule: Callable[[NumberTarget, float, Statement | None], Judged]
) -> Iterator[Judged]:
    """Every target but messages; numbers with a key by the rule."""
    read = readings(problem, answer)
    for target in problem.targets:
        if isinstance(target, ChoiceTarget | LabelTarget):
            yield _letter(target, answer)
        elif isinstance(target, NumberTarget):
            stated = read[target.name]
            if target.value is None:
                judged = Judged(target.name, None, "no key")
            else:
                judged = rule(target, target.value, stated)
            yield replace(judged, stated=stated.value, unit=stated.unit) if stated else judged


def deviation(value: float, key: float, unit: str) -> float:
    """|value − key|; the short way round for two angles within one turn."""
    turn = _TURN.get(unit)
    apart = abs(value - key)
    if turn is None or max(abs(value), abs(key)) > turn:
        return apart
    return min(apart, abs(turn - apart))


def _letter(target: ChoiceTarget | LabelTarget, answer: str) -> Judged:
    [verdict] = judge_labels([target], answer)
    error: ErrorClass | None = None if verdict.exact else "option"
    return Judged(target.name, verdict.exact, verdict.evidence, verdict.stated, error=error)


def _score(dimension: str, judged: Sequence[Judged]) -> Score:
    evidence = "; ".join(f"{each.name}: {_word(each.right)} ({each.evidence})" for each in judged)
    scorable = judged and all(each.right is not None for each in judged)
    return Score(
        dimension=dimension,
        value=float(all(each.right for each in judged)) if scorable else None,
        evidence=evidence or "no target that this rule can score",
        details={"targets": {each.name: each.details() for each in judged}},
    )


def _word(right: bool | None) -> str:
    return "unscored" if right is None else "right" if right else "wrong"


def _nothing(dimension: str) -> Score:
    return Score(dimension=dimension, value=0.0, evidence="no answer")


def _unscored(dimension: str, reason: str) -> Score:
    return Score(dimension=dimension, value=None, evidence=reason)
