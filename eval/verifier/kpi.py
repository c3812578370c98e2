"""One figure from eight marks: a sum in which form is no substitute for substance, and the published one."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

from ansatz.eval.score import POINTS, Dimension

_DIMENSIONS = {
    "G1": (0.20, "formula selection"),
    "G2": (0.15, "parameter identification"),
    "G3": (0.15, "unit consistency"),
    "G4": (0.15, "calculation accuracy"),
    "G5": (0.10, "physical plausibility"),
    "G6": (0.05, "assumption justification"),
    "G7": (0.10, "result interpretation"),
    "G8": (0.10, "presentation clarity"),
}
WEIGHTS = {name: weight for name, (weight, _) in _DIMENSIONS.items()}
"""Share of each dimension in the whole; TPS-CalcBench, table 6."""
CORE = ("G1", "G2", "G3", "G4")
"""Formula, parameters, units and arithmetic: what makes a calculation. The others are its form."""
FORM = tuple(name for name in WEIGHTS if name not in CORE)
SOUND = math.fsum(WEIGHTS[name] for name in CORE)
"""What every sound calculation is worth at least, and any other one less than."""


def kpi_dimensions(prefix: str = "") -> tuple[Dimension, ...]:
    """The eight marks from 0 to 2 and their two sums, each name behind a prefix such as "judge."."""
    return (
        *(
            Dimension(f"{prefix}{name}", summary, POINTS, detail=True)
            for name, (_, summary) in _DIMENSIONS.items()
        ),
        Dimension(
            f"{prefix}kpi",
            "weighted sum of the rubric scores; presentation counts only if the calculation is correct",
        ),
        Dimension(
            f"{prefix}kpi_published", "weighted sum of the rubric scores as in TPS-CalcBench", detail=True
        ),
    )


def compute_published_kpi(shares: Mapping[str, float]) -> float | None:
    """TPS-CalcBench's sum (section IV.2, equation 2): the weighted mean over the dimensions that have a mark.

    `shares` are marks from 0 to 1 by dimension, without those that could not be judged. None where none of
    G1 to G4 could. In this sum a wrong formula costs 0.20 at most, while form is worth 0.35, so that a
    well-dressed wrong answer can pass a terse right one.
    """
    return None if set(CORE).isdisjoint(shares) else _weighted_mean(shares, WEIGHTS)


def compute_kpi(
    shares: Mapping[str, float], is_right: bool | None, unshown: Collection[str] = ()
) -> float | None:
    """The same sum, in which form counts for a sound calculation alone.

    A calculation is sound that has full marks on whatever of G1 to G4 was judged and whose final values are
    right (`is_right`; None where nobody knows). G1 to G4 make 0.65 of the whole and G5 to G8 make 0.35,
    however many of them were judged. Hence every sound calculation is worth 0.65 or more and every other one
    less, whatever its form. With all eight judged, a sound calculation has the published sum.

    `unshown` are dimensions whose marks were lost for silence, not for a fault. They do not make right values
    wrong, but there is little that form could be the form of: right values without working are worth 0.65.
    A wrong value after better marks than the least fault leaves means that one was overlooked: it counts.
    """
    if set(CORE).isdisjoint(shares):
        return None
    told = {name: share for name, share in shares.items() if not (is_right and name in unshown)}
    core, form = _weighted_mean(told, CORE), _weighted_mean(shares, FORM)
    if core is None:
        return SOUND
    if find_faults(shares, is_right, unshown):
        weights = [WEIGHTS[name] for name in CORE if name in told]
        # One point of two on the dimension that is worth least, as a share of the calculation.
        least = 0.5 * min(weights) / math.fsum(weights)
        return SOUND * (min(core, 1 - least) if is_right is False else core)
    if len(told) < len(shares):
        return SOUND
    return core if form is None else SOUND * core + (1 - SOUND) * form


def find_faults(
    shares: Mapping[str, float], is_right: bool | None, unshown: Collection[str] = ()
) -> tuple[str, ...]:
    """What keeps a calculation from being sound: dimensions below full marks, and a wrong final value."""
    excused = unshown if is_right else ()
    lost = [name for name in CORE if shares.get(name, 1) < 1 and name not in excused]
    return (*lost, *(["a final value is wrong"] if is_right is False else []))


def _weighted_mean(shares: Mapping[str, float], names: Iterable[str]) -> float | None:
    """Weighted mean over those of the names that were judged; None for none."""
    judged = [name for name in names if name in shares]
    weight = math.fsum(WEIGHTS[name] for name in judged)
    earned = math.fsum(WEIGHTS[name] * shares[name] for name in judged)
    return min(1.0, earned / weight) if judged else None
