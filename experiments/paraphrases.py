"""Rewrite the drafts of the probe `paraphrased` before the arms answer, by a study in the run folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents import AgentPlan
from ansatz.errors import StudyError
from ansatz.eval.judging.judge_models import TokenPrices
from ansatz.eval.probes.paraphrasing import (
    apply_paraphrase,
    find_difference,
    find_recompute,
    is_draft,
    make_task,
)
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.experiments.design.models import Model
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.prices import read_bill

if TYPE_CHECKING:
    from ansatz.experiments.design.design import Design
    from ansatz.experiments.design.paraphraser import Paraphraser

FOLDER = ARM = "paraphrases"
_PROMPT = Path(__file__).with_name("paraphrase.md")


@dataclass(frozen=True)
class RewriteQuestion:
    """Ask for the question in other words instead of an answer."""

    prompt: str

    def apply(self, plan: AgentPlan) -> AgentPlan:
        """Replace the instructions."""
        return replace(plan, instructions=(self.prompt,))


@dataclass(frozen=True)
class Invariance(Scorer):
    """Scores 1 if the text asks the same as the question; the evidence states the first difference."""

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return (Dimension("invariant", "texts that keep quantities, symbols, requested units and key"),)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        reason = find_difference(context.problem, context.transcript.answer)
        compared = "quantities, symbols and requested units are the same"
        if find_recompute(context.problem):
            compared += ", and the values give the same key"
        return (Score(dimension="invariant", value=float(not reason), evidence=reason or compared),)


@dataclass(frozen=True)
class Rewritten:
    """The result of the paraphraser."""

    problems: Mapping[str, Problem]
    """The problems of the study, with rewritten variants in the places of their drafts."""
    counts: Mapping[str, Any]
    """The number of `variants`, and of drafts that were `dropped`, by reason. `recomputed` variants have a
    key that was computed again from the values of the new text."""
    dollars: float
    """What the paraphraser has cost; 0 if its price is unknown."""


def describe_study(design: Design) -> dict[str, Any] | None:
    """Return the arguments of the study that rewrites all drafts; None if the design has none.

    Raises StudyError if there is no paraphraser.
    """
    drafts = [each for each in design.problems.values() if is_draft(each)]
    settings = design.settings
    if not drafts:
        return None
    if settings.paraphraser is None:
        raise StudyError(
            'the probe paraphrased needs a model that rewrites; set `paraphraser: "provider:model"`',
            ("paraphraser",),
        )
    names = ("seed", "max_identical_failures", "budget", "cache")
    return {
        "name": f"{settings.name}-{FOLDER}",
        "models": _make_model(settings.paraphraser),
        "problems": [make_task(each) for each in drafts],
        "arms": {ARM: RewriteQuestion(_PROMPT.read_text(encoding="utf-8").strip())},
        "baseline": ARM,
        "scorers": Invariance(),
        "answer_form": "free",
        **{name: getattr(settings, name) for name in names},
    }


def _make_model(paraphraser: Paraphraser) -> Model:
    prices = {each.name: getattr(paraphraser, each.name) for each in fields(TokenPrices)}
    return Model(paraphraser.target, label=paraphraser.label, settings=paraphraser.settings, **prices)


def collect(design: Design, folder: Path) -> Rewritten:
    """Replace the drafts of a design by the texts of a finished run that passed the check.

    A draft without such a text is dropped, and so is a question that follows a dropped one.
    """
    with Ledger.open(folder, write=False) as ledger:
        keys = {each.problem: each.key for each in ledger.planned_attempts()}
        found = {id: ledger.find_answer(key) for id, key in keys.items()}
        dollars = sum(each.dollars or 0.0 for each in read_bill(ledger))
    answers = {id: answer[0] for id, answer in found.items() if answer is not None}
    problems: dict[str, Problem] = {}
    dropped: Counter[str] = Counter()
    variants = recomputed = 0
    for id, problem in design.problems.items():
        if not is_draft(problem):
            problems[id] = problem
            continue
        if reason := _find_reason(problem, answers.get(id), problems):
            dropped[reason] += 1
            continue
        problems[id] = apply_paraphrase(problem, answers[id])
        variants += 1
        recomputed += find_recompute(problem) is not None
    counts = {"variants": variants, "recomputed": recomputed, "dropped": dict(dropped)}
    return Rewritten(problems, counts, dollars)


def _find_reason(draft: Problem, text: str | None, earlier: Mapping[str, Problem]) -> str:
    """Return why a draft is dropped, in a few words; empty if it is not."""
    if text is None:
        return "request failed"
    if not earlier.keys() >= set(draft.follows):
        return "follows a dropped question"
    return find_difference(make_task(draft), text).partition(":")[0]
