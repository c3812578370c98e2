"""The warm fork server: enters the sandbox, imports what calculations need, and forks a child per execution.

It is started by path in an isolated interpreter with a clean environment, because a fork of the parent would
share its keys and answers. The zygote itself never reads code, inputs or answers: it passes them on as
descriptors. It ends when its socket closes. With the task "once" the same file is not a zygote: it runs one
payload itself, on any platform.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import time
import types
from collections.abc import Sequence
from typing import Any, NoReturn

_RESERVED = 6
_PAYLOAD, _RESULT = 3, 4
_INTERPRETER_MB = 1024  # a plain process's limit counts the interpreter and its libraries as well


def register_package() -> None:
    """Make `ansatz.sandbox` importable from this folder alone, without the packages around it."""
    for name in ("ansatz", "ansatz.sandbox"):
        package = types.ModuleType(name)
        package.__path__ = [os.path.dirname(os.path.abspath(__file__))] if name.endswith("sandbox") else []
        sys.modules[name] = package


def main() -> None:
    settings = json.loads(sys.argv[1])
    if settings["task"] == "once":
        run_once(settings)
    control = _connect(settings["socket"])
    try:
        server = Zygote(settings, control)
    except BaseException as failure:
        control.send(json.dumps({"failed": f"{type(failure).__name__}: {failure}"[:2000]}).encode())
        raise
    server.serve()
    os._exit(0)  # skips the clean-up of libraries, which they do not need


def _connect(address: int | str) -> socket.socket:
    """Open an inherited descriptor, or connect to the path on which the parent listens."""
    if isinstance(address, int):
        return socket.socket(fileno=address)
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(address)
    import fcntl

    moved = fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, 10)
    control.close()
    return socket.socket(fileno=moved)


def run_once(settings: dict[str, Any]) -> NoReturn:
    """Run the payload from stdin in this process and write its result to a file. Limits accidents only."""
    sys.path += [path for path in settings["packages"] if path not in sys.path]
    from ansatz.sandbox import program

    result = os.open(settings["result"], os.O_WRONLY | getattr(os, "O_BINARY", 0))
    _limit(settings["bounds"])
    status = program.FAILED
    try:
        status = program.work(0, result)
    finally:
        os._exit(status)


def _limit(bounds: dict[str, Any]) -> None:
    """Apply the limits that the platform has: none on Windows, and no memory limit on macOS."""
    try:
        import resource
    except ImportError:
        return
    for kind, bound in (
        ("RLIMIT_AS", (bounds["memory_mb"] + _INTERPRETER_MB) * 2**20),
        ("RLIMIT_CPU", int(bounds["timeout"]) + 1),
        ("RLIMIT_FSIZE", bounds["scratch_mb"] * 2**20),
        ("RLIMIT_NOFILE", 64),
        ("RLIMIT_CORE", 0),
    ):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, kind), (bound, bound))


class Zygote:
    """A fork server: its constructor prepares it, and `serve` handles one request at a time."""

    def __init__(self, settings: dict[str, Any], control: socket.socket) -> None:
        from ansatz.sandbox import levels, privileges, program, warming
        from ansatz.sandbox.enclosure import Enclosure
        from ansatz.sandbox.limits import Bounds

        self._control, self._work, self._bounds = control, program.work, Bounds
        self._reserve_descriptors()
        privileges.restrict_process(settings["parent"])
        sys.path += [path for path in settings["packages"] if path not in sys.path]
        found = levels.choose_level(settings["levels"], settings["packages"], settings["task"])
        self._wakes, wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        if found["level"] and settings["task"] in ("serve", "choose"):
            self._enclosure = Enclosure(found["level"], settings["packages"])
            warming.preload(settings["preload"], everything=found["level"] == "filter")
            _clean_interpreter(self._enclosure.shown)
            self._enclosure.close_behind()
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self._control.send(json.dumps(found).encode())

    def _reserve_descriptors(self) -> None:
        """Reserve the lowest descriptors for the child, so that later ones get higher numbers."""
        if self._control.fileno() < _RESERVED:
            raise RuntimeError(f"the control socket's number must be at least {_RESERVED}")
        null = os.open("/dev/null", os.O_RDWR)
        for number in range(_RESERVED):
            if number != null:
                os.dup2(null, number, inheritable=False)

    def serve(self) -> None:
        while True:
            message, descriptors, _, _ = socket.recv_fds(self._control, 4096, 8)
            if not message:
                return
            request = json.loads(message)
            if request["kind"] == "run":
                self._control.send(json.dumps(self._run(request, descriptors)).encode())

    def _run(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        bounds = self._bounds(**request["bounds"])
        reads, writes = os.pipe2(os.O_CLOEXEC)
        started = time.monotonic()
        child = self._enclosure.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._execute(bounds, descriptors, writes)
        for descriptor in (writes, *descriptors):
            os.close(descriptor)
        ended_by = self._wait(child, request["id"], started + bounds.timeout)
        _, status, usage = os.wait4(child, 0)
        wall = time.monotonic() - started
        fault = os.read(reads, 1000).decode("utf-8", "replace")
        os.close(reads)
        return {
            "id": request["id"],
            "code": os.waitstatus_to_exitcode(status),
            "ended_by": ended_by,
            "fault": fault,
            "wall": wall,
            "cpu": usage.ru_utime + usage.ru_stime,
            "max_rss": usage.ru_maxrss * 1024,
        }

    def _execute(self, bounds: Any, descriptors: list[int], report: int) -> NoReturn:
        """In the child: lock down, then read the code, then run it. The code is not in memory before that.

        Descriptors: 0 /dev/null, 1 and 2 output, 3 the payload, 4 the result. `report` stays empty if the
        lock-down succeeds; otherwise it receives the reason. No descriptor is shared with the zygote, where
        flags and locks would remain.
        """
        try:
            os.close(0)
            os.open("/dev/null", os.O_RDONLY)  # takes the lowest number, which is free now
            for target, descriptor in enumerate(descriptors, start=1):
                os.dup2(descriptor, target, inheritable=False)
            report = os.dup2(report, _RESULT + 1, inheritable=False)
            self._enclosure.lock_down(bounds, keep=_RESULT + 1)
        except BaseException as failure:
            os.write(report, f"{type(failure).__name__}: {failure}".encode()[:500])
            os._exit(1)
        os.close(report)
        status = 1
        try:
            status = self._work(_PAYLOAD, _RESULT)
        finally:
            os._exit(status)

    def _wait(self, child: int, request: int, deadline: float) -> str | None:
        """Wait until the child ends. Returns "deadline" or "parent" if one of these ended it, else None."""
        poll = select.poll()
        for readable in (self._wakes, self._control.fileno()):
            poll.register(readable, select.POLLIN)
        while os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            left = deadline - time.monotonic()
            ready = [number for number, _ in poll.poll(left * 1000)] if left > 0 else []
            if self._wakes in ready:
                os.read(self._wakes, 4096)
            is_cancelled = self._control.fileno() in ready and self._receives_end(request)
            if is_cancelled or left <= 0:
                os.kill(child, signal.SIGKILL)
                return "parent" if is_cancelled else "deadline"
        return None

    def _receives_end(self, request: int) -> bool:
        """Whether the parent ends the execution, or has closed the socket, which `serve` then detects."""
        message = self._control.recv(4096, socket.MSG_DONTWAIT)
        if not message:
            return True
        received = json.loads(message)
        return bool(received["kind"] == "end" and received["id"] == request)


def _clean_interpreter(shown: Sequence[str]) -> None:
    """Remove Ansatz from what the code can import, and exempt loaded modules from garbage collection."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "ansatz"]:
        del sys.modules[name]
    # An editable installation adds paths to folders that are not shown.
    sys.path[:] = [
        path for path in sys.path if f"{path}/".startswith(tuple(f"{folder}/" for folder in shown))
    ]
    sys.meta_path[:] = [
        finder for finder in sys.meta_path if finder.__module__.startswith("_frozen_importlib")
    ]
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    register_package()
    main()
