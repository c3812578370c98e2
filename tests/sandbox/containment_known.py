"""What the weaker levels do not contain, by design, and why. Whatever else escapes is a fault.

L3 has no entry: there everything of the corpus is contained.
"""

from __future__ import annotations

_METADATA = (
    "Landlock guards contents, not metadata: only a mount namespace hides that a file exists and its size"
)
_SAME_CALL = "the filter cannot read a path, and the call that asks about an open file takes one as well"

KNOWN: dict[str, dict[str, str]] = {
    "L3": {},
    "L2": {"files/stat": _METADATA, "files/statx": _METADATA, "files/stat_by_other_call": _METADATA},
    "L1": {"files/stat_by_other_call": _SAME_CALL},
}


def lesson(runner: str, attack_id: str) -> str | None:
    """Why this attack is known to escape from this runner, or None when it must be contained."""
    return KNOWN.get(runner.partition(":")[2], {}).get(attack_id)
