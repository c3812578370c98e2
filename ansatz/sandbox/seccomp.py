"""The system call filter: stops programs, sockets, signals to others, and every call not on the list.

It is an allow-list, so it refuses calls that a later kernel adds. A refused call fails with EPERM, so that
the model reads a PermissionError. Calls of a foreign ABI, whose numbers mean something else, end the process.
The classic BPF program is the one described in the kernel's Documentation/userspace-api/seccomp_filter.rst.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Sequence

from ansatz.sandbox.syscalls import AARCH64, X86_64, architecture, library_call

_LOAD, _EQUAL, _GREATER_EQUAL, _ANY_BIT, _RETURN, _AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_AUDIT = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}
_X32 = 0x40000000
_SET_SECCOMP, _MODE_FILTER = 22, 2

# CLONE_VM, CLONE_SIGHAND, CLONE_THREAD; CLONE_FILES, since each table of files would have its own limit
_THREAD = 0x00000100 | 0x00000800 | 0x00010000 | 0x00000400
_NEW_NAMESPACE = 0x7E020000 | 0x80  # every CLONE_NEW… flag
_ASYNC = 0o20000  # O_ASYNC: the descriptor then sends signals
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ; no F_SETOWN, F_SETSIG
_FCNTL = (0, 1, 2, 3, 1030, 1032)
_LOCKS = (5, 6, 7, 36, 37, 38)  # for a database in the scratch folder
_EMPTIED, _ACCESS_MODE, _NO_MODE = 0o1000, 0o3, 0o3  # of open: O_TRUNC, O_ACCMODE, not to read or write
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
_OWN_PID = 0x7A11_B0C5  # placeholder for the process id, above every possible id

Instruction = tuple[int, int, int, int]
Table = dict[str, tuple[int | None, int | None]]
_ACCEPT: Instruction = (_RETURN, 0, 0, _ALLOW)


def program(level: str, own_pid: int, machine: str | None = None) -> bytes:
    """Build the filter for a level (filter, landlock, full) as an array of struct sock_filter."""
    machine = machine or architecture()
    allowed = (
        CALCULATING
        | (READING if level in ("full", "landlock") else {})
        | (SCRATCH if level == "full" else {})
    )
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
    """Build a filter for `install` once; each process only fills in its id."""
    return program(level, _OWN_PID)


def install(template: bytes, own_pid: int) -> None:
    """Install the filter on this thread for good."""
    code = template.replace(struct.pack("=I", _OWN_PID), struct.pack("=I", own_pid))
    buffer = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    filter_ = Program(len(code) // 8, ctypes.addressof(buffer))
    library_call("prctl", _SET_SECCOMP, _MODE_FILTER, ctypes.byref(filter_), 0, 0)


def _checked_calls(own_pid: int, level: str) -> dict[str, list[Instruction]]:
    """Build the blocks of calls that are allowed for some arguments only. Each block ends in a return."""
    itself = _only(0, [own_pid])
    return {
        "newfstatat": _descriptor_only() if level == "filter" else [_ACCEPT],
        "open": _opening(1),
        "openat": _opening(2),
        "clone": _thread_only(),
        # glibc falls back to clone, whose flags the filter can read; those of clone3 are in memory.
        "clone3": [_refuse(errno.ENOSYS)],
        "kill": itself,
        "tgkill": itself,
        "fcntl": _fcntl((*_FCNTL, *_LOCKS) if level == "full" else _FCNTL),
        "ioctl": _only(1, _IOCTL),
        "prctl": _only(0, _PRCTL),
        "prlimit64": _read_own_limits(),
    }


def _descriptor_only() -> list[Instruction]:
    """Python's fstat is newfstatat(descriptor, "", …, AT_EMPTY_PATH); the filter cannot see a path."""
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


def _opening(index: int) -> list[Instruction]:
    """Refuse O_TRUNC without writing: before Linux 6.2, Landlock lets it empty a readable file."""
    modes = ((_EQUAL, 0, 1, _EMPTIED | mode) for mode in (os.O_RDONLY, _NO_MODE))
    cases = [each for mode in modes for each in (mode, _refuse())]
    return [_argument(index), (_AND, 0, 0, _EMPTIED | _ACCESS_MODE), *cases, _ACCEPT]


