"""The system call filter: stops programs, sockets, signals to others, and every call not on the list.

It is an allow-list, so a call that a later kernel adds is refused. What is refused fails with EPERM, so that
the model reads a PermissionError; calls of a foreign ABI, whose numbers mean something else, end the process.
The classic BPF program is the one described in the kernel's Documentation/userspace-api/seccomp_filter.rst.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable, Sequence

from ansatz.sandbox.syscall_table import CALCULATING, CHECKED, READING, SCRATCH
from ansatz.sandbox.syscalls import AARCH64, X86_64, architecture, library_call

_LOAD, _EQUAL, _GREATER_EQUAL, _ANY_BIT, _RETURN, _AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_AUDIT = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}
_X32 = 0x40000000
_SET_SECCOMP, _MODE_FILTER = 22, 2

_THREAD = 0x00000100 | 0x00000800 | 0x00010000  # CLONE_VM, CLONE_SIGHAND, CLONE_THREAD
_NEW_NAMESPACE = 0x7E020000 | 0x80  # every CLONE_NEW… flag
_ASYNC = 0o20000  # O_ASYNC: the descriptor then sends signals
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, locks, F_OFD locks, F_DUPFD_CLOEXEC, F_GETPIPE_SZ; no F_SETOWN, F_SETSIG
_FCNTL = (0, 1, 2, 3, 5, 6, 7, 36, 37, 38, 1030, 1032)
_SET_FLAGS = 4
_IOCTL = (
    0x5401,
    0x5413,
    0x541B,
    0x5421,
    0x5450,
    0x5451,
)  # isatty, window size, FIONREAD, FIONBIO, close-on-exec
_PRCTL = (3, 15, 16)  # PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME
_EMPTY_PATH = 0x1000
_OWN_PID = 0x7A11_B0C5  # stands for a number that no process id reaches

Instruction = tuple[int, int, int, int]
_ACCEPT: Instruction = (_RETURN, 0, 0, _ALLOW)


def program(level: str, own_pid: int, machine: str | None = None) -> bytes:
    """The filter for a level (L1, L2, L3) as the kernel's struct sock_filter array."""
    machine = machine or architecture()
    allowed = CALCULATING | (READING if level in ("L3", "L2") else {}) | (SCRATCH if level == "L3" else {})
    column = 1 if machine == AARCH64 else 0
    instructions = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, _AUDIT[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == X86_64:
        instructions += [(_GREATER_EQUAL, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    checked = _checked_calls(own_pid, level)
    for name, numbers in (allowed | CHECKED).items():
        if (number := numbers[column]) is not None:
            instructions += _case(number, checked.get(name, [_ACCEPT]))
    instructions.append(_refuse(errno.EPERM))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)


def template(level: str) -> bytes:
    """A filter for `install`, built once: for each process only its own id has to be filled in."""
    return program(level, _OWN_PID)


def install(template: bytes, own_pid: int) -> None:
    """Put the filter on this thread, for good."""
    code = template.replace(struct.pack("=I", _OWN_PID), struct.pack("=I", own_pid))
    buffer = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    filter_ = Program(len(code) // 8, ctypes.addressof(buffer))
    library_call("prctl", _SET_SECCOMP, _MODE_FILTER, ctypes.byref(filter_), 0, 0)


def _checked_calls(own_pid: int, level: str) -> dict[str, list[Instruction]]:
    """Calls allowed for some arguments only. Each block ends in a return."""
    itself = _only(0, [own_pid])
    return {
        "newfstatat": _descriptor_only() if level == "L1" else [_ACCEPT],
        "clone": _thread_only(),
        # glibc falls back to clone, whose flags can be read here; those of clone3 lie in memory and cannot.
        "clone3": [_refuse(errno.ENOSYS)],
        "kill": itself,
        "tgkill": itself,
        "fcntl": _fcntl(),
        "ioctl": _only(1, _IOCTL),
        "prctl": _only(0, _PRCTL),
        "prlimit64": _read_own_limits(),
    }


def _descriptor_only() -> list[Instruction]:
    """Python's fstat is newfstatat(descriptor, "", …, AT_EMPTY_PATH); a path in its place goes unseen."""
    return [_argument(3), (_ANY_BIT, 1, 0, _EMPTY_PATH), _refuse(), _ACCEPT]


def _thread_only() -> list[Instruction]:
    return [
        _argument(0),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACE),
        _refuse(),
        (_AND, 0, 0, _THREAD),
        (_EQUAL, 1, 0, _THREAD),
        _refuse(),
        _ACCEPT,
    ]


def _fcntl() -> list[Instruction]:
    """Flags may be set, without O_ASYNC: with an owner and a signal it kills another process."""
    flags = [_argument(2), (_ANY_BIT, 0, 1, _ASYNC), _refuse(), _ACCEPT]
    return [_argument(1), (_EQUAL, 0, len(flags), _SET_FLAGS), *flags, *_only(1, _FCNTL)]


def _read_own_limits() -> list[Instruction]:
    """prlimit64(0 or own, …, new_limit=NULL): both halves of the pointer are zero."""
    low, high = _ARGUMENTS_AT + 16, _ARGUMENTS_AT + 20
    return [
        *(_argument(0), (_EQUAL, 1, 0, 0), _refuse()),
        *((_LOAD, 0, 0, low), (_EQUAL, 1, 0, 0), _refuse()),
        *((_LOAD, 0, 0, high), (_EQUAL, 1, 0, 0), _refuse()),
        _ACCEPT,
    ]


def _only(index: int, values: Sequence[int]) -> list[Instruction]:
    """Allow where the lower half of an argument, which is all the kernel reads of an int, is one of these."""
    cases: Iterable[list[Instruction]] = ([(_EQUAL, 0, 1, each), _ACCEPT] for each in values)
    return [_argument(index), *(each for case in cases for each in case), _refuse()]


def _case(number: int, block: list[Instruction]) -> list[Instruction]:
    return [(_EQUAL, 0, len(block), number), *block]


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index)


def _refuse(number: int = errno.EPERM) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | number)
