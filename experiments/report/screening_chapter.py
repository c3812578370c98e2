"""The chapter on a screening design: main effects of switches, and a test for interactions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from ansatz.eval.score import PERCENT, Dimension
from ansatz.experiments.report.comparisons import column, compare_arms, headline_dimensions, order_arms
from ansatz.experiments.report.deltas import plot_intervals
from ansatz.experiments.report.tables import TIMES, Chapter, Column, Entry, Section, Table, read_notes
from ansatz.experiments.report.text import short
from ansatz.experiments.results import Estimate, Results
from ansatz.experiments.results.estimate import LEVEL_OF_SIGNIFICANCE
from ansatz.experiments.results.screened import AttemptPairs

NOTES = read_notes(__name__)

_MOST_TESTED = 3  # headline dimensions whose interactions are tested

Interactions = dict[tuple[str, str, str], Estimate | None]
"""By model, dimension and the two switches."""


def screening_chapter(data: Results) -> Chapter:
    """Make the chapter of a run with a screening design."""
    title = f"Screening of {len(data.screened)} switches"
    return Chapter("screening", title, [_effects(data), _interactions(data)])


def _effects(data: Results) -> Section:
    quality = data.with_role("quality")
    groups = {
        "outcome": [each for each in quality if each.scale == PERCENT],
        "rubric": [each for each in quality if each.scale != PERCENT],
    }
    tables = [_effect_table(data, name, group) for name, group in groups.items() if group]
    tables += list(_resource_table(data))
    figures = [
        plot_intervals(
            data, data.name_by_model("effects", model), [model], headline_dimensions(data)[:_MOST_TESTED]
        )
        for model in data.models
        if quality
    ]
    findings = [_list_moved(data, model) for model in data.models]
    return Section("Effects of the switches", findings, tables, figures, (NOTES["screening"],))


def _list_moved(data: Results, model: str) -> str:
    rows = (
        compare_arms(data)[model, switch, each.name]
        for each in headline_dimensions(data)
        for switch in order_arms(data, model)
    )
    moved = [
        f"{row.arm} on {row.dimension.name} {short(column(row.dimension), row.estimate)}"
        for row in rows
        if row.is_significant
    ]
    named = f"{model}: " if len(data.models) > 1 else ""
    return f"{named}significant effects: {'; '.join(moved) or 'none'}"


def _effect_table(data: Results, name: str, dimensions: list[Dimension]) -> Table:
    rows: list[list[Entry]] = [
        [
            *[model] * (len(data.models) > 1),
            switch,
            *(compare_arms(data)[model, switch, each.name].estimate for each in dimensions),
        ]
        for model in data.models
        for switch in order_arms(data, model)
    ]
    columns = [*_first_columns(data, "switch"), *map(column, dimensions)]
    caption = f"Effect of each switch, averaged over the settings of the others{data.simulation_note}."
    return Table(f"effects_{name}", caption, columns, rows, in_summary=name == "outcome")


def _resource_table(data: Results) -> Iterator[Table]:
    """Make the table of what each switch costs, as a factor of the amount without it."""
    shown = data.with_role("resource")
    rows: list[list[Entry]] = [
        [
            *[model] * (len(data.models) > 1),
            switch,
            *(compare_arms(data)[model, switch, each.name].factor for each in shown),
        ]
        for model in data.models
        for switch in order_arms(data, model)
    ]
    columns = [*_first_columns(data, "switch"), *(Column(f"× {each.name}", TIMES) for each in shown)]
    if any(entry is not None for row in rows for entry in row[len(columns) - len(shown) :]):
        caption = f"Amount with each switch over the amount without it{data.simulation_note}."
        yield Table("effects_resources", caption, columns, rows)


def _interactions(data: Results) -> Section:
    found, tested = find_interactions(data), headline_dimensions(data)[:_MOST_TESTED]
    names = list(dict.fromkeys(name for *_, name in found))
    rows: list[list[Entry]] = [
        [
            *[model] * (len(data.models) > 1),
            name,
            *(found.get((model, each.name, name)) for each in tested),
        ]
        for model in data.models
        for name in names
    ]
    columns = [*_first_columns(data, "interaction"), *map(column, tested)]
    caption = (
        f"Interactions of every two switches, averaged over the settings of the others{data.simulation_note}."
    )
    tables = [Table("interactions", caption, columns, rows)]
    findings = [describe_fit(data, model) for model in data.models]
    return Section(
        "Lack of fit: interactions", findings, tables, notes=(NOTES["lack_of_fit"],), is_analysis=True
    )


@lru_cache(maxsize=2)
def find_interactions(data: Results) -> Interactions:
    """Estimate the interactions on the headline dimensions; those of one model are adjusted together."""
    found: Interactions = {}
    for model in data.models:
        pairs = AttemptPairs.of(data, model)
        deltas = {
            (model, each.name, name): delta
            for each in headline_dimensions(data)[:_MOST_TESTED]
            for name, delta in pairs.interactions(data.values(each.name)).items()
        }
        found |= data.estimate_deltas(deltas)
    return {place: each and _cut(each, 2.0) for place, each in found.items()}


def _cut(each: Estimate, most: float) -> Estimate:
    """Cut an interval at the possible range of an interaction."""
    if each.low is None or each.high is None:
        return each
    return replace(each, low=max(-most, each.low), high=min(most, each.high))


def describe_fit(data: Results, model: str) -> str:
    """Return the result of the lack-of-fit test: the interactions that were found, or the smallest p."""
    named = f"{model}: " if len(data.models) > 1 else ""
    found = {place: each for place, each in find_interactions(data).items() if place[0] == model and each}
    p_values = [each.p for each in found.values() if each.is_adjusted and each.p is not None]
    if not p_values:
        return f"{named}lack of fit: not tested; the pairs are too few, or the run is incomplete"
    moved = [
        f"{name} on {dimension} {data.dimension(dimension).scale.show_change(each.value)}"
        for (_, dimension, name), each in found.items()
        if each.p is not None and each.p < LEVEL_OF_SIGNIFICANCE
    ]
    if moved:
        return (
            f"{named}lack of fit: p = {min(p_values):.2g}; {'; '.join(moved)}. The effects of these switches "
            "depend on each other: cross them in a full factorial design."
        )
    return f"{named}lack of fit: p = {min(p_values):.2g}; no interaction of two switches was found"


def _first_columns(data: Results, first: str) -> list[Column]:
    return [*[Column("model")] * (len(data.models) > 1), Column(first)]
