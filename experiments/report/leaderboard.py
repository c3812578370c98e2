"""The leaderboard of a TPS run: JSON, CSV, Markdown and a page, all from the same places."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from statistics import fmean

from ansatz.eval.score import Scale
from ansatz.experiments.report.leaderboard_page import Cell, Heading, page
from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.section import POINTS, Column, Entry, Estimate, Table
from ansatz.experiments.report.section_text import markdown_table
from ansatz.experiments.report.tps.composite import Standing, standings
from ansatz.experiments.report.tps.outcome import SHARES, band, failed, units_right
from ansatz.experiments.report.tps.process import means
from ansatz.experiments.report.tps.run import RUBRIC, TPSRun

NAME = "leaderboard"
_NOTICE = (
    "KPI: weighted sum of eight marks on the process, in which form (G5 to G8) counts for a sound "
    "calculation alone, over readable answers; KPI published: the plain weighted mean, by which tiers are "
    "cut. Intervals are over families of items and hold nothing of a reviewer's own error. Exact to wrong: % "
    "of targets by weight. Systems with fewer than 80 % readable or reviewed answers have no rank."
)

Place = dict[str, str | float | bool | None]
"""A system's values by the names of COLUMNS, as shown: shares and KPI 0–100, marks 0–2."""


@dataclass(frozen=True)
class Shown:
    """How a value of a place is headed and shown; `decimals` is None for text, `detail` may be hidden."""

    title: str
    decimals: int | None = None
    detail: bool = False


COLUMNS: dict[str, Shown] = {
    "rank": Shown("rank", 0),
    "model": Shown("model"),
    "arm": Shown("arm"),
    "reviewer": Shown("reviewer"),
    "kpi": Shown("KPI", 1),
    "kpi_of_all_items": Shown("KPI of all items", 1, detail=True),
    "kpi_published": Shown("KPI published", 1),
    "tier": Shown("tier"),
    **{name: Shown(name, 1) for name in SHARES},
    "units_right": Shown("units right", 1),
    "pred_ok": Shown("Pred OK", 1),
    "coverage": Shown("coverage", 1),
    **{name: Shown(name, 2, detail=True) for name in RUBRIC},
    "tokens": Shown("tokens per attempt", 0),
    "attempts": Shown("attempts", 0, detail=True),
    "failed": Shown("failed", 0, detail=True),
    "not_ranked_because": Shown("not ranked because"),
}


@dataclass(frozen=True)
class Leaderboard:
    """The places in order, and what a reader has to know before them."""

    title: str
    notices: tuple[str, ...]
    places: tuple[Place, ...]

    def files(self) -> dict[str, str]:
        """The same in four forms, by file name."""
        return {
            f"{NAME}.json": self.to_json(),
            f"{NAME}.csv": self.to_csv(),
            f"{NAME}.md": self.to_markdown(),
            f"{NAME}.html": self.to_page(),
        }

    def to_json(self) -> str:
        content = {"title": self.title, "notices": self.notices, "places": self.places}
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def to_csv(self) -> str:
        text = io.StringIO()
        writer = csv.DictWriter(text, list(self.places[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.places)
        return text.getvalue()

    def to_markdown(self) -> str:
        columns = [Column(shown.title, _scale(shown)) for shown in COLUMNS.values()]
        rows = [[_entry(place, name) for name in COLUMNS] for place in self.places]
        table = markdown_table(Table(NAME, "", columns, rows))
        return "\n\n".join([f"# Leaderboard: {self.title}", *self.notices, table]) + "\n"

    def to_page(self) -> str:
        """One self-contained page: nothing is fetched, columns sort, and it reads on a phone."""
        headings = [
            Heading(shown.title, is_text=shown.decimals is None, is_detail=shown.detail)
            for shown in COLUMNS.values()
        ]
        rows = [[_cell(place, name) for name in COLUMNS] for place in self.places]
        return page(f"Leaderboard: {self.title}", self.notices, headings, rows)


def leaderboard(run: TPSRun) -> Leaderboard | None:
    """Every model and arm by every reviewer; None where nobody reviewed."""
    if not run.reviewers:
        return None
    places = [_place(run, each) for reviewer in run.reviewers for each in standings(run, reviewer)]
    families = len(set(run.families.values()))
    notices = [f"{len(run.problems)} items of {families} families. {_NOTICE}"]
    if run.data.simulated:
        named = ", ".join(sorted(run.data.simulated))
        warning = (
            "is a rule-based solver, not a language model; its scores are no claim about language models."
        )
        notices.insert(0, f"Simulated: {named} {warning}")
    return Leaderboard(run.data.title, tuple(notices), tuple(places))


def _place(run: TPSRun, each: Standing) -> Place:
    system, readings = each.system, run.readings[each.system]
    tokens = [reading.attempt.tokens for reading in readings if reading.verdicts is not None]
    marks = zip(RUBRIC, means(run, system, each.reviewer), strict=True)
    return {
        "rank": each.rank,
        "model": system.model,
        "simulated": system.model in run.data.simulated,
        "arm": system.arm,
        "reviewer": each.reviewer.title,
        "kpi": POINTS.number(each.kpi.value),
        "kpi_low": POINTS.number(each.kpi.low),
        "kpi_high": POINTS.number(each.kpi.high),
        "kpi_of_all_items": POINTS.number(each.kpi_of_all.value),
        "kpi_published": POINTS.number(each.kpi_published.value),
        "tier": each.tier,
        **{name: POINTS.number(band(run, system, name).value) for name in SHARES},
        "units_right": POINTS.number(units_right(run, system).value),
        "pred_ok": POINTS.number(each.predicted),
        "coverage": POINTS.number(each.covered),
        **{name: scale_of(name).number(value) for name, value in marks},
        "tokens": round(fmean(tokens), 1) if tokens else None,
        "attempts": len(readings),
        "failed": failed(run, system),
        "not_ranked_because": each.excluded,
    }


def _scale(shown: Shown) -> Scale | None:
    """As `Shown` says; values of a place are on their scale already."""
    return None if shown.decimals is None else Scale(shown.title, 1, shown.decimals)


def _entry(place: Place, name: str) -> Entry:
    """A place's value as an entry of a table, the KPI with its interval."""
    if name == "kpi":
        return Estimate(_number(place, name), _number(place, "kpi_low"), _number(place, "kpi_high"))
    return _number(place, name) if _scale(COLUMNS[name]) else _text(place, name)


def _number(place: Place, name: str) -> float | None:
    value = place[name]
    return None if value is None or isinstance(value, str) else float(value)


def _text(place: Place, name: str) -> str:
    """A text of a place; a model that is none says so."""
    text = str(place[name] or "")
    return f"{text} (simulated)" if name == "model" and place["simulated"] else text


def _cell(place: Place, name: str) -> Cell:
    """What the page shows, and by what number it sorts."""
    scale = _scale(COLUMNS[name])
    if scale is None:
        return _text(place, name), None
    value = _number(place, name)
    text = scale.show(value)
    if name == "kpi" and place["kpi_low"] is not None:
        text += f" [{scale.show(_number(place, 'kpi_low'))}, {scale.show(_number(place, 'kpi_high'))}]"
    return text, value
