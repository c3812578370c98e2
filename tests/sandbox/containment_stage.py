"""Targets of attacks: canaries, host files and listeners, which are compared before and after."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import secrets
import selectors
import shutil
import socket
import stat
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import Any

SHARED_FOLDERS = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path("/dev/mqueue"))
IPC_RMID = 0


class Stage:
    """One folder of canaries for one runner. `user` owns the files that a program of that user may change."""

    def __init__(self, user: int) -> None:
        self.user = user
        self.folder = Path(tempfile.mkdtemp(prefix="ansatz-attacks-"))
        self.folder.chmod(0o755)
        self.token = f"ansatzmark{secrets.token_hex(6)}"
        self.system_v_key = secrets.randbelow(1 << 30) + 1
        self.size = 1000 + secrets.randbelow(9000)
        self.canaries = {
            name: f"sk-{name}-{secrets.token_hex(12)}"
            for name in ("key", "answer", "file", "home", "entry", "link", "attribute", "argument")
        }
        self.outside, self.home, self.scratch = (self.folder / n for n in ("outside", "home", "scratch"))
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.temporary.chmod(0o777)
        self.listeners = Listeners(self.folder)
        self.reset()

    def reset(self) -> None:
        """Write the files as they are before an attack."""
        for folder in (self.outside, self.home, self.scratch):
            folder.mkdir(exist_ok=True)
            _empty(folder)
        for name in ("read", "write", "append", "delete", "rename", "truncate", "mode", "time", "attribute"):
            (self.outside / f"{name}.txt").write_text(f"{self.canaries['file']}\n")
        (self.outside / "stat.txt").write_bytes(b"x" * self.size)
        (self.outside / self.canaries["entry"]).mkdir()
        (self.outside / "link").symlink_to(self.canaries["link"])
        (self.outside / "program").write_text(f"#!/bin/sh\ntouch {self.outside}/started\n")
        (self.home / ".netrc").write_text(f"password {self.canaries['home']}\n")
        (self.home / ".bashrc").write_text("# empty\n")
        with contextlib.suppress(OSError):  # where files have none
            os.setxattr(self.outside / "stat.txt", "user.canary", self.canaries["attribute"].encode())
        for path in (self.outside, self.home, self.scratch, *self.outside.iterdir(), *self.home.iterdir()):
            os.chown(path, self.user, -1, follow_symlinks=False)
            if not path.is_symlink():
                path.chmod(0o777 if path.is_dir() or path.name == "program" else 0o666)
        self._before = self._look()
        self.listeners.hits.clear()

    def values(self) -> dict[str, str]:
        """Return the values that replace @NAME@ in snippets, from this folder."""
        return {
            "OUTSIDE": str(self.outside),
            "HOME": str(self.home),
            "TOKEN": self.token,
            "SYSTEM_V_KEY": str(self.system_v_key),
            "TCP_PORT": str(self.listeners.tcp_port),
            "TCP6_PORT": str(self.listeners.tcp6_port),
            "UDP_PORT": str(self.listeners.udp_port),
            "UNIX_PATH": str(self.listeners.unix_path),
            "DATAGRAM_PATH": str(self.listeners.datagram_path),
            "ABSTRACT_NAME": self.listeners.abstract_name,
        }

    def changes(self) -> list[str]:
        """Return the changes outside the runner since `reset`."""
        before, after = self._before, self._look()
        return sorted(
            f"host file {path} was {'made' if path not in before else 'changed' if path in after else 'removed'}"
            for path in before.keys() | after.keys()
            if before.get(path) != after.get(path)
        )

    def leaks(self, text: str) -> list[str]:
        """Return the canaries that a text contains, plainly or in hexadecimal digits."""
        found = [
            name for name, value in self.canaries.items() if value in text or value.encode().hex() in text
        ]
        if f"size={self.size};" in text:
            found.append("size")
        if f"port={self.listeners.secret_port};" in text:
            found.append("port")
        return [f"the output shows the canary '{name}'" for name in found]

    def disk_mb(self) -> float:
        files = (path.lstat() for path in self.folder.rglob("*"))
        return sum(file.st_blocks for file in files) / 2048

    def files(self) -> int:
        return sum(1 for _ in self.folder.rglob("*"))

    def close(self) -> None:
        self.listeners.close()
        libc = ctypes.CDLL(None)
        for key in range(
            self.system_v_key, self.system_v_key + 3
        ):  # the host's, and those that attacks leave
            if (segment := libc.shmget(key, 0, 0)) != -1:
                libc.shmctl(segment, IPC_RMID, None)
            if (queue := libc.msgget(key, 0)) != -1:
                libc.msgctl(queue, IPC_RMID, None)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _look(self) -> dict[str, tuple[object, ...]]:
        paths = [path for top in (self.outside, self.home) if top.exists() for path in (top, *top.rglob("*"))]
        for folder in SHARED_FOLDERS:
            if folder.is_dir():
                paths += [path for path in folder.iterdir() if self.token in path.name]
        return {str(path): _fingerprint(path) for path in paths}

    def sweep(self) -> None:
        """Remove the files of an attack in shared folders."""
        for folder in SHARED_FOLDERS:
            for path in folder.glob(f"*{self.token}*") if folder.is_dir() else ():
                path.unlink(missing_ok=True)


class Listeners:
    """Loopback listeners that count connections. One port is not passed to any program."""

    def __init__(self, folder: Path) -> None:
        self.hits: Counter[str] = Counter()
        self.unix_path = folder / "stream.sock"
        self.datagram_path = folder / "datagram.sock"
        self.abstract_name = f"ansatz-{secrets.token_hex(6)}"
        self._selector = selectors.DefaultSelector()
        stream, datagram, loopback = socket.SOCK_STREAM, socket.SOCK_DGRAM, ("127.0.0.1", 0)
        self.tcp_port = self._listen("tcp", socket.AF_INET, stream, loopback)[1]
        self.udp_port = self._listen("udp", socket.AF_INET, datagram, loopback)[1]
        self.secret_port = self._listen("secret", socket.AF_INET, stream, loopback)[1]
        self.tcp6_port = self._listen("tcp6", socket.AF_INET6, stream, ("::1", 0))[1] if has_ipv6() else 0
        self._listen("unix", socket.AF_UNIX, stream, str(self.unix_path))
        self._listen("datagram", socket.AF_UNIX, datagram, str(self.datagram_path))
        self._listen("abstract", socket.AF_UNIX, stream, "\0" + self.abstract_name)
        for path in (self.unix_path, self.datagram_path):
            path.chmod(0o777)
        self._stop, self._thread = threading.Event(), threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _listen(self, name: str, family: int, kind: int, address: object) -> Any:
        """Return the address of a listener."""
        listener = socket.socket(family, kind)
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ, name)
        return listener.getsockname()

    def _serve(self) -> None:
        while not self._stop.is_set():
            for key, _ in self._selector.select(0.1):
                self.hits[key.data] += 1
                if key.fileobj.type == socket.SOCK_STREAM:
                    key.fileobj.accept()[0].close()
                else:
                    key.fileobj.recv(65536)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()
        self._selector.close()


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def _empty(folder: Path) -> None:
    """Remove the contents of a folder, but not the folder, which may be a working folder."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _fingerprint(path: Path) -> tuple[object, ...]:
    info = path.lstat()
    content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(info.st_mode) else ""
    attributes = tuple(os.listxattr(path, follow_symlinks=False))
    return (info.st_mode, info.st_uid, info.st_gid, info.st_nlink, info.st_mtime_ns, content, attributes)
