"""The attack corpus: one YAML file a category, one entry an attack.

An entry says what the attack `tries` and what `contained` means; `control` names the unprotected runner that it
defeats (plain, or exec with a reason in `because`), `needs` what the machine must offer for the control to fail,
`verdict: not ok` says that the outcome itself must not be a success, `ending: host killed` that the runner's process is
killed during the call. `next_call` is run after `code`, as the next call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ATTACKS = Path(__file__).with_name("attacks")
CONTROLS = ("plain", "exec")
CONDITIONS = frozenset({
    "root", "core", "ptrace", "xattr", "keyring", "io_uring", "foreign_calls", "ipv6", "user_namespaces",
    "fchmodat2", "af_alg", "two_processors",
})  # fmt: skip
_FIELDS = frozenset(
    {"tries", "contained", "control", "because", "needs", "verdict", "ending", "code", "next_call"}
)
_PLACEHOLDER = re.compile(r"@([A-Z_0-9]+)@")


class CorpusError(ValueError):
    """An entry of the corpus says something the judge does not understand."""


@dataclass(frozen=True)
class Attack:
    """One snippet. `control` names the runner that must fail, `needs` what it takes to fail there."""

    category: str
    name: str
    contained: str
    code: str
    following: str | None
    control: str
    needs: frozenset[str]
    must_not_be_ok: bool
    host_is_killed: bool

    @property
    def id(self) -> str:
        return f"{self.category}/{self.name}"


def load(folder: Path = ATTACKS) -> list[Attack]:
    """Every attack of the folder, by category and name; last those that cost a host, which is slow to replace."""
    attacks = [
        _attack(file.stem, name, entry)
        for file in sorted(folder.glob("*.yaml"))
        for name, entry in sorted(
            yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader).items()
        )
    ]
    return sorted(attacks, key=lambda attack: attack.host_is_killed)


def fill(code: str, values: Mapping[str, str]) -> str:
    """Put canaries, paths and ports where the snippet names them as @NAME@."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise CorpusError(f"@{match[1]}@ is no placeholder; known: {', '.join(sorted(values))}")
        return values[match[1]]

    return _PLACEHOLDER.sub(value, code)


def _attack(category: str, name: str, entry: dict[str, Any]) -> Attack:
    where = f"{category}/{name}"
    if unknown := entry.keys() - _FIELDS:
        raise CorpusError(f"{where}: unknown fields {sorted(unknown)}")
    if missing := {"tries", "contained", "code"} - entry.keys():
        raise CorpusError(f"{where}: lacks {sorted(missing)}")
    control = entry.get("control", "plain")
    if control not in CONTROLS or (control != "plain" and "because" not in entry):
        raise CorpusError(f"{where}: control is one of {CONTROLS}, with 'because' unless plain")
    needs = frozenset(entry.get("needs", ()))
    if needs - CONDITIONS:
        raise CorpusError(f"{where}: unknown needs {sorted(needs - CONDITIONS)}")
    return Attack(
        category=category,
        name=name,
        contained=entry["contained"],
        code=entry["code"],
        following=entry.get("next_call"),
        control=control,
        needs=needs,
        must_not_be_ok=entry.get("verdict") == "not ok",
        host_is_killed=entry.get("ending") == "host killed",
    )
