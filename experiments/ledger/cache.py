"""Replies as they are kept, and those that studies share: what a first one asked costs a second nothing."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.experiments.ledger.file import LedgerError

if TYPE_CHECKING:
    from ansatz.agents import Reply

_NAME = "replies.sqlite"
_TABLE = "CREATE TABLE IF NOT EXISTS reply (request TEXT PRIMARY KEY, reply BLOB NOT NULL) WITHOUT ROWID"


def stored(reply: Reply) -> dict[str, Any]:
    """A reply as JSON."""
    from langchain_core.messages import messages_to_dict

    [message] = messages_to_dict([reply.message])
    retries = [each.model_dump() for each in reply.retries]
    return {"message": message, "seconds": reply.seconds, "retries": retries}


def restored(kept: Mapping[str, Any]) -> Reply:
    from langchain_core.messages import AIMessage, messages_from_dict  # a report does without

    from ansatz.agents import Reply, Retry

    [message] = messages_from_dict([kept["message"]])
    assert isinstance(message, AIMessage)
    retries = tuple(map(Retry.model_validate, kept["retries"]))
    return Reply(message, kept["seconds"], retries, remembered=True)


class ReplyCache:
    """Replies by the hash of their request, which holds the model with all its settings, and the repeat.

    Every ledger that takes one keeps it as its own: without the cache it is as whole as with it. Several
    runs may use one at a time. Raises LedgerError where the folder cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._sql = sqlite3.connect(folder / _NAME, isolation_level=None, timeout=60)
            self._sql.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_TABLE}")
        except (OSError, sqlite3.Error) as failure:
            raise LedgerError(f"cache: {folder} cannot be used: {failure}") from failure

    def get(self, request: str) -> Reply | None:
        row = self._sql.execute("SELECT reply FROM reply WHERE request = ?", (request,)).fetchone()
        return restored(json.loads(zlib.decompress(row[0]))) if row else None

    def put(self, request: str, reply: Reply) -> None:
        blob = zlib.compress(json.dumps(stored(reply), ensure_ascii=False).encode())
        self._sql.execute("INSERT OR IGNORE INTO reply VALUES (?, ?)", (request, blob))

    def close(self) -> None:
        self._sql.close()
