"""The attack corpus: one file, one attack; its docstring says what it tries and what "contained" means.

Fields of the docstring, one a line: `Contained:` (required), `Control:` the unprotected runner that it defeats
(plain, unless the field names exec and says why), `Needs:` what the machine must offer for the control to fail,
`Verdict: not ok` when the outcome itself must not be a success, `Ending: host killed` when the runner's process is
killed during the call. What follows the line NEXT_CALL is run as the next call.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ATTACKS = Path(__file__).with_name("attacks")
NEXT_CALL = "# --- the next call ---\n"
CONTROLS = ("plain", "exec")
CONDITIONS = frozenset(
    {
        "root",
        "core",
        "ptrace",
        "xattr",
        "keyring",
        "io_uring",
        "foreign_calls",
        "ipv6",
        "user_namespaces",
        "fchmodat2",
        "af_alg",
        "two_processors",
    }
)
_FIELD = re.compile(r"^(Contained|Control|Needs|Verdict|Ending): (.+)$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"@([A-Z_0-9]+)@")


class CorpusError(ValueError):
    """A file of the corpus says something the judge does not understand."""


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
    """Every attack below the folder, by category and name; last those that cost a host, which is slow to replace."""
    attacks = [_read(file) for file in sorted(folder.glob("*/*.py"))]
    return sorted(attacks, key=lambda attack: attack.host_is_killed)


def fill(code: str, values: Mapping[str, str]) -> str:
    """Put canaries, paths and ports where the snippet names them as @NAME@."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise CorpusError(f"@{match[1]}@ is no placeholder; known: {', '.join(sorted(values))}")
        return values[match[1]]

    return _PLACEHOLDER.sub(value, code)


def _read(file: Path) -> Attack:
    source = file.read_text(encoding="utf-8")
    fields = dict(_FIELD.findall(ast.get_docstring(ast.parse(source)) or ""))
    if "Contained" not in fields:
        raise CorpusError(f"{file}: does not say what contained means")
    control, _, why = fields.get("Control", "plain").partition(", because ")
    if control not in CONTROLS or (control != "plain" and not why):
        raise CorpusError(f"{file}: Control is one of {CONTROLS}, with ', because ...' unless plain")
    needs = frozenset(fields["Needs"].split(", ")) if "Needs" in fields else frozenset()
    if needs - CONDITIONS:
        raise CorpusError(f"{file}: unknown needs {sorted(needs - CONDITIONS)}")
    first, separator, following = source.partition(NEXT_CALL)
    return Attack(
        category=file.parent.name,
        name=file.stem,
        contained=fields["Contained"],
        code=first,
        following=following if separator else None,
        control=control,
        needs=needs,
        must_not_be_ok=fields.get("Verdict") == "not ok",
        host_is_killed=fields.get("Ending") == "host killed",
    )
