"""The tool funnel as rows and data frames."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ansatz.experiments.attribution.funnel import FAULTS, STAGES, ToolUse

if TYPE_CHECKING:
    from polars import DataFrame

_ATTEMPT = ("model", "arm", "problem", "repeat")
_USE = (
    *("number", "use", "converted", "in_answer", "right"),
    *("decisive", "redundant", "recovered", "result"),
)


def funnel_records(found: ToolUse) -> list[dict[str, Any]]:
    """Return one row for each model, arm, source and stage or fault, with its share and interval."""
    return [
        {
            "model": row.model,
            "arm": row.arm,
            "kind": row.kind,
            "source": row.source,
            "stage": name,
            "attempts": row.counts[name],
            "offered": row.offered,
            "calls": row.calls,
            "share": row.shares[name].value,
            "low": row.shares[name].low,
            "high": row.shares[name].high,
        }
        for row in (*found.rows(), *found.passages())
        for name in (*STAGES, *FAULTS)
    ]


def call_records(found: ToolUse) -> list[dict[str, Any]]:
    """Return one row for each tool call and each retrieved passage. `places` is JSON."""
    data, rows = found.data, []
    for row, uses in sorted(found.uses.items()):
        for each in uses:
            places = [{"message": place.message, "text": place.text} for place in each.places]
            rows.append(
                {
                    **dict(zip(_ATTEMPT, data.attempt_keys[row], strict=True)),
                    "kind": each.kind,
                    "source": each.name,
                    **{name: getattr(each, name) for name in _USE},
                    "places": json.dumps(places, ensure_ascii=False),
                }
            )
    return rows


def funnel_frame(found: ToolUse) -> DataFrame:
    """Return `funnel_records` as a data frame."""
    import polars

    texts, numbers = ("model", "arm", "kind", "source", "stage"), ("attempts", "offered", "calls")
    schema = {
        **dict.fromkeys(texts, polars.String),
        **dict.fromkeys(numbers, polars.Int64),
        **dict.fromkeys(("share", "low", "high"), polars.Float64),
    }
    return polars.DataFrame(funnel_records(found), schema)


def call_frame(found: ToolUse) -> DataFrame:
    """Return `call_records` as a data frame."""
    import polars

    texts = ("model", "arm", "problem", "kind", "source", "use", "recovered", "places")
    flags = ("converted", "in_answer", "right", "decisive", "redundant")
    types = {
        **dict.fromkeys(texts, polars.String),
        **dict.fromkeys(flags, polars.Boolean),
        **dict.fromkeys(("repeat", "number", "result"), polars.Int64),
    }
    schema = {name: types[name] for name in (*_ATTEMPT, "kind", "source", *_USE, "places")}
    return polars.DataFrame(call_records(found), schema)
