"""Stage 5, review: a JSON Lines file that people fill in, and reading it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from ansatz.errors import InvalidData
from ansatz.eval.data.candidate import Candidate
from ansatz.eval.data.set_files import hash_of
from ansatz.eval.problem_files import read_objects
from ansatz.eval.validation import explain
from ansatz.quantities.did_you_mean import nearest

CRITERIA = (
    "self-contained: nothing outside the question is needed",
    "givens complete: they determine one answer",
    "targets well defined and unambiguous",
    "reference solution correct",
)
"""What a reviewer judges (TPS-CalcBench, arXiv:2604.17966, section III.4, stage 4)."""


def _word(given: Any) -> Any:
    return given.strip().lower() or None if isinstance(given, str) else given


class Disposition(BaseModel):
    """What a reviewer decided of an item; None while nothing is decided. `item` may have been edited."""

    model_config = ConfigDict(frozen=True)

    id: str
    disposition: Annotated[Literal["accept", "revise", "reject"] | None, BeforeValidator(_word)] = None
    comment: Annotated[str, BeforeValidator(lambda text: text or "")] = ""
    item: dict[str, Any]
    sha256: str = ""
    place: str

    @property
    def edited(self) -> dict[str, Any] | None:
        """The item's fields where they were changed."""
        return self.item if hash_of(self.item) != self.sha256 else None


def queue_line(candidate: Candidate) -> dict[str, Any]:
    """A line of the queue: `disposition` is to be filled in, `item` may be edited for "revise"."""
    fields = candidate.item.fields()
    return {
        "id": candidate.item.id,
        "disposition": "",
        "comment": "",
        **candidate.history(),
        "criteria": list(CRITERIA),
        "item": fields,
        "sha256": hash_of(fields),
    }


def read_dispositions(path: Path) -> dict[str, Disposition]:
    """The filled-in queue by item id. Raises InvalidData with a line per fault."""
    found: dict[str, Disposition] = {}
    faults = []
    for place, fields in read_objects(path):
        try:
            if isinstance(fields, str):
                raise InvalidData(fields)
            decided = Disposition.model_validate({**fields, "place": place})
            if found.setdefault(decided.id, decided) is not decided:
                raise InvalidData(f"id: {decided.id!r} is already decided at {found[decided.id].place}")
        except ValidationError as error:
            faults += [f"{place}: {fault}" for fault in explain(error, Disposition)]
        except InvalidData as fault:
            faults.append(f"{place}: {fault}")
    if faults:
        raise InvalidData("\n".join(faults))
    return found


def check_current(passed: Sequence[Candidate], dispositions: Mapping[str, Disposition]) -> None:
    """Raise InvalidData for decisions on items that have changed since, or that are not there."""
    current = {each.item.id: hash_of(each.item.fields()) for each in passed}
    faults = []
    for id, given in dispositions.items():
        if id not in current:
            meant = nearest(id, current, shown=0)
            faults.append(f"{given.place}: id: no candidate {id!r} came as far as the review{meant}")
        elif given.disposition and given.sha256 != current[id]:
            faults.append(f"{given.place}: sha256: {id!r} has changed since it was queued; review it again")
    if faults:
        raise InvalidData("\n".join(faults))
