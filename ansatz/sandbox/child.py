"""One execution: lock down, then read the code, then run it. Nothing of it is here before the lock is shut.

Descriptors: 0 /dev/null, 1 and 2 output, 3 the payload, 4 the result. The exit status says how it went, and
the result pipe what came of it; the parent believes neither without the other.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from typing import Any, NoReturn

from ansatz.sandbox import comparison, decoding, encoding, program
from ansatz.sandbox.enclosure import Enclosure
from ansatz.sandbox.limits import Bounds
from ansatz.sandbox.values import EncodingError, Opaque

OK, FAILED, NO_RESULT = 0, 1, 3
_PAYLOAD, _RESULT = 3, 4
_RESERVE = 4 * 1024 * 1024


def execute(enclosure: Enclosure, bounds: Bounds, descriptors: list[int], report: int) -> NoReturn:
    """Run one payload and end. `report` stays empty if the lock-down held, else it says why not."""
    try:
        for target, descriptor in enumerate(descriptors, start=1):
            os.dup2(descriptor, target, inheritable=False)
        report = os.dup2(report, _RESULT + 1, inheritable=False)
        enclosure.lock_down(bounds, keep=_RESULT + 1)
    except BaseException as failure:
        os.write(report, f"{type(failure).__name__}: {failure}".encode()[:500])
        os._exit(FAILED)
    os.close(report)
    status = FAILED
    try:
        status = _work()
    finally:
        os._exit(status)


def _work() -> int:
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - open for as long as the process
    sys.stdout, sys.stderr = _stream(1), _stream(2)
    reserve = bytes(_RESERVE)  # given back when memory is short, so that that can still be said
    told: dict[str, str] = {}
    value = b"null"
    try:
        status, value = OK, _value(json.loads(_read_payload()))
    except SystemExit as end:
        status, told = _ended(end.code)
    except EncodingError as failure:
        status, told = NO_RESULT, {"error": str(failure)}
    except BaseException as failure:
        del reserve
        status, told = FAILED, _describe(failure)
    _flush()
    with contextlib.suppress(OSError):  # closed by the code
        _write_all(2, told.pop("traceback", "").encode("utf-8", "replace"))
    _write_all(_RESULT, json.dumps(told).encode() if told else b'{"value":' + value + b"}")
    return status


def _value(payload: dict[str, Any]) -> bytes:
    """The encoded value of what is asked: a program, a function of it, or whether two expressions agree."""
    if payload["kind"] == "run":
        return _shown(program.run(payload["code"]))
    if payload["kind"] == "call":
        arguments = comparison.expressions(decoding.decode(payload["arguments"]))
        return encoding.dumps(program.call(payload["code"], payload["function"], arguments))
    return encoding.dumps(comparison.equal(payload["left"], payload["right"], positive=payload["positive"]))


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


def _describe(failure: BaseException) -> dict[str, str]:
    try:
        return program.describe(failure)
    except BaseException as second:  # memory or the stack is still short, or the exception is hostile
        return {
            "exception": type(failure).__name__[:100],
            "error": f"{type(second).__name__} while reporting it",
        }


def _read_payload() -> bytes:
    with open(_PAYLOAD, "rb") as payload:
        return payload.read()


def _stream(descriptor: int) -> io.TextIOWrapper:
    """Lines are handed over as they end, so that what was printed before a deadline is not lost."""
    raw = open(descriptor, "wb", closefd=False)  # noqa: SIM115 - open for as long as the process
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=True)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # closed or replaced by the code
            continue


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
