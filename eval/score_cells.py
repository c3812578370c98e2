"""Read the numbers of a table of scores as spreadsheets write them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from ansatz.eval.score import PERCENT, Scale

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "–", "—"})
"""Words for an empty cell."""
_VERDICTS = {
    **dict.fromkeys(("true", "yes", "pass", "passed", "correct", "c"), 1.0),
    **dict.fromkeys(("false", "no", "fail", "failed", "incorrect", "i"), 0.0),
}
"""Verdicts that other tools write in words; Inspect writes C and I."""
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}([. ]\d{3})*|\d*),\d+")
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")


@dataclass(frozen=True)
class ScoreScale:
    """The ends of the scale that a score is given on."""

    low: float = 0.0
    high: float = 1.0

    @classmethod
    def parse(cls, text: str) -> ScoreScale:
        """Read `LOW:HIGH`. Raises ValueError."""
        low, _, high = text.partition(":")
        ends = parse_number(low), parse_number(high)
        if None in ends or not ends[0] < ends[1]:  # type: ignore[operator]
            raise ValueError(f"{text!r} is not a scale such as 0:100")
        return cls(*ends)  # type: ignore[arg-type]

    @property
    def scale(self) -> Scale:
        """How reports show the scores."""
        return PERCENT if (self.low, self.high) == (0, 1) else Scale.between(self.low, self.high)

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


def is_missing(cell: Any) -> bool:
    """Whether a cell is empty, or has a word for that."""
    if isinstance(cell, str):
        return cell.strip().lower() in MISSING
    return cell is None or bool(cell != cell)  # only NaN differs from itself


def parse_number(cell: Any) -> float | None:
    """Return a finite number; None if a cell has none.

    A single comma is a decimal comma, except in groups of three digits with a decimal point, as in 1,234.5.
    """
    if isinstance(cell, int | float):
        return float(cell) if math.isfinite(cell) else None
    text = str(cell).strip().replace("\u00a0", " ").replace("−", "-")
    if not _PLAIN.fullmatch(text):
        if _DECIMAL_COMMA.fullmatch(text):
            text = text.replace(".", "").replace(" ", "").replace(",", ".")
        elif _GROUPED.fullmatch(text):
            text = text.replace(",", "")
        else:
            return None
    number = float(text)
    return number if math.isfinite(number) else None


def parse_count(cell: Any) -> float | None:
    """Return a number of tokens, where a comma or a point before three digits separates thousands."""
    if isinstance(cell, str) and re.fullmatch(r"\d{1,3}([.,\s]\d{3})+", cell.strip()):
        cell = re.sub(r"\D", "", cell)
    number = parse_number(cell)
    return number if number is not None and number >= 0 else None


def parse_score(cell: Any, bounds: ScoreScale) -> float | None:
    """Return a score as a share of its scale, possibly outside 0 to 1; None if a cell has no score.

    A percentage is a share of the scale. Truth values and verdicts in words are its ends.
    """
    if isinstance(cell, bool):
        return float(cell)
    if isinstance(cell, str):
        text = cell.strip()
        if text.endswith("%"):
            percent = parse_number(text[:-1])
            return None if percent is None else percent / 100
        if (verdict := _VERDICTS.get(text.lower())) is not None:
            return verdict
    number = parse_number(cell)
    return None if number is None else (number - bounds.low) / (bounds.high - bounds.low)
