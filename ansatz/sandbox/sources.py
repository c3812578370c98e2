"""Which folders a calculation reads: the libraries of the interpreter, its packages, and the system's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

_SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/etc/alternatives",  # Debian's BLAS is found through it,
    "/etc/ld.so.cache",  # and every library through this
    "/nix/store",
    "/gnu/store",
)
_PACKAGES = ("site-packages", "dist-packages")


def library_folders(packages: Sequence[str]) -> list[str]:
    """Existing folders and files to show, none inside another. `packages` are further package folders.

    A folder reached through links is listed under its own name and its real one. A checkout that is on the
    path of an editable installation is not listed: it holds more than code.
    """
    wanted = [*_SYSTEM]
    for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix):
        wanted += [f"{prefix}/lib", f"{prefix}/lib64"]
    wanted += [path for path in (*sys.path, *packages) if os.path.basename(path) in _PACKAGES]
    existing = {path for path in wanted if os.path.exists(path)}
    return _outermost(existing | {os.path.realpath(path) for path in existing})


def is_open_to_all(paths: Iterable[str]) -> bool:
    """Whether any user may reach these paths, which one inside /root, say, may not."""
    return all(_is_reachable(path) for path in paths)


def _is_reachable(path: str) -> bool:
    while True:
        if not os.stat(path).st_mode & (0o001 if os.path.isdir(path) else 0o004):
            return False
        if path == "/":
            return True
        path = os.path.dirname(path)


def _outermost(paths: set[str]) -> list[str]:
    kept: list[str] = []
    for path in sorted(paths):
        if not any(path.startswith(f"{outer}/") for outer in kept):
            kept.append(path)
    return kept
