"""Figures as PNG files: heatmaps, intervals, progressions, stacked bars and frontiers."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.eval.views import Estimate, Figure, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

# M. Okabe and K. Ito, Color Universal Design, 2008: told apart with every common colour blindness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vPX*"
_BETTER, _WORSE, _UNCLEAR = "#0072B2", "#D55E00", "#999999"
_COLOURED = ". Blue: better, orange: worse, grey: the interval includes zero; filled: adjusted p < 0.05"
_WIDE = 8  # times the least cost, from which costs are drawn by their logarithm
_LINES = ("-", ":", "--")  # where colours begin again
_GREY = "#555555"
_CHARACTERS_PER_INCH = 13  # of a caption
_LONG_TITLE = 30  # characters, of a panel
_LEGEND_PER_INCH = 17  # characters
_LABELS_PER_INCH = 15
_LINE = 0.17  # inches, of captions and legends
_TITLE = 0.32  # above a panel
_TICKS = 0.28  # below it
_GAP = 0.2  # between panels


@dataclass(frozen=True)
class _Margins:
    """Inches around a grid of panels and between them; the caption and the legend stand in them.

    Computed from the lengths of labels: to measure every text before it is drawn takes longer than all else.
    """

    left: float
    bottom: float
    top: float
    across: float = _GAP
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
    save(drawn(figure), path)


def drawn(figure: Figure) -> Canvas:
    """Every panel in its place, the caption above, one legend for all below."""
    panels, is_heatmap = figure.panels, figure.kind == "heatmap"
    columns = min(len(panels), figure.beside or (1 if is_heatmap else len(panels)))
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
    said = f"{figure.caption}{_COLOURED * _is_forest(figure)}"
    caption = textwrap.wrap(said, width=int(width * _CHARACTERS_PER_INCH))
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
        sharex=not is_heatmap and not figure.zero,
        height_ratios=heights,
        gridspec_kw=places,
    )
    for at, (axes, each) in enumerate(zip(grid.flat, panels, strict=False)):
        _PAINTERS[figure.kind](axes, each, figure)
        axes.set_title(each.title, fontsize=9 if len(each.title) < _LONG_TITLE else 7, loc="left")
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
    return canvas


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
    return (
        0.34 * max(len(panel.labels), 1) * (max(1.0, 0.6 * len(panel.series)) if kind == "intervals" else 1.0)
    )


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
        rows = [row for row, _ in known]
        colours, faces = [[COLOURS[at % len(COLOURS)]] * len(known)] * 2
        if _is_forest(figure):
            colours = [_clarity(each, panel) for _, each in known]
            faces = [
                colour if each.is_significant else "white"
                for colour, (_, each) in zip(colours, known, strict=True)
            ]
        lows, highs = zip(*(_ends(each, panel) for _, each in known), strict=True) if known else ((), ())
        axes.hlines(rows, lows, highs, colors=colours, linewidth=1.6)
        values = [panel.scale.factor * (each.value or 0.0) for _, each in known]
        marker = MARKERS[at % len(MARKERS)]
        axes.scatter(values, rows, 25, faces, edgecolors=colours, marker=marker, label=name, zorder=3)
    if figure.zero:
        axes.axvline(0, color="black", linewidth=0.8, zorder=1)
        axes.set_xlim(_range(figure, panel))
    _label_rows(axes, panel, figure.axis)


def _is_forest(figure: Figure) -> bool:
    """Whether dots are differences, in the colours of what they show and not of what they are."""
    return figure.zero and all(len(panel.series) == 1 for panel in figure.panels)


def _clarity(estimate: Estimate, panel: Panel) -> str:
    low, high = _ends(estimate, panel)
    if estimate.low is None or low <= 0 <= high:
        return _UNCLEAR
    return _BETTER if (low > 0) == (panel.better == "higher") else _WORSE


def _ends(estimate: Estimate, panel: Panel) -> tuple[float, float]:
    """On the shown scale; where there is no interval, those of the value."""
    ends = (estimate.value if end is None else end for end in (estimate.low, estimate.high))
    low, high = (panel.scale.factor * (end or 0.0) for end in ends)
    return low, high


def _range(figure: Figure, panel: Panel) -> tuple[float, float]:
    """One for all panels of a scale, so that equal lengths mean equal differences."""
    alike = [each for each in figure.panels if each.scale == panel.scale]
    drawn = [(each, one) for each in alike for series in each.series.values() for one in series]
    ends = [0.0, *(end for each, one in drawn for end in _ends(one, each))]
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - margin, max(ends) + margin


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
    """Names on the left of a line of panels, which share them: ticks without names take as long to make."""
    spec = axes.get_subplotspec()
    if spec is None or spec.is_first_col():
        axes.set_yticks(range(len(panel.labels)), panel.labels)
    else:
        axes.yaxis.set_visible(False)
    axes.set_ylim(max(len(panel.labels), 1) - 0.5, -0.5)
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
