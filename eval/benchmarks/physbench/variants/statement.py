"""Read a question as a check sees it: numbers with units, formulas, symbols, and what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ansatz.eval.benchmarks.physbench.variants.concepts import concepts
from ansatz.eval.benchmarks.physbench.variants.unit_spelling import UNIT, spelled

_VALUE = (
    r"[-−–]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)"
    r"(?:[eE][+\-−]?\d+|\s*[×x]\s*10\s*\^\s*\{?[-−]?\d+\}?)?"
)
_SYMBOL = r"[A-Za-zα-ωΑ-Ω]\w{0,8}"
_QUANTITY = re.compile(
    rf"(?:(?<!\w)(?P<symbol>{_SYMBOL})\s*=\s*)?(?<![\w.^_])(?P<value>{_VALUE})(?![\w.]*\w?\()"
    rf"(?:[\s-]*(?P<unit>{UNIT}))?(?![\w^])"
)
_FORMULA_TOKEN = re.compile(
    r"\s*(?:(?P<operator>[-+*/^=()·×−])|(?P<number>\d+(?:\.\d+)?)|(?P<name>sin|cos|tan|exp|sqrt|log|ln|pi"
    r"|[A-Za-z](?:_\w+)?(?![A-Za-z])))"
)
_FORMULA_START = re.compile(r"(?<!\w)[A-Za-z]\w{0,8}(?:\([a-z]\)|\^\d)?\s*=\s*")
_OPTION = re.compile(r"^\(([A-F])\)\s*(.*)$", re.MULTILINE)
_ASKING = re.compile(
    r"\b(?:find|calculate|determine|compute|work out|estimate|explain|judge|derive|design|show|give|state)\b",
    re.I,
)
_QUESTION = re.compile(
    r"(?:^|[,;:(]\s*|\band\s+|\bbut\s+)"
    r"(?:(?:at|after|by|in|through|to|from|for|with) )?(?:at most |at least )?"
    r"(what|which|how|where|when|why|who|does|do|did|is|are|will|would|can|could|may|must|should)\b",
    re.I,
)
_PLAIN = (
    (re.compile(r"\\(?:mathrm|text|rm|mathit|operatorname)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree|\\circ"), "°"),
    (re.compile(r"\\(?:times)\s*"), "×"),
    (re.compile(r"\\(?:cdot)\s*"), "·"),
    (re.compile(r"\\[,;:! ]|~"), " "),
    (re.compile(r"\\(\w+)"), r"\1"),
    (re.compile(r"([\^_])\{([^{}]*)\}"), r"\1\2"),
    (re.compile(r"\$"), ""),
)


@dataclass(frozen=True)
class Mention:
    """A number where it stands: its symbol, its canonical value and unit, and its span in the text."""

    value: float
    unit: str
    symbol: str
    start: int
    end: int

    @property
    def key(self) -> tuple[float, str]:
        return (self.value, self.unit)

    def __str__(self) -> str:
        return f"{self.value:g} {self.unit}".rstrip()


@dataclass(frozen=True)
class Statement:
    """A question without its options; `text` is plain, with formulas blanked out in `prose`."""

    text: str
    options: dict[str, str]
    formulas: tuple[str, ...]
    prose: str
    mentions: tuple[Mention, ...] = field(default=())

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(part for part in re.split(r"(?<=[.?!])\s+|\n+", self.prose) if part.strip())

    @cached_property
    def asked(self) -> str:
        """The clauses that ask, from their verb or question word on."""
        return " ".join(clause for sentence in self.sentences if (clause := _asking_part(sentence)))

    @cached_property
    def words(self) -> str:
        """The prose without its numbers and their units."""
        text = self.prose
        for mention in self.mentions:
            text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
        return text

    @cached_property
    def symbols(self) -> frozenset[str]:
        """Symbols with an index or a value, Greek ones, and single letters that name a quantity."""
        named = {mention.symbol for mention in self.mentions if mention.symbol}
        indexed = re.findall(r"(?<!\w)[A-Za-z]{1,5}_\w+", self.words)
        greek = re.findall(
            r"\b(?:alpha|beta|gamma|delta|theta|phi|omega|lambda|mu|rho|sigma|tau)\b", self.words
        )
        letters = re.findall(r"(?<![\w(=])(?<!= )\(?([B-HJ-Zb-z])\)?(?=[\s,.;:?)]|$)(?!\s*=)", self.words)
        quantities = "|".join(concepts().quantities.values())
        acceleration = re.findall(rf"\b(?:{quantities}) (a)(?=,|\.|\?| and | of )", self.words)
        return frozenset({*named, *indexed, *greek, *letters, *acceleration} - {"s"})


def read_statement(text: str) -> Statement:
    """A question as the check sees it. Lines on how to report an answer are compared with the targets."""
    plain = text
    for pattern, replacement in _PLAIN:
        plain = pattern.sub(replacement, plain)
    options = dict(_OPTION.findall(plain))
    plain = _OPTION.sub("", plain)
    formulas = tuple(_formulas(plain))
    prose = plain
    for _, start, end in formulas:
        prose = prose[:start] + " " * (end - start) + prose[end:]
    return Statement(
        text=plain,
        options=options,
        formulas=tuple(formula for formula, _, _ in formulas),
        prose=prose,
        mentions=tuple(_mentions(prose)),
    )


def _mentions(prose: str) -> Iterator[Mention]:
    for found in _QUANTITY.finditer(prose):
        unit = spelled(found["unit"] or "")
        yield Mention(_number(found["value"]), unit, found["symbol"] or "", *found.span())


def _number(text: str) -> float:
    text = text.replace(",", "").replace("−", "-").replace("–", "-")
    power = re.fullmatch(r"(-?[\d.]+)\s*[×x]\s*10\s*\^\s*\{?(-?\d+)\}?", text)
    return float(f"{power[1]}e{power[2]}") if power else float(text)


def _formulas(text: str) -> Iterator[tuple[str, int, int]]:
    """Equations whose right side is more than a number with its unit, without spaces, and their spans."""
    for start in _FORMULA_START.finditer(text):
        end, names, numbers = start.end(), 0, 0
        while token := _FORMULA_TOKEN.match(text, end):
            names += bool(token["name"])
            numbers += bool(token["number"])
            end = token.end()
        quantity = _QUANTITY.match(text, start.end())
        if names and not (quantity and quantity.end() >= end):
            written = re.sub(r"[^\w)]+$", "", text[start.start() : end])
            while written.count("(") > written.count(")"):
                written = written[: written.rindex("(")].rstrip()
            yield re.sub(r"\s+", "", written), start.start(), start.start() + len(written)


def _asking_part(sentence: str) -> str:
    if "?" in sentence:
        found = _QUESTION.search(sentence)
        return sentence[found.start() :] if found else sentence
    found = _ASKING.search(sentence)
    return sentence[found.start() :] if found else ""
