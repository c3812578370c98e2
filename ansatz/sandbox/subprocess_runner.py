"""Run code in a fresh interpreter with a clean environment, resource limits and a wall-clock kill.

This bounds accidents (endless loops, memory, output); it is no defence against hostile code, which
still sees the file system and the network.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ansatz.errors import InfrastructureError
from ansatz.sandbox.execution import Execution

_CHILD = Path(__file__).with_name("plain_child.py")


@dataclass(frozen=True)
class SubprocessRunner:
    """`memory_mb` bounds address space, `output_kb` each of stdout and stderr."""

    timeout_seconds: float = 10.0
    memory_mb: int = 2048
    output_kb: int = 64

    async def run(self, code: str) -> Execution:
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="ansatz-run-") as folder:
            process = await self._start(folder)
            try:
                async with asyncio.timeout(self.timeout_seconds):
                    stdout, stderr = await self._converse(process, code)
            except TimeoutError:
                return self._timed_out(started, f"the code ran longer than {self.timeout_seconds:g} s")
            finally:
                await _kill_group(process)
        return self._outcome(process.returncode, stdout, stderr, time.perf_counter() - started)

    async def _start(self, folder: str) -> asyncio.subprocess.Process:
        limits = [str(self.memory_mb), str(int(self.timeout_seconds) + 1), str(self.output_kb)]
        try:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                str(_CHILD),
                *limits,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=folder,
                env={
                    "PATH": "/usr/bin:/bin",
                    "LANG": "C.UTF-8",
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                },
                start_new_session=True,
            )
        except OSError as failure:
            raise InfrastructureError(f"no process could be started to run code: {failure}") from failure

    async def _converse(self, process: asyncio.subprocess.Process, code: str) -> tuple[bytes, bytes]:
        assert process.stdin and process.stdout and process.stderr
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(code.encode("utf-8", "replace"))
            await process.stdin.drain()
            process.stdin.close()
        stdout, stderr = await asyncio.gather(self._read(process.stdout), self._read(process.stderr))
        await process.wait()
        return stdout, stderr

    async def _read(self, stream: asyncio.StreamReader) -> bytes:
        """All of a stream up to one byte past the cap; the rest is drained and dropped."""
        kept = b""
        while chunk := await stream.read(65536):
            kept = (kept + chunk)[: self.output_kb * 1024 + 1]
        return kept

    def _outcome(self, code: int | None, stdout: bytes, stderr: bytes, seconds: float) -> Execution:
        cap = self.output_kb * 1024
        errors = stderr[:cap].decode("utf-8", "replace")
        last = errors.strip().rsplit("\n", 1)[-1]
        if code is not None and code < 0:
            status, error = "crash", f"the code was ended by {signal.Signals(-code).name}"
        elif code:
            status, error = "error", last or f"exit status {code}"
        else:
            status, error = "ok", None
        return Execution(
            status=status,
            stdout=stdout[:cap].decode("utf-8", "replace"),
            stderr=errors,
            error=error,
            truncated=len(stdout) > cap or len(stderr) > cap,
            wall=seconds,
        )

    def _timed_out(self, started: float, why: str) -> Execution:
        seconds = time.perf_counter() - started
        return Execution(status="timeout", error=why, wall=seconds)


async def _kill_group(process: asyncio.subprocess.Process) -> None:
    """End the code and whatever it started; its session holds nothing of ours."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
