"""Several independent answers, and a vote among them, value by value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Annotated, Any, ClassVar

from langchain_core.messages import RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from pydantic import Field

from ansatz.agents import AgentPlan, AgentState, AnswerForm, Review, Running
from ansatz.agents.answer_form import restated, stated_value
from ansatz.interventions.intervention import Intervention
from ansatz.quantities.scales import scale
from ansatz.quantities.statements import Statement
from ansatz.settings import Settings, Share


@dataclass(frozen=True)
class SelfConsistency(Settings, Intervention):
    """Several independent answers, of which the one that most agree with is given (self-consistency).

    Each of `samples` answers is made from the start. For every quantity asked for, values within a relative
    `tolerance` of each other, in any unit, count as one; the median of the largest group stands. Ties, the
    share that agrees and the spread of all values are kept in the transcript. Wang et al., arXiv:2203.11171.

    Example: `SelfConsistency(samples=5, tolerance=0.01)`.
    """

    samples: Annotated[int, Field(ge=2, strict=True)] = 5
    tolerance: Share = 0.01

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.review(Vote(self.samples, self.tolerance, plan.answer))


@dataclass(frozen=True)
class Vote:
    """Has the question answered anew until there are enough answers; then puts the winner in their place.

    The answer given is the draft that wins most quantities; where it is outvoted, the winner is stated anew.
    """

    samples: int
    tolerance: float
    form: AnswerForm

    name: ClassVar[str] = "self_consistency"
    stage: ClassVar[str] = "vote"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        attempt = runtime.context.attempt
        if len(attempt.drafts) == self.samples:
            return {}
        attempt.lay_aside(runtime.context.answer(state), state["messages"])
        answers = [draft.answer for draft in attempt.drafts]
        if len(answers) < self.samples:
            attempt.reviews.append(Review(step=self.name, answer=answers[-1], sent_back=True))
            return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES)]}
        asked = runtime.context.question.asked
        stated = {each.name: [stated_value(text, each) for text in answers] for each in asked}
        ballots = {name: vote(values, self.tolerance) for name, values in stated.items()}
        wins = [sum(place in ballot.members for ballot in ballots.values()) for place in range(self.samples)]
        medians = [sum(at == ballot.chosen for ballot in ballots.values()) for at in range(self.samples)]
        place = max(range(self.samples), key=lambda at: (wins[at], medians[at], -at))
        details = {"chosen": place, "targets": {name: each.to_json() for name, each in ballots.items()}}
        attempt.reviews.append(
            Review(step=self.name, answer=answers[place], sent_back=False, details=details)
        )
        winners = {
            name: stated[name][each.chosen] for name, each in ballots.items() if each.chosen is not None
        }
        text = restated(answers[place], winners, self.form) if wins[place] < len(winners) else ""
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *attempt.settle_on(place, text)]}


@dataclass(frozen=True)
class Ballot:
    """How a vote went: `members` are the places of the answers in the largest group, `chosen` its median.

    `share` is that of the group among all who were asked, silent ones included. `spread` is the range of all
    values of the group's dimension, relative to the chosen one; None for fewer than two or a chosen zero.
    `tie` says that another group is as large: the one of the earliest answer then stands.
    """

    members: tuple[int, ...]
    chosen: int | None
    share: float
    spread: float | None
    tie: bool

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "members": list(self.members)}


def vote(stated: Sequence[Statement | str | None], tolerance: float) -> Ballot:
    """The largest group of answers that lie within a relative `tolerance` of each other.

    A value without a unit is taken to be in the unit that most others state; words are compared as they are.
    """
    units = Counter(each.unit for each in stated if isinstance(each, Statement) and each.unit)
    usual = units.most_common(1)[0][0] if units else ""
    kinds: dict[object, list[tuple[float, int]]] = {}
    for place, each in enumerate(stated):
        if isinstance(each, Statement):
            known = scale(each.unit or usual)
            kind, factor, offset = (
                (known.dimension, known.factor, known.offset) if known else (each.unit, 1, 0)
            )
            kinds.setdefault(kind, []).append((each.value * factor + offset, place))
        elif each is not None:
            kinds.setdefault(each.casefold(), []).append((0.0, place))
    groups = [(group, held) for held in kinds.values() for group in _groups(sorted(held), tolerance)]
    if not groups:
        return Ballot((), None, 0.0, None, False)
    most = max(len(group) for group, _ in groups)
    largest = sorted(((group, held) for group, held in groups if len(group) == most), key=_first)
    group, held = largest[0]
    members = {place for _, place in group}
    chosen = group[(len(group) - 1) // 2][1]
    centre = abs(median(each for each, _ in group))
    spread = (max(held)[0] - min(held)[0]) / centre if len(held) > 1 and centre else None
    tie = any(members.isdisjoint(place for _, place in other) for other, _ in largest[1:])
    return Ballot(tuple(sorted(members)), chosen, most / len(stated), spread, tie)


def _groups(held: list[tuple[float, int]], tolerance: float) -> list[list[tuple[float, int]]]:
    """For each value, in order, it and those above that are no further from it than the tolerance."""
    return [
        [each for each in held[start:] if each[0] - low <= tolerance * max(abs(low), abs(each[0]))]
        for start, (low, _) in enumerate(held)
    ]


def _first(found: tuple[list[tuple[float, int]], object]) -> int:
    return min(place for _, place in found[0])
