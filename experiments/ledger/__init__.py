"""The ledger of a run: one SQLite file with every paid reply, attempt and score; a report needs nothing else.

`Ledger.open(folder)` writes, `Ledger.open(folder, write=False)` reads; `RememberingClient` is a model client
whose replies are kept before anybody sees them.
"""

from typing import TYPE_CHECKING, Any

from ansatz.experiments.ledger.file import LedgerError
from ansatz.experiments.ledger.payments import Paid, Payer
from ansatz.experiments.ledger.record import Unit, canonical_hash
from ansatz.experiments.ledger.store import Ledger

if TYPE_CHECKING:
    from ansatz.experiments.ledger.recording_client import RememberingClient

__all__ = [
    "Ledger",
    "LedgerError",
    "Paid",
    "Payer",
    "RememberingClient",
    "Unit",
    "canonical_hash",
]


def __getattr__(name: str) -> Any:
    if name != "RememberingClient":
        raise AttributeError(f"module 'ansatz.experiments.ledger' has no attribute {name!r}")
    from ansatz.experiments.ledger.recording_client import (
        RememberingClient,
    )  # brings LangChain, which readers do without

    return RememberingClient
