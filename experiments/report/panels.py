"""What a panel of a figure shows: intervals, progressions, stacked bars, heatmaps and frontiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ansatz.eval.views import Estimate, Figure, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# M. Okabe and K. Ito, Color Universal Design, 2008: told apart with every common colour blindness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vPX*"
_BETTER, _WORSE, _UNCLEAR = "#0072B2", "#D55E00", "#999999"
_WIDE = 8  # times the least cost, from which costs are drawn by their logarithm
_LINES = ("-", ":", "--")  # where colours begin again
_GREY = "#555555"


def tilt(panel: Panel) -> float:
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
        if is_forest(figure):
            colours = [_clarity(each, panel, figure) for _, each in known]
            faces = [
                colour if each.is_significant else "white"
                for colour, (_, each) in zip(colours, known, strict=True)
            ]
        ends = [_ends(each, panel, figure) for _, each in known]
        axes.hlines(rows, [low for low, _ in ends], [high for _, high in ends], colors=colours, linewidth=1.6)
        values = [_shown(each.value, panel, figure) for _, each in known]
        marker = MARKERS[at % len(MARKERS)]
        axes.scatter(values, rows, 25, faces, edgecolors=colours, marker=marker, label=name, zorder=3)
    if figure.zero:
        axes.axvline(0, color="black", linewidth=0.8, zorder=1)
        axes.set_xlim(_range(figure, panel))
    _label_rows(axes, panel, figure.axis)


def is_forest(figure: Figure) -> bool:
    """Whether dots are differences, in the colours of what they show and not of what they are."""
    return figure.zero and all(len(panel.series) == 1 for panel in figure.panels)


def _clarity(estimate: Estimate, panel: Panel, figure: Figure) -> str:
    low, high = _ends(estimate, panel, figure)
    if estimate.low is None or low <= 0 <= high:
        return _UNCLEAR
    return _BETTER if (low > 0) == (panel.better == "higher") else _WORSE


def _ends(estimate: Estimate, panel: Panel, figure: Figure) -> tuple[float, float]:
    """On the shown scale; where there is no interval, those of the value."""
    ends = (estimate.value if end is None else end for end in (estimate.low, estimate.high))
    low, high = (_shown(end, panel, figure) for end in ends)
    return low, high


def _shown(value: float | None, panel: Panel, figure: Figure) -> float:
    """On the scale of the panel, as tables show it; what is not known has no length."""
    return panel.scale.number(value or 0.0, change=figure.zero) or 0.0


def _range(figure: Figure, panel: Panel) -> tuple[float, float]:
    """One for all panels of a scale, so that equal lengths mean equal differences."""
    alike = [each for each in figure.panels if each.scale == panel.scale]
    drawn = [(each, one) for each in alike for series in each.series.values() for one in series]
    ends = [0.0, *(end for each, one in drawn for end in _ends(one, each, figure))]
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - margin, max(ends) + margin


def _progression(axes: Axes, panel: Panel, figure: Figure) -> None:
    _style(axes, grid="y")
    for at, (name, estimates) in enumerate(panel.series.items()):
        shift = 0.06 * (at - (len(panel.series) - 1) / 2)
        known = [(index, each) for index, each in enumerate(estimates) if each.value is not None]
        places = [index + shift for index, _ in known]
        values = [_shown(each.value, panel, figure) for _, each in known]
        colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]
        line = _LINES[at // len(COLOURS) % len(_LINES)]
        axes.plot(places, values, line, c=colour, marker=marker, markersize=5, linewidth=1.3, label=name)
        sure = [(place, each) for place, (_, each) in zip(places, known, strict=True) if each.low is not None]
        ends = [_ends(each, panel, figure) for _, each in sure]
        lows, highs = [low for low, _ in ends], [high for _, high in ends]
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
        widths = [_shown(each.value, panel, figure) for each in estimates]
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
        rotation=30 if tilt(panel) else 0,
        ha="right" if tilt(panel) else "center",
    )
    axes.tick_params(labelsize=8, length=0)
    axes.set_frame_on(False)


def _frontier(axes: Axes, panel: Panel, figure: Figure) -> None:
    """A point for every series, with its intervals; those that nothing cheaper excels are filled."""
    _style(axes, grid="both")
    for at, (name, (cost, worth, best)) in enumerate(panel.series.items()):
        if cost.value is None or worth.value is None:
            continue
        colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at // len(COLOURS) % len(MARKERS)]
        here, up, (low, high) = cost.value, _shown(worth.value, panel, figure), _ends(worth, panel, figure)
        if cost.low is not None and cost.high is not None:
            axes.plot([cost.low, cost.high], [up, up], color=colour, linewidth=0.9)
        axes.plot([here, here], [low, high], color=colour, linewidth=0.9)
        face = colour if best.value else "white"
        axes.plot(here, up, marker, color=colour, markerfacecolor=face, markersize=6, label=name)
    amounts = [cost.value for cost, *_ in panel.series.values() if cost.value]
    if amounts and max(amounts) > _WIDE * min(amounts):
        from matplotlib.ticker import LogLocator, NullLocator

        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_xlabel(figure.axis, fontsize=8)
    axes.set_ylabel(panel.labels[-1], fontsize=8)


PAINTERS = {
    "frontier": _frontier,
    "heatmap": _heatmap,
    "intervals": _intervals,
    "progression": _progression,
    "stacked": _stacked,
}
