"""Screening designs: each problem is asked with a random half of the switches, and with the other half."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from ansatz.errors import StudyError
from ansatz.experiments.design.arms import Switches, name_switches
from ansatz.interventions import Intervention

_FEWEST, _MOST = 2, 16  # switches


@dataclass(frozen=True)
class Pairs:
    """The two settings under which each problem is asked in each repeat."""

    switches: tuple[str, ...]
    on: Mapping[str, frozenset[str]]
    """By arm, the switches that are on; every setting of a pair is an arm."""
    arms: Mapping[tuple[str, int], tuple[str, str]]
    """By problem and repeat, the arms of the pair."""

    def restrict(self, problems: Iterable[str]) -> Pairs:
        """Return the pairs of some problems only."""
        kept = set(problems)
        arms = {place: pair for place, pair in self.arms.items() if place[0] in kept}
        used = {arm for pair in arms.values() for arm in pair}
        return Pairs(self.switches, {arm: on for arm, on in self.on.items() if arm in used}, arms)


@dataclass(frozen=True)
class Screening:
    """The switches of a screening design, accepted as the arms of a study. Build it with `screening`."""

    switches: Mapping[str, Intervention]
    drawn: Mapping[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    """By problem and repeat, the switches that are on in one setting of a pair that was drawn before."""

    def __post_init__(self) -> None:
        if not _FEWEST <= len(self.switches) <= _MOST:
            raise StudyError(
                f"a screening design has {_FEWEST} to {_MOST} switches, not {len(self.switches)}",
                ("interventions",),
            )

    def draw(self, problems: Iterable[str], repeats: int, seed: int, bare: str) -> Pairs:
        """Draw the pairs of problems. `bare` is the name of the arm without any switch.

        The problems are shuffled for each repeat, so settings are independent of the problems and balanced
        over them.
        """
        from ansatz.eval.statistics.screening import draw_pairs

        names, on, arms = tuple(self.switches), dict[str, frozenset[str]](), {}
        for repeat in range(repeats):
            rng, ids = Random(f"{seed}/screening/{repeat}"), list(problems)
            rng.shuffle(ids)
            for id, signs in zip(ids, draw_pairs(len(ids), len(names), rng).tolist(), strict=True):
                first = frozenset(name for name, sign in zip(names, signs, strict=True) if sign > 0)
                first = self.drawn.get((id, repeat), first)
                pair = [first, frozenset(names) - first]
                titles = ["+".join(name for name in names if name in each) or bare for each in pair]
                arms[id, repeat] = (titles[0], titles[1])
                on |= dict(zip(titles, pair, strict=True))
        return Pairs(names, on, arms)

    def build(self, pairs: Pairs) -> dict[str, Switches]:
        """Return the switches of every arm of the pairs."""
        return {
            arm: [switch for name, switch in self.switches.items() if name in on]
            for arm, on in pairs.on.items()
        }


def screening(*switches: Intervention, **named: Intervention) -> Screening:
    """Ask each problem twice: with a random half of the switches, and with the other half.

    The report has the effect of each switch, averaged over the settings of the others. This takes two
    attempts per problem instead of one for each switch and the baseline. `Study.plan` compares both designs.

    Example: `screening(Calculator(), EquationTools(), Polya(), si=WithPrompt("Use SI units."))` as the `arms`
    of a study.
    """
    return Screening(name_switches(switches, named))
