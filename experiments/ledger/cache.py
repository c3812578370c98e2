"""Replies as JSON, and a cache of replies that studies share: a repeated request costs nothing."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import warnings
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.errors import LedgerError
from ansatz.experiments.ledger.file import create_private_file
from ansatz.experiments.ledger.integrity import is_damage

if TYPE_CHECKING:
    from ansatz.agents import Reply

_NAME = "replies.sqlite"
_DIGEST_BYTES = 17  # a letter, and half of SHA-256
_TABLE = "CREATE TABLE IF NOT EXISTS reply (request TEXT PRIMARY KEY, reply BLOB NOT NULL) WITHOUT ROWID"


def reply_to_json(reply: Reply) -> dict[str, Any]:
    """Convert a reply to JSON."""
    from langchain_core.messages import messages_to_dict

    [message] = messages_to_dict([reply.message])
    retries = [each.model_dump() for each in reply.retries]
    return {"message": message, "seconds": reply.seconds, "retries": retries}


def reply_from_json(content: Mapping[str, Any]) -> Reply:
    """Convert JSON of `reply_to_json` to a reply."""
    from langchain_core.messages import AIMessage, messages_from_dict  # reports do not load LangChain

    from ansatz.agents import Reply, Retry

    [message] = messages_from_dict([content["message"]])
    assert isinstance(message, AIMessage)
    retries = tuple(map(Retry.model_validate, content["retries"]))
    return Reply(message, content["seconds"], retries, remembered=True)


def _pack(request: str, text: str) -> bytes:
    """Return the hash of request and text, followed by the compressed text."""
    return _digest(request, text) + zlib.compress(text.encode())


def _unpack(request: str, blob: bytes) -> Reply:
    """Return the reply. Raises ValueError if its hash does not match. Older replies have no hash."""
    if blob[:1] == b"x":  # the first byte of zlib data
        return reply_from_json(json.loads(zlib.decompress(blob)))
    text = zlib.decompress(blob[_DIGEST_BYTES:]).decode()
    if blob[:_DIGEST_BYTES] != _digest(request, text):
        raise ValueError("a reply changed")
    return reply_from_json(json.loads(text))


def _digest(request: str, text: str) -> bytes:
    return b"h" + hashlib.sha256(f"{request}\n{text}".encode()).digest()[: _DIGEST_BYTES - 1]


class ReplyCache:
    """Replies by the hash of their request: the model with all its settings, the messages and the repeat.

    A ledger stores each reply that it takes from the cache, so it stays complete if the cache is deleted.
    Several runs can use a cache at the same time. Raises LedgerError if the folder cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self._path, self._is_warned = folder / _NAME, False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            create_private_file(self._path)
            self._sql = sqlite3.connect(self._path, isolation_level=None, timeout=60)
            self._sql.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_TABLE}")
        except sqlite3.DatabaseError as failure:
            if not is_damage(failure):
                raise LedgerError(f"cache: {folder} cannot be used: {failure}") from failure
            self._warn(failure)
            self._sql.close()
            self._sql = sqlite3.connect(":memory:", isolation_level=None)
            self._sql.execute(_TABLE)
        except OSError as failure:
            raise LedgerError(f"cache: {folder} cannot be used: {failure}") from failure

    def get(self, request: str) -> Reply | None:
        """Return the stored reply, or None. A damaged reply counts as absent: the request is made again."""
        try:
            row = self._sql.execute("SELECT reply FROM reply WHERE request = ?", (request,)).fetchone()
            return _unpack(request, row[0]) if row else None
        except (sqlite3.Error, zlib.error, ValueError, LookupError, TypeError, RecursionError) as failure:
            self._warn(failure)
            return None

    def put(self, request: str, reply: Reply) -> None:
        """Store a reply. It replaces a damaged one."""
        text = json.dumps(reply_to_json(reply), ensure_ascii=False)
        try:
            self._sql.execute("INSERT OR REPLACE INTO reply VALUES (?, ?)", (request, _pack(request, text)))
        except sqlite3.Error as failure:
            self._warn(failure)

    def _warn(self, failure: Exception) -> None:
        """Warn of damage, once for each run."""
        if not self._is_warned:
            self._is_warned = True
            warnings.warn(
                f"the reply cache {self._path} cannot be used ({failure}): affected requests are made again; "
                "delete the file to start an empty cache",
                stacklevel=2,
            )

    def close(self) -> None:
        self._sql.close()
