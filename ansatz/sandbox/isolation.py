"""Find the isolation that this machine reaches, what a better level needs, and which code is trusted."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast

from ansatz.errors import InfrastructureError, SandboxUnavailable
from ansatz.sandbox import docker, seatbelt
from ansatz.sandbox.launch import ZygoteSettings, launch
from ansatz.sandbox.worker import Worker

Level = Literal["full", "landlock", "filter"]
Isolation = Literal["full", "landlock", "filter", "seatbelt", "none"]
LEVELS: tuple[Level, ...] = ("full", "landlock", "filter")

_TRUSTED: ContextVar[bool] = ContextVar("code_is_trusted", default=False)
_USED: ContextVar[set[str] | None] = ContextVar("used_isolation", default=None)

_SWITCHES = (  # a kernel setting, the value that forbids user namespaces, and what allows them
    ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
    ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile that has `userns,`",
    ),
)
_NO_SWITCH = (
    "start a container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined, a service "
    "without RestrictNamespaces=, a kernel with CONFIG_USER_NS; or leave it: level landlock isolates well"
)
_LANDLOCK = (
    "a kernel from Linux 5.13 on, with landlock in /sys/kernel/security/lsm (boot with lsm=landlock,…)"
)
_SECCOMP = "Linux with CONFIG_SECCOMP_FILTER, on x86-64 or aarch64; elsewhere `sandbox: docker`"
_ELSEWHERE = {
    "Darwin": "run Ansatz in a Linux container (Docker), or set `isolation: seatbelt`, a profile for "
    "sandbox-exec that has not yet been run through the attack corpus",
    "Windows": "run Ansatz in WSL 2, or in a Linux container (Docker)",
}
_LINUX = (
    "level landlock needs Landlock (Linux 5.13, lsm=landlock) and seccomp, which default containers on such "
    "a kernel have; or set `sandbox: docker`"
)


@contextmanager
def trusting(is_trusted: bool) -> Iterator[None]:
    """Set whether code that runs inside the context is trusted, such as that of the simulated model.

    Code is untrusted by default. The setting applies to this task and to those that it starts. Trusted code
    runs in isolation if the machine supports it, and otherwise without.
    """
    token = _TRUSTED.set(is_trusted)
    try:
        yield
    finally:
        _TRUSTED.reset(token)


@contextmanager
def recording_isolation() -> Iterator[set[str]]:
    """Yield the levels at which code ran inside the context, in this task and in those that it started."""
    used: set[str] = set()
    token = _USED.set(used)
    try:
        yield used
    finally:
        _USED.reset(token)


def record_isolation(level: str) -> None:
    """Record that code ran at this level, if the context asks for it."""
    if (used := _USED.get()) is not None:
        used.add(level)


def is_trusted() -> bool:
    """Whether code is trusted in this context."""
    return _TRUSTED.get()


@lru_cache(maxsize=8)
def reached(levels: tuple[Level, ...] = LEVELS) -> tuple[Level | None, dict[str, str | None]]:
    """Return the best of these levels that the machine reaches, and why each better one fails.

    The levels are tried once per process.
    """
    return _run_trial(ZygoteSettings(levels, task="probe"))


def require(minimum: Isolation, level: Level | None = None) -> Isolation:
    """Return the isolation that executions will have.

    Parameters
    ----------
    level
        Forces a level, which may be lower than the one that the machine reaches.

    Raises
    ------
    SandboxUnavailable
        If the isolation is below `minimum`.
    """
    if minimum == "none":
        return "none"
    if minimum == "seatbelt":
        if (reason := seatbelt.find_obstacle()) is not None:
            raise SandboxUnavailable(f"`isolation: seatbelt` does not work here: {reason}; {remedy()}")
        return "seatbelt"
    found, reasons = reached((level,) if level else LEVELS)
    if found is not None and LEVELS.index(found) <= LEVELS.index(minimum):
        return found
    why = "; ".join(f"{each}: {reason}" for each, reason in reasons.items()) or "this level was requested"
    raise SandboxUnavailable(
        f"model-written code cannot be isolated at level {minimum} here, "
        f"only at {found or 'no level'} ({why}); to get it: {remedy()}; "
        f"`ansatz sandbox doctor` shows each layer, and `isolation: {found or 'none'}` accepts less"
    )


def remedy() -> str:
    """Describe how a machine of this platform reaches level `landlock`, or the nearest alternative."""
    return _ELSEWHERE.get(platform.system(), _LINUX)


@dataclass(frozen=True)
class Layer:
    """One layer of isolation."""

    name: str
    stops: str
    """What it stops."""
    missing: str | None
    """Why it does not work here; None if it works."""
    remedy: str | None
    """How to get it, if it does not work."""


@dataclass(frozen=True)
class Examination:
    """The state of all layers on this machine."""

    level: Level | None
    """The best level that works."""
    layers: tuple[Layer, ...]


def examine() -> Examination:
    """Try every layer and every level in throw-away processes."""
    level, reasons = _run_trial(ZygoteSettings(LEVELS, task="survey"))
    landlock = reasons["landlock"] if reasons["filter"] is None else None
    has_linux = platform.system() == "Linux"
    layers = [
        _layer("namespaces", "files, processes, network", reasons["namespaces"], _find_namespace_remedy()),
        _layer("Landlock", "files outside the libraries", landlock, _LANDLOCK),
        _layer("system call filter", "programs, sockets, signals", reasons["filter"], _SECCOMP),
    ]
    if reasons["full"] is not None and reasons["namespaces"] is None and landlock is None:
        # All layers together may fail although each works alone.
        remedy_ = "this combination fails here; level landlock may work"
        layers.append(Layer("all together", "all of these", reasons["full"], remedy_))
    if not has_linux:
        layers = [_layer("Linux layers", "all of these", reasons["full"], remedy())]
    if platform.system() == "Darwin":
        needs = "macOS with sandbox-exec; used if a study sets `isolation: seatbelt`"
        layers.append(_layer("Seatbelt", "the same, not yet attacked", seatbelt.find_obstacle(), needs))
    engine = "optional: install Docker and start its engine"
    layers.append(_layer("Docker engine", "the same, in a container", docker.find_obstacle(), engine))
    return Examination(level, tuple(layers))


def _layer(name: str, stops: str, missing: str | None, remedy: str) -> Layer:
    return Layer(name, stops, missing, None if missing is None else remedy)


def _find_namespace_remedy() -> str:
    for name, forbids, remedy in _SWITCHES:
        setting = Path("/proc/sys") / name
        if setting.exists() and setting.read_text().strip() == forbids:
            return remedy
    return _NO_SWITCH


def _run_trial(settings: ZygoteSettings) -> tuple[Level | None, dict[str, str | None]]:
    """Start a zygote that reports on levels and layers; if it fails, every level has that reason."""
    if platform.system() != "Linux":
        return _report_none(settings, f"it needs Linux, not {platform.system()}")
    try:
        worker = Worker(launch(settings))
        worker.close()
        return cast(Level | None, worker.level), worker.reasons
    except InfrastructureError as failure:
        return _report_none(settings, str(failure))


def _report_none(settings: ZygoteSettings, reason: str) -> tuple[None, dict[str, str | None]]:
    return None, dict.fromkeys((*settings.levels, "namespaces"), reason)
