"""The batches of a run in its ledger."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from ansatz.agents.models.batches import Kept


@dataclass(frozen=True)
class KeptBatches:
    """Those of one model, in the order in which they were sent."""

    connection: sqlite3.Connection
    model: str

    def keep(self, batch: Kept) -> None:
        self.connection.execute(
            "INSERT INTO batch VALUES (?, ?, ?, ?, ?) ON CONFLICT (token) DO UPDATE SET id = excluded.id",
            (batch.token, self.model, batch.id, json.dumps(list(batch.requests)), batch.at),
        )

    def kept(self) -> list[Kept]:
        rows = self.connection.execute(
            "SELECT token, id, requests, at FROM batch WHERE model = ? ORDER BY rowid", (self.model,)
        )
        return [Kept(token, id, json.loads(requests), at) for token, id, requests, at in rows]