def _fcntl(commands: Sequence[int]) -> list[Instruction]:
    """Allow setting flags except O_ASYNC, which can kill another process with an owner and a signal."""
    flags = [_argument(2), (_ANY_BIT, 0, 1, _ASYNC), _refuse(), _ACCEPT]
    return [_argument(1), (_EQUAL, 0, len(flags), _SET_FLAGS), *flags, *_only(1, commands)]


def _read_own_limits() -> list[Instruction]:
    """Allow prlimit64(0, …, new_limit=NULL): both halves of the pointer are zero."""
    low, high = _ARGUMENTS_AT + 16, _ARGUMENTS_AT + 20
    return [
        *(_argument(0), (_EQUAL, 1, 0, 0), _refuse()),
        *((_LOAD, 0, 0, low), (_EQUAL, 1, 0, 0), _refuse()),
        *((_LOAD, 0, 0, high), (_EQUAL, 1, 0, 0), _refuse()),
        _ACCEPT,
    ]


def _only(index: int, values: Sequence[int]) -> list[Instruction]:
    """Allow if the lower half of an argument, all that the kernel reads of an int, is one of these values."""
    cases: Iterable[list[Instruction]] = ([(_EQUAL, 0, 1, each), _ACCEPT] for each in values)
    return [_argument(index), *(each for case in cases for each in case), _refuse()]


def _case(number: int, block: list[Instruction]) -> list[Instruction]:
    return [(_EQUAL, 0, len(block), number), *block]


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index)


def _refuse(number: int = errno.EPERM) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | number)


# The system calls that a calculation needs: (x86-64, aarch64), None if the architecture lacks the call.
# Numbers: the kernel's arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
CALCULATING: Table = {
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "lseek": (8, 62), "close": (3, 57), "close_range": (436, 436),
    "fstat": (5, 80), "getcwd": (79, 17), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59), "poll": (7, None),
    "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "eventfd2": (290, 19), "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226),
    "mremap": (25, 216), "madvise": (28, 233), "brk": (12, 214), "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigtimedwait": (128, 137),
    "rt_sigpending": (127, 136), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "futex": (202, 98), "set_robust_list": (273, 99),
    "rseq": (334, 293), "set_tid_address": (218, 96), "exit": (60, 93), "exit_group": (231, 94),
    "getpid": (39, 172), "gettid": (186, 178), "getppid": (110, 173), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148),
    "getresgid": (120, 150), "getgroups": (115, 158), "getpgrp": (111, None), "getpgid": (121, 155),
    "getsid": (124, 156), "getrandom": (318, 278), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153), "getrusage": (98, 165),
    "getrlimit": (97, 163), "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "getcpu": (309, 168), "sysinfo": (99, 179), "uname": (63, 160), "umask": (95, 166),
    "fstatfs": (138, 44), "setitimer": (38, 103), "getitimer": (36, 102), "alarm": (37, None),
    "pause": (34, None),
}  # fmt: skip
"""Memory, threads, time and open descriptors: allowed at every level."""

READING: Table = {
    "open": (2, None), "openat": (257, 56), "stat": (4, None), "lstat": (6, None),
    "statx": (332, 291), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "getdents": (78, None), "getdents64": (217, 61),
}  # fmt: skip
"""Opening files, with exceptions, and looking up paths: allowed if Landlock or a new root decides which."""

SCRATCH: Table = {
    "readlink": (89, None), "readlinkat": (267, 78), "chdir": (80, 49), "fchdir": (81, 50),
    "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None), "renameat": (264, 38),
    "renameat2": (316, 276), "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None),
    "ftruncate": (77, 46), "truncate": (76, 45), "fallocate": (285, 47), "fsync": (74, 82),
    "fdatasync": (75, 83), "sendfile": (40, 71), "copy_file_range": (326, 285),
}  # fmt: skip
"""Changing files by path, and reading links, whose targets Landlock does not hide: allowed only in a new
root, whose only writable folder is a private tmpfs with a quota."""

CHECKED: Table = {
    "newfstatat": (262, 79), "clone": (56, 220), "clone3": (435, 435), "kill": (62, 129),
    "tgkill": (234, 131), "fcntl": (72, 25), "ioctl": (16, 29), "prctl": (157, 167),
    "prlimit64": (302, 261),
}  # fmt: skip
"""Allowed for some arguments only; clone3 is refused with ENOSYS."""
