"""The review queue: a JSONL file that people fill in, and reading it back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.curation.candidates import Candidate
from ansatz.eval.item import Item
from ansatz.quantities.did_you_mean import nearest

DISPOSITIONS = ("accept", "revise", "reject")
CRITERIA = (
    "self-contained: nothing outside the question is needed",
    "givens complete: they determine one answer",
    "targets well defined and unambiguous",
    "reference solution correct",
)
"""What a reviewer judges (TPS-CalcBench, arXiv:2604.17966, section III.4, stage 4)."""


@dataclass(frozen=True)
class Queued:
    """An item that waits for a person, with what the checks noted on it."""

    item: Item
    candidate: Candidate

    def line(self) -> dict[str, Any]:
        """The line of the queue: `disposition` is to be filled in, `item` may be edited for "revise"."""
        return {
            "id": self.item.id,
            "place": self.candidate.place,
            "disposition": "",
            "comment": "",
            "annotations": [asdict(note) for note in self.candidate.notes],
            "repairs": [asdict(repair) for repair in self.candidate.repairs],
            "merged": list(self.candidate.merged),
            "criteria": list(CRITERIA),
            "item": fields_of(self.item),
            "sha256": item_hash(self.item),
        }


@dataclass(frozen=True)
class Disposition:
    """What a reviewer decided; `edited` is the item where it was changed."""

    place: str
    disposition: str
    comment: str
    sha256: str
    edited: Mapping[str, Any] | None


def queue(item: Item, candidate: Candidate) -> Queued:
    return Queued(item, candidate)


def fields_of(item: Item) -> dict[str, Any]:
    """An item as the fields of its line in a file, which read back give the same item."""
    fields = item.model_dump(mode="json", exclude_defaults=True)
    for target, written in zip(item.targets, fields["targets"], strict=True):
        written["kind"] = target.kind
    return fields


def item_hash(item: Item) -> str:
    """A hash of what an item says."""
    text = json.dumps(fields_of(item), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def read_dispositions(path: Path) -> dict[str, Disposition]:
    """The filled-in queue by item id. Raises InvalidData with a line per fault."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise InvalidData(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidData(f"{path}: not UTF-8 text at byte {error.start}") from None
    found: dict[str, Disposition] = {}
    faults = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            id, disposition = _read(line, place)
            if id in found:
                raise InvalidData(f"{place}: id: {id!r} is already decided at {found[id].place}")
            found[id] = disposition
        except InvalidData as fault:
            faults.append(str(fault))
    if faults:
        raise InvalidData("\n".join(faults))
    return found


def check_current(passed: Sequence[tuple[Item, Candidate]], dispositions: Mapping[str, Disposition]) -> None:
    """Raise InvalidData for decisions on items that have changed since, or that are not there."""
    current = {item.id: item_hash(item) for item, _ in passed}
    faults = []
    for id, given in dispositions.items():
        if id not in current:
            meant = nearest(id, current, shown=0)
            faults.append(f"{given.place}: id: no candidate {id!r} came as far as the review{meant}")
        elif given.disposition and given.sha256 != current[id]:
            faults.append(f"{given.place}: sha256: {id!r} has changed since it was queued; review it again")
    if faults:
        raise InvalidData("\n".join(faults))


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """A JSONL file, one object a line."""
    text = "".join(f"{json.dumps(line, ensure_ascii=False, allow_nan=False)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def _read(line: str, place: str) -> tuple[str, Disposition]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidData(f"{place}: not JSON: {error}") from None
    if not isinstance(fields, dict) or not isinstance(fields.get("id"), str):
        raise InvalidData(f"{place}: id: is missing")
    decided = str(fields.get("disposition") or "").strip().lower()
    if decided and decided not in DISPOSITIONS:
        raise InvalidData(f"{place}: disposition: {decided!r} is not valid{nearest(decided, DISPOSITIONS)}")
    item = fields.get("item")
    if decided and not isinstance(item, dict):
        raise InvalidData(f"{place}: item: is missing")
    sha256 = str(fields.get("sha256", ""))
    comment = str(fields.get("comment") or "")
    return fields["id"], Disposition(place, decided, comment, sha256, _edited(item, sha256))


def _edited(item: Any, sha256: str) -> dict[str, Any] | None:
    """The item where it is not the one that was queued."""
    if not isinstance(item, dict):
        return None
    text = json.dumps(item, sort_keys=True, ensure_ascii=False)
    return None if hashlib.sha256(text.encode()).hexdigest() == sha256 else item
