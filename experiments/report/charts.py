"""Figures as PNG files: heatmaps, intervals, progressions and stacked bars, and the forest plot of deltas."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
_WIDE = 8  # times the least cost, from which costs are drawn by their logarithm
_LINES = ("-", ":", "--")  # where colours begin again
_GREY = "#555555"
_CHARACTERS_PER_INCH = 13  # of a caption
_LEGEND_PER_INCH = 17  # characters
_LABELS_PER_INCH = 15
_MOST_COLUMNS = 5
_LINE = 0.17  # inches, of captions and legends
_TITLE = 0.32  # above a panel
_TICKS = 0.28  # below it
_INCHES = {"panel": 1.9, "row": 0.25, "gap": 0.2, "words": 7.5, "heading": 0.4, "legend": 0.35}


@dataclass(frozen=True)
class _Margins:
    """Inches around a grid of panels and between them; the caption and the legend stand in them.

    Computed from the lengths of labels: to measure every text before it is drawn takes longer than all else.
    """

    left: float
    bottom: float
    top: float
    across: float = _INCHES["gap"]
    down: float = 0.0
    right: float = 0.15

    def grid(
        self, shape: tuple[int, int], panel: tuple[float, float]
    ) -> tuple[float, float, dict[str, float]]:
        """Width and height of the whole in inches, and where panels of a mean size stand in it."""
        lines, columns = shape
        width = self.left + columns * panel[0] + (columns - 1) * self.across + self.right
        height = self.bottom + lines * panel[1] + (lines - 1) * self.down + self.top
        places = {"left": self.left / width, "right": 1 - self.right / width}
        places |= {"bottom": self.bottom / height, "top": 1 - self.top / height}
        return width, height, places | {"wspace": self.across / panel[0], "hspace": self.down / panel[1]}


def draw(figure: Figure, path: Path) -> None:
    """Every panel in its place, the caption above, one legend for all below."""
    panels, is_heatmap = figure.panels, figure.kind == "heatmap"
    columns = figure.beside if is_heatmap else len(panels)
    shape = (math.ceil(len(panels) / columns), columns)
    groups = [panels[at * columns : (at + 1) * columns] for at in range(shape[0])]
    heights = [max(_height(panel, figure.kind) for panel in group) for group in groups]
    panel = (max(_width(panel, figure.kind) for panel in panels), sum(heights) / len(heights))
    between, ticks = (
        _TICKS + max(map(_tilt, some), default=0.0) * is_heatmap + 0.2 * bool(figure.axis)
        for some in (panels[:-columns], panels)
    )
    margins = _Margins(_left(figure), ticks, _TITLE, down=between + _TITLE)
    width = margins.grid(shape, panel)[0]
    caption = textwrap.wrap(figure.caption, width=int(width * _CHARACTERS_PER_INCH))
    names = [] if is_heatmap or len(panels[0].series) < 2 else list(panels[0].series)
    fitting = int(width * _LEGEND_PER_INCH / (max(map(len, names), default=1) + 6))
    beside = max(1, min(len(names), 3, fitting))
    below = _LINE * math.ceil(len(names) / beside) + 0.1 * bool(names)
    margins = replace(margins, bottom=ticks + below, top=_TITLE + 0.1 + _LINE * len(caption))
    width, height, places = margins.grid(shape, panel)
    canvas = _canvas((width, height))
    grid = canvas.subplots(
        *shape,
        squeeze=False,
        sharey=not is_heatmap,
        sharex=not is_heatmap,
        height_ratios=heights,
        gridspec_kw=places,
    )
    for at, (axes, each) in enumerate(zip(grid.flat, panels, strict=False)):
        _PAINTERS[figure.kind](axes, each, figure)
        axes.set_title(each.title, fontsize=9, loc="left")
        if is_heatmap and at % columns:
            axes.tick_params(labelleft=False)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    if names:
        style = {"ncols": beside, "fontsize": 7.5, "frameon": False, "borderpad": 0.0}
        canvas.legend(*grid.flat[0].get_legend_handles_labels(), loc="lower center", **style)
    canvas.suptitle(
        "\n".join(caption), fontsize=9.5, x=0.08 / width, y=1 - 0.06 / height, ha="left", va="top"
    )
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

    return Canvas(figsize=size, dpi=150)


def _width(panel: Panel, kind: str) -> float:
    if kind == "heatmap":
        return 0.55 * len(panel.labels)
    if kind == "frontier":
        return 5.6
    return max(2.7, 0.7 * len(panel.labels)) if kind == "progression" else 2.0


def _height(panel: Panel, kind: str) -> float:
    if kind == "heatmap":
        return 0.3 * len(panel.series)
    if kind == "frontier":
        return 3.4
    if kind == "progression":
        return 2.3
    return 0.34 * len(panel.labels) * (max(1.0, 0.6 * len(panel.series)) if kind == "intervals" else 1.0)


def _left(figure: Figure) -> float:
    """Room for the labels on the left."""
    if figure.kind in ("progression", "frontier"):
        return 0.6
    return _label_inches(
        [
            name
            for each in figure.panels
            for name in (each.series if figure.kind == "heatmap" else each.labels)
        ]
    )


def _label_inches(labels: Iterable[str]) -> float:
    return 0.2 + max(map(len, labels), default=0) / _LABELS_PER_INCH


def _tilt(panel: Panel) -> float:
    """Extra height in inches for labels too long to stand side by side."""
    longest = max((len(label) for label in panel.labels), default=0)
    return 0.04 * longest if longest > 8 else 0.0


def _intervals(axes: Axes, panel: Panel, figure: Figure) -> None:
    """A dot with its interval for every label, from top to bottom, and series."""
    _style(axes, grid="x")
    step = 0.7 / len(panel.series)
    for at, (name, estimates) in enumerate(panel.series.items()):
        shift = (at - (len(panel.series) - 1) / 2) * step
        known = [(row + shift, each) for row, each in enumerate(estimates) if each.value is not None]
        _dots(axes, known, COLOURS[at % len(COLOURS)], marker=MARKERS[at % len(MARKERS)], label=name)
    if figure.zero:
        axes.axvline(0, color="black", linewidth=0.8, zorder=1)
    _label_rows(axes, panel, figure.axis)


def _dots(axes: Axes, placed: Sequence[tuple[float, Estimate]], colour: str, **dots: Any) -> None:
    """Dots at their rows, and lines over the intervals that are known."""
    ends = [
        (row, each.low, each.high) for row, each in placed if each.low is not None and each.high is not None
    ]
    if ends:
        rows, lows, highs = zip(*ends, strict=True)
        axes.hlines(rows, _percent(lows), _percent(highs), colors=colour, linewidth=1.6)
    values = _percent(each.value for _, each in placed)
    axes.plot(values, [row for row, _ in placed], linestyle="", color=colour, markersize=5, **dots)


def _percent(values: Iterable[float | None]) -> list[float]:
    return [100 * (value or 0.0) for value in values]


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
        sure = [(place, each) for place, (_, each) in zip(places, known, strict=True) if each.low is not None]
        lows, highs = _percent(each.low for _, each in sure), _percent(each.high for _, each in sure)
        axes.vlines([place for place, _ in sure], lows, highs, colors=colour, linewidth=0.9)
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


def _frontier(axes: Axes, panel: Panel, figure: Figure) -> None:
    """A point for every series, with its intervals; those that nothing cheaper excels are filled."""
    _style(axes, grid="both")
    for at, (name, (cost, worth)) in enumerate(panel.series.items()):
        colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at // len(COLOURS) % len(MARKERS)]
        here, up = cost.value or 0.0, 100 * (worth.value or 0.0)
        if cost.low is not None and cost.high is not None:
            axes.plot([cost.low, cost.high], [up, up], color=colour, linewidth=0.9)
        if worth.low is not None and worth.high is not None:
            axes.plot([here, here], [100 * worth.low, 100 * worth.high], color=colour, linewidth=0.9)
        face = colour if name.endswith("(frontier)") else "white"
        axes.plot(here, up, marker, color=colour, markerfacecolor=face, markersize=6, label=name)
    amounts = [cost.value for cost, _ in panel.series.values() if cost.value]
    if amounts and max(amounts) > _WIDE * min(amounts):
        from matplotlib.ticker import LogLocator, NullLocator

        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_xlabel(figure.axis, fontsize=8)
    axes.set_ylabel(panel.labels[-1], fontsize=8)


_PAINTERS = {
    "frontier": _frontier,
    "heatmap": _heatmap,
    "intervals": _intervals,
    "progression": _progression,
    "stacked": _stacked,
}


def forest_plot(data: Results, dimensions: Sequence[Dimension]) -> Canvas:
    """One block of panels per model, one panel per dimension and one row per arm."""
    panels = max(len(dimensions), 1)
    lines = math.ceil(panels / _MOST_COLUMNS)
    shape = (lines, math.ceil(panels / lines))
    margins = _Margins(
        _label_inches(data.treatments),
        _TICKS + _INCHES["legend"],
        _TITLE + _INCHES["heading"],
        down=_TICKS + _TITLE,
    )
    panel = (_INCHES["panel"], _INCHES["row"] * max(len(data.treatments), 1))
    spare = _INCHES["words"] - margins.grid(shape, panel)[0]
    panel = (panel[0] + max(spare, 0.0) / shape[1], panel[1])
    width, height, places = margins.grid(shape, panel)
    canvas = _canvas((width, height * len(data.models)))
    blocks = canvas.subfigures(len(data.models), 1, squeeze=False)[:, 0]
    for model, block in zip(data.models, blocks, strict=True):
        about = f"{data.title}, {data.said_of(model)}: difference from {data.baseline}"
        title = f"{about}, intervals that hold for all at once"
        left = 0.08 / width
        size = min(11.0, 120 * width / len(title))
        block.suptitle(title, fontsize=size, x=left, y=1 - 0.1 / height, ha="left", va="top")
        block.supxlabel(_LEGEND, fontsize=8, x=left, y=0.06 / height, ha="left", va="bottom", color=_GREY)
        _draw_block(data, model, block.subplots(*shape, squeeze=False, gridspec_kw=places), dimensions)
    return canvas


def _draw_block(data: Results, model: str, panels: Any, dimensions: Sequence[Dimension]) -> None:
    for panel in panels.flat[len(dimensions) :]:
        panel.set_visible(False)
    rows = [row for row in comparisons(data) if row.model == model and row.dimension in dimensions]
    for at, dimension in enumerate(dimensions):
        panel = panels.flat[at]
        _draw_forest(panel, [row for row in rows if row.dimension == dimension])
        title = f"{dimension.title}  ({dimension.scale.name})"
        panel.set_title(title, fontsize=9 if len(title) < 30 else 7, loc="left")
        panel.set_xlim(_range(rows, dimension))
        panel.set_yticks(range(len(data.treatments)), data.treatments)
        panel.tick_params(labelleft=at % panels.shape[1] == 0)


def _draw_forest(panel: Axes, rows: list[Comparison]) -> None:
    _style(panel, grid="both")
    panel.axvline(0, color="black", linewidth=0.8, zorder=1)
    shown = [(at, row, *_shown(row)) for at, row in enumerate(rows)]
    for at, *_ in (each for each in shown if each[2] is None):
        panel.text(0, at, " no pairs", fontsize=7, color=_UNCLEAR, va="center")
    known = [each for each in shown if each[2] is not None]
    colours = [_UNCLEAR if not r.is_clear else _BETTER if r.is_better else _WORSE for _, r, *_ in known]
    faces = [
        colour if r.is_significant else "white" for colour, (_, r, *_) in zip(colours, known, strict=True)
    ]
    lines = [(each, colour) for each, colour in zip(known, colours, strict=True) if each[3] is not None]
    if lines:
        places, _, _, lows, highs = zip(*(each for each, _ in lines), strict=True)
        panel.hlines(places, lows, highs, colors=[colour for _, colour in lines], linewidth=2, zorder=2)
    panel.scatter(
        [each[2] or 0.0 for each in known],
        [each[0] for each in known],
        25,
        faces,
        edgecolors=colours,
        zorder=3,
    )
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
