"""Find the isolation level that this system supports, by trying the whole set-up in a throw-away process.

Testing single features is not enough: some systems allow a new namespace and then refuse its user map.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import Any

from ansatz.sandbox import namespaces
from ansatz.sandbox.enclosure import Enclosure, library_folders, own_folders
from ansatz.sandbox.limits import Bounds
from ansatz.sandbox.syscalls import Unsupported

NAMESPACES = "namespaces"  # not a level, but a layer that no level has alone
_REPORT = 5  # descriptor
_LOCKED = b"locked"  # report of a trial in which every layer works
_TIMEOUT = 10  # seconds for one trial


def choose_level(levels: Sequence[str], packages: Sequence[str], task: str) -> dict[str, Any]:
    """Return the first of `levels` that works, with the reason why each before it does not.

    The task "serve" takes a level that is known to work; "survey" gives a reason for each level and layer.
    """
    if task == "serve":
        return {"level": levels[0], "reasons": {}}
    if task == "survey":
        reasons = {name: find_obstacle(name, packages) for name in (*levels, NAMESPACES)}
        return {"level": next((name for name in levels if reasons[name] is None), None), "reasons": reasons}
    reasons = {}
    for level in levels:
        reason = find_obstacle(level, packages)
        if reason is None:
            return {"level": level, "reasons": reasons}
        reasons[level] = reason
    return {"level": None, "reasons": reasons}


def find_obstacle(level: str, packages: Sequence[str]) -> str | None:
    """Return why a level does not work here, or None. It is entered and attacked in a throw-away process."""
    reads, writes = os.pipe()
    trial = os.fork()
    if trial == 0:
        signal.alarm(_TIMEOUT)
        os.close(reads)
        try:
            _try_level(level, packages, writes)
        except BaseException as failure:
            os.write(writes, _describe(failure))
        os._exit(0)
    os.close(writes)
    report = b"".join(iter(lambda: os.read(reads, 4096), b""))
    os.close(reads)
    os.waitpid(trial, 0)
    if report == _LOCKED:
        return None
    return report.decode("utf-8", "replace") or f"the trial ended without a report within {_TIMEOUT} s"


def _try_level(level: str, packages: Sequence[str], writes: int) -> None:
    if level == NAMESPACES:
        namespaces.enter(library_folders(packages), own_folders(packages))
        os.write(writes, _LOCKED)
        return
    enclosure = Enclosure(level, packages)
    enclosure.close_behind()
    child = enclosure.fork()
    if child == 0:
        report = _LOCKED
        os.dup2(writes, _REPORT)
        try:
            enclosure.lock_down(Bounds(), keep=_REPORT)
            _check_refusals()
        except BaseException as failure:
            report = _describe(failure)
        os.write(_REPORT, report)
        os._exit(0)
    os.waitpid(child, 0)


def _describe(failure: BaseException) -> bytes:
    kind = "" if isinstance(failure, Unsupported) else f"{type(failure).__name__}: "
    return f"{kind}{failure}".encode()[:1000]


def _check_refusals() -> None:
    """Raise Unsupported if the level permits something that every level must refuse."""
    for what, attempt in (
        ("reading /proc/1/environ", lambda: os.open("/proc/1/environ", os.O_RDONLY)),
        ("reading /etc/hostname", lambda: os.open("/etc/hostname", os.O_RDONLY)),
        ("starting a process", os.fork),
        ("running a program", lambda: os.execv("/bin/true", ["true"])),
        ("a signal to another process", lambda: os.kill(os.getppid() or 2, 0)),
    ):
        try:
            attempt()
        except OSError:
            continue
        raise Unsupported(f"{what} was not refused")
