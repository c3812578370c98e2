"""Which full factorial design the arms of a run hold, found in what is on in each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

_FEWEST = 2  # switches; of a single one the delta table says all


@dataclass(frozen=True)
class Design:
    """The switches of a 2^k design and the arm for each set of them that is on."""

    switches: tuple[str, ...]
    arms: Mapping[frozenset[str], str]


def find_design(switches: Mapping[str, frozenset[str]], arms: Sequence[str]) -> Design | None:
    """The largest full factorial among the arms; None where no two switches are crossed.

    What is on in every arm is no switch. Arms outside the factorial, such as a placebo, are left out.
    """
    held = [(switches[arm], arm) for arm in arms if arm in switches]
    if not held:
        return None
    common = frozenset.intersection(*(on for on, _ in held))
    by_set: dict[frozenset[str], str] = {}
    for on, arm in held:
        by_set.setdefault(on - common, arm)
    names = list(dict.fromkeys(name for on in by_set for name in sorted(on)))
    most = min(len(names), len(by_set).bit_length() - 1)
    for size in range(most, _FEWEST - 1, -1):
        for chosen in combinations(names, size):
            wanted = [frozenset(some) for number in range(size + 1) for some in combinations(chosen, number)]
            if all(on in by_set for on in wanted):
                return Design(chosen, {on: by_set[on] for on in wanted})
    return None
