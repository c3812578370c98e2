"""Namespaces: hide other processes, the network, the home folder, passwd, /proc and all unneeded files.

The new root is a tmpfs with read-only views of the interpreter's and the system's library folders. Each
execution in it has a process namespace, so that no process outlives it. Its writable folder is temporary and
has a quota, so that no file remains and the disk cannot be filled.
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
_ROOT = "/tmp"  # where the new root is built; it covers the old /tmp in the new namespace only
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
    """Become process 1 of new namespaces whose root contains `readable` without `hidden`.

    The calling process waits outside. Must run on a single thread. Raises Unsupported with the step that
    failed.
    """
    scratch = next(
        name for name in _SCRATCH if not any(f"{path}/".startswith(f"{name}/") for path in readable)
    )
    covered = [
        path + folder.removeprefix(real)
        for path, real in ((path, os.path.realpath(path)) for path in readable)
        for folder in hidden
        if folder.startswith(f"{real}/")
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
    """Mount a fresh writable folder with a quota in a mount namespace of this process alone."""
    _unshare(_NEW_MOUNTS, "mount namespace")
    quota = f"size={size_mb}m,nr_inodes={_INODES},mode=700"
    _mount("tmpfs", folder, "tmpfs", _NOSUID | _NODEV | _NOEXEC, quota)
    os.chdir(folder)


def open_own_memory() -> tuple[int, int]:
    """Open this process's statm and maps as descriptors, which remain readable without /proc."""
    statm, maps = (os.open(f"/proc/self/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in ("statm", "maps"))
    return statm, maps


class Inside:
    """Descriptors from /proc: the process's memory, and its process namespace, in which a child gets another.

    `scratch` is the path of a child's writable folder; it hides nothing readable.
    """

    def __init__(self, scratch: str) -> None:
        self.scratch = scratch
        self.statm, self.maps = open_own_memory()
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)

    def fork(self) -> int:
        """Like os.fork; the child is process 1 of a new namespace."""
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
    """Enter new namespaces with a single user: the current one or, for root, one that owns nothing.

    A helper outside writes root's map, because the right to map another user's id is lost inside. Returns the
    paths as descriptors. They are opened before root changes its user, to pass a closed folder such as /root,
    and before the first mount, to reach an environment under /tmp.
    """
    is_root = os.geteuid() == 0
    user, group = (privileges.unused_id(),) * 2 if is_root else (os.geteuid(), os.getegid())
    if is_root:
        os.setgroups([])
    process = os.getpid()
    finish = _start_helper(lambda: _write_maps(process, user, group)) if is_root else None
    _unshare(_NEW_OTHERS | _NEW_MOUNTS | _NEW_PROCESSES, "user namespace")
    if finish is None:
        _write_maps(process, user, group)
    elif finish() != 0:
        raise Unsupported("user namespace: its user could not be mapped")
    descriptors = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths}
    os.setresgid(_INNER_ID, _INNER_ID, _INNER_ID)
    os.setresuid(_INNER_ID, _INNER_ID, _INNER_ID)
    return descriptors


def _start_helper(task: Callable[[], None]) -> Callable[[], int]:
    """Fork a process that waits to run `task`; returns a function that starts it and returns its status."""
    reads, writes = os.pipe()
    helper = os.fork()
    if helper == 0:
        status = 1
        try:
            os.close(writes)
            if os.read(reads, 1):
                task()
                status = 0
        finally:
            os._exit(status)
    os.close(reads)

    def finish() -> int:
        os.write(writes, b"!")
        os.close(writes)
        return os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1])

    return finish


def _write_maps(process: int, user: int, group: int) -> None:
    """Write the user and group maps; some systems allow a user namespace and then refuse this."""
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
    privileges.die_with_parent(None)  # again, because a change of user clears it
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
        _bind(path, descriptor)
    for path in covered:
        _mount("tmpfs", _ROOT + path, "tmpfs", _NOSUID | _NODEV, "size=4k,mode=755")
        _make_read_only(_ROOT + path, recursive=False)
    for folder in (scratch, "/tmp"):
        os.makedirs(_ROOT + folder, exist_ok=True)
    _make_read_only(_ROOT, recursive=False)
    os.chdir(_ROOT)
    system_call("pivot_root", b".", b".")  # the old root is now on top of the new one, and is unmounted next
    if library_call("umount2", b".", _DETACH) == 0:
        os.chdir("/")


def _bind(path: str, descriptor: int) -> None:
    """Bind a path into the new root, read-only except for devices, which have no content to overwrite."""
    target, is_folder = _ROOT + path, os.path.isdir(f"/proc/self/fd/{descriptor}")
    os.makedirs(target if is_folder else os.path.dirname(target), exist_ok=True)
    if not is_folder:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o600))
    _mount(f"/proc/self/fd/{descriptor}", target, None, _BIND | _RECURSIVE, None)
    if path not in _DEVICES:
        _make_read_only(target, recursive=True)


def _make_read_only(target: str, *, recursive: bool) -> None:
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
