"""Figures as PNG files: heatmaps, intervals, progressions, stacked bars and frontiers."""

from __future__ import annotations

import math
import textwrap
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.experiments.report.panels import PAINTERS, is_forest, tilt
from ansatz.experiments.report.tables import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_COLOURED = ". Blue: better, orange: worse, grey: the interval includes zero; filled: adjusted p < 0.05"
_CHARACTERS_PER_INCH = 13  # of a caption
_LONG_TITLE = 30  # characters, of a panel
_TITLE_PER_INCH = 18  # of a long one
_MOST_LINES = 4
_FURTHER_FONTS = ("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei")
_LEGEND_PER_INCH = 17  # characters
_LABELS_PER_INCH = 15
_LINE = 0.17  # inches, of captions and legends
_TITLE = 0.32  # above a panel
_TITLE_LINE = 0.14  # further ones
_TICKS = 0.28  # below it
_GAP = 0.2  # between panels


def write_png(figure: Figure, path: Path) -> None:
    """Write a PNG file with the same bytes for the same data.

    Light compression takes a tenth of the time. Characters that the default font lacks come from another
    installed font. `savefig` is avoided, because it lays out every text twice.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    png = {"metadata": {"Software": None}, "pil_kwargs": {"compress_level": 1}}
    with matplotlib.rc_context({"font.family": _families()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        FigureCanvasAgg(draw_canvas(figure)).print_png(path, **png)  # type: ignore[no-untyped-call]


@cache
def _families() -> list[str]:
    from matplotlib.font_manager import fontManager

    installed = {each.name for each in fontManager.ttflist}
    return ["sans-serif", *(each for each in _FURTHER_FONTS if each in installed)]


def draw_canvas(figure: Figure) -> Canvas:
    """Draw the panels with the caption above and one legend below.

    Positions follow from the lengths of labels, because measuring every text takes longer than everything
    else. Dollar signs in names are text, not formulas.
    """
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    panels, kind = figure.panels, figure.kind
    columns = min(len(panels), figure.panels_per_row or (1 if kind == "heatmap" else len(panels)))
    lines = math.ceil(len(panels) / columns)
    wide, heights = _sizes(figure, columns)
    left, right = _left(figure), 0.15
    width = left + columns * wide + (columns - 1) * _GAP + right
    titles = [_title(each.title, wide) for each in panels]
    above = _TITLE + _TITLE_LINE * max(each.count("\n") for each in titles)
    between, ticks = (
        _TICKS + max(map(tilt, some), default=0.0) * (kind == "heatmap") + 0.2 * bool(figure.axis)
        for some in (panels[:-columns], panels)
    )
    caption = f"{figure.caption}{_COLOURED * is_forest(figure)}"
    caption_lines = textwrap.wrap(caption, width=int(width * _CHARACTERS_PER_INCH))
    names = [] if kind == "heatmap" or len(panels[0].series) < 2 else list(panels[0].series)
    per_line = _fit_names(names, width)
    legend = _LINE * math.ceil(len(names) / per_line) + 0.1 * bool(names)
    bottom = ticks + legend
    top = above + 0.1 + _LINE * len(caption_lines)
    high = sum(heights) / lines
    height = bottom + lines * high + (lines - 1) * (between + above) + top
    places = {"left": left / width, "right": 1 - right / width, "wspace": _GAP / wide}
    places |= {"bottom": bottom / height, "top": 1 - top / height, "hspace": (between + above) / high}
    with matplotlib.rc_context({"text.parse_math": False}):
        canvas = Canvas(figsize=(width, height), dpi=150)
        _paint(figure, canvas, titles, columns, heights, places)
        if names:
            handles, labels = canvas.axes[0].get_legend_handles_labels()
            style = {"fontsize": 7.5, "frameon": False, "borderpad": 0.0}
            canvas.legend(handles, labels, loc="lower center", ncols=per_line, **style)
        corner = {"x": 0.08 / width, "y": 1 - 0.06 / height, "ha": "left", "va": "top"}
        canvas.suptitle("\n".join(caption_lines), fontsize=9.5, **corner)
    return canvas


def _sizes(figure: Figure, columns: int) -> tuple[float, list[float]]:
    """Inches: the width of every panel, and the height of every line."""
    widths, heights = [], []
    for panel in figure.panels:
        labels, series = len(panel.labels), len(panel.series)
        rows = 0.34 * max(labels, 1)
        width, height = {
            "heatmap": (0.55 * labels, 0.3 * series),
            "frontier": (5.6, 3.4),
            "progression": (max(2.7, 0.7 * labels), 2.3),
            "intervals": (2.0, rows * max(1.0, 0.6 * series)),
            "stacked": (2.0, rows),
        }[figure.kind]
        widths.append(width)
        heights.append(height)
    return max(widths), [max(heights[at : at + columns]) for at in range(0, len(heights), columns)]


def _left(figure: Figure) -> float:
    """Room for the labels on the left."""
    if figure.kind in ("progression", "frontier"):
        return 0.6
    is_heatmap = figure.kind == "heatmap"
    names = [name for each in figure.panels for name in (each.series if is_heatmap else each.labels)]
    return 0.2 + max(map(len, names), default=0) / _LABELS_PER_INCH


def _title(title: str, inches: float) -> str:
    """In as many lines as a panel of this width needs; of a very long one the beginning."""
    wide = max(_LONG_TITLE, int(inches * _TITLE_PER_INCH))
    return "\n".join(textwrap.wrap(title, wide, max_lines=_MOST_LINES, placeholder=" …"))


def _fit_names(names: Sequence[str], inches: float) -> int:
    """Return the number of legend names that fit in a line."""
    fitting = int(inches * _LEGEND_PER_INCH / (max(map(len, names), default=1) + 6))
    return max(1, min(len(names), 3, fitting))


def _paint(
    figure: Figure,
    canvas: Canvas,
    titles: Sequence[str],
    columns: int,
    heights: Sequence[float],
    places: dict[str, float],
) -> None:
    """The panels where they belong; places that are left over are blank."""
    is_heatmap = figure.kind == "heatmap"
    grid = canvas.subplots(
        len(heights),
        columns,
        squeeze=False,
        sharey=not is_heatmap,
        sharex=not is_heatmap and not figure.zero,
        height_ratios=heights,
        gridspec_kw=places,
    ).flat
    for at, axes in enumerate(grid):
        if at >= len(titles):
            axes.set_visible(False)
            continue
        PAINTERS[figure.kind](axes, figure.panels[at], figure)
        axes.set_title(titles[at], fontsize=9 if len(titles[at]) < _LONG_TITLE else 7, loc="left")
        if is_heatmap and at % columns:
            axes.tick_params(labelleft=False)
