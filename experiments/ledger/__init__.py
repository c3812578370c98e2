"""The ledger of a run: one SQLite file with every paid reply, attempt and score. A report reads nothing else.

`Ledger.open(folder)` opens it for writing, `Ledger.open(folder, write=False)` for reading. Import
`recording_client` from its module: it needs LangChain, which readers of a ledger do not load.
"""

from ansatz.experiments.ledger.payments import Payer, PaymentTotal
from ansatz.experiments.ledger.record import PlannedAttempt, canonical_hash
from ansatz.experiments.ledger.store import Ledger

__all__ = [
    "Ledger",
    "Payer",
    "PaymentTotal",
    "PlannedAttempt",
    "canonical_hash",
]
