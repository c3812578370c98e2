"""What a tool call was worth: scores with the call as it was, minus scores with the change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.ledger import PlannedAttempt
from ansatz.experiments.replay.change import ReplayChange
from ansatz.experiments.replay.replay_design import Replay
from ansatz.experiments.results import Floats, Results

Control = Literal["placebo", "original"]
Place = tuple[str, str, str, int]
"""Model, arm, problem and repeat of an attempt."""


@dataclass(frozen=True)
class ReplayEffect:
    """The effect of one change on one dimension."""

    model: str
    arm: str
    tool: str
    """The tool whose calls were changed."""
    change: str
    dimension: str
    control: Control
    """What the changed replays are compared with: replays from the same cut without a change (`placebo`), or
    the original attempts. A placebo itself is compared with the originals."""
    effect: float | None
    """The mean of control minus change over problems: positive if the call helped."""
    low: float | None
    high: float | None
    """The ends of the interval over families, for this comparison alone."""
    with_call: float | None
    """The mean score of the control."""
    changed: float | None
    """The mean score with the change."""
    problems: int
    families: int
    attempts: int
    """Original attempts with finished replays."""
    draws: int
    """The most replays of one attempt."""
    failed: int
    """Replays that failed for a reason of the infrastructure. They are tried again on resume."""

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def estimate_effects(replays: Iterable[Replay], found: Results, originals: Results) -> Iterator[ReplayEffect]:
    """Estimate the effect of each change, by model, arm, tool and dimension.

    Draws are averaged first, then the attempts of a problem, so the scatter of both sides is in the spread of
    the differences over families. An attempt counts if both sides have a score.
    """
    groups: defaultdict[tuple[str, str, str, ReplayChange], list[Replay]] = defaultdict(list)
    for each in replays:
        groups[each.original.model, each.original.arm, each.tool, each.change].append(each)
    rows = {key: row for row, key in enumerate(found.attempt_keys)}
    original_rows = {key: row for row, key in enumerate(originals.attempt_keys)}
    failed = {key for key, row in rows.items() if found.attempts.failed[row]}
    for (model, arm, tool, change), own in groups.items():
        placebo = groups.get((model, arm, tool, change.placebo), ()) if change.kind != "placebo" else ()
        for dimension in found.with_role("quality"):
            values = found.values(dimension.name)
            changed = _mean_by_attempt(own, values, rows)
            control = _mean_by_attempt(placebo, values, rows)
            if not placebo:
                scores = originals.values(dimension.name)
                control = {
                    each: float(scores[original_rows[each]]) for each in changed if each in original_rows
                }
            pairs = [each for each in changed if not np.isnan(control.get(each, np.nan))]
            delta = pair_by_problem(found, [(each[2], control[each], changed[each]) for each in pairs])
            yield ReplayEffect(
                *(model, arm, tool, change.label, dimension.name, "placebo" if placebo else "original"),
                effect=delta.estimate,
                low=delta.low,
                high=delta.high,
                with_call=float(np.mean([control[each] for each in pairs])) if pairs else None,
                changed=float(np.mean([changed[each] for each in pairs])) if pairs else None,
                problems=delta.pairs,
                families=delta.families,
                attempts=len(pairs),
                draws=max(each.draw for each in own) + 1,
                failed=sum(_place(each.attempt) in failed for each in own),
            )


def _mean_by_attempt(
    replays: Sequence[Replay], values: Floats, rows: Mapping[Place, int]
) -> dict[Place, float]:
    """Average over the draws of each original attempt that have a score."""
    found: defaultdict[Place, list[float]] = defaultdict(list)
    for each in replays:
        row = rows.get(_place(each.attempt))
        if row is not None and not np.isnan(values[row]):
            found[_place(each.original)].append(float(values[row]))
    return {place: float(np.mean(scores)) for place, scores in found.items()}


def _place(attempt: PlannedAttempt) -> Place:
    return attempt.model, attempt.arm, attempt.problem, attempt.repeat


def pair_by_problem(data: Results, scores: Sequence[tuple[str, float, float]]) -> PairedDelta:
    """Average control minus change over the attempts of each problem, then over problems.

    `scores` has the problem, the control's score and the changed score of each attempt.
    """
    by_problem: defaultdict[str, list[float]] = defaultdict(list)
    for problem, control, changed in scores:
        by_problem[problem].append(control - changed)
    places = {problem.id: at for at, problem in enumerate(data.problem_list)}
    differences = np.array([np.mean(each) for each in by_problem.values()], dtype=np.float64)
    at = np.array([places[problem] for problem in by_problem], dtype=np.intp)
    return data.mean_over_families(differences, at, ends=(-1.0, 1.0))
