"""Figures as PNG files: heatmaps, intervals, progressions and stacked bars, and the forest plot of deltas."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.eval.score import Dimension
from ansatz.eval.views import Estimate, Figure, Panel, Results
from ansatz.experiments.report.deltas import Comparison, comparisons

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

# M. Okabe and K. Ito, Color Universal Design, 2008: told apart with every common colour blindness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vPX*"
_BETTER, _WORSE, _UNCLEAR = "#0072B2", "#D55E00", "#999999"
_LEGEND = "blue: better   orange: worse   grey: interval includes zero   filled: adjusted p < 0.05"
_LINES = ("-", ":", "--")  # where colours begin again
_GREY = "#555555"
_CHARACTERS_PER_INCH = 13  # of a caption
_LEGEND_PER_INCH = 17  # characters
_MOST_COLUMNS = 5
_INCHES = {"panel": 2.3, "row": 0.25, "labels": 1.7, "frame": 0.75, "title": 1.1, "words": 7.5}


def draw(figure: Figure, path: Path) -> None:
    """Every panel in its place, the caption above, one legend for all below."""
    panels, lines = figure.panels, math.ceil(len(figure.panels) / figure.beside)
    shape, heights = (1, len(panels)), None
    if figure.kind == "heatmap":
        groups = [panels[at * figure.beside : (at + 1) * figure.beside] for at in range(lines)]
        heights = [max(0.9 + 0.32 * len(each.series) + _tilt(each) for each in group) for group in groups]
        shape = (lines, figure.beside)
    size = _size(figure, heights)
    canvas = _canvas(size)
    shared = heights is None
    grid = canvas.subplots(*shape, squeeze=False, sharey=shared, sharex=shared, height_ratios=heights)
    for at, (axes, panel) in enumerate(zip(grid.flat, panels, strict=False)):
        _PAINTERS[figure.kind](axes, panel, figure)
        axes.set_title(panel.title, fontsize=9, loc="left")
        if figure.kind == "heatmap" and at % figure.beside:
            axes.tick_params(labelleft=False)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    handles, names = grid.flat[0].get_legend_handles_labels()
    if len(names) > 1:
        fitting = int(size[0] * _LEGEND_PER_INCH / (max(map(len, names)) + 6))
        style = {"ncols": max(1, min(len(names), 3, fitting)), "fontsize": 7.5, "frameon": False}
        canvas.legend(handles, names, loc="outside lower center", **style)
    caption = textwrap.wrap(figure.caption, width=int(size[0] * _CHARACTERS_PER_INCH))
    canvas.suptitle("\n".join(caption), fontsize=9.5, x=0.01, ha="left")
    save(canvas, path)


def save(canvas: Canvas, path: Path) -> None:
    """As PNG, the same bytes for the same data; packed lightly, which takes a tenth of the time.

    Drawn once: `savefig` would lay out every text a second time.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    png = {"metadata": {"Software": None}, "pil_kwargs": {"compress_level": 1}}
    FigureCanvasAgg(canvas).print_png(path, **png)  # type: ignore[no-untyped-call]


def _canvas(size: tuple[float, float]) -> Canvas:
    """An empty drawing of so many inches, without any window."""
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=size, dpi=150, layout="constrained")


def _size(figure: Figure, heights: Sequence[float] | None) -> tuple[float, float]:
    first, number = figure.panels[0], len(figure.panels)
    widest = max(len(panel.labels) for panel in figure.panels)
    if heights is not None:
        return 2.0 + (0.6 + 0.62 * widest) * figure.beside, sum(heights)
    if figure.kind == "progression":
        return 1.6 + max(3.0, 0.7 * widest) * number, 3.4
    rows = len(first.labels) * (max(1.0, 0.6 * len(first.series)) if figure.kind == "intervals" else 1)
    return _label_inches(first) + 2.2 * number, 1.5 + 0.34 * rows


