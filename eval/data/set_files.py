"""A folder of made data: texts, then a manifest with their hashes. Nothing in it depends on time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def json_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """JSON Lines, one object a line."""
    return "".join(f"{json.dumps(row, ensure_ascii=False, allow_nan=False)}\n" for row in rows)


def json_text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_folder(
    out: Path, texts: Mapping[str, str], about: Mapping[str, Any], manifest: str = "manifest.json"
) -> dict[str, Any]:
    """Write texts by their names to a folder, which is made; the manifest comes last, and is returned."""
    for name, text in texts.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        # Half of a surrogate pair, which a rejected record may hold, is written as JSON escapes it.
        (out / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    written = {**about, "files": {name: file_hash(out / name) for name in texts}}
    (out / manifest).write_text(json_text(written), encoding="utf-8")
    return written


def file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hash_of(value: Any) -> str:
    """A hash of what a value says, whatever the order of its fields."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
