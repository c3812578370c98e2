"""P-REFS by language models as judges: part by part where the answer keeps the template, else as a whole."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from langchain_core.messages import BaseMessage

from ansatz.agents import ModelClient, Transcript
from ansatz.eval.benchmarks.physbench import prefs_request
from ansatz.eval.benchmarks.physbench.answer_template import Answer, read_answer
from ansatz.eval.benchmarks.physbench.prefs_request import Sheet, sheets
from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    Assessment,
    criteria_of,
    dimensions_of,
    nothing,
    score_assessment,
)
from ansatz.eval.benchmarks.physbench.prefs_rules import assess, chosen, final_mark, final_text
from ansatz.eval.judges.asking import all_of, ask, check_panel
from ansatz.eval.judges.models import JudgeModel, JudgeModels
from ansatz.eval.judges.opinion import Opinion, Status, merged
from ansatz.eval.judges.request import blinded
from ansatz.eval.problem import ChoiceTarget, Problem
from ansatz.eval.score import Dimension, Score, ScoringContext

_NOBODY = JudgeModels(())


@dataclass(frozen=True)
class PrefsJudge:
    """Marks by language models on the criteria of P-REFS; the median where several are named.

    `models` are the judges as for the scorer `judge`. With `grounded`, they see what the rules of
    `prefs_rules` found. `seed` draws the order of the criteria, and `asks` bounds the requests for one sheet.
    Where an answer names an option, comparing decides whether it is the right one, whatever a judge says.

    An answer that no judge could mark is unscored. A failed request is a failure of infrastructure: it
    raises, so that the attempt is scored again when the run is resumed.
    """

    models: JudgeModels = _NOBODY
    grounded: bool = False
    seed: int = 0
    asks: int = 2

    prefix: ClassVar[str] = "prefs."
    dimensions: ClassVar[tuple[Dimension, ...]] = dimensions_of("prefs.")

    def __post_init__(self) -> None:
        check_panel(self.wanted_models, self.asks)

    @property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        return self.models.root

    @property
    def prompt_hash(self) -> str:
        """SHA-256 of the prompts, which are part of what a score means."""
        return prefs_request.prompt_hash()

    def connected(self, clients: Mapping[str, ModelClient]) -> ConnectedPrefsJudge:
        """The judge with a client for each of its models, by title. Raises ValueError where it has none."""
        if not self.models.root:
            raise ValueError("prefs needs models, such as models: [openai:gpt-5.2]; offline, use prefs_rules")
        return ConnectedPrefsJudge(self, clients)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Always raises: a judge has to be connected first."""
        raise ValueError("a judge asks models: connect it with `connected(clients)` before it scores")


@dataclass(frozen=True)
class ConnectedPrefsJudge:
    """A judge that can ask its models. One instance scores any number of answers."""

    judge: PrefsJudge
    clients: Mapping[str, ModelClient]

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return self.judge.dimensions

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where a model cannot be reached. An empty answer earns zero unasked."""
        problem, transcript = context.problem, context.transcript
        blind = blinded(transcript)
        answer = read_answer(blind.answer)
        if not answer.text.strip():
            assessment = nothing(problem, transcript.stop)
        else:
            opinions = await self.review(problem, blind, answer)
            assessment = _assessment(problem, answer, opinions)
        return score_assessment(self.judge.prefix, problem, answer, assessment)

    async def review(
        self, problem: Problem, blind: Transcript, answer: Answer
    ) -> dict[str, tuple[Opinion, ...]]:
        """What each judge says, sheet by sheet. All replies are awaited before a failure is raised."""
        findings = _findings(problem, blind, answer) if self.judge.grounded else {}
        asked = [
            (title, sheet)
            for title in (model.title for model in self.judge.wanted_models)
            for sheet in sheets(problem, answer, self.judge.seed, title)
        ]
        given = await all_of(self._opinion(problem, title, sheet, findings) for title, sheet in asked)
        opinions: dict[str, tuple[Opinion, ...]] = {}
        for (title, _), opinion in zip(asked, given, strict=True):
            opinions[title] = (*opinions.get(title, ()), opinion)
        return opinions

    async def _opinion(
        self, problem: Problem, title: str, sheet: Sheet, findings: Mapping[str, str]
    ) -> Opinion:
        def request(missing: Sequence[str], again: bool) -> list[BaseMessage]:
            return prefs_request.messages(problem, sheet, missing, findings, again=again)

        return await ask(self.clients[title], sheet.names, self.judge.asks, request, sheet.tags)


def _findings(problem: Problem, blind: Transcript, answer: Answer) -> dict[str, str]:
    """The findings of the rules on the text alone."""
    found = assess(problem, blind.model_copy(update={"answer": answer.text}), answer)
    return {name: reason for name, reason in found.reasons.items() if name in found.marks}


def _assessment(problem: Problem, answer: Answer, opinions: Mapping[str, Sequence[Opinion]]) -> Assessment:
    names = [each.name for each in criteria_of(problem)]
    marks: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for name in names:
        given = {
            title: opinion.marks[name]
            for title, own in opinions.items()
            for opinion in own
            if name in opinion.marks
        }
        if given:
            marks[name] = float(statistics.median(mark.points for mark in given.values()))
        said = [f"{title} gives {mark.points}: {mark.justification}" for title, mark in given.items()]
        reasons[name] = "; ".join(said) or f"no judge marked it ({_faults(opinions) or 'no reason given'})"
    choices = [target for target in problem.targets if isinstance(target, ChoiceTarget)]
    if any(chosen(target, final_text(answer)) for target in choices):
        mark, reason = final_mark(problem, answer)
        marks, reasons = marks | {"final": mark or 0.0}, reasons | {"final": f"{reason}; {reasons['final']}"}
    judged = any(opinion.marks for own in opinions.values() for opinion in own)
    status: Status = "ok" if len(marks) == len(names) else "ok_partial" if judged else "failed"
    mode = "part by part" if answer.is_compliant else "as a whole"
    return Assessment(
        marks=marks if judged else {},
        reasons=reasons,
        tags=_tagged(opinions),
        about=f"{status}, judged {mode}: ",
        record=json.dumps(_record(status, mode, opinions), ensure_ascii=False),
    )


def _tagged(opinions: Mapping[str, Sequence[Opinion]]) -> frozenset[str]:
    """The kinds of errors that at least half of the judges tagged."""
    tags = [tag for own in opinions.values() for tag in {tag for each in own for tag in each.errors}]
    return frozenset(tag for tag in tags if 2 * tags.count(tag) >= len(opinions))


def _faults(opinions: Mapping[str, Sequence[Opinion]]) -> str:
    return "; ".join(
        f"{title}: {', '.join(opinion.faults)}"
        for title, own in opinions.items()
        for opinion in own
        if opinion.faults
    )


def _record(status: Status, mode: str, opinions: Mapping[str, Sequence[Opinion]]) -> dict[str, Any]:
    """All that the judges said, as data: marks, justifications, tags, orders, asks and faults."""
    judges = {}
    for title, own in opinions.items():
        whole = own[0]
        for opinion in own[1:]:
            whole = merged(whole, opinion)
        judges[title] = {
            "order": [name for opinion in own for name in opinion.order],
            "points": {name: mark.points for name, mark in whole.marks.items()},
            "justifications": {name: mark.justification for name, mark in whole.marks.items()},
            "errors": list(whole.errors),
            "asks": whole.asks,
            "faults": list(whole.faults),
        }
    return {"status": status, "mode": mode, "judges": judges, "disputed": []}
