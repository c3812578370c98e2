"""Give up privileges: a program cannot gain rights, act as root, or outlive its parent."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import pwd
import signal
import sys

from ansatz.sandbox.syscalls import Unsupported, library_call, system_call

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_KEEPCAPS, _SET_NO_NEW_PRIVS = 1, 4, 8, 38
_CAPABILITY_VERSION_3 = 0x20080522
_READ_SEARCH = 1 << 2  # CAP_DAC_READ_SEARCH
_UNUSED_IDS = range(60578, 61184)  # a range that distributions leave unassigned


def restrict_process(parent: int | None) -> None:
    """Ensure that no set-uid program raises this process's rights, and that it ends with its parent."""
    library_call("prctl", _SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    die_with_parent(parent)
    # If memory runs out, the kernel should end the sandbox and not the study.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("500")


def die_with_parent(parent: int | None) -> None:
    """Have the kernel end this process with its parent, whose id is `parent` if known."""
    library_call("prctl", _SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        sys.exit("the parent ended first")


def hide_memory() -> None:
    """Prevent other processes of the same user from tracing this process and reading its memory."""
    library_call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)


def show_own_files() -> None:
    """Make /proc/self readable again after a change of user; it is needed until the root is built."""
    library_call("prctl", _SET_DUMPABLE, 1, 0, 0, 0)


def unused_id() -> int:
    """Return a user id without an account, so that the sandbox owns no files and shares no limits."""
    start = os.getpid() % len(_UNUSED_IDS)
    for candidate in itertools.chain(_UNUSED_IDS[start:], _UNUSED_IDS[:start]):
        try:
            pwd.getpwuid(candidate)
        except KeyError:
            return candidate
    raise Unsupported("every user id of the unassigned range is taken")


def stop_being_root(keep_reading: bool) -> None:
    """Change from root to an unused user: root owns files, and the kernel waives RLIMIT_NPROC for it.

    `keep_reading` retains only the capability to read an interpreter in a closed folder such as /root;
    Landlock then decides what can be read.
    """
    if os.geteuid() != 0:
        return
    target = unused_id()
    library_call("prctl", _SET_KEEPCAPS, int(keep_reading), 0, 0, 0)
    try:
        os.setgroups([])
        os.setresgid(target, target, target)
        os.setresuid(target, target, target)
    except OSError as failure:
        raise Unsupported(f"root cannot become an unused user: {failure.strerror}") from failure
    drop_capabilities(keep_reading)
    die_with_parent(None)  # again, because a change of user clears it


def drop_capabilities(keep_reading: bool = False) -> None:
    """Drop all capabilities, so that mounts, raw devices and other users' processes are out of reach."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    kept = _READ_SEARCH if keep_reading else 0
    data = (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)
    system_call("capset", header, data)
