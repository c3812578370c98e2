"""Figures of a section: heatmaps, intervals, progressions and stacked bars, each one PNG."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.experiments.report.section import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# M. Okabe and K. Ito, Color Universal Design, 2008: told apart with every common colour blindness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vPX*"
_LINES = ("-", ":", "--")  # where colours begin again
_GREY = "#555555"
_CHARACTERS_PER_INCH = 13  # of a caption
_LEGEND_PER_INCH = 17  # characters


@dataclass(frozen=True)
class Panel:
    """One plot of a figure: a value for each of `labels`, in each of the named series."""

    title: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[Estimate]]


@dataclass(frozen=True)
class _Layout:
    """Inches, rows and columns of panels, and their heights where they differ."""

    size: tuple[float, float]
    shape: tuple[int, int]
    heights: Sequence[float] | None = None


@dataclass(frozen=True)
class Heatmap:
    """Series are the rows, labels the columns; values in [0, 1], shown as 0–100.

    Panels stand below each other, or `beside` each other so many to a line where they share their series.
    """

    name: str
    caption: str
    panels: Sequence[Panel]
    beside: int = 1

    def draw(self, path: Path) -> None:
        lines = [self.panels[at : at + self.beside] for at in range(0, len(self.panels), self.beside)]
        heights = [max(0.9 + 0.32 * len(each.series) + _tilt(each) for each in line) for line in lines]
        widest = max(len(panel.labels) for panel in self.panels)
        size = (2.0 + (0.6 + 0.62 * widest) * self.beside, sum(heights))
        _draw(self, path, _Layout(size, (len(lines), self.beside), heights), self._panel)

    def _panel(self, axes: Axes, panel: Panel) -> None:
        _draw_heatmap(axes, panel)
        if self.panels.index(panel) % self.beside:
            axes.tick_params(labelleft=False)


@dataclass(frozen=True)
class Intervals:
    """A dot with its interval for every label (from top to bottom) and series, one panel beside another."""

    name: str
    caption: str
    panels: Sequence[Panel]
    axis: str
    zero: bool = False

    def draw(self, path: Path) -> None:
        panel = self.panels[0]
        rows = len(panel.labels) * max(1.0, 0.6 * len(panel.series))
        size = (_label_inches(panel) + 2.2 * len(self.panels), 1.5 + 0.34 * rows)
        _draw(self, path, _Layout(size, (1, len(self.panels))), self._panel)

    def _panel(self, axes: Axes, panel: Panel) -> None:
        _style(axes, grid="x")
        step = 0.7 / len(panel.series)
        for at, (name, estimates) in enumerate(panel.series.items()):
            shift = (at - (len(panel.series) - 1) / 2) * step
            for row, estimate in enumerate(estimates):
                _interval(axes, row + shift, estimate, at, name if row == 0 else None)
        if self.zero:
            axes.axvline(0, color="black", linewidth=0.8, zorder=1)
        axes.set_yticks(range(len(panel.labels)), panel.labels)
        axes.set_ylim(len(panel.labels) - 0.5, -0.5)
        axes.set_xlabel(self.axis, fontsize=8)


@dataclass(frozen=True)
class Progression:
    """Labels from left to right, a line with intervals for every series."""

    name: str
    caption: str
    panels: Sequence[Panel]
    axis: str

    def draw(self, path: Path) -> None:
        panel = max(3.0, 0.7 * max(len(each.labels) for each in self.panels))
        size = (1.6 + panel * len(self.panels), 3.4)
        _draw(self, path, _Layout(size, (1, len(self.panels))), self._panel)

    def _panel(self, axes: Axes, panel: Panel) -> None:
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
        axes.set_ylabel(self.axis, fontsize=8)
        axes.label_outer()


@dataclass(frozen=True)
class Stacked:
    """A horizontal bar for every label, made of the series; parts below zero grow to the left."""

    name: str
    caption: str
    panels: Sequence[Panel]
    axis: str

    def draw(self, path: Path) -> None:
        first = self.panels[0]
        size = (_label_inches(first) + 2.2 * len(self.panels), 1.5 + 0.34 * len(first.labels))
        _draw(self, path, _Layout(size, (1, len(self.panels))), self._panel)

    def _panel(self, axes: Axes, panel: Panel) -> None:
        _style(axes, grid="x")
        ends = {True: [0.0] * len(panel.labels), False: [0.0] * len(panel.labels)}
        for at, (name, estimates) in enumerate(panel.series.items()):
            widths = [100 * (each.value or 0.0) for each in estimates]
            starts = [ends[width >= 0][row] for row, width in enumerate(widths)]
            axes.barh(range(len(widths)), widths, left=starts, color=COLOURS[at], height=0.6, label=name)
            for row, width in enumerate(widths):
                ends[width >= 0][row] += width
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set_yticks(range(len(panel.labels)), panel.labels)
        axes.set_ylim(len(panel.labels) - 0.5, -0.5)
        axes.set_xlabel(self.axis, fontsize=8)


def _draw(figure: Any, path: Path, layout: _Layout, draw_panel: Callable[[Axes, Panel], None]) -> None:
    """Every panel in its place, the caption above, one legend for all below."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    canvas = Figure(figsize=layout.size, dpi=150, layout="constrained")
    FigureCanvasAgg(canvas)
    shared, heights = layout.heights is None, layout.heights
    grid = canvas.subplots(*layout.shape, squeeze=False, sharey=shared, sharex=shared, height_ratios=heights)
    for axes, panel in zip(grid.flat, figure.panels, strict=False):
        draw_panel(axes, panel)
        axes.set_title(panel.title, fontsize=9, loc="left")
    for axes in grid.flat[len(figure.panels) :]:
        axes.set_visible(False)
    handles, names = grid.flat[0].get_legend_handles_labels()
    if len(names) > 1:
        fitting = int(layout.size[0] * _LEGEND_PER_INCH / (max(map(len, names)) + 6))
        style = {"ncols": max(1, min(len(names), 3, fitting)), "fontsize": 7.5, "frameon": False}
        canvas.legend(handles, names, loc="outside lower center", **style)
    lines = textwrap.wrap(figure.caption, width=int(layout.size[0] * _CHARACTERS_PER_INCH))
    canvas.suptitle("\n".join(lines), fontsize=9.5, x=0.01, ha="left")
    canvas.savefig(path, metadata={"Software": None})


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


def _draw_heatmap(axes: Axes, panel: Panel) -> None:
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
