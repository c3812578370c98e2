"""macOS: one execution under a Seatbelt profile, through `sandbox-exec`. Used only if a study requests it.

The profile denies everything, then allows reading libraries and writing the result's file. It has not been
run through the attack corpus; its refusals are tested before first use. macOS has examples of the language in
/System/Library/Sandbox/Profiles.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ansatz.errors import InfrastructureError
from ansatz.sandbox.launch import ZYGOTE, packages
from ansatz.sandbox.limits import Bounds
from ansatz.sandbox.plain import PlainWorker
from ansatz.sandbox.worker import Job

COMMAND = "/usr/bin/sandbox-exec"
_LIBRARIES = (
    "/usr/lib",
    "/usr/share/zoneinfo",
    "/System",
    "/Library/Frameworks",
    "/opt/homebrew",
    "/usr/local",
)
_PROFILE = """\
(version 1)
(deny default)
(allow process-exec {interpreters})
(allow file-read-metadata)
(allow file-read* (literal "/") (literal "/dev/null") (literal "/dev/urandom") {libraries})
(allow file-write-data (literal "/dev/null") (literal {result}))
(allow sysctl-read)
(allow signal (target self))
"""

# What must be refused; the program returns the names of attempts that succeeded.
_ATTEMPTS = """
import os, socket
def refused(attempt):
    try:
        attempt()
    except OSError:
        return True
    return False
attempts = {
    "reading /etc/passwd": lambda: open("/etc/passwd").read(),
    "listing the home folder": lambda: os.listdir(os.path.expanduser("~")),
    "writing a file": lambda: open("/tmp/ansatz-attempt", "w").close(),
    "starting a process": lambda: os.fork() or os._exit(0),
    "opening a connection": lambda: socket.create_connection(("127.0.0.1", 9), 1).close(),
    "listening": lambda: socket.create_server(("127.0.0.1", 0)).close(),
    "a signal to another process": lambda: os.kill(os.getppid(), 0),
}
[name for name, attempt in attempts.items() if not refused(attempt)]
"""


def worker() -> PlainWorker:
    """Make a worker that runs executions under the profile."""
    return PlainWorker("seatbelt", lambda result: (COMMAND, "-p", profile(result)))


def profile(result: str) -> str:
    """Build the profile of one execution, which may write only to the file `result`."""
    interpreters = {sys.executable, os.path.realpath(sys.executable)}
    homes = {sys.prefix, sys.base_prefix, str(ZYGOTE.parent), *packages(), *_LIBRARIES}
    homes |= {os.path.realpath(path) for path in homes}
    # A framework's interpreter starts a second one inside the framework.
    starts = [f"(literal {_quoted(path)})" for path in sorted(interpreters)]
    starts.append(f"(subpath {_quoted(os.path.realpath(sys.base_prefix))})")
    return _PROFILE.format(
        interpreters=" ".join(starts),
        libraries=" ".join(f"(subpath {_quoted(path)})" for path in sorted(homes)),
        result=_quoted(result),
    )


@lru_cache(maxsize=1)
def find_obstacle() -> str | None:
    """Return why code cannot run under Seatbelt here, or None. It tries what the profile must refuse."""
    if not Path(COMMAND).exists():
        return f"there is no {COMMAND}"
    job = Job(json.dumps({"kind": "run", "code": _ATTEMPTS}).encode(), Bounds(timeout=20.0), 4096)
    try:
        execution = worker().execute(job).execution()
    except InfrastructureError as failure:
        return str(failure)
    if execution.status != "ok":
        lines: Sequence[str] = execution.stderr.strip().splitlines()
        return f"a program under it failed: {lines[-1] if lines else execution.error}"
    return f"it does not refuse {', '.join(execution.value)}" if execution.value else None


def _quoted(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)
