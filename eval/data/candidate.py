"""Stage 1, the schema: lines of a file become candidates, or leave with a reason. No line is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ansatz.errors import InvalidData
from ansatz.eval.item import Item, read_item
from ansatz.eval.problem_files import read_objects

_LOST = re.compile("[\ufffd\ue000-\uf8ff]")
_GARBAGE_SHARE = 0.02


@dataclass(frozen=True)
class Repair:
    """One change to a wrongly decoded text: in which field, what stood there and what stands there now."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class Note:
    """What a check found; a `warn` sends the candidate to the reviewers, an `info` does not."""

    check: str
    message: str
    severity: Literal["info", "warn"] = "warn"


@dataclass(frozen=True)
class Rejection:
    """What left the gate: at which stage, for which reason, and the record as it was."""

    place: str
    id: str
    stage: int
    reason: str
    message: str
    record: Any = field(default=None, repr=False)


@dataclass(frozen=True)
class Candidate:
    """An item on its way through the gate.

    `place` is `file:line`; `merged` are the places of the near-duplicates it stands for.
    """

    place: str
    item: Item
    repairs: tuple[Repair, ...] = ()
    notes: tuple[Note, ...] = ()
    merged: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What a solver reads: context and question."""
        return "\n\n".join(filter(None, (self.item.context, self.item.question)))

    @property
    def is_doubtful(self) -> bool:
        return any(note.severity == "warn" for note in self.notes)

    def history(self) -> dict[str, Any]:
        """Where it comes from and what happened to it, as JSON has it."""
        return {
            "place": self.place,
            "merged": list(self.merged),
            "repairs": [asdict(repair) for repair in self.repairs],
            "annotations": [asdict(note) for note in self.notes],
        }

    def noted(self, *notes: Note) -> Candidate:
        return replace(self, notes=(*self.notes, *notes))

    def rejected(self, stage: int, reason: str, message: str) -> Rejection:
        return Rejection(self.place, self.item.id, stage, reason, message, self.item.fields())


def read(path: Path) -> tuple[list[Candidate], list[Rejection]]:
    """Every line of a JSON Lines file, as a candidate or as a rejection with its reason.

    Raises InvalidData where the file itself cannot be read or has no line.
    """
    passed: dict[str, Candidate] = {}
    rejected: list[Rejection] = []
    for place, fields in read_objects(path):
        found = candidate(fields, f"{path.name}:{place.rpartition(':')[2]}")
        if isinstance(found, Candidate):
            first = passed.setdefault(found.item.id, found)
            if first is found:
                continue
            message = f"{found.item.id!r} is already another item, at {first.place}"
            found = found.rejected(1, "repeated_id", message)
        rejected.append(found)
    if not passed and not rejected:
        raise InvalidData(f"{path}: there is no candidate in it")
    return list(passed.values()), rejected


def candidate(fields: Mapping[str, Any] | str, place: str) -> Candidate | Rejection:
    """One record as a candidate, its text decoded rightly, or why it is none; text says what is wrong."""
    if isinstance(fields, str):
        return Rejection(place, place, 1, "malformed", fields)
    repairs: list[Repair] = []
    item = read_item(_decoded(fields, "", repairs))
    if isinstance(item, list):
        return Rejection(place, str(fields.get("id", place)), 1, "schema", "; ".join(item), fields)
    read = Candidate(place, item, tuple(repairs))
    lost = len(_LOST.findall(read.text))
    if lost > _GARBAGE_SHARE * len(read.text):
        message = f"{lost} of {len(read.text)} characters are unreadable"
        return Rejection(place, item.id, 1, "unreadable", message, fields)
    return read.noted(Note("unreadable", f"{lost} characters of the text were lost")) if lost else read


def _decoded(value: Any, field: str, repairs: list[Repair]) -> Any:
    """A value of any shape with mojibake, ligatures and control characters mended by ftfy; ids stay.

    So do quotes, Chinese punctuation and letters; what a scanner misread is not guessed at.
    """
    if isinstance(value, Mapping):
        stem = f"{field}." if field else ""
        return {name: _decoded(part, f"{stem}{name}", repairs) for name, part in value.items()}
    if isinstance(value, list):
        return [_decoded(part, f"{field}[{index}]", repairs) for index, part in enumerate(value)]
    if not isinstance(value, str) or field in ("id", "family"):
        return value
    import ftfy

    config = ftfy.TextFixerConfig(
        unescape_html=False, uncurl_quotes=False, fix_character_width=False, normalization=None
    )
    mended = ftfy.fix_text(value, config)
    if mended != value:
        repairs.append(Repair(field, value, mended))
    return mended
