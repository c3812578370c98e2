"""Run the model's code inside its process as a console would, and write its value or failure.

This module does not isolate. `zygote` calls it in a locked-down child, or alone if there is no isolation.
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
    """Run the payload, write its outcome to `result`, and return the exit status.

    The parent trusts neither the exit status nor the result alone.

    Parameters
    ----------
    payload, result
        Descriptors.
    """
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - open until the process ends
    sys.stdout, sys.stderr = _open_stream(1), _open_stream(2)
    reserve = bytes(_RESERVE)  # released when memory is short, so that the failure can be reported
    report: dict[str, str] = {}
    value = b"null"
    try:
        with open(payload, "rb", closefd=payload != 0) as file:
            content = json.loads(file.read())
        status, value = OK, _evaluate(content)
    except SystemExit as end:
        status, report = _describe_exit(end.code)
    except EncodingError as failure:
        status, report = NO_RESULT, {"error": str(failure)}
    except BaseException as failure:
        del reserve
        status, report = FAILED, _describe_safely(failure)
    _flush()
    with contextlib.suppress(OSError):  # closed by the code
        _write_all(2, report.pop("traceback", "").encode("utf-8", "replace"))
    _write_all(result, json.dumps(report).encode() if report else b'{"value":' + value + b"}")
    return status


def _evaluate(payload: dict[str, Any]) -> bytes:
    """Return the encoded value of a program, or of a function that it defines."""
    if payload["kind"] == "run":
        return _encode_or_describe(run(payload["code"]))
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
    """Execute a program and call its function with keyword arguments."""
    names = _execute(source, ast.parse(source, _FILE))
    if not callable(names.get(function)):
        raise NameError(f"the code defines no function {function!r}")
    return names[function](**arguments)


def _execute(source: str, tree: ast.Module) -> dict[str, Any]:
    """Run the statements as the module __main__, with source lines for tracebacks."""
    linecache.cache[_FILE] = (len(source), None, source.splitlines(keepends=True), _FILE)
    sys.argv = [_FILE]
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(tree, _FILE, "exec"), module.__dict__)
    return module.__dict__


def _encode_or_describe(value: Any) -> bytes:
    """Encode the value of a last expression; a value that is too large becomes a description."""
    try:
        return encoding.dumps(value)
    except EncodingError as failure:
        return encoding.dumps(Opaque(type(value).__name__, str(failure)))


def _describe_exit(code: object) -> tuple[int, dict[str, str]]:
    if code is None or code == 0:
        return OK, {}
    message = f"exit status {code}" if isinstance(code, int) else str(code)[:500]
    return FAILED, {"exception": "SystemExit", "error": message}


def _describe_safely(failure: BaseException) -> dict[str, str]:
    try:
        return describe(failure)
    except BaseException as second:  # memory or the stack is still short, or the exception is hostile
        return {
            "exception": type(failure).__name__[:100],
            "error": f"{type(second).__name__} while reporting it",
        }


def describe(failure: BaseException) -> dict[str, str]:
    """Return the exception's type, its last line, and a traceback with the lines of the model's code only."""
    report = traceback.TracebackException.from_exception(failure, limit=-_DEEPEST)
    _remove_foreign_lines(report)
    last = "".join(report.format_exception_only()).strip().rsplit("\n", 1)[-1]
    return {
        "exception": "MemoryError" if isinstance(failure, MemoryError) else type(failure).__name__[:100],
        "error": last[:_LONGEST_ERROR],
        "traceback": "".join(report.format())[-4 * _LONGEST_ERROR :],
    }


def _remove_foreign_lines(report: traceback.TracebackException | None) -> None:
    seen = 0
    while report is not None and seen < _CHAIN:
        frames = [frame for frame in report.stack if frame.filename == _FILE]
        report.stack = traceback.StackSummary.from_list(frames)
        report, seen = report.__cause__ or report.__context__, seen + 1


def _open_stream(descriptor: int) -> io.TextIOWrapper:
    """Open a stream that writes each line at its end, so that no output is lost at a deadline."""
    raw = open(descriptor, "wb", closefd=False)  # noqa: SIM115 - open until the process ends
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
