"""Figures as PNG files: heatmaps, intervals, progressions, stacked bars and frontiers."""

from __future__ import annotations

import math
import textwrap
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.eval.views import Figure, Panel
from ansatz.experiments.report.panels import PAINTERS, is_forest, tilt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
    """As a PNG file; signs that the usual font lacks are taken from another one, where one is installed."""
    import matplotlib

    with matplotlib.rc_context({"font.family": _families()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        save(drawn(figure), path)


@cache
def _families() -> list[str]:
    from matplotlib.font_manager import fontManager

    installed = {each.name for each in fontManager.ttflist}
    return ["sans-serif", *(each for each in _FURTHER_FONTS if each in installed)]


def drawn(figure: Figure) -> Canvas:
    """Every panel in its place, the caption above, one legend for all below."""
    figure = _literal(figure)
    panels, is_heatmap = figure.panels, figure.kind == "heatmap"
    columns = min(len(panels), figure.beside or (1 if is_heatmap else len(panels)))
    shape = (math.ceil(len(panels) / columns), columns)
    groups = [panels[at * columns : (at + 1) * columns] for at in range(shape[0])]
    heights = [max(_height(panel, figure.kind) for panel in group) for group in groups]
    panel = (max(_width(panel, figure.kind) for panel in panels), sum(heights) / len(heights))
    titles = [_title(each.title, panel[0]) for each in panels]
    above = _TITLE + _TITLE_LINE * max(each.count("\n") for each in titles)
    between, ticks = (
        _TICKS + max(map(tilt, some), default=0.0) * is_heatmap + 0.2 * bool(figure.axis)
        for some in (panels[:-columns], panels)
    )
    margins = _Margins(_left(figure), ticks, above, down=between + above)
    width = margins.grid(shape, panel)[0]
    said = f"{figure.caption}{_COLOURED * is_forest(figure)}"
    caption = textwrap.wrap(said, width=int(width * _CHARACTERS_PER_INCH))
    names = [] if is_heatmap or len(panels[0].series) < 2 else list(panels[0].series)
    beside = _beside(names, width)
    below = _LINE * math.ceil(len(names) / beside) + 0.1 * bool(names)
    margins = replace(margins, bottom=ticks + below, top=above + 0.1 + _LINE * len(caption))
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
    _paint(figure, grid.flat, titles, columns)
    if names:
        style = {"ncols": beside, "fontsize": 7.5, "frameon": False, "borderpad": 0.0}
        canvas.legend(*grid.flat[0].get_legend_handles_labels(), loc="lower center", **style)
    canvas.suptitle(
        "\n".join(caption), fontsize=9.5, x=0.08 / width, y=1 - 0.06 / height, ha="left", va="top"
    )
    return canvas


def _literal(figure: Figure) -> Figure:
    """The same with dollar signs in names as what they are, and not as the ends of a formula."""

    def plain(text: str) -> str:
        return text.replace("$", r"\$")

    panels = [
        replace(
            each,
            title=plain(each.title),
            labels=[*map(plain, each.labels)],
            series={plain(name): own for name, own in each.series.items()},
        )
        for each in figure.panels
    ]
    return replace(figure, caption=plain(figure.caption), axis=plain(figure.axis), panels=panels)


def _title(title: str, inches: float) -> str:
    """In as many lines as a panel of this width needs; of a very long one the beginning."""
    wide = max(_LONG_TITLE, int(inches * _TITLE_PER_INCH))
    return "\n".join(textwrap.wrap(title, wide, max_lines=_MOST_LINES, placeholder=" …"))


def _beside(names: Sequence[str], inches: float) -> int:
    """How many names of a legend stand in a line."""
    fitting = int(inches * _LEGEND_PER_INCH / (max(map(len, names), default=1) + 6))
    return max(1, min(len(names), 3, fitting))


def _paint(figure: Figure, places: Iterable[Axes], titles: Sequence[str], columns: int) -> None:
    """The panels where they belong; places that are left over are blank."""
    for at, (axes, title) in enumerate(zip_longest(places, titles)):
        if title is None:
            axes.set_visible(False)
            continue
        PAINTERS[figure.kind](axes, figure.panels[at], figure)
        axes.set_title(title, fontsize=9 if len(title) < _LONG_TITLE else 7, loc="left")
        if figure.kind == "heatmap" and at % columns:
            axes.tick_params(labelleft=False)


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
