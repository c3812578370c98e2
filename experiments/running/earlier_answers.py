"""Questions of a sequence: the order of attempts, and the earlier answers that an arm sees.

An arm whose intervention builds on earlier answers (`BuildsOnEarlier`) gets the questions of a set in order,
from one worker. Other sets, arms and repeats run at the same time. Before each question, the earlier answers
are read from the ledger, so an interrupted run continues correctly. They are the arm's own answers, of the
same model and repeat. The answer keys stay with the scorer.

A compute-matched arm runs after the arm that it matches, and gets that arm's usage. An arm with a stage hint
runs after the arm whose failure decides the hint. If an earlier attempt
failed, the later ones fail too, and a resumed run tries them again. Questions that the study leaves out are
not shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ansatz.agents import CallBudget, Question
from ansatz.errors import InfrastructureError
from ansatz.eval import Problem
from ansatz.eval.follow_up_questions import format_earlier, list_earlier
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.stage_hints import write_stage_hint
from ansatz.experiments.design.worked_examples import format_worked_examples
from ansatz.experiments.ledger.record import PlannedAttempt
from ansatz.experiments.ledger.store import Ledger
from ansatz.interventions import BuildsOnEarlier
from ansatz.interventions.stage_hint import StageHint

_ROUNDING = 1e-9  # tolerance of a weighted mean


def sequence_attempts(attempts: Sequence[PlannedAttempt], design: Design) -> list[tuple[PlannedAttempt, ...]]:
    """Group attempts into chains that one worker runs in order; most chains have one attempt."""
    chains: dict[Any, list[PlannedAttempt]] = {}
    for attempt in sorted(attempts, key=lambda each: design.arms[each.arm].follows is not None):
        leader = design.arms[attempt.arm].follows or attempt.arm
        in_set = design.arms[attempt.arm].builds_on or design.arms[leader].builds_on
        earlier = list_earlier(design.problems[attempt.problem], design.problems) if in_set else ()
        first = earlier[0] if earlier else attempt.problem  # the question that begins a set
        chains.setdefault((attempt.model, leader, attempt.repeat, first), []).append(attempt)
    place = {attempt.key: at for at, attempt in enumerate(attempts)}
    return sorted(map(tuple, chains.values()), key=lambda chain: place[chain[0].key])


def make_question(
    problem: Problem, arm: Arm, call_budget: CallBudget | None = None, earlier: Sequence[str] = ()
) -> Question:
    """Make the question of an arm, with the fields that it discloses, worked examples and earlier answers.

    `call_budget` is the usage of the arm that it matches; `earlier` are texts of earlier answers.
    """
    question, hints = problem.ask(arm.discloses), {}
    if arm.few_shot:
        hints["examples"] = format_worked_examples(problem, arm.few_shot)
    if earlier:
        hints["earlier"] = "\n\n".join(earlier)
    return replace(question, hints={**question.hints, **hints}, call_budget=call_budget)


@dataclass(frozen=True)
class EarlierAnswers:
    """Makes the questions of attempts, with the arm's earlier answers from the ledger."""

    design: Design
    ledger: Ledger

    @cached_property
    def keys(self) -> Mapping[tuple[str, str, str, int], str]:
        return {
            (attempt.model, attempt.arm, attempt.problem, attempt.repeat): attempt.key
            for attempt in self.design.attempts
        }

    def question(self, attempt: PlannedAttempt) -> Question:
        """Make the question of an attempt. Raises InfrastructureError if an earlier answer has no scores."""
        arm: Arm = self.design.arms[attempt.arm]
        call_budget = self._read_call_budget(attempt, arm.matched) if arm.matched else None
        earlier = self._right(attempt, arm.builds_on) if arm.builds_on else ()
        question = make_question(self.design.problems[attempt.problem], arm, call_budget, earlier)
        if arm.stage_hint is None:
            return question
        hint = self._find_stage_hint(attempt, arm.stage_hint)
        return replace(question, hints={**question.hints, "stage": hint})

    def _find_stage_hint(self, attempt: PlannedAttempt, wanted: StageHint) -> str:
        """Return the hint at the stage at which the other arm's answer to the same question failed."""
        key = self.keys[attempt.model, wanted.after, attempt.problem, attempt.repeat]
        answered = self.ledger.find_answer(key)
        if answered is None:
            raise InfrastructureError(f"{wanted.after} has no scored answer to {attempt.problem} yet")
        return write_stage_hint(self.design.problems[attempt.problem], answered[1], wanted.placebo)

    def _read_call_budget(self, attempt: PlannedAttempt, arm: str) -> CallBudget:
        """Return the calls and tokens that the other arm took for the same question."""
        taken = self.ledger.transcript(self.keys[attempt.model, arm, attempt.problem, attempt.repeat])
        if taken is None:
            raise InfrastructureError(
                f"{arm} has no answer to {attempt.problem} yet, whose calls are to be matched"
            )
        return CallBudget(len(taken.model_calls), taken.tokens)

    def _right(self, attempt: PlannedAttempt, wanted: BuildsOnEarlier) -> list[str]:
        problems = self.design.problems
        shown = []
        for id in list_earlier(problems[attempt.problem], problems):
            answered = self.ledger.find_answer(self.keys[attempt.model, attempt.arm, id, attempt.repeat])
            if answered is None:
                raise InfrastructureError(f"{id} comes before and has no scores yet; resume the run")
            answer, scores = answered
            score = scores.get(wanted.judged_by)
            if score is not None and score >= wanted.at_least - _ROUNDING:
                shown.append(format_earlier(problems[id], answer, wanted.show))
        return shown
