"""Removes token counts that cannot be counts, before an SDK or LangChain calculates with them."""

from __future__ import annotations

import json
from typing import Any

from ansatz.agents.client import is_count

_WHOLE = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
"""The counts without which the others mean nothing."""


def remove_odd_counts(answer: Any) -> bool:
    """Removes the usage of an answer, or of an event of a stream, as far as it is odd; whether any was.

    Without usage, an answer counts as one whose tokens the provider does not report.
    """
    if not isinstance(answer, dict):
        return False
    holders = [answer, answer.get("message"), answer.get("response")]
    with_usage = [each for each in holders if isinstance(each, dict) and each.get("usage") is not None]
    return sum(map(_remove, with_usage)) > 0


def clean_body(body: bytes) -> bytes:
    """A body of JSON, or of events with JSON, after `remove_odd_counts`; any other body as it is."""
    if b'"usage"' not in body:
        return body
    return b"\n".join(map(_checked, body.split(b"\n"))) if body.lstrip()[:1] != b"{" else _checked(body)


def _checked(text: bytes) -> bytes:
    start = text.find(b"{")
    if start < 0 or b'"usage"' not in text:
        return text
    try:
        answer = json.loads(text[start:])
    except (ValueError, RecursionError):
        return text
    return text[:start] + json.dumps(answer).encode() if remove_odd_counts(answer) else text


def _remove(holder: dict[str, Any]) -> bool:
    usage = holder["usage"]
    if not isinstance(usage, dict) or any(name in usage and not is_count(usage[name]) for name in _WHOLE):
        del holder["usage"]
        return True
    holder["usage"] = _counts(usage)
    return bool(holder["usage"] != usage)


def _counts(usage: dict[str, Any]) -> dict[str, Any]:
    """The counts, and the groups of counts, that are sound; other entries as they are."""
    found = {}
    for name, value in usage.items():
        if name.endswith("_tokens"):
            is_sound = value is None or is_count(value)
        elif name.endswith("_details") or name == "cache_creation":
            is_sound = value is None or isinstance(value, dict)
        else:
            is_sound = True
        if is_sound:
            found[name] = _counts(value) if isinstance(value, dict) else value
    return found
