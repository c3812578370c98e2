"""System calls that Python does not offer, made through ctypes: nothing has to be installed for them.

Numbers: the kernel's arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
Stands alone: it is also imported inside the sandbox, where the rest of ansatz is not.
"""

from __future__ import annotations

import ctypes
import os
import platform

X86_64, AARCH64 = "x86_64", "aarch64"

# Calls made to build the sandbox, not allowed within it: (x86-64, aarch64).
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
    """This system refuses one of the steps; the message says which, and why."""


def architecture() -> str:
    """The machine's name as the tables spell it. Raises Unsupported for one without a table."""
    machine = {"amd64": X86_64, "arm64": AARCH64}.get(platform.machine(), platform.machine())
    if machine not in (X86_64, AARCH64):
        raise Unsupported(f"there is no system call table for {machine}; x86_64 and aarch64 have one")
    return machine


def system_call(name: str, *arguments: object) -> int:
    """A system call by name. Raises Unsupported with the call's name and the kernel's reason."""
    number = _NUMBERS[name][architecture() == AARCH64]
    return _checked(
        name, _LIBRARY.syscall(ctypes.c_long(number), *(_as_argument(each) for each in arguments))
    )


def library_call(name: str, *arguments: object) -> int:
    """A call that libc wraps (prctl, unshare, mount, umount2), with its failure raised as Unsupported."""
    return _checked(name, getattr(_LIBRARY, name)(*(_as_argument(each) for each in arguments)))


def _as_argument(value: object) -> object:
    """Integers fill a whole register: a variadic int would leave its upper half undefined."""
    return ctypes.c_long(value) if isinstance(value, int) else value


def _checked(name: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise Unsupported(f"{name}: {os.strerror(number)}")
    return result
