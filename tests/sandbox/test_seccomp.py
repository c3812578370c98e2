"""The filter decides as it should on both architectures: its program is run here, call by call."""

import errno
import re
import struct
from pathlib import Path

import pytest

from ansatz.sandbox.seccomp import CALCULATING, CHECKED, READING, SCRATCH, program
from ansatz.sandbox.syscalls import AARCH64, X86_64

MACHINES = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}
TABLE = CALCULATING | READING | SCRATCH | CHECKED
ALLOW, KILL = 0x7FFF0000, 0x80000000
PID = 4321
# Never allowed: (x86-64, aarch64), from the same kernel tables.
FORBIDDEN = {
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "vfork": (58, None),
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "memfd_create": (319, 279), "io_uring_setup": (425, 425), "mount": (165, 40), "unshare": (272, 97),
    "setns": (308, 268), "bpf": (321, 280), "keyctl": (250, 219), "shmget": (29, 194), "chmod": (90, None),
    "fchmod": (91, 52), "fchmodat": (268, 53), "utimensat": (280, 88), "setxattr": (188, 5),
    "rt_sigqueueinfo": (129, 138), "tkill": (200, 130), "setpriority": (141, 140), "openat2": (437, 437),
    "open_by_handle_at": (304, 265), "userfaultfd": (323, 282),
}  # fmt: skip


def decide(code, machine, number, *arguments):
    """Run a classic BPF program on one system call; the action it returns."""
    arguments = [each & (2**64 - 1) for each in (*arguments, *([0] * 6))][:6]
    data = struct.pack("=IIQ6Q", number, MACHINES.get(machine, machine), 0, *arguments)
    instructions = list(struct.iter_unpack("=HBBI", code))
    at, value = 0, 0
    while True:
        operation, yes, no, operand = instructions[at]
        at += 1
        if operation == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
        elif operation == 0x54:
            value &= operand
        elif operation == 0x06:
            return operand
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[operation]
            at += yes if holds else no


def action(level, machine, name, *arguments):
    number = TABLE[name][machine == AARCH64]
    return decide(program(level, PID, machine), machine, number, *arguments)


REFUSED = 0x00050000 | errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("level", ["full", "landlock", "filter"])
def test_unneeded_calls_are_refused(machine, level):
    for name, numbers in FORBIDDEN.items():
        if (number := numbers[machine == AARCH64]) is not None:
            assert decide(program(level, PID, machine), machine, number) == REFUSED, name


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("group", "levels"),
    [(CALCULATING, ("full", "landlock", "filter")), (READING, ("full", "landlock")), (SCRATCH, ("full",))],
    ids=["calculating", "reading", "scratch"],
)
def test_groups_are_allowed_only_at_their_levels(machine, group, levels):
    for level in ("full", "landlock", "filter"):
        code = program(level, PID, machine)
        for name, numbers in group.items():
            if (number := numbers[machine == AARCH64]) is not None:
                assert decide(code, machine, number) == (ALLOW if level in levels else REFUSED), (level, name)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (0x3D0F00,), ALLOW),  # as pthread_create asks
        ("clone", (17,), REFUSED),  # as fork asks
        ("clone", (0x00010900 | 0x10000000,), REFUSED),
        ("clone", (0x00000100,), REFUSED),
        ("clone", (0x3D0F00 & ~0x400,), REFUSED),  # a thread with open files of its own
        ("clone3", (), 0x00050000 | errno.ENOSYS),
        ("kill", (PID, 9), ALLOW),
        ("kill", (PID + 1, 9), REFUSED),
        ("kill", (0, 9), REFUSED),
        ("kill", (-1, 9), REFUSED),
        ("kill", (1, 9), REFUSED),
        ("tgkill", (PID, 77, 6), ALLOW),
        ("tgkill", (1, 1, 9), REFUSED),
        ("fcntl", (3, 1030, 0), ALLOW),
        ("fcntl", (3, 6, 0), REFUSED),  # F_SETLK
        ("fcntl", (3, 4, 0o4000), ALLOW),  # O_NONBLOCK
        ("fcntl", (3, 4, 0o20000), REFUSED),  # O_ASYNC
        ("fcntl", (3, 8, 1), REFUSED),  # F_SETOWN
        ("fcntl", (3, 15, 1), REFUSED),  # F_SETOWN_EX
        ("fcntl", (3, 10, 9), REFUSED),  # F_SETSIG
        ("fcntl", (3, 1024, 1), REFUSED),  # F_SETLEASE
        ("fcntl", (3, 1031, 1 << 20), REFUSED),  # F_SETPIPE_SZ
        ("ioctl", (1, 0x5401), ALLOW),
        ("ioctl", (1, 0x5412), REFUSED),  # TIOCSTI types into a terminal
        ("ioctl", (1, 0x5452), REFUSED),  # FIOASYNC
        ("prctl", (15,), ALLOW),
        ("prctl", (1, 0), REFUSED),  # PR_SET_PDEATHSIG would let it outlive us
        ("prctl", (4, 1), REFUSED),  # PR_SET_DUMPABLE
        ("prlimit64", (0, 9, 0), ALLOW),
        ("prlimit64", (0, 9, 0x7FFF_0000_0000), REFUSED),
        ("prlimit64", (0, 9, 0x1000), REFUSED),
        ("prlimit64", (1, 9, 0), REFUSED),
    ],
)
def test_arguments_are_checked(machine, name, arguments, expected):
    assert action("landlock", machine, name, *arguments) == expected


@pytest.mark.parametrize(
    ("machine", "name", "path"), [(X86_64, "open", ()), *((m, "openat", (-100,)) for m in MACHINES)]
)
@pytest.mark.parametrize(
    ("flags", "expected"), [(0o1000, REFUSED), (0o1003, REFUSED), (0o1101, ALLOW), (0o0, ALLOW)]
)
def test_read_only_open_with_truncation_is_refused(machine, name, path, flags, expected):
    """Landlock before Linux 6.2 takes O_RDONLY | O_TRUNC for reading."""
    assert action("landlock", machine, name, *path, 0x1000, flags) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_without_files_only_open_descriptors_are_examined(machine):
    assert action("filter", machine, "newfstatat", -100, 0x1000, 0x2000, 0) == REFUSED
    assert action("filter", machine, "newfstatat", 3, 0x1000, 0x2000, 0x1000) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_foreign_call_numbers_end_the_process(machine):
    code = program("full", PID, machine)
    assert decide(code, 0x40000003, 1) == KILL  # 32-bit x86
    if machine == X86_64:
        assert decide(code, machine, 0x40000000) == KILL  # x32


HEADERS = {
    X86_64: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    AARCH64: Path("/usr/include/asm-generic/unistd.h"),
}
GENERIC_NAMES = {"newfstatat": "fstatat"}


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_kernel(machine):
    if not HEADERS[machine].exists():
        pytest.skip(f"the kernel's headers are not installed: {HEADERS[machine]}")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[machine].read_text())
    kernels = {name: int(number) for name, number in found}
    for name, numbers in TABLE.items():
        expected = numbers[machine == AARCH64]
        theirs = kernels.get(name, kernels.get(GENERIC_NAMES.get(name, "")))
        assert theirs == expected or (
            theirs is None and name in ("rseq", "faccessat2", "close_range", "statx")
        ), name


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_unique(machine):
    numbers = [each[machine == AARCH64] for each in TABLE.values() if each[machine == AARCH64] is not None]
    assert len(numbers) == len(set(numbers))
    assert len(program("full", PID, machine)) // 8 < 4096
