"""What each switch does and how switches work together, from all 2^k arms on the same problems."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.multiplicity import holm
from ansatz.eval.statistics.paired import PairedDelta, Scores, clustered_mean, problem_means
from ansatz.eval.statistics.resampling import Ends

Floats = NDArray[np.float64]
Cells = Mapping[frozenset[str], Scores]


@dataclass(frozen=True)
class CompleteCells:
    """The problems scored in all 2^k arms.

    `values` has shape (2^k, problems); arm number a has switch j on where bit j of a is set. `families` are
    by problem; `dropped` counts problems that lack a score in some arm.
    """

    switches: tuple[str, ...]
    problems: tuple[str, ...]
    families: tuple[str, ...]
    values: Floats
    dropped: int

    @classmethod
    def of(
        cls, cells: Cells, families: Mapping[str, str], switches: Sequence[str] | None = None
    ) -> CompleteCells:
        """The arms of a full factorial design over the problems that each of them scored.

        `cells` maps the set of switches that are on to that arm's scores by problem. Without `switches` every
        switch that occurs is one, in alphabetical order. Raises ValueError where arms are missing or foreign,
        or where a problem has no family.
        """
        names = tuple(sorted(set().union(*cells)) if switches is None else switches)
        numbers = range(2 ** len(names))
        arms = [frozenset(name for bit, name in enumerate(names) if arm >> bit & 1) for arm in numbers]
        if missing := [arm for arm in arms if arm not in cells]:
            shown = "; ".join(" + ".join(sorted(arm)) or "none" for arm in missing[:5])
            raise ValueError(
                f"{len(missing)} of the {len(arms)} arms of {', '.join(names)} are missing: {shown}"
            )
        if foreign := set(cells) - set(arms):
            raise ValueError(f"{' + '.join(sorted(foreign.pop()))} is no arm of {', '.join(names)}")
        means = [problem_means(cells[arm]) for arm in arms]
        asked = sorted(set().union(*(cells[arm] for arm in arms)))
        complete = tuple(problem for problem in asked if all(problem in scored for scored in means))
        if homeless := sorted(set(complete) - families.keys()):
            raise ValueError(f"no family is given for {', '.join(homeless[:5])}")
        values = np.array([[scored[problem] for problem in complete] for scored in means])
        homes = tuple(families[problem] for problem in complete)
        return cls(names, complete, homes, values, len(asked) - len(complete))

    def combined(self, weights: Floats) -> Floats:
        """The weighted sum of arms for each problem, zero where arms cancel but for rounding."""
        values = weights @ self.values
        values[np.abs(values) <= 1e-12 * (np.abs(weights) @ np.abs(self.values))] = 0.0
        return np.asarray(values)

    def ends(self, weights: Floats) -> Ends | None:
        """The least and the greatest weighted sum of arms with scores in [0, 1]; None of amounts."""
        if not self.values.size or self.values.min() < 0 or self.values.max() > 1:
            return None
        return float(np.minimum(weights, 0).sum()), float(np.maximum(weights, 0).sum())

    def delta(self, weights: Floats, *, seed: int, resamples: int, level: float) -> PairedDelta:
        """The mean over problems of a weighted sum of arms, with the dropped problems counted."""
        settings = {"seed": seed, "resamples": resamples, "level": level, "ends": self.ends(weights)}
        found = clustered_mean(self.combined(weights), np.array(self.families), **settings)  # type: ignore[arg-type]
        return replace(found, dropped=self.dropped)


@dataclass(frozen=True)
class Effect:
    """One switch's effect, or the interaction of several, and its p corrected for the number of effects."""

    switches: tuple[str, ...]
    delta: PairedDelta
    p_holm: float | None

    @property
    def order(self) -> int:
        return len(self.switches)


@dataclass(frozen=True)
class Factorial:
    """The effects by order, then in the order of the switches; all from the same complete problems."""

    effects: tuple[Effect, ...]
    problems: int
    dropped: int

    def effect(self, *switches: str) -> Effect:
        """The effect of a switch or the interaction of these switches. Raises KeyError for any other."""
        for effect in self.effects:
            if set(effect.switches) == set(switches):
                return effect
        raise KeyError(f"no effect of {', '.join(switches)} was asked for")


def factorial_effects(
    cells: Cells,
    families: Mapping[str, str],
    *,
    seed: int,
    highest_order: int | None = None,
    resamples: int = 2000,
    level: float = 0.95,
) -> Factorial:
    """Main effects and interactions up to `highest_order` (by default all 2^k − 1), paired by problem.

    The effect of a switch is what turning it on adds, averaged over the settings of the others. The
    interaction of two is by how much one changes the effect of the other, A and B together less A alone less
    B alone plus neither, and so on for more (twice, four times … the half-effects of D. C. Montgomery, Design
    and Analysis of Experiments, ch. 6). Problems without a score in every arm are dropped from all effects.
    Intervals and p as for `paired_delta`, whole families resampled; Holm over all effects that are returned.
    Raises ValueError where an arm is missing or a problem has no family.
    """
    grid = CompleteCells.of(cells, families)
    count = len(grid.switches)
    orders = range(1, (count if highest_order is None else highest_order) + 1)
    terms = [term for order in orders for term in itertools.combinations(range(count), order)]
    settings = {"seed": seed, "resamples": resamples, "level": level}
    deltas = {term: grid.delta(effect_weights(count, term), **settings) for term in terms}  # type: ignore[arg-type]
    corrected = holm({term: delta.p for term, delta in deltas.items() if delta.p is not None})
    effects = [
        Effect(tuple(grid.switches[bit] for bit in term), deltas[term], corrected.get(term)) for term in terms
    ]
    return Factorial(tuple(effects), len(grid.problems), grid.dropped)


def effect_weights(switches: int, term: Sequence[int]) -> Floats:
    """The weight of each arm in the effect of the switches in `term`, of shape (2^switches,)."""
    arms = np.arange(2**switches)
    signs = np.ones(len(arms))
    for bit in term:
        signs *= np.where(arms >> bit & 1, 1.0, -1.0)
    return np.asarray(signs / 2.0 ** (switches - len(term)))
