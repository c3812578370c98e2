"""Quantities, tolerances and bounds as people write them, in the shape of the item schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ansatz.quantities.chains import read_value
from ansatz.quantities.markup import plain
from ansatz.quantities.scales import convert, scale

_LETTER = re.compile(r"[^\W\d_]")
_POWER = re.compile(r"(?<=\d)[eE](?=[-+]?\d)")
_ENDS = {"min": "low", "max": "high", "lower": "low", "upper": "high", "name": "target"}


def entry(text: str) -> dict[str, Any]:
    """`V = 100 m/s` as a name with its quantity; a name alone as just that."""
    name, _, value = text.partition("=")
    return measured({"name": name.strip(), **({"value": value.strip()} if value.strip() else {})})


def measured(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A copy in which a value such as "6.0 kPa" is a number and, where none is declared, a unit.

    A value whose unit is another than the declared one stays as it is, for the schema to refuse.
    """
    made = dict(fields)
    read = _quantity(made["value"]) if isinstance(made.get("value"), str) else None
    if read is not None:
        value, unit = read
        declared = made.get("unit") or unit
        converted = convert(value, unit, declared) if unit and unit != declared else value
        if converted is not None:
            made |= {"value": converted, "unit": declared} if declared else {"value": converted}
    return made


def _quantity(text: str) -> tuple[float, str] | None:
    """Value and unit of a text that is a quantity; None where something in it is neither."""
    read = read_value(plain(text))
    if read is None or (not read[1] and _LETTER.search(_POWER.sub("", text))):
        return None
    return read[0], read[1]


def known_unit(unit: Any) -> str | None:
    """The unit that a spelling such as 千帕 stands for, where it is none of the schema's; else None."""
    if not isinstance(unit, str) or scale(unit) is not None:
        return None
    read = read_value(plain(f"1 {unit}"))
    return read[1] if read and read[0] == 1 and read[1] and scale(read[1]) is not None else None


def tolerance(value: Any) -> Any:
    """A number or a text such as "2%" is a relative tolerance."""
    if isinstance(value, str):
        read = _quantity(value)
        if read is not None and read[1] in ("", "%"):
            value = read[0] / (100 if read[1] else 1)
    return {"relative": value} if isinstance(value, int | float) else value


def bounds(value: Any, targets: Sequence[Any]) -> Any:
    """A list of objects, also from a mapping of targets to [low, high] or to objects, from such pairs under
    a target's name, and from a single pair where there is one target."""
    units = {each.get("name"): each.get("unit") for each in targets if isinstance(each, dict)}
    if isinstance(value, dict) and not {"target", "name", *_ENDS.values(), *_ENDS} & set(value):
        value = [{"target": name, **_ends(ends)} for name, ends in value.items()]
    elif isinstance(value, dict) or _is_pair(value):
        value = [value]
    if not isinstance(value, list):
        return value
    return [_bound(each, units) for each in value]


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) == 2 and all(isinstance(each, int | float) for each in value)
    )


def _ends(ends: Any) -> dict[str, Any]:
    if isinstance(ends, list) and len(ends) == 2:
        return {"low": ends[0], "high": ends[1]}
    return ends if isinstance(ends, dict) else {"low": ends, "high": ends}


def _bound(each: Any, units: Mapping[Any, Any]) -> Any:
    """Limits in the target's own unit; those of another dimension as texts, for the schema to refuse."""
    if isinstance(each, list) and len(each) == 3 and isinstance(each[0], str):
        each = {"target": each[0], **_ends(each[1:])}
    elif isinstance(each, list) and len(each) == 2 and isinstance(each[0], str):
        each = {"target": each[0], **_ends(each[1])}
    elif _is_pair(each):
        each = _ends(each)
    if not isinstance(each, dict):
        return each
    made = {"reason": "stated with the problem"} | {_ENDS.get(key, key): end for key, end in each.items()}
    if "target" not in made and len(units) == 1:
        made["target"] = next(iter(units))
    unit = made.get("unit") or units.get(made.get("target"))
    for end in ("low", "high"):
        limit = made.get(end)
        if isinstance(limit, str):
            made[end] = measured({"value": limit, "unit": unit})["value"]
        elif isinstance(limit, int | float) and made.get("unit"):
            converted = convert(limit, str(unit), str(units.get(made.get("target"))))
            made[end] = f"{limit:g} {unit}" if converted is None else converted
    return {name: part for name, part in made.items() if name != "unit"}
