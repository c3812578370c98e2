"""Effects of the switches of a screening design, and their interactions, from its pairs of attempts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ansatz.eval.statistics import PairedDelta, clustered_mean
from ansatz.eval.statistics.power import Components
from ansatz.eval.statistics.screening import Signs, effect_values, interaction_terms, interaction_values
from ansatz.experiments.results.stored_study import Floats, Mask, Numbers, StoredStudy

INTERACTION = " × "
_ROUNDING = 1e-9


def logarithms(values: Floats) -> Floats:
    """Return the logarithms of amounts; NaN where an amount is not positive."""
    return np.log(values, out=np.full(len(values), np.nan), where=np.nan_to_num(values) > 0)


@dataclass(frozen=True, eq=False)
class AttemptPairs:
    """The pairs of attempts of one model: each has the switches on that the other has off."""

    data: StoredStudy
    first: Numbers
    """The row of one attempt of each pair."""
    second: Numbers
    """The row of the other attempt."""
    signs: Signs
    """By pair and switch, +1 if the switch is on in the first attempt, else −1."""
    planned: int
    """The number of pairs, with those that lack an attempt."""

    @classmethod
    def of(cls, data: StoredStudy, model: str) -> Self:
        """Find the pairs of a model among the attempts. Those with one attempt so far are left out."""
        at = data.attempts
        [rows] = np.nonzero(at.model == data.models.index(model))
        rows = rows[np.lexsort((rows, at.repeat[rows], at.problem[rows]))]
        has_next = (np.diff(at.problem[rows]) == 0) & (np.diff(at.repeat[rows]) == 0)
        first, second = rows[:-1][has_next], rows[1:][has_next]
        is_on = np.array([[arm in arms for arms in data.screened.values()] for arm in data.arms])
        is_whole = (is_on[at.arm[first]] != is_on[at.arm[second]]).all(axis=1)
        signs = np.where(is_on[at.arm[first]], 1, -1).astype(np.int8)
        planned = len(rows) - len(first)  # a pair has one or two attempts
        return cls(data, first[is_whole], second[is_whole], signs[is_whole], planned)

    def rows_with(self, switch: str, *, on: bool) -> Numbers:
        """Return the attempts of whole pairs with a switch on, or off."""
        is_first = self.signs[:, list(self.data.screened).index(switch)] == (1 if on else -1)
        return np.where(is_first, self.first, self.second)

    def effects(self, values: Floats, most: float | None = 1.0) -> dict[str, PairedDelta]:
        """Return the main effect of each switch: what it adds, averaged over the settings of the others.

        `most` is the largest possible effect; None for amounts.
        """
        responses = values[self.first] - values[self.second]
        known = ~np.isnan(responses)
        found = effect_values(responses[known], self.signs[known], self._families[known])
        return dict(self._average(found, known, list(self.data.screened), most))

    def interactions(self, values: Floats) -> dict[str, PairedDelta]:
        """Return the interaction of every two switches, by "a × b": how much one changes the other's effect.

        It is averaged over the settings of further switches. The differences between problems are part of the
        scatter here, so interactions have wider intervals than main effects.
        """
        means = (values[self.first] + values[self.second]) / 2
        names = list(self.data.screened)
        titles = [INTERACTION.join((names[a], names[b])) for a, b in interaction_terms(len(names))]
        known = ~np.isnan(means)
        found = interaction_values(means[known], self.signs[known]) if known.any() else None
        return dict(self._average(found, known, titles, 2.0))

    def components(self, values: Floats) -> list[Components]:
        """Return how the effect of each switch varies between families, problems and pairs of a problem."""
        responses = values[self.first] - values[self.second]
        known = ~np.isnan(responses)
        problems, numbers = np.unique(self.data.attempts.problem[self.first][known], return_inverse=True)
        families = self.data.family[problems]
        found = effect_values(responses[known], self.signs[known], families[numbers])
        if found is None or len(np.unique(families)) < 2:
            return []
        counts = np.bincount(numbers)
        parts = []
        for column in found.T:
            means = np.bincount(numbers, weights=column) / counts
            squares = np.bincount(numbers, weights=(column - means[numbers]) ** 2)
            noise = np.full(len(counts), np.nan)
            np.divide(squares, (counts - 1) * counts, out=noise, where=counts > 1)
            parts.append(Components.estimate(means, families, noise, int(counts.max())))
        return parts

    @property
    def _families(self) -> Numbers:
        return self.data.family[self.data.attempts.problem[self.first]]

    def _average(
        self, found: Floats | None, known: Mask, names: list[str], most: float | None
    ) -> Iterator[tuple[str, PairedDelta]]:
        """Yield the mean of each column of `found`, which has a row for each known pair.

        If `found` is None, there are too few pairs for an estimate.
        """
        families, dropped = self._families[known], self.planned - int(known.sum())
        count = (int(known.sum()), len(np.unique(families)), dropped)
        for at, name in enumerate(names):
            if found is None:
                yield name, PairedDelta(None, None, None, *count)
            else:
                # The values are not bounded as scores are. Without any variation, the effect is.
                is_same = most is not None and np.ptp(found[:, at]) < _ROUNDING
                ends = (-most, most) if most is not None and is_same else None
                delta = clustered_mean(
                    found[:, at],
                    families,
                    seed=self.data.seed,
                    resamples=self.data.resamples,
                    level=self.data.level,
                    ends=ends,
                )
                yield name, replace(delta, dropped=dropped)


def switch_effects(data: StoredStudy) -> dict[tuple[str, str, str], PairedDelta]:
    """Return the main effects on all quality dimensions, by model, switch and dimension."""
    return {
        (model, switch, each.name): delta
        for model in data.models
        for pairs in [AttemptPairs.of(data, model)]
        for each in data.with_role("quality")
        for switch, delta in pairs.effects(data.values(each.name)).items()
    }
