"""Stage 5, review: write a JSON Lines file that reviewers fill in, and read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from ansatz.errors import InvalidData
from ansatz.eval.curation.candidate import Candidate
from ansatz.eval.curation.set_files import hash_json
from ansatz.eval.problem_files import read_objects
from ansatz.eval.validation import explain
from ansatz.quantities.did_you_mean import nearest

CRITERIA = (
    "self-contained: nothing outside the question is needed",
    "givens complete: they determine one answer",
    "targets well defined and unambiguous",
    "reference solution correct",
)
"""What a reviewer checks (TPS-CalcBench, arXiv:2604.17966, section III.4, stage 4)."""


def _normalize_word(value: Any) -> Any:
    return value.strip().lower() or None if isinstance(value, str) else value


class Disposition(BaseModel):
    """A reviewer's decision on an item."""

    model_config = ConfigDict(frozen=True)

    id: str
    """Id of the item."""
    disposition: Annotated[Literal["accept", "revise", "reject"] | None, BeforeValidator(_normalize_word)] = (
        None
    )
    """None without a decision."""
    comment: Annotated[str, BeforeValidator(lambda text: text or "")] = ""
    item: dict[str, Any]
    """The item's fields, which the reviewer may have edited."""
    sha256: str = ""
    """Hash of the item when it was queued."""
    place: str
    """`file:line` of the decision."""

    @property
    def edited(self) -> dict[str, Any] | None:
        """The item's fields if the reviewer changed them, else None."""
        return self.item if hash_json(self.item) != self.sha256 else None


def format_queue_line(candidate: Candidate) -> dict[str, Any]:
    """Format a line of the queue; the reviewer fills in `disposition`, and edits `item` for "revise"."""
    fields = candidate.item.to_fields()
    return {
        "id": candidate.item.id,
        "disposition": "",
        "comment": "",
        **candidate.history(),
        "criteria": list(CRITERIA),
        "item": fields,
        "sha256": hash_json(fields),
    }


def read_dispositions(path: Path) -> dict[str, Disposition]:
    """Read the filled-in queue by item id. Raises InvalidData with one line per fault."""
    dispositions: dict[str, Disposition] = {}
    faults = []
    for place, fields in read_objects(path):
        try:
            if isinstance(fields, str):
                raise InvalidData(fields)
            decision = Disposition.model_validate({**fields, "place": place})
            first = dispositions.setdefault(decision.id, decision)
            if first is not decision:
                raise InvalidData(f"id: {decision.id!r} is already decided at {first.place}")
        except ValidationError as error:
            faults += [f"{place}: {fault}" for fault in explain(error, Disposition)]
        except InvalidData as fault:
            faults.append(f"{place}: {fault}")
    if faults:
        raise InvalidData("\n".join(faults))
    return dispositions


def check_current(passed: Sequence[Candidate], dispositions: Mapping[str, Disposition]) -> None:
    """Raise InvalidData for decisions on items that have changed since, or that did not reach the review."""
    current = {each.item.id: hash_json(each.item.to_fields()) for each in passed}
    faults = []
    for id, given in dispositions.items():
        if id not in current:
            hint = nearest(id, current, shown=0)
            faults.append(f"{given.place}: id: no candidate {id!r} reached the review{hint}")
        elif given.disposition and given.sha256 != current[id]:
            faults.append(f"{given.place}: sha256: {id!r} has changed since it was queued; review it again")
    if faults:
        raise InvalidData("\n".join(faults))
