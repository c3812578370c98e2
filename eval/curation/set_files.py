"""Write a folder of data files with a manifest of their hashes. Nothing in it depends on time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def format_json_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Format as JSON Lines, one object per line."""
    return "".join(f"{json.dumps(row, ensure_ascii=False, allow_nan=False)}\n" for row in rows)


def format_json(value: Mapping[str, Any]) -> str:
    """Format as indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_folder(
    out: Path, texts: Mapping[str, str], about: Mapping[str, Any], manifest: str = "manifest.json"
) -> dict[str, Any]:
    """Write texts by name to a folder, then the manifest, and return the manifest.

    The folder is made if necessary.
    """
    for name, text in texts.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        # A rejected record may contain a lone surrogate, which is written as a JSON escape.
        (out / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    written = {**about, "files": {name: hash_file(out / name) for name in texts}}
    (out / manifest).write_text(format_json(written), encoding="utf-8")
    return written


def hash_file(path: Path) -> str:
    """Compute the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hash_json(value: Any) -> str:
    """Compute the SHA-256 of a JSON value, independent of the order of its fields."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
