"""Removes impossible token counts, before an SDK or LangChain calculates with them."""

from __future__ import annotations

import json
from typing import Any

from ansatz.agents.client import is_count

_WHOLE = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
"""Without valid totals, the other counts mean nothing."""


def remove_odd_counts(answer: Any) -> bool:
    """Remove impossible counts from an answer or an event of a stream, and return whether there were any.

    An answer without usage is treated as one whose tokens the provider does not report.
    """
    if not isinstance(answer, dict):
        return False
    holders = [answer, answer.get("message"), answer.get("response")]
    with_usage = [item for item in holders if isinstance(item, dict) and item.get("usage") is not None]
    return sum(map(_clean_usage, with_usage)) > 0


def clean_body(body: bytes) -> bytes:
    """Apply `remove_odd_counts` to a body of JSON or of events with JSON. Other bodies stay unchanged."""
    if b'"usage"' not in body:
        return body
    return b"\n".join(map(_clean_text, body.split(b"\n"))) if body.lstrip()[:1] != b"{" else _clean_text(body)


def _clean_text(text: bytes) -> bytes:
    start = text.find(b"{")
    if start < 0 or b'"usage"' not in text:
        return text
    try:
        answer = json.loads(text[start:])
    except (ValueError, RecursionError):
        return text
    return text[:start] + json.dumps(answer).encode() if remove_odd_counts(answer) else text


def _clean_usage(holder: dict[str, Any]) -> bool:
    usage = holder["usage"]
    if not isinstance(usage, dict) or any(name in usage and not is_count(usage[name]) for name in _WHOLE):
        del holder["usage"]
        return True
    holder["usage"] = _select_counts(usage)
    return bool(holder["usage"] != usage)


def _select_counts(usage: dict[str, Any]) -> dict[str, Any]:
    """Return possible counts and groups of counts, and all entries that are no counts."""
    found = {}
    for name, value in usage.items():
        if name.endswith("_tokens"):
            is_sound = value is None or is_count(value)
        elif name.endswith("_details") or name == "cache_creation":
            is_sound = value is None or isinstance(value, dict)
        else:
            is_sound = True
        if is_sound:
            found[name] = _select_counts(value) if isinstance(value, dict) else value
    return found
