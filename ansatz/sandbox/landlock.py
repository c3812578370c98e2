"""Landlock: stops reading, writing and listing of every path outside a few folders, and TCP connections.

It does not cover chmod, utime, setxattr and stat. The system call filter stops the first three; only a mount
namespace hides the last. Interface: the kernel's Documentation/userspace-api/landlock.rst.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from ansatz.sandbox.syscalls import Unsupported, system_call

_VERSION_FLAG = 1
_PATH_BENEATH = 1
_READ_FOLDER = 1 << 3
_READ = 1 << 2 | _READ_FOLDER
_READ_FILE_AND_WRITE = 1 << 1 | 1 << 2
# In the writable folder: write, read, list, remove, make folders and regular files.
_OWN = 1 << 1 | _READ | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_NETWORK = 0b11  # bind and connect TCP
_SCOPED = 0b11  # abstract Unix sockets, signals


def version() -> int:
    """Return the kernel's Landlock version. Raises Unsupported if there is none."""
    try:
        return system_call("landlock_create_ruleset", None, 0, _VERSION_FLAG)
    except Unsupported as failure:
        raise Unsupported(
            f"Landlock is not available ({failure}); it needs Linux 5.13 and lsm=landlock"
        ) from failure


def prepare(readable: Iterable[str], listed: Iterable[str] = (), own: str | None = None) -> int:
    """Return a rule set as a descriptor: paths to read, folders to list, a writable folder and /dev/null."""
    abi = version()
    handled = (1 << 13) - 1
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL)):
        handled |= right if abi >= since else 0
    attributes = struct.pack("=QQQ", handled, _NETWORK if abi >= 4 else 0, _SCOPED if abi >= 6 else 0)
    attributes = attributes[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    rules = system_call("landlock_create_ruleset", attributes, len(attributes), 0)
    for path in readable:
        _allow(rules, path, _READ & handled)
    for path in listed:
        _allow(rules, path, _READ_FOLDER)
    _allow(rules, "/dev/null", _READ_FILE_AND_WRITE)
    if own is not None:
        _allow(rules, own, (_OWN | _REFER | _TRUNCATE) & handled)
    return rules


def restrict(rules: int) -> None:
    """Restrict this process to the rules for good, and close their descriptor."""
    system_call("landlock_restrict_self", rules, 0)
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        target = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        rights &= _READ_FILE_AND_WRITE | _TRUNCATE
    rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, target))
    system_call("landlock_add_rule", rules, _PATH_BENEATH, rule, 0)
    os.close(target)
