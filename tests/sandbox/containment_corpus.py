"""The attack corpus: one YAML file a category, one entry an attack."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

ATTACKS = Path(__file__).with_name("attacks")
Condition = Literal[
    "root", "core", "ptrace", "xattr", "keyring", "io_uring", "foreign_calls", "ipv6", "user_namespaces",
    "fchmodat2", "af_alg", "two_processors",
]  # fmt: skip


class Attack(BaseModel):
    """One snippet: what it `tries`, and what `contained` means.

    `control` names the unprotected runner that it defeats (plain, or exec with a reason in `because`), `needs` what the
    machine must offer for the control to fail, `verdict: not ok` says that the outcome itself must not be a success,
    `ending: host killed` that the runner's process is killed during the call. `next_call` is run after `code`, as the
    next call. `known` are the weaker levels that let it out by design, with the reason; whatever else escapes is a fault.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    category: str
    name: str
    tries: str
    contained: str
    code: str
    next_call: str | None = None
    control: Literal["plain", "exec"] = "plain"
    because: str | None = None
    needs: frozenset[Condition] = frozenset()
    verdict: Literal["not ok"] | None = None
    ending: Literal["host killed"] | None = None
    known: dict[Literal["landlock", "filter"], str] = {}

    @property
    def id(self) -> str:
        return f"{self.category}/{self.name}"


def load() -> list[Attack]:
    """Every attack, by category and name; last those that cost a host, which is slow to replace."""
    attacks = [
        Attack(category=file.stem, name=name, **entry)
        for file in sorted(ATTACKS.glob("*.yaml"))
        for name, entry in sorted(yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader).items())
    ]
    return sorted(attacks, key=lambda attack: attack.ending is not None)


def fill(code: str, values: Mapping[str, str]) -> str:
    """Put canaries, paths and ports where the snippet names them as @NAME@."""
    return re.sub("@([A-Z_0-9]+)@", lambda match: values[match[1]], code)
