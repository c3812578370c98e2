"""The texts of a ledger, compressed and kept once each: a problem or a prompt is the same under every arm."""

from __future__ import annotations

import json
import sqlite3
import zlib

from ansatz.agents.transcript import Transcript
from ansatz.experiments.ledger.record import canonical_hash


class Texts:
    """Texts by the hash of their content, in the table `text` of a ledger."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def keep(self, text: str) -> str:
        """The key under which a text is kept."""
        key = canonical_hash(text)[:24]
        self._sql.execute("INSERT OR IGNORE INTO text VALUES (?, ?)", (key, zlib.compress(text.encode())))
        return key

    def kept(self, key: str) -> str:
        [content] = self._sql.execute("SELECT content FROM text WHERE hash = ?", (key,)).fetchone()
        return zlib.decompress(content).decode()

    def keep_transcript(self, transcript: Transcript) -> str:
        """The key of a transcript, whose messages are kept one by one."""
        data = transcript.model_dump(mode="json")
        data["messages"] = [
            self.keep(json.dumps(message, ensure_ascii=False)) for message in data["messages"]
        ]
        return self.keep(json.dumps(data, ensure_ascii=False))

    def kept_transcript(self, key: str) -> Transcript:
        data = json.loads(self.kept(key))
        data["messages"] = [json.loads(self.kept(message)) for message in data["messages"]]
        return Transcript.model_validate(data)
