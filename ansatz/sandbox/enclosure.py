"""Combine the layers: what a zygote enters once, and what each child then locks down, by level.

full: namespaces, Landlock and the system call filter. landlock: Landlock and the filter, without a writable
folder. filter: the filter alone; no file can be opened, so every module must be imported beforehand.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ansatz.sandbox import landlock, limits, namespaces, privileges, seccomp
from ansatz.sandbox.limits import Bounds
from ansatz.sandbox.syscalls import Unsupported, library_call

_HUGE = 2 * 1024 * 1024
_COLLAPSE = 25  # MADV_COLLAPSE
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


class Enclosure:
    """The isolation of a zygote and its children.

    The constructor enters it, on a single thread and before large libraries are imported. It raises
    Unsupported with the step that this system refuses.
    """

    def __init__(self, level: str, packages: Sequence[str]) -> None:
        self.level = level
        self.scratch: str | None = None
        self._fork = os.fork
        self._was_root = os.geteuid() == 0
        self.shown = library_folders(packages)
        own = own_folders(packages)
        # Without namespaces, root's child changes to a user that may be unable to reach the interpreter.
        self._keep_reading = level != "full" and self._was_root and not _is_open_to_all(self.shown)
        if level in ("full", "landlock"):
            landlock.version()
        if level == "full":
            inside = namespaces.enter(self.shown, own)
            self.scratch, self._fork = inside.scratch, inside.fork
            self._statm, self._maps = inside.statm, inside.maps
        else:
            privileges.stop_being_root(self._keep_reading)
            privileges.show_own_files()
            self._statm, self._maps = namespaces.open_own_memory()
        if level == "landlock":
            self._rules = landlock.prepare(*_exclude(self.shown, own))
        self._own_processes = 0 if level == "full" or self._was_root else limits.count_processes()
        self._zygote = os.getpid()
        self._filter = seccomp.template(level)

    def close_behind(self) -> None:
        """Make forks of the loaded libraries cheap, and give up what only the constructor needed."""
        _collapse_pages(self._maps)
        os.close(self._maps)
        privileges.hide_memory()

    def fork(self) -> int:
        return self._fork()

    def lock_down(self, bounds: Bounds, keep: int) -> None:
        """Lock down the child, which keeps descriptors 0 to `keep`. The filter must be the last step."""
        base = limits.address_space(self._statm)
        if self.level == "landlock":
            landlock.restrict(self._rules)
        os.closerange(keep + 1, 1 << 16)
        os.setsid()
        privileges.die_with_parent(None if self.level == "full" else self._zygote)
        if self.scratch is not None:
            namespaces.private_scratch(self.scratch, bounds.scratch_mb)
        limits.apply(bounds, base, self._own_processes)
        privileges.drop_capabilities(self._keep_reading and self.level == "landlock")
        if self.level == "full":  # not earlier: Landlock forbids mounts
            landlock.restrict(landlock.prepare(["/"], own=self.scratch))
        seccomp.install(self._filter, os.getpid())


def library_folders(packages: Sequence[str]) -> list[str]:
    """List the existing library folders and files to show, none inside another.

    A folder behind a link is listed under both names. A checkout on the path of an editable installation is
    not listed, because it contains more than code. `packages` are further package folders.
    """
    wanted = [*_SYSTEM]
    for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix):
        wanted += [f"{prefix}/lib", f"{prefix}/lib64"]
    wanted += [path for path in (*sys.path, *packages) if os.path.basename(path) in _PACKAGES]
    existing = {path for path in wanted if os.path.exists(path)}
    return _outermost(existing | {os.path.realpath(path) for path in existing})


def own_folders(packages: Sequence[str]) -> set[str]:
    """Find the folders of Ansatz, which contain the answers to its benchmarks and are never shown."""
    folders = {f"{path}/ansatz" for path in (*sys.path, *packages) if os.path.basename(path) in _PACKAGES}
    return {os.path.realpath(folder) for folder in folders if os.path.isdir(folder)}


def _exclude(shown: Sequence[str], hidden: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split `shown` into readable paths without `hidden`, and the folders above them, which may be listed."""
    readable, listed, waiting = [], [], [*shown]
    while waiting:
        path = waiting.pop()
        real = os.path.realpath(path)
        if any(folder.startswith(f"{real}/") for folder in hidden):
            listed.append(path)
            waiting += [entry.path for entry in os.scandir(path)]
        elif real not in hidden:
            readable.append(path)
    return readable, listed


def _is_open_to_all(paths: Iterable[str]) -> bool:
    """Whether any user may reach these paths, unlike a path inside /root."""
    every = {each for path in map(Path, paths) for each in (path, *path.parents)}
    return all(each.stat().st_mode & (0o001 if each.is_dir() else 0o004) for each in every)


def _outermost(paths: set[str]) -> list[str]:
    outermost: list[str] = []
    for path in sorted(paths):
        if not any(path.startswith(f"{outer}/") for outer in outermost):
            outermost.append(path)
    return outermost


def _collapse_pages(maps: int) -> None:
    """Move the private memory listed in /proc/<pid>/maps, open as `maps`, into huge pages.

    This is for speed only: most of a fork's time goes into copying page tables, and huge pages halve the time
    of fork and exit with SymPy loaded. Nothing changes before Linux 6.1 or without transparent huge pages.
    """
    for line in b"".join(iter(lambda: os.read(maps, 1 << 16), b"")).decode().splitlines():
        span, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights != "rw-p" or inode != "0" or name not in ([], ["[heap]"]):
            continue  # backed by a file, or not writable
        start, end = (int(each, 16) for each in span.split("-"))
        start, end = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
        if end > start:
            with contextlib.suppress(Unsupported):
                library_call("madvise", start, end - start, _COLLAPSE)
