"""Stage 5, review: a JSON Lines file that people fill in, and reading it back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.data.candidate import Candidate, fields_of
from ansatz.eval.problem_files import read_objects
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
class Disposition:
    """What a reviewer decided; `edited` holds the item's fields where they were changed."""

    place: str
    disposition: str
    comment: str
    sha256: str
    edited: Mapping[str, Any] | None


def queue_line(candidate: Candidate) -> dict[str, Any]:
    """A line of the queue: `disposition` is to be filled in, `item` may be edited for "revise"."""
    fields = fields_of(candidate.item)
    return {
        "id": candidate.item.id,
        "disposition": "",
        "comment": "",
        **candidate.history(),
        "criteria": list(CRITERIA),
        "item": fields,
        "sha256": _digest(fields),
    }


def read_dispositions(path: Path) -> dict[str, Disposition]:
    """The filled-in queue by item id. Raises InvalidData with a line per fault."""
    found: dict[str, Disposition] = {}
    faults = []
    for place, fields in read_objects(path):
        try:
            id, disposition = _read(fields, place)
            if id in found:
                raise InvalidData(f"{place}: id: {id!r} is already decided at {found[id].place}")
            found[id] = disposition
        except InvalidData as fault:
            faults.append(str(fault))
    if faults:
        raise InvalidData("\n".join(faults))
    return found


def check_current(passed: Sequence[Candidate], dispositions: Mapping[str, Disposition]) -> None:
    """Raise InvalidData for decisions on items that have changed since, or that are not there."""
    current = {each.item.id: _digest(fields_of(each.item)) for each in passed}
    faults = []
    for id, given in dispositions.items():
        if id not in current:
            meant = nearest(id, current, shown=0)
            faults.append(f"{given.place}: id: no candidate {id!r} came as far as the review{meant}")
        elif given.disposition and given.sha256 != current[id]:
            faults.append(f"{given.place}: sha256: {id!r} has changed since it was queued; review it again")
    if faults:
        raise InvalidData("\n".join(faults))


def _read(fields: Any, place: str) -> tuple[str, Disposition]:
    if isinstance(fields, str):
        raise InvalidData(f"{place}: {fields}")
    if not isinstance(fields.get("id"), str):
        raise InvalidData(f"{place}: id: is missing")
    decided = str(fields.get("disposition") or "").strip().lower()
    if decided and decided not in DISPOSITIONS:
        raise InvalidData(f"{place}: disposition: {decided!r} is not valid{nearest(decided, DISPOSITIONS)}")
    item = fields.get("item")
    if decided and not isinstance(item, dict):
        raise InvalidData(f"{place}: item: is missing")
    sha256 = str(fields.get("sha256", ""))
    edited = item if isinstance(item, dict) and _digest(item) != sha256 else None
    return fields["id"], Disposition(place, decided, str(fields.get("comment") or ""), sha256, edited)


def _digest(fields: Mapping[str, Any]) -> str:
    """A hash of what an item says."""
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
