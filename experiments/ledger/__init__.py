"""The ledger of a run: one SQLite file with every paid reply, attempt and score; a report needs nothing else.

`Ledger.open(folder)` writes, `Ledger.open(folder, write=False)` reads; `RememberingClient` is a model client
whose replies are kept before anybody sees them.
"""

from ansatz.experiments.ledger.client import RememberingClient
from ansatz.experiments.ledger.file import LedgerError
from ansatz.experiments.ledger.record import Record, State, Unit, canonical_hash
from ansatz.experiments.ledger.store import ATTEMPT_COLUMNS, Ledger

__all__ = [
    "ATTEMPT_COLUMNS",
    "Ledger",
    "LedgerError",
    "Record",
    "RememberingClient",
    "State",
    "Unit",
    "canonical_hash",
]
