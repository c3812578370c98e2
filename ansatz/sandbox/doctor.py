"""What this machine can do to isolate model-written code, layer by layer, and how to get what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ansatz.sandbox import docker
from ansatz.sandbox.isolation import Level, survey

_SWITCHES = (  # a kernel setting, the value that forbids user namespaces, what allows them
    ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
    ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile that has `userns,`",
    ),
)
_IN_CONTAINER = (
    "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined, "
    "or let it be: L2 isolates well in a container"
)
_LANDLOCK = (
    "a kernel from Linux 5.13 on, with landlock in /sys/kernel/security/lsm (boot with lsm=landlock,…)"
)
_SECCOMP = "Linux with CONFIG_SECCOMP_FILTER, on x86-64 or aarch64; elsewhere `sandbox: docker`"
_DOCKER = "optional: install Docker and start its engine"


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
    level, reasons = survey()
    landlock = reasons["L2"] if reasons["L1"] is None else None
    return Examination(
        level,
        (
            _layer("namespaces", "files, processes, network", reasons["namespaces"], _namespace_remedy),
            _layer("Landlock", "files outside the libraries", landlock, lambda: _LANDLOCK),
            _layer("system call filter", "programs, sockets, signals", reasons["L1"], lambda: _SECCOMP),
            *_whole(reasons["L3"], reasons["namespaces"], landlock),
            _layer("Docker engine", "the same, in a container", docker.missing(), lambda: _DOCKER),
        ),
    )


def _layer(name: str, stops: str, missing: str | None, remedy: object) -> Layer:
    assert callable(remedy)
    return Layer(name, stops, missing, None if missing is None else remedy())


def _whole(whole: str | None, *parts: str | None) -> Iterator[Layer]:
    """Each layer may work and the whole still not."""
    if whole is not None and not any(parts):
        yield Layer("all together", "all of these", whole, "this combination fails here; L2 may do")


def _namespace_remedy() -> str:
    for name, forbids, remedy in _SWITCHES:
        setting = Path("/proc/sys") / name
        if setting.exists() and setting.read_text().strip() == forbids:
            return remedy
    return _IN_CONTAINER
