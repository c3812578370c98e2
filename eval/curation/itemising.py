"""From a candidate that passed to an item of the schema, nothing invented and nothing lost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from ansatz.eval.benchmarks.validation import explain
from ansatz.eval.curation.candidates import Candidate
from ansatz.eval.item import Item, faults
from ansatz.eval.problem import Given

MERGED = "merged_from"
"""The metadata field that lists the places of the near-duplicates an item stands for."""


def item_fields(candidate: Candidate) -> dict[str, Any]:
    """The fields of an item. Missing weights are equal shares, and what does not fit goes to the metadata."""
    fields = {name: value for name, value in candidate.fields.items() if name in Item.model_fields}
    fields["id"] = candidate.id
    extra: dict[str, Any] = {}
    fields["given"] = [_given(each, extra) for each in candidate.given]
    fields["targets"] = [_target(each, len(candidate.targets)) for each in candidate.targets]
    if not isinstance(fields.get("reference_solution", {}), Mapping):
        extra["reference_solution"] = fields.pop("reference_solution")
    metadata = fields.get("metadata")
    known = dict(metadata) if isinstance(metadata, Mapping) else {}
    if candidate.merged:
        earlier = [known[MERGED]] if isinstance(known.get(MERGED), str) else []
        known[MERGED] = "; ".join((*earlier, *candidate.merged))
    known |= extra
    if known:
        fields["metadata"] = {str(name): _scalar(value) for name, value in known.items()}
    return fields


def read_item(fields: Mapping[str, Any]) -> tuple[Item | None, list[str]]:
    """The item, or one line for each thing that keeps the fields from being one."""
    try:
        item = Item.model_validate(fields)
    except ValidationError as error:
        return None, explain(error, Item)
    wrong = list(faults(item))
    return (None, wrong) if wrong else (item, [])


def _given(given: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    known = {name: given[name] for name in Given.model_fields if name in given}
    further = {name: value for name, value in given.items() if name not in known}
    if further:
        extra[f"given.{given['name']}"] = further
    return {"unit": "-", **known}


def _target(target: dict[str, Any], count: int) -> dict[str, Any]:
    return {"weight": 1 / count, **target}


def _scalar(value: Any) -> str | bool | float | None:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)
