"""The layers put together: what a zygote enters once, and what each child then locks down, by level.

L3: namespaces, Landlock and the system call filter. L2: Landlock and the filter, no writable folder.
L1: the filter alone, without opening of files, so that all that is to be imported must have been.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from ansatz.sandbox import landlock, limits, namespaces, pages, privileges, seccomp, sources


class Enclosure:
    """Entering happens in the constructor, on a single thread, before large libraries are imported.

    Raises Unsupported with the step that this system refuses.
    """

    def __init__(self, level: str, packages: Sequence[str]) -> None:
        self.level = level
        self.scratch: str | None = None
        self._fork = os.fork
        self._was_root = os.geteuid() == 0
        self.shown = sources.library_folders(packages)
        self._readable: Sequence[str] = self.shown
        # Without namespaces, root's child becomes another user, who may be unable to reach the interpreter.
        self._keep_reading = level != "L3" and self._was_root and not sources.is_open_to_all(self._readable)
        if level in ("L3", "L2"):
            landlock.version()
        if level == "L3":
            inside = namespaces.enter(self._readable)
            self.scratch, self._fork = inside.scratch, inside.fork
            self._statm, self._maps = inside.statm, inside.maps
            self._readable = ("/",)
        else:
            privileges.stop_being_root(self._keep_reading)
            privileges.show_own_files()
            self._statm, self._maps = namespaces.open_own_memory()
        self._own_processes = 0 if level == "L3" or self._was_root else limits.count_processes()
        self._zygote = os.getpid()
        self._filter = seccomp.template(level)

    def close_behind(self) -> None:
        """What is to be loaded is loaded: make forks of it cheap, and take away what only entering needed."""
        pages.collapse(self._maps)
        os.close(self._maps)
        privileges.hide_memory()

    def fork(self) -> int:
        return self._fork()

    def lock_down(self, bounds: limits.Bounds, keep: int) -> None:
        """In the child, which keeps descriptors 0 to `keep`. The filter comes last: it refuses the rest."""
        base = limits.address_space(self._statm)
        os.closerange(keep + 1, 1 << 16)
        os.setsid()
        privileges.die_with_parent(None if self.level == "L3" else self._zygote)
        if self.scratch is not None:
            namespaces.private_scratch(self.scratch, bounds.scratch_mb)
        limits.apply(bounds, base, self._own_processes)
        privileges.drop_capabilities(self._keep_reading and self.level == "L2")
        if self.level != "L1":
            landlock.restrict(landlock.prepare(self._readable, self.scratch))
        seccomp.install(self._filter, os.getpid())
