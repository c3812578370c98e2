"""How values of a dimension are shown: the rubric on its own 0–2 scale, shares and KPI as 0–100."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """`factor` turns a stored value into a shown one."""

    name: str
    factor: float
    decimals: int

    def show(self, value: float | None) -> str:
        return "–" if value is None else f"{value * self.factor:,.{self.decimals}f}"

    def show_change(self, value: float | None) -> str:
        """With its sign; a change that rounds to zero has none."""
        if value is None:
            return "–"
        text = f"{value * self.factor:+,.{self.decimals}f}"
        return text[1:] if float(text.replace(",", "")) == 0 else text.replace("-", "−")

    def number(self, value: float | None) -> float | None:
        """The shown value with three digits more than people need."""
        return None if value is None else round(value * self.factor, self.decimals + 3) + 0.0


_RUBRIC = re.compile(r"(?:.*[^A-Za-z0-9])?G[1-8]")  # a judge's stand behind a prefix, as in judge.G1
_AMOUNTS = {
    "tokens": Scale("tokens per attempt", 1, 0),
    "seconds": Scale("seconds per attempt", 1, 2),
    "dollars": Scale("dollars per attempt", 1, 4),
}


def scale_of(dimension: str) -> Scale:
    if dimension in _AMOUNTS:
        return _AMOUNTS[dimension]
    return Scale("0–2", 2, 2) if is_rubric(dimension) else Scale("0–100", 100, 1)


def is_rubric(dimension: str) -> bool:
    return _RUBRIC.fullmatch(dimension) is not None


def show_p(p: float | None) -> str:
    if p is None:
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.3f}"
