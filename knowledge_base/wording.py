"""How prose speaks of the axes: the words for each quantity, and the phrases that fix a choice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

# Subscripts under which a quantity of the free stream is written.
_FREE = r"(?:_?(?:inf|infty|infinity|1|0|free|fs))?"
# What takes a phrase back, before it ("not fully catalytic") or after ("ionization is negligible").
_NEGATED = re.compile(r"(?:non-?|not |\bno[ -]|without |never |un|neither )$", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"[\s,]*(?:is|are|being|can be|may be)?\s*(?:negligible|neglected|ignored|absent|excluded)"
)


class Quantity(NamedTuple):
    """A quantity that a question may state: by its symbol, or by words in the same clause."""

    axis: str
    unit: str
    symbol: re.Pattern[str]
    words: re.Pattern[str]
    never: re.Pattern[str]


class Phrase(NamedTuple):
    """A phrase that fixes a word axis, unless a negation stands before it."""

    axis: str
    word: str
    pattern: re.Pattern[str]

    def stated_in(self, text: str) -> bool:
        """Whether the phrase occurs and is not taken back."""
        return any(
            not _NEGATED.search(text[max(0, found.start() - 10) : found.start()])
            and not _TAKEN_BACK.match(text, found.end())
            for found in self.pattern.finditer(text)
        )


@cache
def quantities() -> tuple[Quantity, ...]:
    return tuple(_quantity(fields) for fields in _file()["quantities"])


@cache
def phrases() -> tuple[Phrase, ...]:
    return tuple(
        Phrase(axis, word, re.compile(pattern, re.IGNORECASE))
        for axis, patterns in _file()["phrases"].items()
        for word, pattern in patterns.items()
    )


def _quantity(fields: Mapping[str, str]) -> Quantity:
    return Quantity(
        fields["axis"],
        fields["unit"],
        re.compile(f"^(?:{fields['symbol'].replace('{free}', _FREE)})$"),
        re.compile(fields["words"], re.IGNORECASE),
        re.compile(fields.get("never", "(?!)"), re.IGNORECASE),
    )


@cache
def _file() -> Any:
    return yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
