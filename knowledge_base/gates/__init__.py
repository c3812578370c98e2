"""Checks that every entry must pass before it is used.

`check_entry` runs all checks on one entry, `check_base` on the shipped entries.
"""

from ansatz.knowledge_base.gates.checks import check_base, check_entry

__all__ = [
    "check_base",
    "check_entry",
]
