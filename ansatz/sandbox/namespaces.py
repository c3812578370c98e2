"""Namespaces: hide other processes, the network, the home folder, passwd, /proc and every file not needed.

The new root is a tmpfs with read-only views of the interpreter's and the system's library folders. Within it
each execution gets a process namespace, so that nothing outlives it, and a writable folder with a quota, so
that nothing is left behind and the disk cannot be filled.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from collections.abc import Callable, Iterable, Sequence

from ansatz.sandbox import privileges
from ansatz.sandbox.syscalls import Unsupported, library_call, system_call

_SCRATCH = ("/work", "/scratch", "/sandbox-work")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_ROOT = "/tmp"  # where the new root is put together; it covers the old /tmp in our namespace only
_NEW_MOUNTS, _NEW_PROCESSES = 0x00020000, 0x20000000
_NEW_OTHERS = 0x10000000 | 0x40000000 | 0x08000000 | 0x04000000  # user, network, IPC, host name
_NOSUID, _NODEV, _NOEXEC = 2, 4, 8
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_DETACH = 2
_ATTRIBUTE_READ_ONLY, _ATTRIBUTE_NOSUID, _ATTRIBUTE_NODEV = 1, 2, 4
_AT_RECURSIVE, _AT_EMPTY_PATH = 0x8000, 0x1000
_INNER_ID = 1000
_INODES = 1024


def enter(readable: Sequence[str], hidden: Iterable[str]) -> Inside:
    """Become process 1 of new namespaces with `readable`, less `hidden`, as root; the caller waits outside.

    Must run on a single thread. Raises Unsupported with the step that failed.
    """
    scratch = next(
        name for name in _SCRATCH if not any(f"{path}/".startswith(f"{name}/") for path in readable)
    )
    covered = [
        path + own.removeprefix(real)
        for path, real in ((path, os.path.realpath(path)) for path in readable)
        for own in hidden
        if own.startswith(f"{real}/")
    ]
    sources = _unshare_with_maps((*readable, *_DEVICES))
    _become_first_process()
    privileges.show_own_files()
    socket.sethostname("sandbox")
    inside = Inside(scratch)  # /proc can still be opened
    _build_root(sources, covered, scratch)
    for descriptor in sources.values():
        os.close(descriptor)
    return inside


def private_scratch(folder: str, size_mb: int) -> None:
    """A fresh, bounded, writable folder in a mount namespace of this process alone."""
    _unshare(_NEW_MOUNTS, "mount namespace")
    quota = f"size={size_mb}m,nr_inodes={_INODES},mode=700"
    _mount("tmpfs", folder, "tmpfs", _NOSUID | _NODEV | _NOEXEC, quota)
    os.chdir(folder)


def open_own_memory() -> tuple[int, int]:
    """Descriptors of our own statm and maps, which stay readable where /proc is not."""
    statm, maps = (os.open(f"/proc/self/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in ("statm", "maps"))
    return statm, maps


class Inside:
    """What was kept of /proc: our memory, and our process namespace, in which each child gets one of its own.

    `scratch` is where a child's writable folder goes: a path that hides nothing readable.
    """

    def __init__(self, scratch: str) -> None:
        self.scratch = scratch
        self.statm, self.maps = open_own_memory()
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)

    def fork(self) -> int:
        """Like os.fork; the child is process 1 of its own namespace."""
        _unshare(_NEW_PROCESSES, "process namespace")
        child = os.fork()
        if child:
            system_call("setns", self._own, _NEW_PROCESSES)
        return child


def _unshare(kinds: int, what: str) -> None:
    try:
        library_call("unshare", kinds)
    except Unsupported as failure:
        raise Unsupported(f"{what}: {failure}") from failure


def _unshare_with_maps(paths: Sequence[str]) -> dict[str, int]:
    """New namespaces, and one user in them: the one we are or, for root, one that owns nothing.

    Root's map is written by a helper outside: within, the right to map another user's id is gone. Returns the
    paths as descriptors. They are taken before root steps down, so that a closed folder such as /root is
    passed, and before anything is mounted, so that an environment under /tmp is reached all the same.
    """
    is_root = os.geteuid() == 0
    user, group = (privileges.unused_id(),) * 2 if is_root else (os.geteuid(), os.getegid())
    if is_root:
        os.setgroups([])
    us = os.getpid()
    finish = _helper(lambda: _write_maps(us, user, group)) if is_root else None
    _unshare(_NEW_OTHERS | _NEW_MOUNTS | _NEW_PROCESSES, "user namespace")
    if finish is None:
        _write_maps(us, user, group)
    elif finish() != 0:
        raise Unsupported("user namespace: its user could not be mapped")
    descriptors = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths}
    os.setresgid(_INNER_ID, _INNER_ID, _INNER_ID)
    os.setresuid(_INNER_ID, _INNER_ID, _INNER_ID)
    return descriptors


def _helper(task: Callable[[], None]) -> Callable[[], int]:
    """A process that does `task` when told to; returns what tells it and hands back its exit status."""
    waits, tells = os.pipe()
    helper = os.fork()
    if helper == 0:
        status = 1
        try:
            os.close(tells)
            if os.read(waits, 1):
                task()
                status = 0
        finally:
            os._exit(status)
    os.close(waits)

    def finish() -> int:
        os.write(tells, b"!")
        os.close(tells)
        return os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1])

    return finish


def _write_maps(process: int, user: int, group: int) -> None:
    """The point at which some systems refuse user namespaces that they let us make."""
    try:
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{_INNER_ID} {user} 1"),
            ("gid_map", f"{_INNER_ID} {group} 1"),
        ):
            with open(f"/proc/{process}/{name}", "w") as file:
                file.write(text)
    except OSError as failure:
        raise Unsupported(
            f"user namespace: writing {failure.filename or 'its map'}: {failure.strerror}"
        ) from failure


def _become_first_process() -> None:
    """Fork into the new process namespace; the process outside lives as long as the one inside."""
    privileges.die_with_parent(None)  # once more: a change of user has cleared it
    child = os.fork()
    if child == 0:
        privileges.die_with_parent(None)
        return
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _build_root(sources: dict[str, int], covered: Iterable[str], scratch: str) -> None:
    _mount(None, "/", None, _RECURSIVE | _PRIVATE, None)
    _mount("tmpfs", _ROOT, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
    for path, descriptor in sources.items():
        _show(path, descriptor)
    for path in covered:
        _mount("tmpfs", _ROOT + path, "tmpfs", _NOSUID | _NODEV, "size=4k,mode=755")
        _read_only(_ROOT + path, recursive=False)
    for folder in (scratch, "/tmp"):
        os.makedirs(_ROOT + folder, exist_ok=True)
    _read_only(_ROOT, recursive=False)
    os.chdir(_ROOT)
    system_call("pivot_root", b".", b".")  # the old root then lies over the new one, and is taken off
    if library_call("umount2", b".", _DETACH) == 0:
        os.chdir("/")


def _show(path: str, descriptor: int) -> None:
    """Bind a path into the new root, read-only except for a device, which has nothing to overwrite."""
    target, is_folder = _ROOT + path, os.path.isdir(f"/proc/self/fd/{descriptor}")
    os.makedirs(target if is_folder else os.path.dirname(target), exist_ok=True)
    if not is_folder:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o600))
    _mount(f"/proc/self/fd/{descriptor}", target, None, _BIND | _RECURSIVE, None)
    if path not in _DEVICES:
        _read_only(target, recursive=True)


def _read_only(target: str, *, recursive: bool) -> None:
    flags = _ATTRIBUTE_READ_ONLY | _ATTRIBUTE_NOSUID | _ATTRIBUTE_NODEV
    attributes = ctypes.create_string_buffer(struct.pack("=QQQQ", flags, 0, 0, 0), 32)
    try:
        system_call("mount_setattr", -100, target.encode(), _AT_RECURSIVE if recursive else 0, attributes, 32)
    except Unsupported as failure:
        raise Unsupported(f"making {target} read-only: {failure}") from failure


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None) -> None:
    arguments = [each.encode() if each is not None else None for each in (source, target, kind, data)]
    try:
        library_call("mount", *arguments[:3], flags, arguments[3])
    except Unsupported as failure:
        raise Unsupported(f"mounting {kind or source or 'privately'} on {target}: {failure}") from failure
