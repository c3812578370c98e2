"""Which isolation this machine reaches, what is missing for a better one, and whose code needs it."""

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

_SWITCHES = (  # a kernel setting, the value that forbids user namespaces, what allows them
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
    """Say who wrote the code that is run within: our own simulated model, or anybody else.

    Code is not trusted unless this says so, and it says so for this task and those that it starts. Trusted
    code runs isolated where the machine can, and on any other machine all the same.
    """
    token = _TRUSTED.set(is_trusted)
    try:
        yield
    finally:
        _TRUSTED.reset(token)


def is_trusted() -> bool:
    return _TRUSTED.get()


@lru_cache(maxsize=8)
def reached(levels: tuple[Level, ...] = LEVELS) -> tuple[Level | None, dict[str, str | None]]:
    """The best of these levels that the machine reaches, tried once a process, and why none before it."""
    return _ask(ZygoteSettings(levels, task="probe"))


def require(minimum: Isolation, level: Level | None = None) -> Isolation:
    """The isolation that executions will have. Raises SandboxUnavailable where it is below `minimum`.

    `level` forces one, which may be lower than what the machine reaches.
    """
    if minimum == "none":
        return "none"
    if minimum == "seatbelt":
        if (reason := seatbelt.missing()) is not None:
            raise SandboxUnavailable(f"`isolation: seatbelt` does not work here: {reason}; {remedy()}")
        return "seatbelt"
    found, reasons = reached((level,) if level else LEVELS)
    if found is not None and LEVELS.index(found) <= LEVELS.index(minimum):
        return found
    why = "; ".join(f"{each}: {reason}" for each, reason in reasons.items()) or "it was asked for"
    raise SandboxUnavailable(
        f"model-written code cannot be isolated at level {minimum} here, "
        f"only at {found or 'no level'} ({why}); to get it: {remedy()}; "
        f"`ansatz sandbox doctor` shows each layer, and `isolation: {found or 'none'}` accepts less"
    )


def remedy() -> str:
    """How a machine of this platform reaches level `landlock`, or the nearest alternative."""
    return _ELSEWHERE.get(platform.system(), _LINUX)


@dataclass(frozen=True)
class Layer:
    """One layer: what it stops, whether it works here, and if not, why and how to get it."""

    name: str
    stops: str
    missing: str | None
    remedy: str | None


@dataclass(frozen=True)
class Examination:
    level: Level | None
    layers: tuple[Layer, ...]


def examine() -> Examination:
    """Try every layer and every level in throw-away processes."""
    level, reasons = _ask(ZygoteSettings(LEVELS, task="survey"))
    landlock = reasons["landlock"] if reasons["filter"] is None else None
    has_linux = platform.system() == "Linux"
    layers = [
        _layer("namespaces", "files, processes, network", reasons["namespaces"], _namespace_remedy()),
        _layer("Landlock", "files outside the libraries", landlock, _LANDLOCK),
        _layer("system call filter", "programs, sockets, signals", reasons["filter"], _SECCOMP),
    ]
    if reasons["full"] is not None and reasons["namespaces"] is None and landlock is None:
        # Each layer may work alone, and all together still fail.
        remedy_ = "this combination fails here; level landlock may work"
        layers.append(Layer("all together", "all of these", reasons["full"], remedy_))
    if not has_linux:
        layers = [_layer("Linux layers", "all of these", reasons["full"], remedy())]
    if platform.system() == "Darwin":
        asked = "macOS with sandbox-exec; used where a study sets `isolation: seatbelt`"
        layers.append(_layer("Seatbelt", "the same, not yet attacked", seatbelt.missing(), asked))
    engine = "optional: install Docker and start its engine"
    layers.append(_layer("Docker engine", "the same, in a container", docker.missing(), engine))
    return Examination(level, tuple(layers))


def _layer(name: str, stops: str, missing: str | None, how: str) -> Layer:
    return Layer(name, stops, missing, None if missing is None else how)


def _namespace_remedy() -> str:
    for name, forbids, how in _SWITCHES:
        setting = Path("/proc/sys") / name
        if setting.exists() and setting.read_text().strip() == forbids:
            return how
    return _NO_SWITCH


def _ask(settings: ZygoteSettings) -> tuple[Level | None, dict[str, str | None]]:
    """A zygote's word on levels and layers; where none can be started, that is why there are none."""
    if platform.system() != "Linux":
        return _none(settings, f"it needs Linux, not {platform.system()}")
    try:
        worker = Worker(launch(settings))
        worker.close()
        return cast(Level | None, worker.level), worker.reasons
    except InfrastructureError as failure:
        return _none(settings, str(failure))


def _none(settings: ZygoteSettings, reason: str) -> tuple[None, dict[str, str | None]]:
    return None, dict.fromkeys((*settings.levels, "namespaces"), reason)
