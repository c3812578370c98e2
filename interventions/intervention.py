"""What an intervention is: one switchable change to an AgentPlan."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Protocol

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


def apply_all(plan: AgentPlan, interventions: Iterable[Intervention]) -> AgentPlan:
    """Apply each in turn. Callers keep one fixed order (sorted by name), so that an arm is a set."""
    return reduce(lambda changed, intervention: intervention.apply(changed), interventions, plan)
