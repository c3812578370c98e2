"""What an entry must pass before it may be used, and what the whole base holds.

`check_entry` puts one entry through every gate; `check_base` does so for all of them.
"""

from ansatz.knowledge_base.gates.checks import check_entry
from ansatz.knowledge_base.gates.inspection import check_base

__all__ = [
    "check_base",
    "check_entry",
]
