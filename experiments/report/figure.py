"""deltas.png: a forest plot with one panel per dimension and one row per arm."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.table import Comparison, ReportData

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# M. Okabe and K. Ito, Color Universal Design, 2008: told apart with every common colour blindness.
_BETTER, _WORSE, _UNCLEAR = "#0072B2", "#D55E00", "#999999"
_LEGEND = "blue: better   orange: worse   grey: interval includes zero   filled: Holm-adjusted p < 0.05"
_MOST_COLUMNS = 5
_INCHES = {"panel": 2.3, "row": 0.25, "labels": 1.7, "frame": 0.75, "title": 1.1, "words": 7.5}


def draw(data: ReportData, path: Path) -> None:
    """The forest plot, written as a PNG."""
    forest_plot(data).savefig(path, metadata={"Software": None})


def forest_plot(data: ReportData) -> Figure:
    """One block of panels per model."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = max(len(data.quality), 1)
    lines = math.ceil(panels / _MOST_COLUMNS)
    columns = math.ceil(panels / lines)
    panel_height = _INCHES["row"] * max(len(data.treatments), 1) + _INCHES["frame"]
    block_height = lines * panel_height + _INCHES["title"]
    width = max(columns * _INCHES["panel"] + _INCHES["labels"], _INCHES["words"])
    figure = Figure(figsize=(width, block_height * len(data.models)), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    blocks = figure.subfigures(len(data.models), 1, squeeze=False)[:, 0]
    for model, block in zip(data.models, blocks, strict=True):
        _draw_block(data, model, block, (lines, columns))
    return figure


def _draw_block(data: ReportData, model: str, block: Any, shape: tuple[int, int]) -> None:
    simulated = " (simulated)" if model in data.simulated else ""
    title = f"{data.title}, {model}{simulated}: difference from {data.baseline}, {data.level:.0%} intervals"
    block.suptitle(title, fontsize=11, x=0.01, ha="left")
    block.supxlabel(_LEGEND, fontsize=8, x=0.01, ha="left", color="#555555")
    panels = block.subplots(*shape, squeeze=False)
    for panel in panels.flat[len(data.quality) :]:
        panel.set_visible(False)
    rows = [row for row in data.comparisons if row.model == model and row.dimension in data.quality]
    for at, dimension in enumerate(data.quality):
        panel = panels.flat[at]
        _draw_panel(panel, [row for row in rows if row.dimension == dimension])
        panel.set_title(f"{dimension}  ({scale_of(dimension).name})", fontsize=9, loc="left")
        panel.set_xlim(_range(rows, dimension))
        panel.set_yticks(range(len(data.treatments)), data.treatments)
        panel.tick_params(labelleft=at % shape[1] == 0)


def _draw_panel(panel: Axes, rows: list[Comparison]) -> None:
    panel.axvline(0, color="black", linewidth=0.8, zorder=1)
    for at, row in enumerate(rows):
        _draw_interval(panel, at, row)
    panel.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    panel.tick_params(labelsize=8, length=2)
    panel.tick_params(axis="y", length=0)
    panel.grid(color="#E8E8E8", linewidth=0.6)
    panel.set_axisbelow(True)
    for side in ("top", "right", "left"):
        panel.spines[side].set_visible(False)


def _draw_interval(panel: Axes, at: int, row: Comparison) -> None:
    estimate, low, high = _shown(row)
    if estimate is None:
        panel.text(0, at, " no pairs", fontsize=7, color=_UNCLEAR, va="center")
        return
    colour = _UNCLEAR if not row.is_clear else _BETTER if estimate > 0 else _WORSE
    if low is not None and high is not None:
        panel.plot([low, high], [at, at], color=colour, linewidth=2, solid_capstyle="butt", zorder=2)
    face = colour if row.is_significant else "white"
    panel.plot(estimate, at, "o", color=colour, markerfacecolor=face, markersize=5, zorder=3)


def _range(rows: list[Comparison], dimension: str) -> tuple[float, float]:
    """One range for all dimensions of a scale, so that equal lengths mean equal differences."""
    alike = [row for row in rows if scale_of(row.dimension) == scale_of(dimension)]
    ends = [0.0, *(end for row in alike for end in _shown(row) if end is not None)]
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - margin, max(ends) + margin


def _shown(row: Comparison) -> tuple[float | None, float | None, float | None]:
    scale, delta = scale_of(row.dimension), row.delta
    return scale.number(delta.estimate), scale.number(delta.low), scale.number(delta.high)
