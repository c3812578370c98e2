"""How values of a dimension are shown: the rubric on its own 0–2 scale, shares and KPI as 0–100."""

from __future__ import annotations

import re

from ansatz.eval.score import PERCENT, POINTS, Scale

_RUBRIC = re.compile(r"(?:.*[^A-Za-z0-9])?G[1-8]")  # a judge's stand behind a prefix, as in judge.G1
_AMOUNTS = {
    "tokens": Scale("tokens per attempt", 1, 0),
    "seconds": Scale("seconds per attempt", 1, 2),
    "dollars": Scale("dollars per attempt", 1, 4),
}


def scale_of(dimension: str) -> Scale:
    if dimension in _AMOUNTS:
        return _AMOUNTS[dimension]
    return POINTS if is_rubric(dimension) else PERCENT


def is_rubric(dimension: str) -> bool:
    return _RUBRIC.fullmatch(dimension) is not None


def show_p(p: float | None) -> str:
    if p is None:
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.3f}"
