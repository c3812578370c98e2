"""Which level of isolation this machine reaches, and what is said where that is not enough."""

from __future__ import annotations

import platform
from functools import lru_cache
from typing import Literal, cast

from ansatz.sandbox.execution import SandboxUnavailable
from ansatz.sandbox.launch import ZygoteSettings, launch
from ansatz.sandbox.worker import Worker

Level = Literal["L3", "L2", "L1"]
LEVELS: tuple[Level, ...] = ("L3", "L2", "L1")


@lru_cache(maxsize=8)
def reached(levels: tuple[Level, ...] = LEVELS) -> tuple[Level | None, dict[str, str | None]]:
    """The best of these levels that the machine reaches, tried once a process, and why none before it."""
    return _ask(ZygoteSettings(levels, task="probe"))


def survey() -> tuple[Level | None, dict[str, str | None]]:
    """The best level, and for every level and for the layer "namespaces" why it does not work, or None."""
    return _ask(ZygoteSettings(LEVELS, task="survey"))


def require(minimum: Level, level: Level | None = None) -> Level:
    """The level that executions will have. Raises SandboxUnavailable where it is below `minimum`.

    `level` forces one, which may be lower than what the machine reaches.
    """
    found, reasons = reached((level,) if level else LEVELS)
    if found is not None and LEVELS.index(found) <= LEVELS.index(minimum):
        return found
    why = "; ".join(f"{each}: {reason}" for each, reason in reasons.items()) or "it was asked for"
    raise SandboxUnavailable(
        f"model-written code cannot be isolated at {minimum} here, only at {found or 'no level'} ({why}); "
        f"`ansatz sandbox doctor` says how to get it, and `isolation: {found or 'none'}` accepts less"
    )


def _ask(settings: ZygoteSettings) -> tuple[Level | None, dict[str, str | None]]:
    if platform.system() != "Linux":
        return None, dict.fromkeys(
            (*settings.levels, "namespaces"), f"it needs Linux, not {platform.system()}"
        )
    worker = Worker(launch(settings))
    try:
        worker.wait_until_ready()
        return cast(Level | None, worker.level), worker.reasons
    finally:
        worker.close()
