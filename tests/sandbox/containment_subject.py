"""The process under attack: the judge starts it with canaries, sends calls in lines, and ends it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.sandbox.containment_machine import ROOT, User, free_port, popen_as
from tests.sandbox.containment_stage import Stage
from tests.sandbox.containment_watch import Peaks, Process, Watch, descendants, end, state

KEY_NAME = "ANSATZ_CANARY_API_KEY"
START_SECONDS = 60.0
Outcome = dict[str, Any]


class Subject:
    """A runner (`plain`, `exec` or `sandbox:LEVEL`) in a host process with secrets."""

    def __init__(self, runner: str, user: User, limits: tuple[float, int], stage: Stage) -> None:
        self.log = stage.folder / "host.log"
        self._stage, self._buffer, self._shared_memory = stage, b"", ""
        environment = {
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": str(stage.home),
            "TMPDIR": str(stage.temporary),
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            KEY_NAME: stage.canaries["key"],
        }
        command = [user.python, "-m", "tests.sandbox.containment_host", runner, *map(str, limits)]
        command += [f"--canary={stage.canaries['argument']}"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                cwd=stage.scratch,
                start_new_session=True,
                **popen_as(user),
            )
        # Hand over the answers, and wait for the runner to be ready and warm.
        self._send({"answer": stage.canaries["answer"], "system_v_key": stage.system_v_key})
        ready = self._reply(START_SECONDS)
        if not ready or not ready.get("ready"):
            raise RuntimeError(f"the host did not start: {ready} {self.log.read_text()[-2000:]}")
        self._shared_memory = str(ready["shared_memory"])
        self.host = next(p.pid for p in self.below().values() if p.parent == self._process.pid)
        self._port = free_port()
        if self.ask("import time, numpy\ntime.sleep(0.1)", START_SECONDS) is None:
            raise RuntimeError(
                f"the runner did not answer within {START_SECONDS:g} s"
            )  # it would do so later

    def calm(self) -> tuple[Peaks, int]:
        """Measure a harmless call, and the number of processes without one."""
        with self.watch() as peaks:
            self.ask("import time\ntime.sleep(0.3)", START_SECONDS)
        return peaks, len(self.below())

    def values(self) -> dict[str, str]:
        """Return the values that replace @NAME@ in snippets, from this process."""
        return {
            "KEY_NAME": KEY_NAME,
            "HOST_PID": str(self.host),
            "SUPERVISOR_PID": str(self._process.pid),
            "SECRET": f"{self._stage.token}carried{time.monotonic_ns()}",
            "SHARED_MEMORY": self._shared_memory,
            "SERVE_PORT": str(self._port),
        }

    def watch(self) -> Watch:
        return Watch(self._process.pid, self.host, self._port)

    def below(self) -> dict[int, Process]:
        """Return the living processes of the runner, with the host."""
        return descendants(self._process.pid)

    def is_gone(self) -> bool:
        return self.host not in self.below()

    def is_orphan(self) -> bool:
        return self._process.poll() is not None

    def state(self) -> dict[str, object]:
        return state(self.host)

    def ask(self, code: str, seconds: float) -> Outcome | None:
        """Run one call; return None if there is no answer in time."""
        self._send({"code": code})
        return self._reply(seconds)

    def kill_during(self, code: str) -> None:
        """Start a call and kill the host during it."""
        self._send({"code": code})
        time.sleep(0.7)
        os.kill(self.host, signal.SIGKILL)

    def lived_on(self, allowed: int) -> Iterator[str]:
        """Return the names of processes below the supervisor if more than `allowed` remain after a while."""
        if left := self._wait_for(lambda: len(self.below()) <= allowed, 2.5):
            yield f"{len(left)} processes live on: {', '.join(sorted(each.name for each in left.values()))}"

    def close(self, seconds: float = 5.0) -> list[str]:
        """End the host as its user would; end its remaining processes and return their names."""
        assert self._process.stdin and self._process.stdout
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        left = self._wait_for(lambda: not self.below(), seconds)
        end(set(left))
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        if self._shared_memory:  # a killed host could not remove it
            Path("/dev/shm", self._shared_memory).unlink(missing_ok=True)
        return sorted(process.name for process in left.values())

    def _wait_for(self, done: Callable[[], bool], seconds: float) -> dict[int, Process]:
        deadline = time.monotonic() + seconds
        while not done():
            if time.monotonic() > deadline:
                return self.below()
            time.sleep(0.02)
        return {}

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _reply(self, seconds: float) -> Outcome | None:
        assert self._process.stdout
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([self._process.stdout], [], [], left)
            chunk = os.read(self._process.stdout.fileno(), 1 << 20) if ready else b""
            if not chunk:
                return None
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(line)
