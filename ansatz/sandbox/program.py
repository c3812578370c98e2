"""The model's code inside its process: run it as a console would, and hand over its value or its failure.

Nothing here isolates: `zygote` calls it in a child that is locked down, or alone where there is no isolation.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import os
import sys
import traceback
import types
from collections.abc import Mapping
from typing import Any

from ansatz.sandbox import encoding
from ansatz.sandbox.encoding import EncodingError, Opaque

OK, FAILED, NO_RESULT = 0, 1, 3
_FILE = "<code>"
_LONGEST_ERROR = 2000
_DEEPEST = 1000
_CHAIN = 10
_RESERVE = 4 * 1024 * 1024


def work(payload: int, result: int) -> int:
    """Do what the descriptor `payload` asks, write what came of it to `result`; returns the exit status.

    The exit status says how it went and the result what came of it; the parent believes neither alone.
    """
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - open for as long as the process
    sys.stdout, sys.stderr = _stream(1), _stream(2)
    reserve = bytes(_RESERVE)  # given back when memory is short, so that that can still be said
    told: dict[str, str] = {}
    value = b"null"
    try:
        with open(payload, "rb", closefd=payload != 0) as file:
            asked = json.loads(file.read())
        status, value = OK, _value(asked)
    except SystemExit as end:
        status, told = _ended(end.code)
    except EncodingError as failure:
        status, told = NO_RESULT, {"error": str(failure)}
    except BaseException as failure:
        del reserve
        status, told = FAILED, _described(failure)
    _flush()
    with contextlib.suppress(OSError):  # closed by the code
        _write_all(2, told.pop("traceback", "").encode("utf-8", "replace"))
    _write_all(result, json.dumps(told).encode() if told else b'{"value":' + value + b"}")
    return status


def _value(payload: dict[str, Any]) -> bytes:
    """The encoded value of what is asked: of a program, or of a function that it defines."""
    if payload["kind"] == "run":
        return _shown(run(payload["code"]))
    arguments = encoding.decode(payload["arguments"])
    return encoding.dumps(call(payload["code"], payload["function"], arguments))


def run(source: str) -> Any:
    """Execute a program. The value of a last bare expression is printed and returned."""
    tree = ast.parse(source, _FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    names = _execute(source, tree)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), _FILE, "eval"), names)  # type: ignore[attr-defined]
    if value is not None:
        print(value)
    return value


def call(source: str, function: str, arguments: Mapping[str, Any]) -> Any:
    """Execute a program and return what its function `function` makes of keyword arguments."""
    names = _execute(source, ast.parse(source, _FILE))
    if not callable(names.get(function)):
        raise NameError(f"the code defines no function {function!r}")
    return names[function](**arguments)


def _execute(source: str, tree: ast.Module) -> dict[str, Any]:
    """Run the statements as the module __main__, whose lines tracebacks can then show."""
    linecache.cache[_FILE] = (len(source), None, source.splitlines(keepends=True), _FILE)
    sys.argv = [_FILE]
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(tree, _FILE, "exec"), module.__dict__)
    return module.__dict__


def _shown(value: Any) -> bytes:
    """The last expression of a program is an extra: one that is too large is only described."""
    try:
        return encoding.dumps(value)
    except EncodingError as failure:
        return encoding.dumps(Opaque(type(value).__name__, str(failure)))


def _ended(code: object) -> tuple[int, dict[str, str]]:
    if code is None or code == 0:
        return OK, {}
    said = f"exit status {code}" if isinstance(code, int) else str(code)[:500]
    return FAILED, {"exception": "SystemExit", "error": said}


def _described(failure: BaseException) -> dict[str, str]:
    try:
        return describe(failure)
    except BaseException as second:  # memory or the stack is still short, or the exception is hostile
        return {
            "exception": type(failure).__name__[:100],
            "error": f"{type(second).__name__} while reporting it",
        }


def describe(failure: BaseException) -> dict[str, str]:
    """The exception's type, its last line, and a traceback of nothing but the code's own lines."""
    told = traceback.TracebackException.from_exception(failure, limit=-_DEEPEST)
    _keep_own_lines(told)
    last = "".join(told.format_exception_only()).strip().rsplit("\n", 1)[-1]
    return {
        "exception": "MemoryError" if isinstance(failure, MemoryError) else type(failure).__name__[:100],
        "error": last[:_LONGEST_ERROR],
        "traceback": "".join(told.format())[-4 * _LONGEST_ERROR :],
    }


def _keep_own_lines(told: traceback.TracebackException | None) -> None:
    seen = 0
    while told is not None and seen < _CHAIN:
        own = [frame for frame in told.stack if frame.filename == _FILE]
        told.stack = traceback.StackSummary.from_list(own)
        told, seen = told.__cause__ or told.__context__, seen + 1


def _stream(descriptor: int) -> io.TextIOWrapper:
    """Lines are handed over as they end, so that what was printed before a deadline is not lost."""
    raw = open(descriptor, "wb", closefd=False)  # noqa: SIM115 - open for as long as the process
    return io.TextIOWrapper(
        raw, encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=True
    )


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # closed or replaced by the code
            continue


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
