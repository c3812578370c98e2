"""Features of this machine: an ordinary user, and the conditions under which some controls fail."""

from __future__ import annotations

import contextlib
import functools
import os
import pwd
import site
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.sandbox.containment_stage import has_ipv6

ROOT = Path(__file__).parents[2]
# Conditions that must be tried: programs that succeed if the condition is true.
TRIED = {
    "xattr": "import os, tempfile; os.setxattr(tempfile.NamedTemporaryFile().name, 'user.canary', b'1')",
    "io_uring": "import ctypes; assert ctypes.CDLL(None).syscall(425, 4, ctypes.create_string_buffer(120)) != -1",
    "user_namespaces": "import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0",
    "af_alg": "import socket; socket.socket(38, socket.SOCK_SEQPACKET)",
    "fchmodat2": """
import ctypes, tempfile
with tempfile.NamedTemporaryFile() as file:
    assert ctypes.CDLL(None).syscall(452, -100, file.name.encode(), 0o700, 0) == 0
""",
    # mov eax, 20 (getpid of the 32-bit table); int 0x80; ret
    "foreign_calls": """
import ctypes, mmap, platform
assert platform.machine() == "x86_64"
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes.fromhex("b814000000cd80c3"))
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
assert call() > 0
""",
}


@dataclass(frozen=True)
class User:
    """The user of the host, and an interpreter that this user may start."""

    number: int
    python: str


def current_user() -> User:
    return User(os.getuid(), sys.executable)


def ordinary_user(folder: Path) -> User:
    """Return the user `nobody`, with an interpreter in `folder` if the current one is not readable for that user.

    Raises LookupError with the reason if this machine cannot run processes as another user.
    """
    if os.getuid() != 0:
        raise LookupError("the current user is an ordinary one")
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        user = User(pwd.getpwnam("nobody").pw_uid, _interpreter(folder, python))
        if _starts(user):
            return user
    raise LookupError("no interpreter of this version that an ordinary user may read with this checkout")


def popen_as(user: User) -> dict[str, object]:
    """Return arguments for subprocess to start a process as this user."""
    if user.number == os.getuid():
        return {}
    return {"user": user.number, "group": user.number, "extra_groups": []}


def _interpreter(folder: Path, python: str) -> str:
    """Write a virtual environment with the packages of this one; return its interpreter."""
    home = Path(python).resolve().parent
    made = folder / home.as_posix().strip("/").replace("/", "-")
    packages = made / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    packages.mkdir(parents=True, exist_ok=True)
    (made / "bin").mkdir(exist_ok=True)
    with contextlib.suppress(FileExistsError):
        (made / "bin" / "python").symlink_to(Path(python).resolve())
    (made / "pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")
    borrowed = "; ".join(f"site.addsitedir({path!r})" for path in site.getsitepackages())
    (packages / "borrowed.pth").write_text(f"import site; {borrowed}\n")
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    return str(made / "bin" / "python")


def _starts(user: User) -> bool:
    check = f"import sys, numpy, pydantic, tests; raise SystemExit(sys.version_info[:2] != {sys.version_info[:2]})"
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    command = [user.python, "-c", check]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False, **popen_as(user))
    except OSError:
        return False
    return done.returncode == 0


def free_port() -> int:
    """Return an unused loopback port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def offered() -> frozenset[str]:
    """Return the conditions of the corpus that are true here for the current user."""
    root = os.getuid() == 0
    pattern = Path("/proc/sys/kernel/core_pattern")
    scope = Path("/proc/sys/kernel/yama/ptrace_scope")
    held = {
        "root": root,
        "core": pattern.is_file() and not pattern.read_text().startswith(("|", "/", "@")),
        "ptrace": not scope.exists()
        or scope.read_text().strip() == "0"
        or (root and scope.read_text() < "3"),
        "keyring": Path("/proc/keys").exists(),
        "ipv6": has_ipv6(),
        "two_processors": len(os.sched_getaffinity(0)) > 1,
    }
    return frozenset(name for name, holds in (held | _tried()).items() if holds)


@functools.cache
def _tried() -> dict[str, bool]:
    return {
        name: subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
        for name, code in TRIED.items()
    }
