"""What no quantity of a kind can be, whatever the problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ansatz.quantities.calculation import Finding
from ansatz.quantities.letters import letter
from ansatz.quantities.scales import scale, si
from ansatz.quantities.statements import Statement

_POSITIVE = {"T": ("K", "is not above absolute zero"), "rho": ("kg/m^3", "is no density")}
_EFFICIENCY = re.compile(r"\befficiency\b[^.;]{0,40}$", re.IGNORECASE)


def impossible(statements: Iterable[Statement]) -> Iterator[Finding]:
    """Absolute temperatures and densities below zero, and efficiencies in percent beyond 100, as stated."""
    for statement in statements:
        wanted, reason = _POSITIVE.get(letter(statement.symbol), ("", ""))
        unit, known = scale(statement.unit) if statement.unit else None, scale(wanted) if wanted else None
        value = si(statement.value, statement.unit) if unit else None
        if known and unit and value is not None and unit.dimension == known.dimension and value < 0:
            yield Finding("bound", statement.text, reason, 0.0, value)
        percent = statement.unit in ("%", "percent") and letter(statement.symbol) == "eta"
        if percent and _EFFICIENCY.search(statement.label) and not 0 <= statement.value <= 100:
            yield Finding("bound", statement.text, "is no efficiency", None, statement.value)
