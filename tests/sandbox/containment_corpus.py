"""Read the attack corpus: one YAML file per category, one entry per attack."""

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

    `control` is the unprotected runner that it defeats (plain, or exec with a reason in `because`). `needs` are the
    features of the machine without which the control does not fail. With `verdict: not ok` the outcome must not be a
    success. With `ending: host killed` the runner's process is killed during the call. `next_call` runs after `code`, as
    the next call. `known` are the weaker levels that do not contain it by design, with the reason.
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
    """Return every attack by category and name; those that destroy a host, which starts slowly, are last."""
    attacks = [
        Attack(category=file.stem, name=name, **entry)
        for file in sorted(ATTACKS.glob("*.yaml"))
        for name, entry in sorted(yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader).items())
    ]
    return sorted(attacks, key=lambda attack: attack.ending is not None)


def fill(code: str, values: Mapping[str, str]) -> str:
    """Replace @NAME@ in a snippet by canaries, paths and ports."""
    return re.sub("@([A-Z_0-9]+)@", lambda match: values[match[1]], code)
