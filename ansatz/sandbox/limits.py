"""Resource limits: stop endless loops, memory and thread bombs, and growing files."""

from __future__ import annotations

import contextlib
import math
import os
from dataclasses import dataclass

_MEGABYTE = 1024 * 1024
_PROCESSES = 64
_OPEN_FILES = 64
_STACK = 8 * _MEGABYTE


@dataclass(frozen=True)
class Bounds:
    """The limits of one execution."""

    timeout: float = 30.0
    """Wall-clock seconds from its start."""
    memory_mb: int = 512
    scratch_mb: int = 64
    """Size of the writable folder and of one file in megabytes."""


def apply(bounds: Bounds, base_bytes: int, own_processes: int) -> None:
    """Apply the limits to this process.

    Parameters
    ----------
    base_bytes
        Address space before the model's code runs; the memory limit is added to it.
    own_processes
        Processes that the user already runs; without a namespace they count too.
    """
    import resource  # not on Windows, where `Bounds` is used as well

    seconds = math.ceil(bounds.timeout) + 1
    for kind, soft, hard in (
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_FSIZE, *[bounds.scratch_mb * _MEGABYTE] * 2),
        (resource.RLIMIT_NOFILE, _OPEN_FILES, _OPEN_FILES),
        (resource.RLIMIT_NPROC, *[own_processes + _PROCESSES] * 2),
        (resource.RLIMIT_STACK, _STACK, _STACK),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_AS, *[base_bytes + bounds.memory_mb * _MEGABYTE] * 2),
    ):
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:  # a stricter limit remains
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))


def address_space(statm: int) -> int:
    """Return the address space in bytes of the process whose /proc/<pid>/statm is open as `statm`."""
    return int(os.pread(statm, 64, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")


def count_processes() -> int:
    """Count the threads that this user runs on the machine, as RLIMIT_NPROC does."""
    user, found = os.getuid(), 0
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc"):
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == user:
                    found += len(os.listdir(f"/proc/{entry.name}/task"))
    return found
