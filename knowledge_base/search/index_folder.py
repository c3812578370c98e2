"""The folder of an index: complete states that replace each other in one step, each with its hashes.

`index.json` names the folder of the present state and the hash of each of its files. A new state is written
next to it, and one rename of `index.json` makes it the present one. A process that is killed leaves the old
state or the new one.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from filelock import FileLock

from ansatz.errors import InvalidData

FORMAT = 4
"""Increase it when an older index cannot be read, or would have other words or scores than a new one."""
MANIFEST = "index.json"
# Earlier states, and what processes that were killed left; other files of a folder are not touched.
_OLD = re.compile(rf"[0-9a-f]{{16}}|\.draft-\w+|\.{re.escape(MANIFEST)}-\d+")


@contextmanager
def lock_index(folder: Path) -> Iterator[None]:
    """Let one process at a time change the index in a folder; others wait."""
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".lock"):
        yield


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the description of a stored index: its digest, encoder and number of documents.

    Raises:
        InvalidData: There is no index, or another version wrote it.
    """
    try:
        manifest: Any = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except OSError:
        raise InvalidData(f"{folder} has no index ({MANIFEST})") from None
    except ValueError as error:
        raise InvalidData(f"{folder / MANIFEST} is damaged: {error}") from error
    written = manifest.get("format") if isinstance(manifest, dict) else None
    if written != FORMAT:
        raise InvalidData(f"{folder / MANIFEST}: format {written}; this version reads {FORMAT}; index again")
    return dict(manifest)


def has_state(folder: Path) -> bool:
    """Whether a folder has an index of this or another version."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and {"format", "digest", "encoder", "folder"} <= manifest.keys()


def write_state(folder: Path, write: Callable[[Path], None], description: Mapping[str, Any]) -> None:
    """Write the files of a new state, and make it the present one in one step.

    Parameters:
        folder: The folder of the index; earlier states in it are removed.
        write: Writes the files into a folder.
        description: What the manifest has in addition to the files.

    Raises:
        OSError: The disk is full, for example; the present state stays.
    """
    draft = folder / f".draft-{uuid4().hex}"
    pending = folder / f".{MANIFEST}-{os.getpid()}"
    unused = [pending]
    try:
        draft.mkdir(parents=True)
        write(draft)
        files = {file.name: _hash_file(file) for file in sorted(draft.iterdir())}
        name = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]
        if not (folder / name).exists():
            os.replace(draft, folder / name)
            unused.append(folder / name)
        manifest = {"format": FORMAT, **description, "folder": name, "files": files}
        pending.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        os.replace(pending, folder / MANIFEST)
    except (OSError, RuntimeError) as failure:  # FAISS raises RuntimeError
        for each in unused:
            _remove(each)
        reason = getattr(failure, "strerror", None) or str(failure)
        raise OSError(errno.EIO, f"the index cannot be written: {reason}", str(folder)) from failure
    finally:
        _remove(draft)
    for other in folder.iterdir():
        if _OLD.fullmatch(other.name) and other.name != name:
            _remove(other)


def _remove(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def check_files(state: Path, manifest: Mapping[str, Any]) -> None:
    """Check the hashes of the files of a state.

    Raises:
        FileNotFoundError: One is missing.
        InvalidData: One is damaged.
    """
    for file, digest in manifest["files"].items():
        if _hash_file(state / file) != digest:
            raise InvalidData(f"{state.parent}: {file} is damaged; delete the folder and index again")


def _hash_file(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
