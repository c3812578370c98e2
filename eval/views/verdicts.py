"""Paired differences as a report shows them: judged together, the main comparisons before all others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import replace
from typing import TypeVar

from ansatz.eval.statistics import PairedDelta, Together, gated
from ansatz.eval.views.section import Estimate

Key = TypeVar("Key", bound=Hashable)
Place = tuple[str, str, str]
"""Model, arm and dimension."""
Judge = Callable[[Mapping[Place, PairedDelta]], Together[Place]]


def main_comparisons(
    deltas: Mapping[Place, PairedDelta], primary: Collection[str], judge: Judge
) -> Together[Place]:
    """One family of comparisons; where some dimensions are primary, an arm has to move one of them before
    its others count.
    """
    first = {place: delta for place, delta in deltas.items() if place[2] in primary}
    if not first:
        return judge(deltas)
    rest = {place: delta for place, delta in deltas.items() if place not in first}
    gates = {place: [each for each in first if each[:2] == place[:2]] for place in rest}
    return gated(judge(first), judge(rest), gates)


def adjusted(
    known: Mapping[Key, PairedDelta], own: Together[Key], main: Together[Place], is_complete: bool
) -> dict[Key, Estimate | None]:
    """With p and intervals that hold for all of a table at once, and for the main comparisons.

    One quantity has one verdict: what is among the main comparisons keeps that of them, and nothing is
    judged more mildly than they are, however few stand in a table. Without a p while a run goes on.
    """
    named = {each.delta.totals.key: each for each in main.verdicts.values() if each.delta.totals}
    found: dict[Key, Estimate | None] = {}
    for key, delta in known.items():
        verdict = own.verdicts.get(key)
        if verdict is None or delta.totals is None:
            found[key] = estimate(delta)
            continue
        if (same := named.get(delta.totals.key)) is not None:
            p, ends = same.p_adjusted, (same.low, same.high)
        else:
            p = max(verdict.p_adjusted, main.p_of(delta))
            ends = delta.ends_at(max(own.level_of(delta), main.level_of(delta))) or (None, None)
        found[key] = estimate(replace(delta, low=ends[0], high=ends[1]), p if is_complete else None)
    return found


def estimate(delta: PairedDelta | None, p: float | None = None) -> Estimate | None:
    """A paired difference of shares or marks as a report shows it, None without a pair.

    `p` is that which is adjusted for the number of comparisons; without it nothing is called significant.
    """
    if delta is None or not delta.pairs:
        return None
    return Estimate(
        delta.estimate,
        delta.low,
        delta.high,
        p=delta.p if p is None else p,
        n=delta.pairs,
        families=delta.families,
        is_adjusted=p is not None,
    )
