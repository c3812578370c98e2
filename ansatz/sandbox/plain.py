"""One execution in a fresh interpreter, on any platform, for code that needs no isolation.

A clean environment, limits and a deadline limit accidents (endless loops, memory, output). They do not defend
against hostile code, which still has access to the file system and the network.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from ansatz.errors import InfrastructureError
from ansatz.sandbox.encoding import MAXIMUM_BYTES
from ansatz.sandbox.execution import Finished, Output
from ansatz.sandbox.launch import ENVIRONMENT, ZYGOTE, packages
from ansatz.sandbox.worker import FLOOD, Job

_NEEDED_BY_WINDOWS = ("SYSTEMROOT",)
_DRAIN_TIMEOUT = 1.0  # seconds to read what a killed process left in its pipes


class PlainWorker:
    """Runs one execution at a time, each in a new process.

    `wrap` builds the beginning of the command line from the path of the result's file.
    """

    def __init__(self, isolation: str = "none", wrap: Callable[[str], Sequence[str]] = lambda _: ()) -> None:
        self.isolation, self._wrap = isolation, wrap
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ended: int | None = None

    def execute(self, job: Job) -> Finished:
        """Run one payload. Raises InfrastructureError if no process can be started."""
        with tempfile.TemporaryDirectory(prefix="ansatz-run-", ignore_cleanup_errors=True) as name:
            folder = Path(os.path.realpath(name))
            (folder / "payload").write_bytes(job.payload)
            (folder / "result").touch()
            started = time.monotonic()
            with (folder / "payload").open("rb") as payload:
                process = self._start(job, payload, folder)
            outputs = Output(job.output_bytes), Output(job.output_bytes)
            ended_by = self._converse(job, process, outputs)
            wall = time.monotonic() - started
            result = Output(MAXIMUM_BYTES + 65536)
            with (folder / "result").open("rb") as file:
                result.add(file.read(result.limit + 1))
        reply: dict[str, Any] = {"code": process.returncode, "ended_by": ended_by, "fault": "", "wall": wall}
        reply |= {"cpu": 0.0, "max_rss": 0}
        return Finished(*outputs, result, reply, self.isolation, job.bounds.timeout)

    def end(self, request: int) -> None:
        """End an execution, including one that is about to begin."""
        with self._lock:
            self._ended = request
            if self._process is not None:
                _kill(self._process)

    def close(self) -> None:
        """Nothing lasts from one execution to the next."""

    def _start(self, job: Job, payload: IO[bytes], folder: Path) -> subprocess.Popen[bytes]:
        result = str(folder / "result")
        about = {"task": "once", "packages": packages(), "result": result, "bounds": asdict(job.bounds)}
        try:
            return subprocess.Popen(
                [*self._wrap(result), sys.executable, "-I", "-B", str(ZYGOTE), json.dumps(about)],
                stdin=payload,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**ENVIRONMENT, **{n: os.environ[n] for n in _NEEDED_BY_WINDOWS if n in os.environ}},
                start_new_session=True,
            )
        except OSError as failure:
            raise InfrastructureError(f"no process could be started to run code: {failure}") from failure

    def _converse(self, job: Job, process: subprocess.Popen[bytes], outputs: Sequence[Output]) -> str | None:
        """Read until the process ends. Returns "deadline" or "parent" if one of these ended it, else None."""
        with self._lock:
            self._process = process
        if self._ended == job.id:
            _kill(process)
        streams = (process.stdout, process.stderr)
        readers = [
            threading.Thread(target=self._read, args=(*pair, job), daemon=True)
            for pair in zip(streams, outputs, strict=True)
        ]
        for reader in readers:
            reader.start()
        try:
            process.wait(max(job.bounds.timeout, 0.0))
            return "parent" if self._ended == job.id else None
        except subprocess.TimeoutExpired:
            return "deadline"
        finally:
            with self._lock:
                self._process = None
            _kill(process)
            process.wait()
            for reader in readers:
                reader.join(_DRAIN_TIMEOUT)

    def _read(self, stream: IO[bytes], output: Output, job: Job) -> None:
        with stream:
            while chunk := os.read(stream.fileno(), 65536):
                output.add(chunk)
                if output.total > FLOOD:
                    self.end(job.id)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the code and, on systems with sessions, every process that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
