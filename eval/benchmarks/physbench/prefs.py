"""P-REFS by language models as judges: part by part where the answer keeps the template, else as a whole.

Work that keeps the answer template is shown part by part, each with its own criteria; other work is shown
whole, with all of them (Scaria et al., appendix E).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    ERROR_TYPES,
    Assessment,
    criteria_of,
    dimensions_of,
    is_conceptual,
    nothing,
    score_assessment,
)
from ansatz.eval.benchmarks.physbench.prefs_rules import assess, chosen, final_mark, final_text
from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.judging.judge_models import JudgeModel, JudgesLike, judge_models
from ansatz.eval.judging.panel import PanelVerdict, all_of, ask_judge
from ansatz.eval.judging.reply import Opinion, merged, status_of
from ansatz.eval.judging.request import blinded, drawn_by, fenced
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.problem import ChoiceTarget, Problem
from ansatz.eval.reading.answer_parts import PARTS, AnswerParts, Part, read_answer
from ansatz.eval.score import Dimension, Score, ScoringContext

_FINDINGS = (
    "A program has read the same work by rules. Where it states a recomputed number, trust the number; what "
    "it did not find may still be there in other words."
)
_TITLES: dict[Part, str] = {
    "formulation": "problem formulation",
    "solution": "step-by-step solution",
    "final": "final answer",
}


@dataclass(frozen=True)
class PrefsJudge:
    """Marks by language models on the criteria of P-REFS; the median where several are named.

    `models` are the judges as for the scorer `judge`. With `grounded`, they see what the rules of
    `prefs_rules` found. `seed` draws the order of the criteria, and `asks` bounds the requests for one sheet.
    Where an answer names an option, comparing decides whether it is the right one, whatever a judge says.

    An answer that no judge could mark is unscored. A failed request is a failure of infrastructure: it
    raises, so that the attempt is scored again when the run is resumed.

    Details, of `prefs.score`: the record of `PanelVerdict.record`, with `mode` (part by part, or as a whole).
    """

    models: JudgesLike = ()
    grounded: bool = False
    seed: int = 0
    asks: int = 2

    prefix: ClassVar[str] = "prefs."
    dimensions: ClassVar[tuple[Dimension, ...]] = dimensions_of("prefs.")

    def __post_init__(self) -> None:
        if self.asks < 1:
            raise ValueError("asks must be 1 or more")
        self.wanted_models  # noqa: B018 - judges that cannot be are refused here

    @cached_property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        return judge_models(self.models)

    @property
    def prompt_hash(self) -> str:
        return Rubric.load("prefs").sha256

    def check(self) -> None:
        """Raises ValueError where no judge is named."""
        if not self.wanted_models:
            raise ValueError("prefs needs models, such as models: [openai:gpt-5.2]; offline, use prefs_rules")

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where a model cannot be reached. An empty answer earns zero unasked."""
        self.check()
        problem, transcript = context.problem, context.transcript
        blind = blinded(transcript)
        answer = read_answer(blind.answer)
        if not answer.text.strip():
            assessment = nothing(problem, transcript.stop)
        else:
            assessment = _assessment(problem, answer, await self._verdict(context, blind, answer))
        return score_assessment(self.prefix, problem, answer, assessment)

    async def _verdict(self, context: ScoringContext, blind: Transcript, answer: AnswerParts) -> PanelVerdict:
        """What each judge says of all sheets. All replies are awaited before a failure is raised."""
        problem = context.problem
        rubric = Rubric.load("prefs_conceptual" if is_conceptual(problem) else "prefs")
        rubric = rubric.of(*(each.name for each in criteria_of(problem)))
        findings = _findings(problem, blind, answer) if self.grounded else {}
        asked = [
            (model.title, sheet, parts)
            for model in self.wanted_models
            for sheet, parts in _sheets(rubric, problem, answer, self.seed, model.title, findings)
        ]
        given = await all_of(ask_judge(context.ask, *each, self.asks) for each in asked)
        opinions: dict[str, list[Opinion]] = {}
        for (title, _, _), opinion in zip(asked, given, strict=True):
            opinions.setdefault(title, []).append(opinion)
        return PanelVerdict({title: reduce(merged, own) for title, own in opinions.items()}, rubric.criteria)


