"""The chapter on a factorial design: effects of switches, interactions, and shares of the gain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import estimate_share
from ansatz.eval.statistics.factorial import (
    effect_weights,
    gain_weights,
    possible_ends,
    shapley_weights,
    sum_arms,
)
from ansatz.experiments.report.comparisons import headline_dimensions
from ansatz.experiments.report.tables import (
    COUNT,
    Chapter,
    Column,
    Entry,
    Figure,
    Panel,
    Section,
    Table,
    read_notes,
)
from ansatz.experiments.results import Estimate, Floats, Numbers, Results, System

NOTES = read_notes(__name__)

_FEWEST = 2  # switches; the delta table covers a single one
_TOGETHER = "all together"


class Crossing(NamedTuple):
    """The switches of a 2^k design, and the arm for each set of switches that are on."""

    switches: tuple[str, ...]
    arms: Mapping[frozenset[str], str]


class Cells(NamedTuple):
    """The mean values of problems that have a score in every arm: an array of shape (2^k, problems)."""

    values: Floats
    places: Numbers
    dropped: int


ByDimension = Mapping[tuple[str, str], Cells]
"""By model and dimension, if any problem has a score in every arm."""
Found = Mapping[tuple[str, str, str], Estimate | None]
"""By model, dimension, and effect or share."""


def find_design(switches: Mapping[str, frozenset[str]], arms: Sequence[str]) -> Crossing | None:
    """Find the largest full factorial among the arms; None if no two switches are crossed.

    Switches that are on in every arm do not count, and arms outside the factorial, such as a placebo, are
    left out. Of several factorials of one size, the first by the order of switches is chosen. A set of
    switches is crossed if an arm has exactly these switches on, and every set with one switch less is
    crossed, too.
    """
    known = [(switches[arm], arm) for arm in arms if arm in switches]
    common = frozenset.intersection(*(on for on, _ in known)) if known else frozenset()
    by_set: dict[frozenset[str], str] = {}
    for on, arm in known:
        by_set.setdefault(on - common, arm)
    names = list(dict.fromkeys(name for on in by_set for name in sorted(on)))
    place = {name: at for at, name in enumerate(names)}
    crossed: set[frozenset[str]] = set()
    for on in sorted(by_set, key=len):
        if all(on - {name} in crossed for name in on):
            crossed.add(on)
    found = [tuple(sorted(on, key=place.__getitem__)) for on in crossed if len(on) >= _FEWEST]
    if not found:
        return None
    chosen = min(found, key=lambda switches: (-len(switches), [place[name] for name in switches]))
    wanted = (frozenset(some) for size in range(len(chosen) + 1) for some in combinations(chosen, size))
    return Crossing(chosen, {on: by_set[on] for on in wanted})


def chapter(data: Results) -> Chapter | None:
    """Make the chapter; None if the arms have no factorial design with scores."""
    design = find_design(data.switches, data.arms)
    cells = _collect_cells(data, design) if design else {}
    if design is None or not cells:
        return None
    switches = sorted(design.switches)
    effects = {
        " × ".join(switches[bit] for bit in term): weights
        for term, weights in effect_weights(len(switches)).items()
    }
    parts = {name: shapley_weights(len(switches), bit) for bit, name in enumerate(switches)}
    parts[_TOGETHER] = gain_weights(len(switches))
    title = f"The factorial design: {' × '.join(design.switches)}"
    sections = [_make_effects(data, cells, effects), _make_attribution(data, cells, parts)]
    return Chapter("factorial", title, sections)


def _collect_cells(data: Results, design: Crossing) -> ByDimension:
    """Collect the values of each model and dimension. Bit k of an arm's number is switch k."""
    switches = sorted(design.switches)
    sets = [
        frozenset(name for bit, name in enumerate(switches) if number >> bit & 1)
        for number in range(2 ** len(switches))
    ]
    found = {}
    for model in data.models:
        subsets = [data.subset(System(model, design.arms[on])) for on in sets]
        asked = np.count_nonzero(np.any([subset.problems for subset in subsets], axis=0))
        for dimension in data.with_role("quality"):
            means = np.stack([subset.mean_by_problem(data.values(dimension.name)) for subset in subsets])
            [places] = np.nonzero(~np.isnan(means).any(axis=0))
            if len(places):
                found[model, dimension.name] = Cells(means[:, places], places, int(asked) - len(places))
    return found


