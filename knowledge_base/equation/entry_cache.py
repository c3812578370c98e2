"""What is derived of a base's files, kept in the user's cache folder: parsed entries, and their words.

A file holds JSON under the digest of all that it depends on; for entries these are the bytes and names of
the YAML files and the code that reads them. Only entries that passed validation are kept. A file
that is damaged, of another version or unreadable counts as absent; one that cannot be written is not missed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

_FORMAT = "1"
_KEPT = 4  # files of other contents that stay, for those who switch between versions


def get_cache_folder() -> Path:
    """Where the cache lies: $ANSATZ_CACHE, else the platform's place for one user's caches."""
    if chosen := os.environ.get("ANSATZ_CACHE"):
        return Path(chosen)
    import platformdirs

    return platformdirs.user_cache_path("ansatz", appauthor=False)


def make_key(*parts: str | bytes) -> str:
    """The digest of what is derived of some parts, such as a base's files, by the code that reads entries."""
    digest = hashlib.sha256(f"{_FORMAT} {sys.version_info[:2]}".encode())
    for module in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(hashlib.sha256(module.read_bytes()).digest())
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(f"\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def load(digest: str, kind: str = "entries") -> Any:
    """What is kept under a digest, or None. The file's first line is the digest of the rest."""
    try:
        stored = _get_path(digest, kind).read_bytes()
        check, _, payload = stored.partition(b"\n")
        if check.decode("ascii") != hashlib.sha256(payload).hexdigest():
            return None
        return json.loads(payload)
    except (OSError, RuntimeError, ValueError):  # RuntimeError: there is no home folder
        return None


def store(digest: str, fields: Any, kind: str = "entries") -> None:
    """Keep plain data; a reader sees the old file or the whole new one, however many write at once."""
    try:
        payload = json.dumps(fields).encode()
        file = _get_path(digest, kind)
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=f".{kind}-")
    except (OSError, RuntimeError, ValueError, TypeError):
        return
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
        os.replace(draft, file)
        others = [other for other in file.parent.glob(f"{kind}-*.json") if other != file]
        for other in sorted(others, key=lambda one: one.stat().st_mtime, reverse=True)[_KEPT:]:
            other.unlink(missing_ok=True)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def load_or_make(digest: str, kind: str, make: Callable[[], T]) -> T:
    """What is kept under a digest, else what is made and kept; without a digest it is only made."""
    kept: T | None = load(digest, kind) if digest else None
    if kept is None:
        kept = make()
        if digest:
            store(digest, kept, kind)
    return kept


def _get_path(digest: str, kind: str) -> Path:
    return get_cache_folder() / f"{kind}-{digest[:32]}.json"
