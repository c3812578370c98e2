"""Combine the eight scores: the published weighted sum, and a sum that puts correctness first."""

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
"""Share of each dimension in the sum; TPS-CalcBench, table 6."""
CORE = ("G1", "G2", "G3", "G4")
"""Formula, parameters, units and arithmetic: the calculation itself."""
FORM = tuple(name for name in WEIGHTS if name not in CORE)
"""The other dimensions: the form of the answer."""
SOUND = math.fsum(WEIGHTS[name] for name in CORE)
"""The least kpi of a sound calculation. Any other calculation has a lower kpi."""


def kpi_dimensions(prefix: str = "") -> tuple[Dimension, ...]:
    """Return the eight dimensions (0 to 2 points) and their two sums, with a name prefix such as "judge."."""
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


def compute_published_kpi(scores: Mapping[str, float]) -> float | None:
    """Compute TPS-CalcBench's sum (section IV.2, equation 2): the weighted mean of the given scores.

    In this sum a wrong formula costs at most 0.20, while form is worth 0.35. A well-presented wrong answer
    can therefore exceed a terse right one.

    Parameters
    ----------
    scores
        Scores from 0 to 1 by dimension, without dimensions that could not be scored.

    Returns
    -------
    float | None
        None if none of G1 to G4 has a score.
    """
    return None if set(CORE).isdisjoint(scores) else _weighted_mean(scores, WEIGHTS)


def compute_kpi(
    scores: Mapping[str, float], is_right: bool | None, unshown: Collection[str] = ()
) -> float | None:
    """Compute a weighted sum in which form counts only for sound calculations.

    A calculation is sound if every scored dimension of G1 to G4 has the full score and the final values are
    right. G1 to G4 make up 0.65 and G5 to G8 0.35, whichever of them are scored. A sound calculation
    therefore has a kpi of at least 0.65, and any other one less. With all eight scores, the kpi of a sound
    calculation equals the published sum.

    A wrong final value with full scores means that the rules missed a fault. The calculation then counts as
    if it had lost one point of two on its least important dimension.

    Parameters
    ----------
    scores
        Scores from 0 to 1 by dimension, without dimensions that could not be scored.
    is_right
        Whether the final values are right; None if that is unknown.
    unshown
        Dimensions that lost points because the answer omits something, not because of a fault. They do not
        count against right values, but right values without working get 0.65, without credit for form.

    Returns
    -------
    float | None
        None if none of G1 to G4 has a score.
    """
    if set(CORE).isdisjoint(scores):
        return None
    counted = {name: score for name, score in scores.items() if not (is_right and name in unshown)}
    core, form = _weighted_mean(counted, CORE), _weighted_mean(scores, FORM)
    if core is None:
        return SOUND
    if find_faults(scores, is_right, unshown):
        weights = [WEIGHTS[name] for name in CORE if name in counted]
        # One point of two on the dimension with the least weight, as a share of the calculation.
        least = 0.5 * min(weights) / math.fsum(weights)
        return SOUND * (min(core, 1 - least) if is_right is False else core)
    if len(counted) < len(scores):
        return SOUND
    return core if form is None else SOUND * core + (1 - SOUND) * form


def find_faults(
    scores: Mapping[str, float], is_right: bool | None, unshown: Collection[str] = ()
) -> tuple[str, ...]:
    """List why a calculation is not sound: dimensions below the full score, and a wrong final value."""
    excused = unshown if is_right else ()
    lost = [name for name in CORE if scores.get(name, 1) < 1 and name not in excused]
    return (*lost, *(["a final value is wrong"] if is_right is False else []))


def _weighted_mean(scores: Mapping[str, float], names: Iterable[str]) -> float | None:
    """Compute the weighted mean over the names that have a score; None if none has."""
    scored = [name for name in names if name in scores]
    weight = math.fsum(WEIGHTS[name] for name in scored)
    earned = math.fsum(WEIGHTS[name] * scores[name] for name in scored)
    return min(1.0, earned / weight) if scored else None
