"""The runners under test: the sandbox at a level, and common unprotected runners as controls.

Each is an async context manager that yields `run(code) -> outcome as a dict`.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import functools
import io
import pickle
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

Run = Callable[[str], Awaitable[dict[str, Any]]]
SHOWN = 200_000  # characters of a value that are handed to the judge

# The attacker's tools are loaded beforehand, so that a failed import is never what contains an attack.
PRELOAD = (
    "numpy", "sympy", "ctypes", "fcntl", "gc", "mmap", "pickle", "pty", "resource", "select", "shutil", "signal",
    "socket", "struct", "subprocess", "tempfile", "threading", "multiprocessing", "multiprocessing.shared_memory",
    "urllib.request", "asyncio", "atexit", "inspect", "decimal", "linecache", "random", "re", "glob",
)  # fmt: skip

_PLAIN = """
import ast, base64, pickle, sys
tree = ast.parse(sys.stdin.read())
names = {"__name__": "__main__"}
last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
exec(compile(tree, "<code>", "exec"), names)
value = eval(compile(ast.Expression(last.value), "<code>", "eval"), names) if last else None
print("\\nRESULT", base64.b64encode(pickle.dumps(value)).decode())
"""


@contextlib.asynccontextmanager
async def plain(_level: str, timeout: float, _memory_mb: int) -> AsyncIterator[Run]:
    """A subprocess with a time limit and a pickled value in its last line, as in most harnesses."""

    async def run(code: str) -> dict[str, Any]:
        try:
            done = subprocess.run(
                [sys.executable, "-c", _PLAIN], input=code, capture_output=True, text=True, timeout=timeout
            )
        except subprocess.TimeoutExpired as expired:
            return _outcome("timeout", stdout=_text(expired.stdout), stderr=_text(expired.stderr))
        lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
        if not lines:
            return _outcome("error", stdout=done.stdout, stderr=done.stderr)
        value = pickle.loads(base64.b64decode(lines[-1][7:]))
        return _outcome("ok", value, done.stdout, done.stderr)

    yield run


@contextlib.asynccontextmanager
async def executed(_level: str, _timeout: float, _memory_mb: int) -> AsyncIterator[Run]:
    """`exec` inside the process of the framework."""

    async def run(code: str) -> dict[str, Any]:
        tree, names = ast.parse(code), {"__name__": "__main__"}
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        value = None
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                exec(compile(tree, "<code>", "exec"), names)
                if isinstance(last, ast.Expr):
                    value = eval(compile(ast.Expression(last.value), "<code>", "eval"), names)
            except BaseException:
                return _outcome("error", stdout=printed.getvalue(), stderr=traceback.format_exc())
        return _outcome("ok", value, printed.getvalue())

    yield run


@contextlib.asynccontextmanager
async def sandboxed(level: Any, timeout: float, memory_mb: int) -> AsyncIterator[Run]:
    """The sandbox at one level with one worker, so that the next call finds what this one left."""
    from ansatz.sandbox import Sandbox

    async with Sandbox(1, PRELOAD, timeout, memory_mb, "filter", level=level) as sandbox:

        async def run(code: str) -> dict[str, Any]:
            done = await sandbox.run(code)
            return {**done.model_dump(exclude={"value"}), "value": repr(done.value)}

        yield run


@functools.cache
def refusal_of(level: Any) -> str | None:
    """Return why this machine does not reach a level, or None."""
    from ansatz.errors import SandboxUnavailable
    from ansatz.sandbox.isolation import require

    try:
        require("filter", level)
    except SandboxUnavailable as refusal:
        return str(refusal)
    return None


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")


def _outcome(status: str, value: Any = None, stdout: str = "", stderr: str = "") -> dict[str, Any]:
    return {"status": status, "value": repr(value), "stdout": stdout, "stderr": stderr}


RUNNERS = {"plain": plain, "exec": executed, "sandbox": sandboxed}
