"""Figures as PNG files: heatmaps, intervals, progressions, stacked bars and frontiers."""

from __future__ import annotations

import io
import math
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from ansatz.experiments.report.panels import FONT_SIZE, PAINTERS, is_forest, tilt
from ansatz.experiments.report.tables import Figure

_COLOURED = ". Blue: better, orange: worse, grey: the interval includes zero; filled: adjusted p < {}"
_CHARACTERS_PER_INCH = 15  # of a caption or a title
_MOST_LINES = 4  # of a title
_STACKED = ("heatmap", "frontier")  # kinds of which a line has one panel
_FURTHER_FONTS = ("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei")
_LEGEND_PER_INCH = 17  # characters
_LABELS_PER_INCH = 15
_LINE = 0.17  # inches, of captions and legends
_TITLE = 0.32  # above a panel
_TITLE_LINE = 0.14  # further ones
_TICKS = 0.28  # below it
_GAP = 0.2  # between panels


class Plot(Canvas):
    """A matplotlib figure that notebooks display without pyplot."""

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        _print_png(self, file)
        return file.getvalue()


def write_png(figure: Figure, path: Path) -> None:
    """Write a PNG file with the same bytes for the same data."""
    _print_png(draw_canvas(figure), path)


def _print_png(canvas: Canvas, file: Path | IO[bytes]) -> None:
    """Print a PNG. Light compression takes a tenth of the time; `savefig` lays out every text twice."""
    png = {"metadata": {"Software": None}, "pil_kwargs": {"compress_level": 1}}
    with _fonts(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        FigureCanvasAgg(canvas).print_png(file, **png)  # type: ignore[no-untyped-call]


@contextmanager
def _fonts() -> Iterator[None]:
    """Use another installed font for characters that the default font lacks; dollar signs are text."""
    with matplotlib.rc_context({"font.family": _families(), "text.parse_math": False}):
        yield


@cache
def _families() -> list[str]:
    from matplotlib.font_manager import fontManager

    installed = {each.name for each in fontManager.ttflist}
    return ["sans-serif", *(each for each in _FURTHER_FONTS if each in installed)]


def draw_canvas(figure: Figure) -> Plot:
    """Draw the panels with the caption above and one legend below.

    Positions follow from the lengths of labels, because measuring every text takes longer than everything
    else.
    """
    panels, kind = figure.panels, figure.kind
    columns = min(len(panels), figure.panels_per_row or (1 if kind in _STACKED else len(panels)))
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
    caption = f"{figure.caption}{_COLOURED.format(figure.threshold) * is_forest(figure)}"
    caption_lines = textwrap.wrap(caption, width=int(width * _CHARACTERS_PER_INCH))
    has_legend = kind not in _STACKED and len(panels[0].series) > 1
    names = list(panels[0].series) if has_legend else []
    per_line = _fit_names(names, width)
    legend = _LINE * math.ceil(len(names) / per_line) + 0.1 * bool(names)
    bottom = ticks + legend
    top = above + 0.1 + _LINE * len(caption_lines)
    high = sum(heights) / lines
    height = bottom + lines * high + (lines - 1) * (between + above) + top
    places = {"left": left / width, "right": 1 - right / width, "wspace": _GAP / wide}
    places |= {"bottom": bottom / height, "top": 1 - top / height, "hspace": (between + above) / high}
    with _fonts():
        canvas = Plot(figsize=(width, height), dpi=150)
        _paint(figure, canvas, titles, columns, heights, places)
        if names:
            handles, labels = canvas.axes[0].get_legend_handles_labels()
            style = {"fontsize": FONT_SIZE, "frameon": False, "borderpad": 0.0}
            canvas.legend(handles, labels, loc="lower center", ncols=per_line, **style)
        corner = {"x": 0.08 / width, "y": 1 - 0.06 / height, "ha": "left", "va": "top"}
        canvas.suptitle("\n".join(caption_lines), fontsize=FONT_SIZE, **corner)
    return canvas


def _sizes(figure: Figure, columns: int) -> tuple[float, list[float]]:
    """Return the width of every panel, and the height of every line of panels, in inches."""
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
    """Return the room for the labels on the left, in inches."""
    if figure.kind in ("progression", "frontier"):
        return 0.6
    is_heatmap = figure.kind == "heatmap"
    names = [name for each in figure.panels for name in (each.series if is_heatmap else each.labels)]
    return 0.2 + max(map(len, names), default=0) / _LABELS_PER_INCH


def _title(title: str, inches: float) -> str:
    """Wrap a title to the width of its panel; a very long one is cut."""
    wide = int(inches * _CHARACTERS_PER_INCH)
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
    """Draw the panels at their places; unused places are blank."""
    is_heatmap = figure.kind == "heatmap"
    is_shared = figure.kind not in _STACKED
    has_rows = figure.kind in ("intervals", "stacked")  # each line of panels has its own labels
    grid = canvas.subplots(
        len(heights),
        columns,
        squeeze=False,
        sharey="row" if has_rows else is_shared,
        sharex=is_shared and not figure.zero,
        height_ratios=heights,
        gridspec_kw=places,
    ).flat
    for at, axes in enumerate(grid):
        if at >= len(titles):
            axes.set_visible(False)
            continue
        PAINTERS[figure.kind](axes, figure.panels[at], figure)
        axes.set_title(titles[at], fontsize=FONT_SIZE, fontweight="bold", loc="left")
        if is_heatmap and at % columns:
            axes.tick_params(labelleft=False)
