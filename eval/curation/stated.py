"""Which quantities a question states, for checks against the givens that a record declares."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

_NO_UNITS = ("unit", "units", "any", "various", "arbitrary", "a.u.")
_NUMBER = re.compile(
    r"(?<![\w.])[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+−]?\d+)?(?:\s*[×x*·]\s*10\s*\^?\s*\{?([-+−]?\d+)\}?)?"
)


def stated_numbers(text: str) -> Iterator[float]:
    """Every number in a text, powers of ten included, but for those too large to be held."""
    for found in _NUMBER.finditer(text):
        mantissa = re.split(r"\s*[×x*·]", found[0])[0].rstrip(",").replace(",", "").replace("−", "-")
        number = (
            float(f"{mantissa}e{found[1].replace('−', '-')}")
            if found[1] and "e" not in mantissa.lower()
            else float(mantissa)
        )
        if math.isfinite(number):
            yield number


def stated_in_other_unit(text: str, given: Mapping[str, Any]) -> bool:
    """Whether the text states the quantity in another unit than the declared one."""
    from ansatz.knowledge_base.regime import givens

    value, unit = float(given["value"]), str(given.get("unit", "-"))
    found = (each.to(unit) for each in givens(text) if each.unit != "-")
    return any(number is not None and abs(number - value) <= 1e-6 * abs(value) for number in found)


def names_value(text: str, name: str) -> bool:
    """Whether a text gives a number to a symbol: `name = number`."""
    return re.search(rf"(?<!\w){re.escape(name)}\s*=\s*[-+−]?[\d.]", text) is not None


def is_number(value: Any) -> bool:
    """Whether a value read from JSON is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def unit_problem(unit: Any) -> str | None:
    """Why a unit cannot be resolved, or None. Words that merely stand for a unit are none."""
    if str(unit).strip().lower() in _NO_UNITS:
        return f"{unit!r} is no unit"
    from ansatz.quantities.units import UnitError, parse_unit

    try:
        parse_unit(str(unit))
    except UnitError as error:
        return str(error)
    return None
