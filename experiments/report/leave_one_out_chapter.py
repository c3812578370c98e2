"""The chapter on a leave-one-out design: what is lost without each switch, and Shapley values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.statistics.shapley import path_sets, path_values
from ansatz.experiments.report.comparisons import headline_dimensions
from ansatz.experiments.report.tables import Chapter, Column, Entry, Section, Table, read_notes
from ansatz.experiments.results import Estimate, Floats, Results, System, WalkedPaths

NOTES = read_notes(__name__)
_TOGETHER = "all together"
_ENDS = (-1.0, 1.0)

Deltas = dict[tuple[str, str, str], PairedDelta | None]
"""By model, dimension and switch."""


def chapter(data: Results) -> Chapter | None:
    """Make the chapter; None for another design."""
    if data.paths is None:
        return None
    lost = data.estimate_deltas(_list_losses(data, data.paths))
    shares = data.estimate_deltas(estimate_shapley(data, data.paths))
    sections = [
        Section(
            "What is lost without each switch",
            list(_findings(data, lost, "clear losses on")),
            list(_make_tables(data, "lost", "All switches minus all but one, in the {}", lost)),
            notes=(NOTES["left_out"],),
        ),
        Section(
            "What each switch is worth",
            list(_findings(data, shares, "clear Shapley values on")),
            list(_make_tables(data, "shapley", "Shapley values, which add up to the gain in the {}", shares)),
            notes=(NOTES["shapley_paths"],),
        ),
    ]
    return Chapter("leave_one_out", f"Leave one out of {len(data.paths.switches)} switches", sections)


def _list_losses(data: Results, paths: WalkedPaths) -> Deltas:
    """Subtract the arm without each switch from the arm with all."""
    whole = frozenset(paths.switches)
    arms = {on: arm for arm, on in paths.on.items()}
    return {
        (model, dimension.name, switch): data.subset(System(model, arms[whole])).difference_from(
            data.subset(System(model, arms[whole - {switch}])), data.values(dimension.name)
        )
        for model in data.models
        for dimension in data.with_role("quality")
        for switch in paths.switches
        if arms[whole] in data.arms and arms[whole - {switch}] in data.arms
    }


def estimate_shapley(data: Results, paths: WalkedPaths) -> Deltas:
    """Estimate the Shapley value of each switch, and the gain of all together.

    All problems of a family have one random order. The spread of the values over families therefore contains
    the sampling errors of orders and problems. Problems that lack a score are dropped.
    """
    found: Deltas = {}
    for model_at, model in enumerate(data.models):
        for dimension in data.with_role("quality"):
            values = paths.attempts.values[dimension.name]
            by_problem, dropped = _values_by_problem(data, paths, model_at, values)
            places = np.array(list(by_problem), dtype=np.intp)
            matrix = np.array(list(by_problem.values())).reshape(-1, len(paths.switches))
            for at, switch in enumerate(paths.switches):
                found[model, dimension.name, switch] = data.mean_over_families(
                    matrix[:, at], places, dropped, _ENDS
                )
            found[model, dimension.name, _TOGETHER] = data.mean_over_families(
                matrix.sum(axis=1), places, dropped, _ENDS
            )
    return found


def _values_by_problem(
    data: Results, paths: WalkedPaths, model: int, values: Floats
) -> tuple[dict[int, Floats], int]:
    """Return what each switch adds at each problem, and how many problems lack a score."""
    at = paths.attempts
    scores: dict[tuple[int, frozenset[str]], list[float]] = {}
    for row in np.flatnonzero((at.model == model) & ~np.isnan(values)).tolist():
        on = paths.on.get(paths.arms[at.arm[row]])
        if on is not None:
            scores.setdefault((int(at.problem[row]), on), []).append(float(values[row]))
    means = {place: float(np.mean(each)) for place, each in scores.items()}
    found: dict[int, Floats] = {}
    asked = np.unique(at.problem[at.model == model]).tolist()
    for place in asked:
        order = paths.orders[data.problem_list[place].family]
        if all((place, each) in means for each in path_sets(order)):
            found[place] = path_values(paths.switches, order, lambda on, place=place: means[place, on])  # type: ignore[misc]
    return found, len(asked) - len(found)


def _findings(
    data: Results, found: Mapping[tuple[str, str, str], Estimate | None], what: str
) -> Iterator[str]:
    [first, *_] = headline_dimensions(data)
    for model in data.models:
        moved = [
            f"{name} {first.scale.show_change(each.value)}"
            for (title, dimension, name), each in found.items()
            if (title, dimension) == (model, first.name) and each and each.is_significant
        ]
        named = f"{model}: " if len(data.models) > 1 else ""
        yield f"{named}{what} {first.name}: {'; '.join(moved) or 'none'}"


def _make_tables(
    data: Results, kind: str, title: str, found: Mapping[tuple[str, str, str], Estimate | None]
) -> Iterator[Table]:
    names = dict.fromkeys(name for *_, name in found)
    for group, is_outcome in (("outcome", True), ("rubric", False)):
        shown = [each for each in data.with_role("quality") if (each.scale == PERCENT) == is_outcome]
        columns = [*[Column("model")] * (len(data.models) > 1), Column("switch")]
        columns += [Column(each.name, each.scale, change=True) for each in shown]
        rows: list[list[Entry]] = [
            [
                *[model] * (len(data.models) > 1),
                name,
                *(found.get((model, each.name, name)) for each in shown),
            ]
            for model in data.models
            for name in names
        ]
        if shown:
            caption = f"{title.format(group)}{data.simulation_note}."
            yield Table(f"{kind}_{group}", caption, columns, rows, in_summary=is_outcome)