def _sheets(
    rubric: Rubric, problem: Problem, answer: AnswerParts, seed: int, judge: str, findings: Mapping[str, str]
) -> Iterator[tuple[Rubric, tuple[str, ...]]]:
    """What is asked and shown: for each part of an answer that keeps the template, else for the whole."""
    key, drawn = solution_text(problem), drawn_by(seed, judge, problem, answer.text)
    shown = [("whole solution", rubric.criteria, answer.text, key)]
    if answer.is_compliant:
        held, keys = {each.name: each.part for each in criteria_of(problem)}, read_answer(key).parts
        own = {part: [each for each in rubric.criteria if held[each.name] == part] for part in PARTS}
        shown = [
            (_TITLES[part], tuple(criteria), answer.parts[part], keys.get(part, key))
            for part, criteria in own.items()
            if criteria
        ]
    for title, criteria, work, own_key in shown:
        order = tuple(drawn.sample(criteria, len(criteria)))
        told = [f"{each.name}: {findings[each.name]}" for each in order if each.name in findings]
        review = [f"# Findings\n\n{_FINDINGS}\n\n{fenced(chr(10).join(told), 'REVIEW')}"] if told else []
        yield (
            _tagging(replace(rubric, criteria=order, task=title), problem),
            (
                f"# Problem\n\n{problem.ask().text}",
                f"# Reference, {title}\n\n{own_key}",
                *review,
                f"# Work, {title}\n\n{fenced(work, 'WORK')}",
            ),
        )


def _tagging(rubric: Rubric, problem: Problem) -> Rubric:
    """The rubric with the errors that may be tagged: those that cost one of its criteria."""
    names = {each.name for each in rubric.criteria}
    costing = {each.error for each in criteria_of(problem) if each.name in names}
    errors = [each for each in ERROR_TYPES if each.code in costing]
    listed = "\n".join(f"- {each.code}: {each.meaning}" for each in errors)
    tags = f"Kinds of errors:\n\n{listed}" if errors else "There are no kinds of errors to tag."
    asks = f"Criteria for this {'question' if is_conceptual(problem) else 'problem'}:"
    return replace(
        rubric,
        instructions="\n\n".join([rubric.instructions, tags, asks]),
        tags=tuple(each.code for each in errors),
    )


def _findings(problem: Problem, blind: Transcript, answer: AnswerParts) -> dict[str, str]:
    """The findings of the rules on the text alone."""
    found = assess(problem, blind.model_copy(update={"answer": answer.text}), answer)
    return {name: reason for name, reason in found.reasons.items() if name in found.marks}


def _assessment(problem: Problem, answer: AnswerParts, verdict: PanelVerdict) -> Assessment:
    names = [each.name for each in verdict.criteria]
    reasons = {name: "; ".join(verdict.said(name)) for name in names}
    marks = {name: points for name in names if (points := verdict.points(name)) is not None}
    judged = bool(marks)
    choices = [target for target in problem.targets if isinstance(target, ChoiceTarget)]
    if any(chosen(target, final_text(answer)) for target in choices):
        mark, reason = final_mark(problem, answer)
        marks, reasons = marks | {"final": mark or 0.0}, reasons | {"final": f"{reason}; {reasons['final']}"}
    status = status_of(map(marks.get, names), spoken=False) if judged else "failed"
    mode = "part by part" if answer.is_compliant else "as a whole"
    return Assessment(
        marks=marks if judged else {},
        reasons=reasons,
        tags=frozenset(tag for tag, count in verdict.errors.items() if 2 * count >= len(verdict.opinions)),
        about=f"{status}, judged {mode}: ",
        record={**verdict.record(), "status": status, "mode": mode},
    )
