"""The tool funnel as rows and data frames."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ansatz.experiments.attribution.funnel import FAULTS, STAGES, ToolUse

if TYPE_CHECKING:
    from polars import DataFrame


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
        model, arm, problem, repeat = data.attempt_keys[row]
        for each in uses:
            places = [{"message": place.message, "text": place.text} for place in each.places]
            rows.append(
                {
                    **{"model": model, "arm": arm, "problem": problem, "repeat": repeat},
                    **{"kind": each.kind, "source": each.name, "number": each.number, "use": each.use},
                    **{
                        "converted": each.converted,
                        "in_answer": each.in_answer,
                        "right": each.right,
                        "decisive": each.decisive,
                    },
                    **{"decisive": each.decisive, "redundant": each.redundant, "recovered": each.recovered},
                    **{"result": each.result, "places": json.dumps(places, ensure_ascii=False)},
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

    schema = {
        **dict.fromkeys(("model", "arm", "problem"), polars.String),
        **{"repeat": polars.Int64, "kind": polars.String, "source": polars.String, "number": polars.Int64},
        **{
            "use": polars.String,
            "converted": polars.Boolean,
            "in_answer": polars.Boolean,
            "right": polars.Boolean,
        },
        **{"decisive": polars.Boolean, "redundant": polars.Boolean, "recovered": polars.String},
        **{"result": polars.Int64, "places": polars.String},
    }
    return polars.DataFrame(call_records(found), schema)
