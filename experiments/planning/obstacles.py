"""Why a study could show nothing, and what would change that: known before the first request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np

from ansatz.eval.score import Dimension
from ansatz.eval.statistics.power import fewest_families, predict_detectable
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.planning.detection import Scatter, find_scatter, simultaneous_level
from ansatz.experiments.planning.rehearsal import rehearse
from ansatz.experiments.report.power_warnings import (
    describe_few_families,
    describe_inert_arm,
    describe_small_study,
)
from ansatz.experiments.running.background import in_background


def list_obstacles(
    design: Design, pilot: Path | None = None, inert: tuple[str, ...] | None = None
) -> list[str]:
    """Return one line for each reason why the study can show nothing.

    The reasons are too few families, a smallest detectable effect above the scale, and arms whose requests
    are those of the baseline (`inert`, if they are known). Variances are those of the pilot, or the assumed
    ones. No model is asked.
    """
    arms = find_inert_arms(design) if inert is None else inert
    found = find_scatter(design, pilot) if len(design.arms) > 1 else ()
    return [
        *_warn_of_size(design, found),
        *(describe_inert_arm(arm, design.settings.baseline) for arm in arms),
    ]


def _warn_of_size(design: Design, found: tuple[Scatter, ...]) -> list[str]:
    """Return the warning about the number of families and problems, for the first dimension."""
    if not found:
        return []
    first = next((each for each in found if each.dimension.name in design.primary), found[0])
    families = Counter(problem.family for problem in design.problems.values())
    level, repeats = simultaneous_level(design, found), design.settings.most_repeats

    def predict(sizes: list[float]) -> float | None:
        return predict_detectable(first.parts, np.array(sizes) * first.paired, repeats, level=level)

    if len(families) < fewest_families():
        effect = predict([1.0] * len(design.problems))
        return [describe_few_families(len(families), len(design.problems), first.dimension, effect)]
    sizes = [float(size) for size in families.values()]
    effect = predict(sizes)
    return [] if effect is None or effect <= 1 else [_describe_growth(first.dimension, sizes, predict)]


def _describe_growth(
    dimension: Dimension, sizes: list[float], predict: Callable[[list[float]], float | None]
) -> str:
    """Return the warning with the smallest multiple of the problems that detects an effect on the scale."""
    times = next(n for n in count(2) if (predict(sizes * n) or 0.0) <= 1)
    size = dimension.scale.show_size(predict(sizes * times))
    remedy = f"{times} times the problems, in other families, would show effects above {size}"
    return describe_small_study(dimension, remedy)


def find_inert_arms(design: Design) -> tuple[str, ...]:
    """Return the arms that cannot differ from the baseline: they send equal requests for every problem.

    Only what an arm adds to the question can come to nothing, such as the formulation of problems that have
    none. Arms with other instructions, tools, reviews or settings differ. A screening design has no baseline.
    """
    if design.pairs is not None:
        return ()
    baseline = design.arms[design.settings.baseline]
    return tuple(
        name
        for name, arm in design.arms.items()
        if name != baseline.name
        and _adds_to_question_only(arm, baseline)
        and _is_inert(design, arm, baseline)
    )


def _adds_to_question_only(arm: Arm, baseline: Arm) -> bool:
    if arm.plan.agent is not None or baseline.plan.agent is not None or arm.follows is not None:
        return False
    described, expected = arm.plan.describe(), baseline.plan.describe()
    return {**described, "before": []} == {**expected, "before": []}


def _is_inert(design: Design, arm: Arm, baseline: Arm) -> bool:
    return all(
        in_background(rehearse(design, arm, problem)) == in_background(rehearse(design, baseline, problem))
        for problem in design.problems.values()
    )
