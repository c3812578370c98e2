"""What an entry must pass before it may be used, and what the whole base holds.

`check` puts one entry through every gate; `inspect` does so for all of them.
"""

from ansatz.knowledge_base.gates.checks import check
from ansatz.knowledge_base.gates.inspection import inspect

__all__ = [
    "check",
    "inspect",
]
