"""Run one attempt: send its question to the agent and score the answer, here or on another machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import isawaitable
from typing import NamedTuple, Protocol

from pydantic import ValidationError

from ansatz.agents import Agent, Prefix, Question, Transcript
from ansatz.errors import (
    BudgetSpent,
    InfrastructureError,
    LedgerError,
    ModelError,
    RunStopped,
    ScorerFailed,
    StudyError,
)
from ansatz.eval import Problem, Score, Scorer
from ansatz.eval.judging.model_reading import make_reader
from ansatz.eval.score import ScoringContext, ask_through
from ansatz.eval.validation import explain
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Payer, PlannedAttempt
from ansatz.experiments.ledger.recording_client import RememberingClient, Replies
from ansatz.quantities import nearest
from ansatz.sandbox import recording_isolation, trusting

ENDS_A_RUN = (ModelError, StudyError, BudgetSpent, RunStopped, LedgerError, sqlite3.Error)
"""Errors that end a run, because all further attempts would fail, too."""


class AttemptResult(NamedTuple):
    """The transcript of an attempt, with its scores or the reason why it has none."""

    transcript: Transcript
    scores: Sequence[Score] = ()
    failure: str | None = None
    isolation: frozenset[str] = frozenset()
    """The isolation levels at which code ran in the attempt or its scoring."""


class AttemptExecutor(Protocol):
    """Runs attempts.

    `execute` scores the answer to a question. Given a transcript, it scores that without a new request.
    Raises the error that prevented an answer or ends the run. Paid replies are stored by then.
    """

    async def execute(
        self, attempt: PlannedAttempt, problem: Problem, given: Question | Transcript
    ) -> AttemptResult: ...


@dataclass(frozen=True)
class LocalExecutor:
    """Runs attempts in this process. `replies` answers requests; the design needs no problems."""

    design: Design
    replies: Replies

    @cached_property
    def agents(self) -> Mapping[str, Agent]:
        return {name: Agent(arm.plan) for name, arm in self.design.arms.items()}

    async def execute(
        self, attempt: PlannedAttempt, problem: Problem, given: Question | Transcript
    ) -> AttemptResult:
        with recording_isolation() as levels:
            transcript = given if isinstance(given, Transcript) else await self._answer(attempt, given)
            try:
                scores, failure = await self._scores(attempt, problem, transcript), None
            except ENDS_A_RUN:
                raise
            except Exception as error:
                scores, failure = [], describe_failure(error)
        return AttemptResult(transcript, scores, failure, frozenset(levels))

    async def _answer(self, attempt: PlannedAttempt, question: Question) -> Transcript:
        answering = self.design.clients[attempt.model, attempt.arm]
        payer = Payer(attempt.model, attempt.arm, self.design.models[attempt.model].batch)
        client = RememberingClient(answering, self.replies, attempt.repeat, payer)
        consulted = {
            name: RememberingClient(further, self.replies, attempt.repeat, Payer(name, attempt.arm))
            for name, further in self.design.consulted_clients.items()
        }
        return await self.agents[attempt.arm].run(question, client, consulted, self.prefix_of(attempt))

    def prefix_of(self, attempt: PlannedAttempt) -> Prefix:
        """Return the conversation that an attempt continues: none, in a study."""
        return Prefix()

    async def _scores(self, attempt: PlannedAttempt, problem: Problem, transcript: Transcript) -> list[Score]:
        """Score a transcript. Judges do not see the repeat: equal answers get equal scores."""
        judges = {
            title: RememberingClient(
                client, self.replies, 0, Payer(title, None, title in self.design.batched_judges)
            )
            for title, client in self.design.judges.items()
        }
        ask = ask_through(judges)
        reader = self.design.settings.answer_reader
        read = make_reader(ask, reader.title) if reader else None
        context = ScoringContext(problem, transcript, ask, read)
        with trusting(self.design.trusts(attempt.model, attempt.arm)):
            return [score for scorer in self.design.scorers for score in await _scores_by(scorer, context)]


def describe_failure(failure: Exception) -> str:
    """Format a failure for the ledger."""
    return f"{type(failure).__name__}: {failure}"


async def _scores_by(scorer: Scorer, context: ScoringContext) -> Sequence[Score]:
    """Return the scores of one scorer. Raises ScorerFailed for a fault of the scorer itself."""
    name = f"scorer {type(scorer).__name__}"
    try:
        awaited = scorer.score(context)
        if not isawaitable(awaited):
            raise TypeError("score must be an async function")
        found = await awaited
    except (InfrastructureError, LedgerError, sqlite3.Error):
        raise
    except Exception as failure:
        wrong = str(failure)
        if isinstance(failure, ValidationError) and failure.title == Score.__name__:
            wrong = "; ".join(explain(failure, Score))
        raise ScorerFailed(f"{name}: {type(failure).__name__}: {wrong}") from failure
    if not isinstance(found, Sequence) or not all(isinstance(each, Score) for each in found):
        raise ScorerFailed(f"{name}: score must return a tuple of Scores, not {found!r:.80}")
    declared = [each.name for each in scorer.dimensions]
    for each in found:
        if each.dimension not in declared:
            wrong = f"{each.dimension!r} is none of its dimensions{nearest(each.dimension, declared)}"
            raise ScorerFailed(f"{name}: {wrong}")
    return found
