"""What the weaker levels do not contain, by design, and why. Whatever else escapes is a fault.

L3 has no entry: there everything of the corpus is contained.
"""

from __future__ import annotations

_METADATA = (
    "Landlock guards contents, not metadata: only a mount namespace hides that a file exists and its size"
)

KNOWN: dict[str, dict[str, str]] = {
    "L3": {},
    "L2": {"files/stat": _METADATA, "files/statx": _METADATA},
    "L1": {"files/stat": _METADATA, "files/statx": _METADATA},
}


def lesson(runner: str, attack_id: str) -> str | None:
    """Why this attack is known to escape from this runner, or None when it must be contained."""
    return KNOWN.get(runner.partition(":")[2], {}).get(attack_id)
