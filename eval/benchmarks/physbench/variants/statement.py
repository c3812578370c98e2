"""Read a question as a check sees it: numbers with units, formulas, symbols, and what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from ansatz.eval.benchmarks.physbench.variants.asking import asking_part, report_lines
from ansatz.eval.benchmarks.physbench.variants.concepts import concepts
from ansatz.eval.benchmarks.physbench.variants.numerals import in_digits
from ansatz.eval.benchmarks.physbench.variants.unit_spelling import UNIT, spelled

_REPORT = re.compile(r"\n*(?:Report your answers? as|Answer in a few sentences).*\Z", re.DOTALL)
_VALUE = (
    r"[-−–]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*|\.\d+)"
    r"(?:[eE][+\-−]?\d+|\s*[×x·*]\s*10\s*(?:\^|\*\*)\s*\{?[-−]?\d+\}?)?"
)
_SYMBOL = r"[A-Za-zα-ωΑ-Ω]\w{0,8}"
_SHORT = (
    r"(?:(?!a |A |I )[A-Za-z]|[A-Za-z]{1,5}_\w+|alpha|beta|gamma|theta|phi|omega|lam|lambda|mu|rho|sigma|tau)"
)
_QUANTITY = re.compile(
    rf"(?:(?<!\w)(?P<symbol>{_SYMBOL})\s*=\s*|(?<![\w'])(?P<named>{_SHORT}) (?:of|is|equals|being) )?"
    rf"(?<![\w.^_])\+?(?P<value>{_VALUE})(?![\w.]*\w?\()"
    rf"(?:[\s-]*(?P<unit>{UNIT}))?(?![\w^])(?: \((?P<after>{_SHORT})\))?"
)
_FORMULA_TOKEN = re.compile(
    r"\s*(?:(?P<operator>[-+*/^=()·×−])|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)|(?P<name>sin|cos|tan|exp|sqrt|log|ln|pi"
    r"|[A-Za-z](?:_\w+)?(?![A-Za-z])))"
)
_FORMULA_START = re.compile(r"(?<!\w)[A-Za-z]\w{0,8}(?:\([a-z]\)|\^\d)?\s*=\s*")
_OPTION = re.compile(r"^\(([A-F])\)\s*(.*)$", re.MULTILINE)
_PLAIN = (
    (re.compile(r"\\(?:mathrm|text|rm|mathit|operatorname)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree|\\circ"), "°"),
    (re.compile(r"\\(?:times)\s*"), "×"),
    (re.compile(r"\\(?:cdot)\s*"), "·"),
    (re.compile(r"\\[,;:! ]|~"), " "),
    (re.compile(r"\\(\w+)"), r"\1"),
    (re.compile(r"([\^_])\{([^{}]*)\}"), r"\1\2"),
    (re.compile(r"\$"), ""),
    (re.compile(r"[’‘]"), "'"),
    (re.compile(r"[\u00a0\u202f\u2009]"), " "),
)
_SUPERSCRIPT = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


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
        """The value and the unit; turns of a coil are only counted."""
        return (self.value, "" if self.unit == "turn" else self.unit)

    @property
    def is_count(self) -> bool:
        """Whether it only counts things, as a word like "three" would; "one revolution" is "a revolution"."""
        if self.key == (1.0, "rev") and not self.symbol:
            return True
        return self.unit in ("", "turn") and not self.symbol and self.value in range(100)

    def __str__(self) -> str:
        return f"{self.value:g} {self.unit}".rstrip()


@dataclass(frozen=True)
class Statement:
    """A question without its options; `text` is plain, with formulas blanked out in `prose`."""

    text: str
    options: dict[str, str]
    formulas: tuple[str, ...]
    prose: str
    report: dict[str, str] = field(default_factory=dict)
    mentions: tuple[Mention, ...] = field(default=())

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The symbols that it wants reported, by its lines "v = ___ m/s"."""
        return frozenset(self.report)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(part for part in re.split(r"(?<=[.?!])\s+|\n+", self.prose) if part.strip())

    def sentence_at(self, place: int) -> str:
        """The sentence that a place of the prose is in."""
        ends = [found.end() for found in re.finditer(r"[.?!](?=\s)|\n", self.prose)]
        begin = max((end for end in ends if end <= place), default=0)
        return self.prose[begin : min((end for end in ends if end > place), default=len(self.prose))]

    @cached_property
    def asked(self) -> str:
        """The clauses that ask, from their verb or question word on."""
        return " ".join(self.asking)

    @cached_property
    def asking(self) -> tuple[str, ...]:
        """The clauses that ask, one a sentence."""
        return tuple(clause for sentence in self.sentences if (clause := asking_part(sentence)))

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The clauses that ask, without their numbers and units."""
        sentences = re.split(r"(?<=[.?!])\s+|\n+", self.words)
        return tuple(part for sentence in sentences if (part := asking_part(sentence)))

    @cached_property
    def words(self) -> str:
        """The prose without its numbers and their units."""
        text = self.prose
        for mention in self.mentions:
            if mention.is_count:
                continue
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


@lru_cache(maxsize=256)  # an original is compared with several candidates
def read_statement(text: str) -> Statement:
    """A question as the check sees it. Lines on how to report an answer only tell what is wanted."""
    plain = _REPORT.sub("", text)
    for pattern, replacement in _PLAIN:
        plain = pattern.sub(replacement, plain)
    plain = _SUPERSCRIPT.sub(lambda found: f"^{found[0].translate(_LOWERED)}", plain)
    plain = in_digits(plain)
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
        report=report_lines(text),
        mentions=tuple(_mentions(prose)),
    )


def _mentions(prose: str) -> Iterator[Mention]:
    for found in _QUANTITY.finditer(prose):
        unit = spelled(found["unit"] or "")
        symbol = found["symbol"] or found["named"] or found["after"] or ""
        end = found.end() - found[0].endswith(".")  # the end of a sentence, as in "n = 6."
        yield Mention(_number(found["value"]), unit, symbol, found.start(), end)


def _number(text: str) -> float:
    text = text.replace(",", "").replace("−", "-").replace("–", "-")
    power = re.fullmatch(r"(-?[\d.]+)\s*[×x·*]\s*10\s*(?:\^|\*\*)\s*\{?(-?\d+)\}?", text)
    return float(f"{power[1]}e{power[2]}") if power else float(text)


def _formulas(text: str) -> Iterator[tuple[str, int, int]]:
    """Equations whose right side is more than a number with its unit, without spaces, and their spans."""
    for start in _FORMULA_START.finditer(text):
        end, has_names = _formula_end(text, start.end())
        quantity = _QUANTITY.match(text, start.end())
        written = re.sub(r"[^\w)]+$", "", text[start.start() : end])
        while written.count("(") != written.count(")"):
            written = written[: max(written.rfind("("), written.rfind(")"))].rstrip()
        if has_names and not (quantity and quantity.end() >= start.start() + len(written)):
            yield re.sub(r"\s+", "", written), start.start(), start.start() + len(written)


def _formula_end(text: str, end: int) -> tuple[int, bool]:
    """Where a right side ends that begins at a place, and whether it has names in it."""
    has_names = False
    while token := _FORMULA_TOKEN.match(text, end):
        if token["name"] in ("a", "A") and re.match(r"\s+[a-z]{2,}", text[token.end() :]):
            break  # an article behind the formula, not a factor
        has_names = has_names or bool(token["name"])
        end = token.end()
    return end, has_names