def _intervals(axes: Axes, panel: Panel, figure: Figure) -> None:
    """A dot with its interval for every label, from top to bottom, and series."""
    _style(axes, grid="x")
    step = 0.7 / len(panel.series)
    for at, (name, estimates) in enumerate(panel.series.items()):
        shift = (at - (len(panel.series) - 1) / 2) * step
        for row, estimate in enumerate(estimates):
            _interval(axes, row + shift, estimate, at, name if row == 0 else None)
    if figure.zero:
        axes.axvline(0, color="black", linewidth=0.8, zorder=1)
    _label_rows(axes, panel, figure.axis)


def _progression(axes: Axes, panel: Panel, figure: Figure) -> None:
    _style(axes, grid="y")
    for at, (name, estimates) in enumerate(panel.series.items()):
        shift = 0.06 * (at - (len(panel.series) - 1) / 2)
        known = [(index, each) for index, each in enumerate(estimates) if each.value is not None]
        places = [index + shift for index, _ in known]
        values = [100 * (each.value or 0.0) for _, each in known]
        colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]
        line = _LINES[at // len(COLOURS) % len(_LINES)]
        axes.plot(places, values, line, c=colour, marker=marker, markersize=5, linewidth=1.3, label=name)
        for place, (_, each) in zip(places, known, strict=True):
            if each.low is not None and each.high is not None:
                axes.plot([place] * 2, [100 * each.low, 100 * each.high], color=colour, linewidth=0.9)
    axes.set_xticks(range(len(panel.labels)), panel.labels)
    axes.set_xlim(-0.4, len(panel.labels) - 0.6)
    axes.set_ylabel(figure.axis, fontsize=8)
    axes.label_outer()


def _stacked(axes: Axes, panel: Panel, figure: Figure) -> None:
    """Parts below zero grow to the left."""
    _style(axes, grid="x")
    ends = {True: [0.0] * len(panel.labels), False: [0.0] * len(panel.labels)}
    for at, (name, estimates) in enumerate(panel.series.items()):
        widths = [100 * (each.value or 0.0) for each in estimates]
        starts = [ends[width >= 0][row] for row, width in enumerate(widths)]
        axes.barh(range(len(widths)), widths, left=starts, color=COLOURS[at], height=0.6, label=name)
        for row, width in enumerate(widths):
            ends[width >= 0][row] += width
    axes.axvline(0, color="black", linewidth=0.8)
    _label_rows(axes, panel, figure.axis)


def _label_rows(axes: Axes, panel: Panel, axis: str) -> None:
    axes.set_yticks(range(len(panel.labels)), panel.labels)
    axes.set_ylim(len(panel.labels) - 0.5, -0.5)
    axes.set_xlabel(axis, fontsize=8)


def _style(axes: Axes, grid: str) -> None:
    axes.tick_params(labelsize=8, length=2)
    axes.grid(axis=grid, color="#E8E8E8", linewidth=0.6)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _interval(axes: Axes, row: float, estimate: Estimate, at: int, label: str | None) -> None:
    colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]
    if estimate.value is None:
        axes.plot([], [], marker, color=colour, label=label)
        return
    if estimate.low is not None and estimate.high is not None:
        axes.plot([100 * estimate.low, 100 * estimate.high], [row, row], color=colour, linewidth=1.6)
    axes.plot(100 * estimate.value, row, marker, color=colour, markersize=5, label=label)


def _heatmap(axes: Axes, panel: Panel, _: Figure) -> None:
    import numpy as np

    values = [[each.value for each in row] for row in panel.series.values()]
    image = np.array([[np.nan if value is None else 100 * value for value in row] for row in values])
    axes.imshow(image, cmap="cividis", vmin=0, vmax=100, aspect="auto")
    for row, line in enumerate(image):
        for column, value in enumerate(line):
            text = "–" if np.isnan(value) else f"{value:.0f}"
            colour = _GREY if np.isnan(value) else "black" if value > 55 else "white"
            axes.text(column, row, text, ha="center", va="center", fontsize=7.5, color=colour)
    axes.set_yticks(range(len(panel.series)), list(panel.series))
    axes.set_xticks(
        range(len(panel.labels)),
        panel.labels,
        rotation=30 if _tilt(panel) else 0,
        ha="right" if _tilt(panel) else "center",
    )
    axes.tick_params(labelsize=8, length=0)
    axes.set_frame_on(False)


