"""Watch processes from outside, through /proc, during a call."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

TICK = 0.03
LIVED = 0.12  # seconds after which a process counts as one that was really there


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    name: str
    threads: int
    private_mb: float


@dataclass
class Peaks:
    """The maxima below the host during one call."""

    processes: int = 0
    threads: int = 0
    memory_mb: float = 0.0
    host_mb: float = 0.0
    shared_memory_mb: float = 0.0
    names: set[str] = field(default_factory=set)
    served: bool = False


def descendants(root: int) -> dict[int, Process]:
    """Return the living processes below a process, without zombies."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (parent := _parent(int(entry))) is not None:
            children.setdefault(parent, []).append(int(entry))
    below: dict[int, Process] = {}
    waiting = list(children.get(root, ()))
    while waiting:
        pid = waiting.pop()
        waiting += children.get(pid, ())
        if process := read(pid):
            below[pid] = process
    return below


def _parent(pid: int) -> int | None:
    """Read the parent from the short status file, because all processes are read many times a second."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2].split(None, 2)[1])
    except OSError:
        return None


def read(pid: int) -> Process | None:
    """Return the data of a process; None if it has ended."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    if fields["State"][0] in "ZX":
        return None
    private = int(fields.get("RssAnon", "0 kB").split()[0]) / 1024
    return Process(pid, int(fields["PPid"]), fields["Name"], int(fields.get("Threads", "1")), private)


def end(pids: set[int]) -> None:
    """Kill processes that an attack left below the host."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def shared_memory_mb() -> float:
    """Return the size of all tmpfs of the machine, with those that only the sandbox sees."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("Shmem:"):
            return int(line.split()[1]) / 1024
    return 0.0


def state(pid: int) -> dict[str, object]:
    """Return what other processes could change: priority, processors, limits and out-of-memory rank."""
    folder = Path(f"/proc/{pid}")
    return {
        "priority": os.getpriority(os.PRIO_PROCESS, pid),
        "scheduler": os.sched_getscheduler(pid),
        "processors": sorted(os.sched_getaffinity(pid)),
        "limits": (folder / "limits").read_text(),
        "out-of-memory rank": (folder / "oom_score_adj").read_text(),
        "stopped or traced": (folder / "stat").read_text().rsplit(") ", 1)[1][0] in "Tt",
    }


class Watch:
    """Samples the tree below the supervisor in a thread, and tries the port that an attack may open."""

    def __init__(self, supervisor: int, host: int, port: int) -> None:
        self.peaks = Peaks()
        self._supervisor, self._host, self._port = supervisor, host, port
        self._shared = shared_memory_mb()
        self._seen: dict[int, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Peaks:
        self._thread.start()
        return self.peaks

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(TICK):
            self._sample()

    def _sample(self) -> None:
        below, now, peaks = descendants(self._supervisor), time.monotonic(), self.peaks
        if host := below.pop(self._host, None):
            peaks.host_mb = max(peaks.host_mb, host.private_mb)
        self._seen = {pid: self._seen.get(pid, now) for pid in below}
        lasting = [pid for pid, since in self._seen.items() if now - since >= LIVED]
        peaks.processes = max(peaks.processes, len(lasting))
        peaks.names |= {below[pid].name for pid in lasting}
        peaks.threads = max(peaks.threads, max((process.threads for process in below.values()), default=0))
        peaks.memory_mb = max(peaks.memory_mb, sum(process.private_mb for process in below.values()))
        peaks.shared_memory_mb = max(peaks.shared_memory_mb, shared_memory_mb() - self._shared)
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._port), timeout=0.05):
            peaks.served = True
