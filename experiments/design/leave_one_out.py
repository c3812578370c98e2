"""Leave-one-out designs: all switches, all but one, none, and a random order of switches for each family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from ansatz.errors import StudyError
from ansatz.experiments.design.arms import Switches, name_switches
from ansatz.interventions import Intervention

ALL = "all"
"""The name of the arm with every switch."""
_FEWEST, _MOST = 2, 12  # switches

T = TypeVar("T")


@dataclass(frozen=True)
class SwitchPaths:
    """The arms of a leave-one-out design, and the order in which each family turns its switches on.

    Every problem is asked with all switches, with all but one, and with none. Sets of one to k − 2 switches
    are asked only at the problems of the families whose order starts with them.
    """

    switches: tuple[str, ...]
    on: Mapping[str, frozenset[str]]
    """By arm, the switches that are on."""
    orders: Mapping[str, tuple[str, ...]]
    """By family."""

    def is_compared(self, arm: str) -> bool:
        """Whether an arm is asked at every problem."""
        return arm not in self.on or len(self.on[arm]) in (0, len(self.switches) - 1, len(self.switches))

    def asks(self, arm: str, family: str) -> bool:
        """Whether an arm is asked at the problems of a family."""
        return self.is_compared(arm) or self.on[arm] == {*self.orders[family][: len(self.on[arm])]}

    def asks_any(self, arm: str, families: Iterable[str]) -> bool:
        """Whether an arm is asked at the problems of any of the families."""
        return any(self.asks(arm, family) for family in families)

    def to_json(self) -> dict[str, Any]:
        """Return the paths as plain JSON, for reports."""
        on = {arm: sorted(names) for arm, names in self.on.items()}
        return {
            "switches": list(self.switches),
            "on": on,
            "orders": {k: [*v] for k, v in self.orders.items()},
        }


@dataclass(frozen=True)
class LeaveOneOut:
    """The switches of a leave-one-out design, accepted as the arms of a study.

    Build it with `leave_one_out`.
    """

    switches: Mapping[str, Intervention]

    def __post_init__(self) -> None:
        if not _FEWEST <= len(self.switches) <= _MOST:
            raise StudyError(
                f"a leave-one-out design has {_FEWEST} to {_MOST} switches, not {len(self.switches)}",
                ("interventions",),
            )

    def draw(self, families: Iterable[str], seed: int, bare: str) -> SwitchPaths:
        """Draw the order of each family, from its name and the seed. `bare` is the arm without switches."""
        names = tuple(sorted(self.switches))
        orders = {
            family: tuple(Random(f"{seed}/order/{family}").sample(names, len(names)))
            for family in dict.fromkeys(families)
        }
        sets = [
            *(frozenset(names) - {name} for name in names),
            *(frozenset(order[:size]) for order in orders.values() for size in range(1, len(names) - 1)),
        ]
        on = {bare: frozenset[str](), ALL: frozenset(names)}
        return SwitchPaths(names, on | {name_set(names, each): each for each in sets}, orders)

    def build(self, paths: SwitchPaths) -> dict[str, Switches]:
        """Return the switches of every arm."""
        return {arm: [self.switches[name] for name in sorted(on)] for arm, on in paths.on.items()}


def name_set(names: Iterable[str], on: frozenset[str]) -> str:
    """Name the arm with some of the switches: "all", "without x", or "x+y"."""
    left_out = [name for name in names if name not in on]
    if len(left_out) < 2:
        return f"without {left_out[0]}" if left_out else ALL
    return "+".join(sorted(on))


def leave_one_out(*switches: Intervention, **named: Intervention) -> LeaveOneOut:
    """Ask with all switches, with all but one, and with none; and find what each is worth in between.

    The report has what is lost without each switch, and Shapley values: the gain of each switch, averaged
    over all orders of turning them on. For k switches this takes 2k attempts per problem instead of 2^k.

    Example: `leave_one_out(Calculator(), EquationTools(), si=WithPrompt("Use SI units."))` as the `arms` of a
    study.
    """
    return LeaveOneOut(name_switches(switches, named))