def _label_inches(panel: Panel) -> float:
    """Room for the labels on the left."""
    return max(1.9, 0.6 + 0.075 * max(map(len, panel.labels), default=0))


def _tilt(panel: Panel) -> float:
    """Extra height in inches for labels too long to stand side by side."""
    longest = max((len(label) for label in panel.labels), default=0)
    return 0.045 * longest if longest > 8 else 0.0


_PAINTERS = {"heatmap": _heatmap, "intervals": _intervals, "progression": _progression, "stacked": _stacked}


def forest_plot(data: Results, dimensions: Sequence[Dimension]) -> Canvas:
    """One block of panels per model, one panel per dimension and one row per arm."""
    panels = max(len(dimensions), 1)
    lines = math.ceil(panels / _MOST_COLUMNS)
    columns = math.ceil(panels / lines)
    panel_height = _INCHES["row"] * max(len(data.treatments), 1) + _INCHES["frame"]
    block_height = lines * panel_height + _INCHES["title"]
    width = max(columns * _INCHES["panel"] + _INCHES["labels"], _INCHES["words"])
    canvas = _canvas((width, block_height * len(data.models)))
    blocks = canvas.subfigures(len(data.models), 1, squeeze=False)[:, 0]
    for model, block in zip(data.models, blocks, strict=True):
        _draw_block(data, model, block, dimensions, (lines, columns))
    return canvas


def _draw_block(
    data: Results, model: str, block: Any, dimensions: Sequence[Dimension], shape: tuple[int, int]
) -> None:
    about = f"{data.title}, {data.said_of(model)}: difference from {data.baseline}"
    block.suptitle(f"{about}, intervals that hold for all at once", fontsize=11, x=0.01, ha="left")
    block.supxlabel(_LEGEND, fontsize=8, x=0.01, ha="left", color=_GREY)
    panels = block.subplots(*shape, squeeze=False)
    for panel in panels.flat[len(dimensions) :]:
        panel.set_visible(False)
    rows = [row for row in comparisons(data) if row.model == model and row.dimension in dimensions]
    for at, dimension in enumerate(dimensions):
        panel = panels.flat[at]
        _draw_forest(panel, [row for row in rows if row.dimension == dimension])
        named = dimension.title
        panel.set_title(
            f"{named}  ({dimension.scale.name})", fontsize=9 if len(named) < 20 else 7, loc="left"
        )
        panel.set_xlim(_range(rows, dimension))
        panel.set_yticks(range(len(data.treatments)), data.treatments)
        panel.tick_params(labelleft=at % shape[1] == 0)


def _draw_forest(panel: Axes, rows: list[Comparison]) -> None:
    _style(panel, grid="both")
    panel.axvline(0, color="black", linewidth=0.8, zorder=1)
    for at, row in enumerate(rows):
        estimate, low, high = _shown(row)
        if estimate is None:
            panel.text(0, at, " no pairs", fontsize=7, color=_UNCLEAR, va="center")
            continue
        colour = _UNCLEAR if not row.is_clear else _BETTER if row.is_better else _WORSE
        if low is not None and high is not None:
            panel.plot([low, high], [at, at], color=colour, linewidth=2, solid_capstyle="butt", zorder=2)
        face = colour if row.is_significant else "white"
        panel.plot(estimate, at, "o", color=colour, markerfacecolor=face, markersize=5, zorder=3)
    panel.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    panel.tick_params(axis="y", length=0)
    panel.spines["left"].set_visible(False)


def _range(rows: list[Comparison], dimension: Dimension) -> tuple[float, float]:
    """One range for all dimensions of a scale, so that equal lengths mean equal differences."""
    alike = [row for row in rows if row.dimension.scale == dimension.scale]
    ends = [0.0, *(end for row in alike for end in _shown(row) if end is not None)]
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - margin, max(ends) + margin


def _shown(row: Comparison) -> tuple[float | None, float | None, float | None]:
    """On the shown scale; a difference has no offset."""
    factor = row.dimension.scale.factor
    estimate, low, high = (
        None if each is None else factor * each for each in (row.delta.estimate, *row.ends)
    )
    return estimate, low, high
