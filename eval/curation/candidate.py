"""Stage 1, the schema: parse each line of a file into a candidate, or reject it with a reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ansatz.errors import InvalidData
from ansatz.eval.problem_files import read_objects
from ansatz.eval.problem_schema import Item, read_item

_LOST = re.compile("[\ufffd\ue000-\uf8ff]")
_GARBAGE_SHARE = 0.02


@dataclass(frozen=True)
class Repair:
    """One correction of a wrongly decoded text, with the field's value before and after it."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class Note:
    """The finding of a check; "warn" puts the candidate into the review queue, "info" does not."""

    check: str
    """Name of the check."""
    message: str
    severity: Literal["info", "warn"] = "warn"
    """"warn" puts the candidate into the review queue."""


@dataclass(frozen=True)
class Rejection:
    """A candidate that the gate rejects, with the stage, the reason and the original record."""

    place: str
    """`file:line`"""
    id: str
    stage: int
    """Number of the stage, 1 to 5."""
    reason: str
    """A short code, such as "schema"."""
    message: str
    """The reason as text."""
    record: Any = field(default=None, repr=False)
    """The original record."""


@dataclass(frozen=True)
class Candidate:
    """An item in the gate."""

    place: str
    """`file:line`"""
    item: Item
    repairs: tuple[Repair, ...] = ()
    """Corrections of wrongly decoded texts."""
    notes: tuple[Note, ...] = ()
    """Findings of the checks."""
    merged: tuple[str, ...] = ()
    """Places of the near-duplicates that it replaces."""

    @property
    def text(self) -> str:
        """Context and question, as a solver reads them."""
        return "\n\n".join(filter(None, (self.item.context, self.item.question)))

    @property
    def has_warning(self) -> bool:
        """Whether a reviewer should see it."""
        return any(note.severity == "warn" for note in self.notes)

    def history(self) -> dict[str, Any]:
        """Return its place, merged duplicates, repairs and notes as JSON."""
        return {
            "place": self.place,
            "merged": list(self.merged),
            "repairs": [asdict(repair) for repair in self.repairs],
            "annotations": [asdict(note) for note in self.notes],
        }

    def add_notes(self, *notes: Note) -> Candidate:
        """Return the candidate with further notes."""
        return replace(self, notes=(*self.notes, *notes))

    def reject(self, stage: int, reason: str, message: str) -> Rejection:
        """Return the rejection of this candidate."""
        return Rejection(self.place, self.item.id, stage, reason, message, self.item.to_fields())


def read_candidates(path: Path) -> tuple[list[Candidate], list[Rejection]]:
    """Read a JSON Lines file; each line becomes a candidate or a rejection.

    Raises
    ------
    InvalidData
        If the file cannot be read or is empty.
    """
    passed: dict[str, Candidate] = {}
    rejected: list[Rejection] = []
    for place, fields in read_objects(path):
        found = parse_candidate(fields, f"{path.name}:{place.rpartition(':')[2]}")
        if isinstance(found, Candidate):
            first = passed.setdefault(found.item.id, found)
            if first is found:
                continue
            message = f"{found.item.id!r} is already another item, at {first.place}"
            found = found.reject(1, "repeated_id", message)
        rejected.append(found)
    if not passed and not rejected:
        raise InvalidData(f"{path}: there is no candidate in it")
    return list(passed.values()), rejected


def parse_candidate(fields: Mapping[str, Any] | str, place: str) -> Candidate | Rejection:
    """Parse a record and correct its text, or reject it.

    `fields` is a message if the line is not a JSON object.
    """
    if isinstance(fields, str):
        return Rejection(place, place, 1, "malformed", fields)
    repairs: list[Repair] = []
    item = read_item(_fix_text(fields, "", repairs))
    if isinstance(item, list):
        return Rejection(place, str(fields.get("id", place)), 1, "schema", "; ".join(item), fields)
    parsed = Candidate(place, item, tuple(repairs))
    lost = len(_LOST.findall(parsed.text))
    if lost > _GARBAGE_SHARE * len(parsed.text):
        message = f"{lost} of {len(parsed.text)} characters are unreadable"
        return Rejection(place, item.id, 1, "unreadable", message, fields)
    return (
        parsed.add_notes(Note("unreadable", f"{lost} characters of the text were lost")) if lost else parsed
    )


def _fix_text(value: Any, field: str, repairs: list[Repair]) -> Any:
    """Fix mojibake, ligatures and control characters with ftfy in a value of any shape.

    Ids, quotes, Chinese punctuation and letters, and characters that a scanner misread, remain as they are.
    """
    if isinstance(value, Mapping):
        stem = f"{field}." if field else ""
        return {name: _fix_text(part, f"{stem}{name}", repairs) for name, part in value.items()}
    if isinstance(value, list):
        return [_fix_text(part, f"{field}[{index}]", repairs) for index, part in enumerate(value)]
    if not isinstance(value, str) or field in ("id", "family"):
        return value
    import ftfy

    config = ftfy.TextFixerConfig(
        unescape_html=False, uncurl_quotes=False, fix_character_width=False, normalization=None
    )
    fixed = ftfy.fix_text(value, config)
    if fixed != value:
        repairs.append(Repair(field, value, fixed))
    return fixed
