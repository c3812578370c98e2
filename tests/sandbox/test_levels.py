"""Where a layer is refused, the next level down is taken, with the reason; below the minimum nothing runs."""

import errno
import fcntl
import os
import platform
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ansatz.errors import SandboxUnavailable
from ansatz.sandbox import Sandbox, isolation
from ansatz.sandbox.isolation import LEVELS, reached
from ansatz.sandbox.launch import ENVIRONMENT, ZYGOTE, Launched, ZygoteSettings, build_argument
from ansatz.sandbox.worker import Worker

REFUSING = Path(__file__).with_name("refusing.py")
ARM = platform.machine() == "aarch64"
UNSHARE, PIVOT_ROOT, SETRESUID = (97, 41, 147) if ARM else (272, 155, 117)
MOUNT_SETATTR, LANDLOCK = 442, 444


def refusing(calls):
    """A launcher whose zygotes run on a machine that refuses these calls: {number: error}."""
    refused = ",".join(f"{number}:{error}" for number, error in calls.items())

    def launch(settings: ZygoteSettings) -> Launched:
        control, remote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        number = fcntl.fcntl(remote, fcntl.F_DUPFD_CLOEXEC, 50)
        remote.close()
        about = build_argument(settings, number, os.getpid())
        process = subprocess.Popen(
            [sys.executable, str(REFUSING), refused, sys.executable, "-I", "-B", str(ZYGOTE), about],
            env=ENVIRONMENT, cwd="/", pass_fds=(number,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(number)

        def end():
            process.kill()
            process.wait()

        return Launched(control, end)

    return launch


def probe(calls):
    worker = Worker(refusing(calls)(ZygoteSettings(LEVELS, task="probe")))
    worker.close()
    return worker.level, worker.reasons


@pytest.fixture(autouse=True)
def _all_layers_work_here():
    if reached()[0] != "full":
        pytest.skip(f"this machine does not reach full isolation: {reached()[1]}")


@pytest.mark.parametrize(
    ("calls", "level", "reason"),
    [
        ({UNSHARE: errno.EPERM}, "landlock", "user namespace: unshare: Operation not permitted"),
        ({PIVOT_ROOT: errno.EPERM}, "landlock", "pivot_root: Operation not permitted"),
        ({MOUNT_SETATTR: errno.ENOSYS}, "landlock", "mount_setattr: Function not implemented"),
        ({LANDLOCK: errno.ENOSYS}, "filter", "Landlock is not available"),
        ({UNSHARE: errno.EPERM, LANDLOCK: errno.EOPNOTSUPP}, "filter", "Landlock is not available"),
    ],
)
def test_refused_layer_selects_the_next_level(calls, level, reason):
    found, reasons = probe(calls)
    assert found == level
    assert reason in reasons["full"]
    assert set(reasons) == set(LEVELS[: LEVELS.index(level)])


def test_late_refusal_is_detected():
    """Some systems let the namespace be made, and then refuse to change user within it."""
    level, reasons = probe({SETRESUID: errno.EPERM})
    assert level == ("landlock" if os.getuid() else None)
    assert reasons["full"]


def test_level_below_the_minimum_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(isolation, "launch", refusing({UNSHARE: errno.EPERM, LANDLOCK: errno.ENOSYS}))
    isolation.reached.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable) as caught:
            isolation.require("landlock")
        assert isolation.require("filter") == "filter"
    finally:
        isolation.reached.cache_clear()
    message = str(caught.value)
    assert "\n" not in message
    for part in (
        "isolated at level landlock",
        "only at filter",
        "Landlock is not available",
        "doctor",
        "isolation: filter",
    ):
        assert part in message


async def test_forced_level_below_the_minimum_is_refused():
    with pytest.raises(SandboxUnavailable, match="isolation: filter"):
        await Sandbox(level="filter").run("1")


async def test_a_program_runs_on_a_machine_without_namespaces():
    """As in a default container: the level is chosen by the zygote itself, and reported."""
    sandbox = Sandbox(preload=(), min_isolation="filter")
    sandbox._launcher = refusing({UNSHARE: errno.EPERM})
    async with sandbox:
        execution = await sandbox.run("6 * 7")
    assert (execution.value, execution.isolation) == (42, "landlock")