def _estimate_sums(data: Results, cells: ByDimension, weights: Mapping[str, Floats]) -> Found:
    """Estimate weighted sums of arms; those of one model are adjusted together."""
    found: dict[tuple[str, str, str], Estimate | None] = {}
    for model in data.models:
        deltas = {
            (model, dimension, name): data.mean_over_families(
                sum_arms(weight, each.values), each.places, each.dropped, possible_ends(weight)
            )
            for (title, dimension), each in cells.items()
            if title == model
            for name, weight in weights.items()
        }
        found |= data.estimate_deltas(deltas)
    return found


def _list_headlines(data: Results, cells: ByDimension) -> list[str]:
    known = {name for _, name in cells}
    return [each.name for each in headline_dimensions(data) if each.name in known] or sorted(known)[:1]


def _make_effects(data: Results, cells: ByDimension, weights: Mapping[str, Floats]) -> Section:
    """Make the section on effects and interactions, with the significant ones on the headline."""
    found, labels = _estimate_sums(data, cells, weights), list(weights)
    shown = _list_headlines(data, cells)[:3]
    scale = data.dimension(shown[0]).scale
    findings, figures = [], []
    for model in data.models:
        entries = ((name, found.get((model, shown[0], name))) for name in labels)
        moved = [
            f"{name} {scale.show_change(each.value)}"
            for name, each in entries
            if each and each.is_significant
        ]
        named = f"{model}: " if len(data.models) > 1 else ""
        listed = "; ".join(moved) or "nothing"
        findings.append(f"{named}significant effects on {shown[0]}: {listed}")
        panels = []
        for each in (data.dimension(name) for name in shown if (model, name) in cells):
            series = {"effect": [found[model, each.name, label] or Estimate(None) for label in labels]}
            panels.append(Panel(f"{each.name} ({each.scale.name})", labels, series, each.scale, each.better))
        name = data.display_name(model)
        caption = f"{name}: effects of the switches and interactions, {data.level:.0%} intervals"
        figure = Figure("intervals", data.name_by_model("effects", model), caption, panels, zero=True)
        figures += [figure] * bool(panels)
    tables = list(_make_tables(data, "effects", "Effects on {}, and interactions", "effect", found))
    return Section(
        "Effects and interactions", findings, tables, figures, (NOTES["effects"],), is_analysis=True
    )


def _make_attribution(data: Results, cells: ByDimension, weights: Mapping[str, Floats]) -> Section:
    """Make the section that divides the gain among the switches."""
    title = "The gain in {} of all switches together, divided among them"
    tables = list(_make_tables(data, "parts", title, "part of", _estimate_sums(data, cells, weights)))
    [headline, *_], whole = _list_headlines(data, cells), weights[_TOGETHER]
    columns = [*_first_columns(data, "switch"), Column(f"share of the gain in {headline}", PERCENT)]
    columns += [Column("problems", COUNT), Column("dropped", COUNT)]
    rows: list[list[Entry]] = []
    for (model, dimension), (values, places, dropped) in cells.items():
        for switch, weight in weights.items():
            if dimension != headline or switch == _TOGETHER:
                continue
            found = estimate_share(
                sum_arms(weight, values),
                sum_arms(whole, values),
                data.family[places],
                data.level,
                lambda ratio, weight=weight: possible_ends(weight - ratio * whole),  # type: ignore[misc]
            )
            shown = Estimate(found.value, found.low, found.high) if found.low is not None else None
            rows.append([*[model] * (len(data.models) > 1), switch, shown, len(places), dropped])
    caption = f"Shares of the gain in {headline}, in %{data.simulation_note}."
    tables = [*tables, Table("shares", caption, columns, rows)]
    return Section("Where the gain comes from", tables=tables, notes=(NOTES["parts"],), is_analysis=True)


def _make_tables(data: Results, kind: str, title: str, head: str, found: Found) -> Iterator[Table]:
    """Yield a table of estimates for the outcome, and one for the rubric."""
    known, names = {name for _, name, _ in found}, dict.fromkeys(name for *_, name in found)
    for group, is_outcome in (("outcome", True), ("rubric", False)):
        shown = [
            each
            for each in data.with_role("quality")
            if each.name in known and (each.scale == PERCENT) == is_outcome
        ]
        values = [Column(each.name, each.scale, change=True) for each in shown]
        columns = [*_first_columns(data, head), *values]
        rows = [
            [
                *[model] * (len(data.models) > 1),
                name,
                *(found.get((model, each.name, name)) for each in shown),
            ]
            for model in data.models
            for name in names
        ]
        if shown:
            yield Table(f"{kind}_{group}", f"{title.format(group)}{data.simulation_note}.", columns, rows)


def _first_columns(data: Results, first: str) -> list[Column]:
    return [*[Column("model")] * (len(data.models) > 1), Column(first)]
