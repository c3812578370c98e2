"""Give up power: stops a program from gaining rights, from acting as root, and from outliving its parent."""

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


def forgo(parent: int | None) -> None:
    """No set-uid program raises us again, and we die with the process that started us."""
    library_call("prctl", _SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    die_with_parent(parent)
    # Where memory runs out, the kernel is to end the sandbox and not the study.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("500")


def die_with_parent(parent: int | None) -> None:
    library_call("prctl", _SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        sys.exit("the parent ended first")


def hide_memory() -> None:
    """Not dumpable: another process of the same user can neither trace us nor read our memory."""
    library_call("prctl", _SET_DUMPABLE, 0, 0, 0, 0)


def show_own_files() -> None:
    """A change of user hides /proc/self from ourselves; it is needed until the root is built."""
    library_call("prctl", _SET_DUMPABLE, 1, 0, 0, 0)


def unused_id() -> int:
    """A user id that no account has, so that the sandbox owns nothing and shares limits with nobody."""
    start = os.getpid() % len(_UNUSED_IDS)
    for candidate in itertools.chain(_UNUSED_IDS[start:], _UNUSED_IDS[:start]):
        try:
            pwd.getpwuid(candidate)
        except KeyError:
            return candidate
    raise Unsupported("every user id of the unassigned range is taken")


def stop_being_root(keep_reading: bool) -> None:
    """From root to an unused user: the kernel waives RLIMIT_NPROC for root, and root owns the files.

    `keep_reading` keeps the one capability to read an interpreter that lies in a closed folder such as /root;
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
    die_with_parent(None)  # once more: a change of user has cleared it


def drop_capabilities(keep_reading: bool = False) -> None:
    """Without capabilities no mount, no raw device and no other user's process can be touched."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    kept = _READ_SEARCH if keep_reading else 0
    data = (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)
    system_call("capset", header, data)
