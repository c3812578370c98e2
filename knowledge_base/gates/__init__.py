"""What an entry must pass before it may be used, and what the whole base holds.

`check` puts one entry through every gate; `inspect` does so for all of them.
"""

from ansatz.knowledge_base.gates.checks import check, survives
from ansatz.knowledge_base.gates.inspection import inspect
from ansatz.knowledge_base.gates.mutation import mutants

__all__ = [
    "check",
    "inspect",
    "mutants",
    "survives",
]
