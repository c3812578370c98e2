"""Which level this system reaches: the whole set-up is tried in a throw-away process, level by level.

Asking for features one by one is not enough: some systems let a namespace be made and then refuse its map.
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

NAMESPACES = "namespaces"  # not a level: the one layer that no level has alone
_REPORT = 5
_PATIENCE = 10  # seconds for one attempt


def choose(levels: Sequence[str], packages: Sequence[str], task: str) -> dict[str, Any]:
    """The first of `levels` that works, with the reason why each before it does not.

    The task "serve" takes a level that is known to work; "survey" gives the reason for each level and layer.
    """
    if task == "serve":
        return {"level": levels[0], "reasons": {}}
    if task == "survey":
        reasons = {name: refusal(name, packages) for name in (*levels, NAMESPACES)}
        return {"level": next((name for name in levels if reasons[name] is None), None), "reasons": reasons}
    reasons = {}
    for level in levels:
        reason = refusal(level, packages)
        if reason is None:
            return {"level": level, "reasons": reasons}
        reasons[level] = reason
    return {"level": None, "reasons": reasons}


def refusal(level: str, packages: Sequence[str]) -> str | None:
    """Why a level does not work here, or None: entered, locked down and attacked in a throw-away process."""
    reads, writes = os.pipe()
    trial = os.fork()
    if trial == 0:
        signal.alarm(_PATIENCE)
        os.close(reads)
        try:
            _try(level, packages, writes)
        except BaseException as failure:
            os.write(writes, _told(failure))
        os._exit(0)
    os.close(writes)
    told = b"".join(iter(lambda: os.read(reads, 4096), b"")).decode("utf-8", "replace")
    os.close(reads)
    os.waitpid(trial, 0)
    return None if told == "held" else told or f"the attempt ended without a word within {_PATIENCE} s"


def _try(level: str, packages: Sequence[str], writes: int) -> None:
    if level == NAMESPACES:
        namespaces.enter(library_folders(packages), own_folders(packages))
        os.write(writes, b"held")
        return
    enclosure = Enclosure(level, packages)
    enclosure.close_behind()
    child = enclosure.fork()
    if child == 0:
        told = b"held"
        os.dup2(writes, _REPORT)
        try:
            enclosure.lock_down(Bounds(), keep=_REPORT)
            _attack()
        except BaseException as failure:
            told = _told(failure)
        os.write(_REPORT, told)
        os._exit(0)
    os.waitpid(child, 0)


def _told(failure: BaseException) -> bytes:
    kind = "" if isinstance(failure, Unsupported) else f"{type(failure).__name__}: "
    return f"{kind}{failure}".encode()[:1000]


def _attack() -> None:
    """What every level must refuse. A level that lets one through does not count."""
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
