"""What people write for units where pint has nothing, or something else: the tables of units.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_TABLE: dict[str, Any] = yaml.load(
    Path(__file__).with_name("units.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
STANDARD_ATMOSPHERE = 101325.0  # Pa; NIST SP 811 (2008), appendix B.8
DEFINITIONS: list[str] = _TABLE["definitions"].splitlines()
GAUGES: dict[str, float] = _TABLE["gauges"]
AMBIGUOUS: dict[str, str] = _TABLE["ambiguous"]
CONSTANTS_IN_USE = frozenset(_TABLE["constants_in_use"])
EVERY_PREFIX = frozenset(_TABLE["every_prefix"].split())
TAKES_PREFIX = {
    (prefix, unit)
    for prefixes, units in _TABLE["prefixed"].items()
    for prefix in prefixes.split()
    for unit in units.split()
}
SPELLINGS = {written: unit for unit, spelled in _TABLE["spellings"].items() for written in spelled}
"""Words as they are written, and the same for pint."""
CHINESE = {name: unit for unit, names in _TABLE["chinese"].items() for name in names}
IN_TEXT = "|".join(
    (
        rf"(?:{'|'.join(GAUGES)})(?:[ag]|\([ag]\))",
        "(?:in|ft|[cm]?m)(?:H2O|Hg)|inWC|inWG",
        *sorted(
            {name for line in DEFINITIONS for name in line.split(" = ")[2:] if name != "%"},
            key=len,
            reverse=True,
        ),
    )
)
"""A pattern for the symbols that this table adds, as a reader of text looks for them behind a number."""
