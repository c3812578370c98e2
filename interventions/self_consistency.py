"""Several independent answers, and a vote on each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ansatz.agents import (
    Accept,
    AgentPlan,
    AgentState,
    AnswerForm,
    Review,
    Running,
    StartOver,
    Verdict,
)
from ansatz.agents.answer_form import read_answer_field, restate_answer
from ansatz.interventions.intervention import Intervention
from ansatz.quantities.scales import convert_value
from ansatz.quantities.statements import Statement
from ansatz.settings import Share, settings


@settings()
class SelfConsistency(Intervention):
    """Several independent answers and a vote among them (self-consistency; Wang et al., arXiv:2203.11171).

    For each quantity, values within the tolerance count as one value, and the median of the largest group
    wins. Values are converted to the unit that most answers use, and differences of temperature have no
    offset. The transcript stores ties, the share of answers that agree and the spread of all values.

    Example: `SelfConsistency(samples=5, tolerance=0.01)`.
    """

    samples: Annotated[int, Field(ge=2, strict=True)] = 5
    """How often the model answers, each time from the start."""
    tolerance: Share = 0.01
    """Relative tolerance within which values are equal. It refers to the number in the unit that most answers
    use, as errors in the score do: 1 % of 20 °C is 0.2 °C, and 1 % of 293 K is 2.9 K."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.review(Vote(self.samples, self.tolerance, plan.answer))


@dataclass(frozen=True)
class Vote:
    """Requests answers until there are enough, then continues with the winning one.

    The draft that wins most quantities is the answer. If it loses a quantity, the winning value is appended.
    """

    samples: int
    """How many answers are needed."""
    tolerance: float
    """Relative tolerance within which values are equal."""
    form: AnswerForm
    """The form in which an outvoted value is stated again."""

    name: ClassVar[str] = "self_consistency"
    stage: ClassVar[str] = "vote"

    async def __call__(self, state: AgentState, runtime: Running) -> Verdict:
        attempt = runtime.context.attempt
        if len(attempt.drafts) == self.samples:
            return Accept()
        attempt.save_draft(runtime.context.answer(state), state["messages"])
        answers = [draft.answer for draft in attempt.drafts]
        if len(answers) < self.samples:
            attempt.reviews.append(Review(step=self.name, answer=answers[-1], sent_back=True))
            return StartOver()
        targets = runtime.context.question.answer_fields
        stated = {target.name: [read_answer_field(text, target) for text in answers] for target in targets}
        ballots = {
            target.name: vote(stated[target.name], self.tolerance, difference=target.difference)
            for target in targets
        }
        wins = [sum(place in ballot.members for ballot in ballots.values()) for place in range(self.samples)]
        medians = [sum(at == ballot.chosen for ballot in ballots.values()) for at in range(self.samples)]
        place = max(range(self.samples), key=lambda at: (wins[at], medians[at], -at))
        details = {"chosen": place, "targets": {name: ballot.to_json() for name, ballot in ballots.items()}}
        attempt.reviews.append(
            Review(step=self.name, answer=answers[place], sent_back=False, details=details)
        )
        winners = {
            name: stated[name][ballot.chosen] for name, ballot in ballots.items() if ballot.chosen is not None
        }
        text = restate_answer(answers[place], winners, self.form) if wins[place] < len(winners) else ""
        return Accept(tuple(attempt.select_draft(place, text)))


@dataclass(frozen=True)
class Ballot:
    """The result of a vote."""

    members: tuple[int, ...]
    """The indices of the answers in the largest group."""
    chosen: int | None
    """The index of the group's median, the lower of two; None if no answer has a value."""
    share: float
    """The size of the group relative to all answers, including those without a value."""
    spread: float | None
    """The range of all values that convert to the group's unit, relative to the chosen value.

    It is None for fewer than two values or a chosen zero.
    """
    tie: bool
    """Whether another group is as large; the group with the earliest answer then wins."""

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "members": list(self.members)}


def vote(stated: Sequence[Statement | str | None], tolerance: float, *, difference: bool = False) -> Ballot:
    """Find the largest group of answers that lie within a relative `tolerance` of each other.

    Values are converted to the unit that most answers use; a `difference` ignores the offsets of units. A
    value without a unit is read in that unit. Words are compared without regard to case.
    """
    units = Counter(each.unit for each in stated if isinstance(each, Statement) and each.unit)
    usual = [unit for unit, _ in units.most_common()] or [""]
    kinds: dict[object, list[tuple[float, int]]] = {}
    for place, each in enumerate(stated):
        if isinstance(each, Statement):
            source = each.unit or usual[0]
            conversions = ((unit, convert_value(each.value, source, unit, difference)) for unit in usual)
            unit, value = next(
                ((unit, converted) for unit, converted in conversions if converted is not None),
                (source, each.value),
            )
            kinds.setdefault((unit,), []).append((value, place))
        elif each is not None:
            kinds.setdefault(each.casefold(), []).append((0.0, place))
    groups = [
        (group, values) for values in kinds.values() for group in _group_values(sorted(values), tolerance)
    ]
    if not groups:
        return Ballot((), None, 0.0, None, False)
    most = max(len(group) for group, _ in groups)
    largest = sorted(
        ((group, values) for group, values in groups if len(group) == most), key=_find_first_answer
    )
    group, values = largest[0]
    members = {place for _, place in group}
    centre, chosen = group[(len(group) - 1) // 2]
    spread = (max(values)[0] - min(values)[0]) / abs(centre) if len(values) > 1 and centre else None
    tie = any(members.isdisjoint(place for _, place in other) for other, _ in largest[1:])
    return Ballot(tuple(sorted(members)), chosen, most / len(stated), spread, tie)


def _group_values(values: list[tuple[float, int]], tolerance: float) -> list[list[tuple[float, int]]]:
    """For each of the sorted values, group it with the higher values within the tolerance."""
    return [
        [each for each in values[start:] if each[0] - low <= tolerance * max(abs(low), abs(each[0]))]
        for start, (low, _) in enumerate(values)
    ]


def _find_first_answer(candidate: tuple[list[tuple[float, int]], object]) -> int:
    return min(place for _, place in candidate[0])
