"""A problem set up by someone else, its quantities listed with what they stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ansatz.agents.slide_rule.givens import Given, quantities
from ansatz.agents.slide_rule.units import parse_unit, plain_text

_LABELS = re.compile(
    r"^[ \t*#-]*(Given|Find|Approach|Assumptions)[ \t*]*:[ \t*]*", re.IGNORECASE | re.MULTILINE
)
_DESCRIBED = re.compile(r"^[\s*-]*(?P<description>[^=:\[\]]*):\s*(?=\S)(?P<rest>.*)$", re.DOTALL)
_WORDED = re.compile(r"^[\s*-]*[A-Za-z]\w*\s*=\s*(?P<word>[A-Za-z][\w -]*)\s*(?:\(|$)")
_SOUGHT = re.compile(
    r"^[\s*-]*(?P<symbol>[^\W\d][\w∞']*)\s*(?:\[(?P<unit>[^\]]*)\])?\s*(?:\((?P<remark>[^)]*)\))?"
)


@dataclass(frozen=True)
class Sought:
    """A quantity to find: `unit_text` is empty where none was named."""

    symbol: str
    unit_text: str
    description: str


@dataclass(frozen=True)
class Formulation:
    """A problem set up by someone: givens and quantities to find as written, and how to approach it."""

    given: str
    find: str = ""
    approach: str = ""
    assumptions: str = ""

    @property
    def givens(self) -> tuple[Given, ...]:
        """`symbol = value unit (description)` or `description: symbol = value unit`, item by item."""
        return tuple(given for item in _items(self.given) for given in _givens(item))

    @property
    def words(self) -> str:
        """Givens that are words, such as `geometry = flat_plate`, in plain text."""
        parts = (_DESCRIBED.sub(r"\g<rest>", item) for item in _items(self.given))
        found = (_WORDED.match(part) for part in parts)
        return "; ".join(match["word"].replace("_", " ").strip() for match in found if match)

    @property
    def sought(self) -> dict[str, Sought]:
        """What to find, by symbol: `symbol [unit] (description)` or `description: symbol [unit]`."""
        parsed = [_sought(item) for item in _items(self.find)]
        return {each.symbol: each for each in parsed if each}


def _items(text: str) -> list[str]:
    return [item for item in re.split(r";|\n", plain_text(text)) if item.strip()]


def _givens(item: str) -> tuple[Given, ...]:
    described = _DESCRIBED.match(item)
    if not described:
        return quantities(item, separate=True)
    found = quantities(described["rest"], separate=True)
    about = described["description"].strip()
    return tuple(replace(given, about=f"{about} {given.about}".strip()) for given in found)


def _sought(item: str) -> Sought | None:
    described = _DESCRIBED.match(item)
    description, rest = (described["description"], described["rest"]) if described else ("", item)
    found = _SOUGHT.match(rest)
    if not found or (found["unit"] and parse_unit(found["unit"]) is None):
        return None
    return Sought(found["symbol"], found["unit"] or "", f"{description} {found['remark'] or ''}".strip())


@lru_cache(maxsize=256)
def read_formulation(text: str) -> Formulation | None:
    """The last `Given: … Find: … Approach: … Assumptions: …` in the text that holds quantities."""
    parts: dict[str, str] = {}
    labels = list(_LABELS.finditer(text))
    ends = [label.start() for label in labels[1:]] + [len(text)]
    for label, end in zip(labels, ends, strict=False):
        parts[label.group(1).lower()] = text[label.end() : end].split("\n\n")[0].strip()
    if "find" not in parts or not quantities(parts.get("given", "")):
        return None
    return Formulation(parts["given"], parts["find"], parts.get("approach", ""), parts.get("assumptions", ""))
