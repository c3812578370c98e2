"""System calls that Python does not offer, made through ctypes.

Numbers: the kernel's arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
This module imports nothing of Ansatz, because it is also imported inside the sandbox.
"""

from __future__ import annotations

import ctypes
import os
import platform

X86_64, AARCH64 = "x86_64", "aarch64"

# Calls that build the sandbox and are refused inside it: (x86-64, aarch64).
_NUMBERS = {
    "setns": (308, 268),
    "pivot_root": (155, 41),
    "capset": (126, 91),
    "mount_setattr": (442, 442),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}

_LIBRARY = ctypes.CDLL(None, use_errno=True)


class Unsupported(Exception):
    """This system refuses one of the steps; the message names the step and the reason."""


def architecture() -> str:
    """Return the machine's architecture. Raises Unsupported if there is no table for it."""
    machine = {"amd64": X86_64, "arm64": AARCH64}.get(platform.machine(), platform.machine())
    if machine not in (X86_64, AARCH64):
        raise Unsupported(f"there is no system call table for {machine}; x86_64 and aarch64 have one")
    return machine


def system_call(name: str, *arguments: object) -> int:
    """Make a system call by name. Raises Unsupported with the call's name and the kernel's reason."""
    number = _NUMBERS[name][architecture() == AARCH64]
    return _check(name, _LIBRARY.syscall(ctypes.c_long(number), *(_as_argument(each) for each in arguments)))


def library_call(name: str, *arguments: object) -> int:
    """Call a function of libc (prctl, unshare, mount, umount2). Raises Unsupported if it fails."""
    return _check(name, getattr(_LIBRARY, name)(*(_as_argument(each) for each in arguments)))


def _as_argument(value: object) -> object:
    """Widen integers to a whole register; a variadic int would leave the upper half undefined."""
    return ctypes.c_long(value) if isinstance(value, int) else value


def _check(name: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise Unsupported(f"{name}: {os.strerror(number)}")
    return result
