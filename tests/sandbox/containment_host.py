"""A stand-in for the framework: it has a key, answers as the real process does, and runs the code from the judge.

python -m tests.sandbox.containment_host RUNNER TIMEOUT MEMORY_MB --canary=...
Requests and replies are JSON lines on stdin and stdout. A supervisor stays above the host so that every process
that loses its parent is still found below it by the judge.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import signal
import sys
import tempfile
from multiprocessing import shared_memory
from typing import Any, TextIO

from tests.sandbox.containment_runners import RUNNERS, SHOWN

ANSWER_FD = 150
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
ADD_KEY_AND_KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}
JOIN_SESSION_KEYRING, SESSION_KEYRING = 1, -3


def main() -> None:
    requests, replies = _private_streams()
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    host = os.fork()
    if host == 0:
        asyncio.run(_serve(requests, replies))
        os._exit(0)
    requests.close()
    replies.close()
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _private_streams() -> tuple[TextIO, TextIO]:
    """Reserve the judge's pipes for this process; other output goes to stderr."""
    requests, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, replies


async def _serve(requests: TextIO, replies: TextIO) -> None:
    kind, timeout, memory_mb = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    secrets = json.loads(requests.readline())
    held = _hold(secrets["answer"], secrets["system_v_key"])
    async with RUNNERS[kind.partition(":")[0]](kind.partition(":")[2], timeout, memory_mb) as run:
        _send(replies, {"ready": True, "shared_memory": held["shared"].name if held["shared"] else ""})
        while line := requests.readline():
            request = json.loads(line)
            try:
                reply = await run(request["code"])
            except Exception as failure:
                reply = {"raised": f"{type(failure).__name__}: {str(failure)[:500]}"}
            _send(replies, _clipped(reply))
    if held["shared"]:
        held["shared"].unlink()


def _hold(answer: str, system_v_key: int) -> dict[str, Any]:
    """Put secrets where a framework has them: objects, an open file, shared memory and the keyring."""
    descriptor, path = tempfile.mkstemp()
    os.unlink(path)
    os.write(descriptor, answer.encode())
    os.dup2(descriptor, ANSWER_FD, inheritable=False)
    os.close(descriptor)
    shared = None
    with contextlib.suppress(OSError):
        shared = shared_memory.SharedMemory(create=True, size=256)
        shared.buf[: len(answer)] = answer.encode()
    libc = ctypes.CDLL(None)
    if numbers := ADD_KEY_AND_KEYCTL.get(os.uname().machine):
        libc.syscall(numbers[1], JOIN_SESSION_KEYRING, None)
        libc.syscall(numbers[0], b"user", b"ansatz-canary", answer.encode(), len(answer), SESSION_KEYRING)
    _hold_in_system_v(libc, answer, system_v_key)
    return {"answers": [{"problem": 1, "answer": answer}], "shared": shared}


def _hold_in_system_v(libc: Any, answer: str, key: int) -> None:
    """Create a System V segment that this user may read; the judge removes it at the end."""
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(key, 256, 0o1600)
    address = libc.shmat(segment, None, 0) if segment != -1 else None
    if address not in (None, ctypes.c_void_p(-1).value):
        ctypes.memmove(address, answer.encode(), len(answer))


def _clipped(reply: dict[str, Any]) -> dict[str, Any]:
    """Return the outcome in one line; `length` is the number of characters that the runner returned."""
    texts = {name: value for name, value in reply.items() if isinstance(value, str)}
    return (
        reply
        | {name: text[:SHOWN] for name, text in texts.items()}
        | {"length": sum(map(len, texts.values()))}
    )


def _send(replies: TextIO, message: dict[str, Any]) -> None:
    replies.write(json.dumps(message) + "\n")
    replies.flush()


if __name__ == "__main__":
    main()
