"""Draw one panel of a figure: intervals, progressions, stacked bars, heatmaps or frontiers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ansatz.experiments.report.tables import Figure, Panel
from ansatz.experiments.results import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# M. Okabe and K. Ito, Color Universal Design, 2008: distinguishable with every common colour blindness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vPX*"
FONT_SIZE = 8
"""The font size of a figure, in points."""
_BETTER, _WORSE, _UNCLEAR = "#0072B2", "#D55E00", "#999999"
_WIDE = 8  # times the least cost, from which costs are drawn by their logarithm
_LINES = ("-", ":", "--")  # where colours begin again
_GREY = "#555555"

_Box = tuple[float, float, float, float]
"""The margins left, bottom, right and top, in points."""


def tilt(panel: Panel) -> float:
    """Return the extra height, in inches, for labels that are too long to fit next to each other."""
    longest = max((len(label) for label in panel.labels), default=0)
    return 0.04 * longest if longest > 8 else 0.0


def is_forest(figure: Figure) -> bool:
    """Return whether dots are differences, coloured by verdict instead of by series."""
    return figure.zero and all(len(panel.series) == 1 for panel in figure.panels)


def _shown(values: Iterable[float | None], panel: Panel, figure: Figure) -> list[float]:
    """Return values on the scale of tables; an unknown value is 0."""
    return [panel.scale.to_number(each or 0.0, change=figure.zero) or 0.0 for each in values]


def _ends(each: Estimate, panel: Panel, figure: Figure) -> list[float]:
    """Return the ends of intervals on the scale of tables; without an interval, the value itself."""
    return _shown((each.value if end is None else end for end in (each.low, each.high)), panel, figure)


def _bars(values: Sequence[float], known: Sequence[Estimate], panel: Panel, figure: Figure) -> np.ndarray:
    """Return the lengths of intervals below and above their values, of shape (2, values)."""
    ends = np.array([_ends(each, panel, figure) for each in known]).reshape(-1, 2).T
    return np.abs(ends - values)


def _intervals(axes: Axes, panel: Panel, figure: Figure) -> None:
    """Draw a dot with its interval for every label, from top to bottom, and every series."""
    _style(axes, grid="x")
    step = 0.7 / len(panel.series)
    for at, (name, estimates) in enumerate(panel.series.items()):
        shift = (at - (len(panel.series) - 1) / 2) * step
        known = [(row + shift, each) for row, each in enumerate(estimates) if each.value is not None]
        for own in [[one] for one in known] if is_forest(figure) else [known]:
            rows, shown = [row for row, _ in own], [each for _, each in own]
            colour = _clarity(shown[0], panel, figure) if is_forest(figure) else COLOURS[at % len(COLOURS)]
            face = "white" if is_forest(figure) and not shown[0].is_significant else colour
            values = _shown((each.value for each in shown), panel, figure)
            style: dict[str, Any] = {"color": colour, "markerfacecolor": face, "markersize": 5, "zorder": 3}
            style |= {"fmt": MARKERS[at % len(MARKERS)], "elinewidth": 1.6, "label": name}
            axes.errorbar(values, rows, xerr=_bars(values, shown, panel, figure), **style)
    if figure.zero:
        axes.axvline(0, color="black", linewidth=0.8, zorder=1)
        axes.set_xlim(_range(figure, panel))
    _label_rows(axes, panel, figure.axis)


def _clarity(estimate: Estimate, panel: Panel, figure: Figure) -> str:
    low, high = _ends(estimate, panel, figure)
    if estimate.low is None or low <= 0 <= high:
        return _UNCLEAR
    return _BETTER if (low > 0) == (panel.better == "higher") else _WORSE


def _range(figure: Figure, panel: Panel) -> tuple[float, float]:
    """Return one range for all panels of a scale, so that equal lengths are equal differences."""
    same_scale = [each for each in figure.panels if each.scale == panel.scale]
    drawn = [(each, one) for each in same_scale for series in each.series.values() for one in series]
    ends = [0.0, *(end for each, one in drawn for end in _ends(one, each, figure))]
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - margin, max(ends) + margin


def _progression(axes: Axes, panel: Panel, figure: Figure) -> None:
    _style(axes, grid="y")
    for at, (name, estimates) in enumerate(panel.series.items()):
        shift = 0.06 * (at - (len(panel.series) - 1) / 2)
        places = [index + shift for index, each in enumerate(estimates) if each.value is not None]
        known = [each for each in estimates if each.value is not None]
        values = _shown((each.value for each in known), panel, figure)
        line = _LINES[at // len(COLOURS) % len(_LINES)] + MARKERS[at % len(MARKERS)]
        style: dict[str, Any] = {"markersize": 5, "linewidth": 1.3, "elinewidth": 0.9, "label": name}
        style |= {"fmt": line, "color": COLOURS[at % len(COLOURS)]}
        axes.errorbar(places, values, _bars(values, known, panel, figure), **style)
    axes.set_xticks(range(len(panel.labels)), panel.labels)
    axes.set_xlim(-0.4, len(panel.labels) - 0.6)
    axes.set_ylabel(figure.axis, fontsize=FONT_SIZE)
    axes.label_outer()


def _stacked(axes: Axes, panel: Panel, figure: Figure) -> None:
    """Draw stacked bars; negative parts grow to the left."""
    _style(axes, grid="x")
    ends = np.zeros((2, len(panel.labels)))  # of what is below zero, and of what is not
    for at, (name, estimates) in enumerate(panel.series.items()):
        widths = np.array(_shown((each.value for each in estimates), panel, figure))
        side = (widths >= 0).astype(int), np.arange(len(widths))
        axes.barh(range(len(widths)), widths, left=ends[side], color=COLOURS[at], height=0.6, label=name)
        ends[side] += widths
    axes.axvline(0, color="black", linewidth=0.8)
    _label_rows(axes, panel, figure.axis)


def _label_rows(axes: Axes, panel: Panel, axis: str) -> None:
    """Draw the names on the left of a line of panels, which share them."""
    spec = axes.get_subplotspec()
    if spec is None or spec.is_first_col():
        axes.set_yticks(range(len(panel.labels)), panel.labels)
    else:
        axes.yaxis.set_visible(False)
    axes.set_ylim(max(len(panel.labels), 1) - 0.5, -0.5)
    axes.set_xlabel(axis, fontsize=FONT_SIZE)


def _style(axes: Axes, grid: str) -> None:
    axes.tick_params(labelsize=FONT_SIZE, length=2)
    axes.grid(axis=grid, color="#E8E8E8", linewidth=0.6)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _heatmap(axes: Axes, panel: Panel, _: Figure) -> None:
    image = 100 * np.array([[each.value for each in row] for row in panel.series.values()], dtype=float)
    axes.imshow(image, cmap="cividis", vmin=0, vmax=100, aspect="auto")
    for (row, column), value in np.ndenumerate(image):
        text = "–" if np.isnan(value) else f"{value:.0f}"
        colour = _GREY if np.isnan(value) else "black" if value > 55 else "white"
        axes.text(column, row, text, ha="center", va="center", fontsize=FONT_SIZE, color=colour)
    axes.set_yticks(range(len(panel.series)), list(panel.series))
    tilted: dict[str, Any] = {"rotation": 30, "ha": "right"} if tilt(panel) else {}
    axes.set_xticks(range(len(panel.labels)), panel.labels, **tilted)
    axes.tick_params(labelsize=FONT_SIZE, length=0)
    axes.set_frame_on(False)


def _frontier(axes: Axes, panel: Panel, figure: Figure) -> None:
    """A named point for every series, with its intervals; filled if no cheaper point is better."""
    _style(axes, grid="both")
    named: list[tuple[str, float, float]] = []
    for at, (name, (cost, worth, best)) in enumerate(panel.series.items()):
        if cost.value is None or worth.value is None:
            continue
        colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at // len(COLOURS) % len(MARKERS)]
        up = _shown([worth.value], panel, figure)
        style: dict[str, Any] = {"fmt": marker, "markersize": 6, "color": colour, "elinewidth": 0.9}
        style["markerfacecolor"] = colour if best.value else "white"
        if cost.low is not None and cost.high is not None:
            style["xerr"] = np.abs([[cost.low - cost.value], [cost.high - cost.value]])
        axes.errorbar([cost.value], up, _bars(up, [worth], panel, figure), label=name, **style)
        named.append((name, cost.value, up[0]))
    amounts = [cost.value for cost, *_ in panel.series.values() if cost.value]
    if amounts and max(amounts) > _WIDE * min(amounts):
        from matplotlib.ticker import LogLocator, NullLocator

        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_xlabel(figure.axis, fontsize=FONT_SIZE)
    axes.set_ylabel(panel.labels[-1], fontsize=FONT_SIZE)
    axes.margins(0.08, 0.1)
    _name_points(axes, named)


def _name_points(axes: Axes, points: Sequence[tuple[str, float, float]]) -> None:
    """Write each name next to its point, at the nearest place that covers no other name or point.

    A name that is far from its point is connected with it.
    """
    axes.autoscale_view()
    scale = 72 / axes.get_figure(root=True).dpi  # type: ignore[union-attr]
    places = axes.transData.transform([(x, y) for _, x, y in points] or np.empty((0, 2))) * scale
    left, right = axes.bbox.x0 * scale, axes.bbox.x1 * scale
    taken: list[_Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    for (name, cost, worth), (x, y) in zip(points, places, strict=True):
        wide = len(name) * FONT_SIZE * 0.6
        boxes = [
            (side, up, (start, y + up - 5.5, start + wide, y + up + 5.5))
            for up in sorted(range(-66, 67, 11), key=abs)
            for side, start in ((1, x + 7), (-1, x - 7 - wide))
        ]
        fitting = [each for each in boxes if left <= each[2][0] and each[2][2] <= right] or boxes
        free = (each for each in fitting if not any(_overlap(each[2], other) for other in taken))
        side, up, box = next(free, fitting[0])
        taken.append(box)
        style: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": FONT_SIZE}
        style["ha"] = "left" if side > 0 else "right"
        if abs(up) > 11:
            style["arrowprops"] = {"arrowstyle": "-", "color": "#AAAAAA", "linewidth": 0.6}
        axes.annotate(name, (cost, worth), (7 * side, up), **style)


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


PAINTERS = {
    "frontier": _frontier,
    "heatmap": _heatmap,
    "intervals": _intervals,
    "progression": _progression,
    "stacked": _stacked,
}
