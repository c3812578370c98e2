"""How a zygote is started: as a process of its own on this machine. `docker` starts it in a container."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from ansatz.errors import InfrastructureError

ZYGOTE = Path(__file__).with_name("zygote.py")
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",  # a fork-server must stay on one thread
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_FAREWELL = 2.0  # seconds
_PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class ZygoteSettings:
    """Levels to try, best first, and what for.

    `task`: "serve" at the only level, which is known to work; "choose" the first that works, and serve;
    "probe" which is the first that works, and end; "survey" every level and layer, and end.
    """

    levels: tuple[str, ...]
    preload: tuple[str, ...] = ()
    task: Literal["serve", "choose", "probe", "survey"] = "choose"


@dataclass(frozen=True)
class Launched:
    """A started zygote: its socket, how it is ended for certain, and what its level is said to be within."""

    socket: socket.socket
    end: Callable[[], None]
    within: str = ""


def launch(settings: ZygoteSettings) -> Launched:
    """Start a zygote as a process. Raises InfrastructureError if none can be started."""
    import fcntl

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    number = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, 10)  # lower numbers are the executions'
    theirs.close()
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(ZYGOTE), arguments(settings, number, os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=ENVIRONMENT,
            pass_fds=(number,),
            start_new_session=True,  # an interrupt at the terminal is ours to handle
        )
    except OSError as failure:
        ours.close()
        raise InfrastructureError(f"the sandbox could not be started: {failure}") from failure
    finally:
        os.close(number)

    def end() -> None:
        try:
            process.wait(_FAREWELL)  # its socket is closed: it ends what it runs and then itself
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # of its session: the process inside its namespaces too
            process.wait()

    return Launched(ours, end)


def arguments(settings: ZygoteSettings, where: int | str, parent: int | None) -> str:
    """What a zygote is told: where its parent is heard, and which folders hold packages."""
    about: dict[str, Any] = {**asdict(settings), "socket": where, "parent": parent, "packages": packages()}
    return json.dumps(about)


def packages() -> list[str]:
    """The package folders on our own path; the isolated interpreter would miss a user's."""
    return [path for path in sys.path if os.path.basename(path) in _PACKAGES]
