"""Questions that follow others in a set: their order, what they depend on, and what an arm is shown.

An arm with an intervention that builds on earlier answers (`BuildsOnEarlier`) is asked the questions of a set
in order by one worker, while sets, arms and repeats go on side by side. Before a question is asked, the
answers to those before it are read from the ledger, so that a run that was killed goes on as if it had not
been. A question whose predecessor failed fails too, and both are tried again on resume. What is shown is the
arm's own answer, of the same model and repeat; the key stays with the scorer that judged it. Earlier
questions that the study leaves out are not shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ansatz.agents import InfrastructureError, Question
from ansatz.eval import Problem, Scorer
from ansatz.eval.earlier import earlier_text
from ansatz.experiments.record import Unit
from ansatz.experiments.store import Ledger
from ansatz.interventions import BuildsOnEarlier

if TYPE_CHECKING:
    from ansatz.experiments.config import Study
    from ansatz.experiments.prepare import Arm, Prepared

_ROUNDING = 1e-9  # of a weighted mean


class EarlierMissing(InfrastructureError):
    """A question before this one has no scores, so that it cannot be told what may be shown of it."""


def before(problem: Problem, problems: Mapping[str, Problem]) -> tuple[str, ...]:
    """The ids of the questions of the study that come before one in its set, directly or not, in order."""
    found: dict[str, None] = {}
    for id in problem.follows:
        if id in problems and id not in found:
            found.update(dict.fromkeys((*before(problems[id], problems), id)))
    return tuple(found)


def order_fault(problems: Mapping[str, Problem]) -> str | None:
    """Why questions cannot be asked in the order of the study; None where they can."""
    places = {id: place for place, id in enumerate(problems)}
    for id, problem in problems.items():
        for earlier in problem.follows:
            if places.get(earlier, -1) >= places[id]:
                return f"{id} follows {earlier}, which comes after it; put {earlier} first"
    return None


def dependence(
    wanted: BuildsOnEarlier, earlier: Sequence[str], study: Study, scorers: Sequence[Scorer]
) -> list[Any]:
    """What a question after others depends on beyond itself: their contents, and how they are judged."""
    judging = [
        [name, settings]
        for (name, settings), scorer in zip(study.scorers.items(), scorers, strict=False)
        if wanted.judged_by in {each.name for each in scorer.dimensions}
    ]
    return [list(earlier), judging]


def in_order(units: Sequence[Unit], prepared: Prepared) -> list[tuple[Unit, ...]]:
    """Units that one worker has to do one after another; most stand alone."""
    chains: dict[Any, list[Unit]] = {}
    for unit in units:
        alone = prepared.arms[unit.arm].builds_on is None
        key = unit.key if alone else (unit.model, unit.arm, unit.repeat, _first(unit.problem, prepared))
        chains.setdefault(key, []).append(unit)
    return [tuple(chain) for chain in chains.values()]


def _first(id: str, prepared: Prepared) -> str:
    """The question that begins a set."""
    earlier = before(prepared.problems[id], prepared.problems)
    return earlier[0] if earlier else id


@dataclass(frozen=True)
class EarlierAnswers:
    """Asks a question the way its arm may see it, with the arm's earlier answers from the ledger."""

    prepared: Prepared
    ledger: Ledger
    keys: Mapping[tuple[str, str, str, int], str]

    @classmethod
    def of(cls, prepared: Prepared, ledger: Ledger) -> EarlierAnswers:
        keys = {(unit.model, unit.arm, unit.problem, unit.repeat): unit.key for unit in prepared.units}
        return cls(prepared, ledger, keys)

    def question(self, unit: Unit) -> Question:
        """Raises EarlierMissing where a question before it has no scores yet."""
        arm: Arm = self.prepared.arms[unit.arm]
        question = self.prepared.problems[unit.problem].ask(arm.discloses)
        if arm.builds_on is None:
            return question
        shown = self._right(unit, arm.builds_on)
        return (
            replace(question, hints={**question.hints, "earlier": "\n\n".join(shown)}) if shown else question
        )

    def _right(self, unit: Unit, wanted: BuildsOnEarlier) -> list[str]:
        problems = self.prepared.problems
        shown = []
        for id in before(problems[unit.problem], problems):
            answered = self.ledger.answered(self.keys[unit.model, unit.arm, id, unit.repeat])
            if answered is None:
                raise EarlierMissing(f"{id} comes before and has no scores yet; resume the run")
            answer, scores = answered
            score = scores.get(wanted.judged_by)
            if score is not None and score >= wanted.at_least - _ROUNDING:
                shown.append(earlier_text(problems[id], answer, wanted.show))
        return shown
