"""What an intervention is: one switchable change to an AgentPlan."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Literal, Protocol, runtime_checkable

from ansatz.agents import AgentPlan


class Intervention(Protocol):
    """A named change to an agent. Implementations are frozen dataclasses whose fields are their settings.

    `summary` is one line on what it does, `moves` the dimensions it should move, and `discloses` the
    fields of a problem it may show to the model (none for nearly all).

        @dataclass(frozen=True)
        class Brevity:
            summary: ClassVar[str] = "asks for a short answer"
            moves: ClassVar[tuple[str, ...]] = ("tokens",)
            discloses: ClassVar[frozenset[str]] = frozenset()

            def apply(self, plan: AgentPlan) -> AgentPlan:
                return plan.instruct("Answer in one line.")
    """

    @property
    def summary(self) -> str: ...

    @property
    def moves(self) -> tuple[str, ...]: ...

    @property
    def discloses(self) -> frozenset[str]: ...

    def apply(self, plan: AgentPlan) -> AgentPlan: ...


@runtime_checkable
class BuildsOnEarlier(Protocol):
    """An intervention that wants the hint `earlier`: the arm's own answers to the questions before in a set.

    The runner gives those that score `at_least` so much on the dimension `judged_by`, whole or the final
    answer alone as `show` says, and works on the questions of a set in order.
    """

    @property
    def judged_by(self) -> str: ...

    @property
    def at_least(self) -> float: ...

    @property
    def show(self) -> Literal["solution", "answer"]: ...


def apply_all(plan: AgentPlan, interventions: Iterable[Intervention]) -> AgentPlan:
    """Apply each in turn. Callers keep one fixed order (sorted by name), so that an arm is a set."""
    return reduce(lambda changed, intervention: intervention.apply(changed), interventions, plan)
