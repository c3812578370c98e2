"""Resource limits: stop endless loops, memory and thread bombs, and files that grow without end."""

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
    """What one execution may use. `timeout` is wall-clock seconds, counted from its start."""

    timeout: float = 30.0
    memory_mb: int = 512
    scratch_mb: int = 64


def apply(bounds: Bounds, base_bytes: int, own_processes: int) -> None:
    """`base_bytes` is the address space before the model's code, which its own limit comes on top of.

    `own_processes` are those the user already runs: where no namespace separates them, they count too.
    """
    import resource  # not everywhere, and bounds are

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
        if ceiling != resource.RLIM_INFINITY:  # one that is already stricter is kept
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))


def address_space(statm: int) -> int:
    """Bytes of address space of the process whose /proc/<pid>/statm is open as `statm`."""
    return int(os.pread(statm, 64, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")


def count_processes() -> int:
    """Threads that this user runs on the machine, as RLIMIT_NPROC counts them."""
    user, found = os.getuid(), 0
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc"):
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == user:
                    found += len(os.listdir(f"/proc/{entry.name}/task"))
    return found
