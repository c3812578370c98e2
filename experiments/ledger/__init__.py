"""The ledger of a run: one SQLite file with every paid reply, attempt and score; a report needs nothing else.

`Ledger.open(folder)` writes, `Ledger.open(folder, write=False)` reads. `recording_client` is not imported
here: it brings LangChain, which readers do without.
"""

from ansatz.experiments.ledger.payments import Paid, Payer
from ansatz.experiments.ledger.record import PlannedAttempt, canonical_hash
from ansatz.experiments.ledger.store import Ledger

__all__ = [
    "Ledger",
    "Paid",
    "Payer",
    "PlannedAttempt",
    "canonical_hash",
]
