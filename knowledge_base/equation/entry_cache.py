"""Cache data derived from a base's files in the user's cache folder: entries, their words and vectors.

A cache file contains JSON or an array. Its name is the digest of everything it depends on. For entries these
are the names and bytes of the YAML files, and the code that reads them. Only valid entries are stored. A
damaged, outdated or unreadable file counts as absent, and a failure to write is ignored.
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
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar
from zipfile import BadZipFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")

_FORMAT = "1"
_RETAINED = 4  # older files to retain, for users who switch between versions


def get_cache_folder() -> Path:
    """Return the cache folder: $ANSATZ_CACHE, or the user's cache folder on this platform."""
    if chosen := os.environ.get("ANSATZ_CACHE"):
        return Path(chosen)
    import platformdirs

    return platformdirs.user_cache_path("ansatz", appauthor=False)


def make_key(*parts: str | bytes) -> str:
    """Return the digest of parts, such as a base's files, and of the code that reads entries."""
    digest = hashlib.sha256(f"{_FORMAT} {sys.version_info[:2]}".encode())
    for module in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(hashlib.sha256(module.read_bytes()).digest())
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(f"\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def load(digest: str, kind: str = "entries") -> Any:
    """Load the data stored under a digest, or None. The first line of a file is the digest of the rest."""
    try:
        stored = _get_path(digest, kind).read_bytes()
        check, _, payload = stored.partition(b"\n")
        if check.decode("ascii") != hashlib.sha256(payload).hexdigest():
            return None
        return json.loads(payload)
    except (OSError, RuntimeError, ValueError):  # RuntimeError: there is no home folder
        return None


def store(digest: str, fields: Any, kind: str = "entries") -> None:
    """Store plain data atomically: readers see the old file or the complete new one."""
    try:
        payload = json.dumps(fields).encode()
        file = _get_path(digest, kind)
    except (RuntimeError, ValueError, TypeError):
        return
    _write_file(file, lambda out: out.write(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload))


def load_array(digest: str, kind: str) -> NDArray[Any] | None:
    """Load the array stored under a digest, or None; a zip file has checksums."""
    import numpy as np

    try:
        with np.load(_get_path(digest, kind, ".npz")) as stored:
            array: NDArray[Any] = stored["array"]
    except (OSError, RuntimeError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    return array


def store_array(digest: str, array: NDArray[Any], kind: str) -> None:
    """Store an array atomically."""
    import numpy as np

    with contextlib.suppress(RuntimeError):
        _write_file(_get_path(digest, kind, ".npz"), lambda out: np.savez(out, array=array))


def _write_file(file: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a cache file named "kind-digest" atomically, and remove old ones; a failure is ignored."""
    kind = file.name.partition("-")[0]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=f".{kind}-")
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as out:
            write(out)
        os.replace(draft, file)
        others = [other for other in file.parent.glob(f"{kind}-*{file.suffix}") if other != file]
        for other in sorted(others, key=lambda one: one.stat().st_mtime, reverse=True)[_RETAINED:]:
            other.unlink(missing_ok=True)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def load_or_make(digest: str, kind: str, make: Callable[[], T]) -> T:
    """Load the data stored under a digest, or make and store it. Without a digest, only make it."""
    data: T | None = load(digest, kind) if digest else None
    if data is None:
        data = make()
        if digest:
            store(digest, data, kind)
    return data


def _get_path(digest: str, kind: str, suffix: str = ".json") -> Path:
    return get_cache_folder() / f"{kind}-{digest[:32]}{suffix}"
