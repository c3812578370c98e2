"""Start a zygote as a separate process on this machine. `docker` starts one in a container."""

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
    "OPENBLAS_NUM_THREADS": "1",  # a fork server must have a single thread
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_EXIT_TIMEOUT = 2.0  # seconds
_PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class ZygoteSettings:
    """What a zygote does, and at which level."""

    levels: tuple[str, ...]
    """Levels to try, best first."""
    preload: tuple[str, ...] = ()
    """Modules to import before any code runs."""
    task: Literal["serve", "choose", "probe", "survey"] = "choose"
    """serve: use the only level, which is known to work. choose: use the first level that works.
    probe: report the first level that works, and end. survey: report on every level and layer, and end."""


@dataclass(frozen=True)
class Launched:
    """A started zygote."""

    socket: socket.socket
    end: Callable[[], None]
    """Ends the zygote, by force if necessary."""
    within: str = ""
    """Prefix of the level's name, such as "docker "."""


def launch(settings: ZygoteSettings) -> Launched:
    """Start a zygote as a process. Raises InfrastructureError if none can be started."""
    import fcntl

    control, remote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    number = fcntl.fcntl(remote, fcntl.F_DUPFD_CLOEXEC, 10)  # lower numbers are for the executions
    remote.close()
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(ZYGOTE), build_argument(settings, number, os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=ENVIRONMENT,
            pass_fds=(number,),
            start_new_session=True,  # this process handles an interrupt at the terminal
        )
    except OSError as failure:
        control.close()
        raise InfrastructureError(f"the sandbox could not be started: {failure}") from failure
    finally:
        os.close(number)

    def end() -> None:
        try:
            process.wait(_EXIT_TIMEOUT)  # its socket is closed: it ends its execution and then itself
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # also ends the process inside its namespaces
            process.wait()

    return Launched(control, end)


def build_argument(settings: ZygoteSettings, address: int | str, parent: int | None) -> str:
    """Build the zygote's command-line argument: settings, socket, parent process and package folders."""
    fields: dict[str, Any] = {**asdict(settings), "socket": address, "parent": parent, "packages": packages()}
    return json.dumps(fields)


def packages() -> list[str]:
    """List the package folders on the path; the isolated interpreter would miss the user's."""
    return [path for path in sys.path if os.path.basename(path) in _PACKAGES]
