"""Read the quantities that a question states, each with its unit, symbol and surrounding words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from ansatz.quantities.hedges import ABOVE, BELOW
from ansatz.quantities.letters import NAMES
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import MANTISSA, read_number, read_unit
from ansatz.quantities.scales import convert_value, find_scale

_TIMES = r"\s*(?:×|x|\*|·|\\times|\\cdot)\s*"
_NUMBER = (
    rf"(?:(?<![A-Za-z\d)])[-−+])?{MANTISSA}(?<!\.)(?:[eE][-−+]?\d+)?"
    rf"(?:{_TIMES}10\s*\^?\s*\{{?[-−+⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+\}}?)?"
)
_FOUND = re.compile(
    r"(?:(?<![A-Za-z_\\])(?P<symbol>(?:chi|V)-bar|[A-Za-zα-ωΑ-Ω\\][\w\\{},∞']{0,20}?)\$?\s*(?P<sign>:=|<=|>=|[=≈≃<>≤≥~∼])\s*)?"
    rf"(?<![\w.])(?P<number>{_NUMBER})(?P<rest>[^\n]{{0,40}})"
)
# Markup of a unit, with a replacement of equal length.
_LEVELLED = (
    (re.compile(r"\^\{([-−+]?\d)\}"), lambda found: f"^{found[1]}".ljust(len(found[0]))),
    (
        re.compile(r"\\(?:mathrm|text|textrm|rm) ?\{([^{}]{0,40})\}"),
        lambda found: found[1].rjust(len(found[0])),
    ),
    (re.compile(r"\\[,;: ]|[$`~]"), lambda found: " " * len(found[0])),
)
_SIGNS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−·⋅×µμº", "0123456789--***uu°")
_BEFORE_UNIT = re.compile(r"\s{0,12}-?(?!\s)")
_QUANTITY = r"(?:\s+(?:an? )?(?:mach|knudsen|reynolds|speed|temperature|altitude)(?: numbers?)?(?: of)?)?"
# "T_w is 300 K" and "chi is about 8" name a symbol; "the speed of sound is 300 m/s" does not. The symbols of
# dimensionless groups may also directly precede their number, as in "Kn 0.05", and so may any symbol in a
# list, as in "air (rho 1.2 kg/m3, c 343 m/s)".
_SYMBOL_IN_PROSE = re.compile(
    r"\b(?P<named>[A-Za-z]{1,2}(?:_\w+)?|[A-Za-z]+_\w+|chi(?:-bar)?|gamma|tau|theta|alpha|beta)"
    r" (?:is|of|equals|near)(?: (?:about|around|roughly|nearly|only))? $"
    r"|\b(?P<group>chi(?:-bar)?|Kn|Re|Ma|Pr|Da)(?: (?:only|about|around|roughly|nearly)){0,2} $"
    r"|(?:[(,;:]|\b(?:and|with)) ?(?P<listed>[B-HJ-Zb-z]|[A-Za-z]{1,2}_\w+|rho|mu|nu|gamma|kappa|sigma|eps"
    r"|lambda|alpha|beta|theta|omega|eta) $"
)
_LETTERS = str.maketrans(NAMES)
_SENTENCE = re.compile(r"(?<=[\w)\]%°])[.;?](?:\s|$)|\n\s*\n")
_SENTENCE_BREAK = re.compile(r"(?<=[.?!;:])\s+")
_ASKS = re.compile(
    r"(?:find|compute|calculate|estimate|determine|evaluate|give|what|which|how|where|when|why)\b",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\n\s*report your answers? as", re.IGNORECASE)
_ABOVE = re.compile(rf"(?:{ABOVE}{_QUANTITY}|[>≥])\s*$", re.IGNORECASE)
_BELOW = re.compile(rf"(?:{BELOW}{_QUANTITY}|[<≤])\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class WrittenQuantity:
    """A number that a question states."""

    number: float
    unit: str
    """As written; "-" for none."""
    symbol: str
    """Without markup; "" for none."""
    before: str
    """The words before it in its clause."""
    after: str
    """The words after it in its clause."""
    is_range: bool = False
    """Whether it is an end of a range ("1000 to 5000 K"), and so no single value."""
    limit: int = 0
    """1 for a lower limit ("above Mach 5"), -1 for an upper limit, otherwise 0."""
    start: int = -1
    """Its offset in the text."""
    end: int = -1
    """The offset of its end in the text."""

    def to(self, unit: str) -> float | None:
        """Convert the number to `unit`; None if the dimensions differ."""
        return convert_value(self.number, self.unit, unit)

    def format(self, name: str = "") -> str:
        """Format it with its symbol, or with `name` if it has none: "Kn = 0.3"."""
        sign = {1: ">", -1: "<"}.get(self.limit, "=")
        return f"{self.symbol or name} {sign} {self.number:g} {self.unit}".removesuffix(" -")


@cache
def find_linear_conversion(stated: str, unit: str) -> tuple[float, float] | None:
    """Convert 0 and 1 of a unit to another, which determines every conversion, also with an offset."""
    zero, one = convert_value(0.0, stated, unit), convert_value(1.0, stated, unit)
    return None if zero is None or one is None else (zero, one)


def find_givens(text: str) -> tuple[WrittenQuantity, ...]:
    """Return every number that `text` states, in order, without the blank answer lines at its end."""
    return _find_givens(remove_blanks(text))


@lru_cache(maxsize=8)  # one search needs them several times
def _find_givens(prose: str) -> tuple[WrittenQuantity, ...]:
    return tuple(
        given for start, sentence in split_sentences(prose) for given in _find_in_sentence(sentence, start)
    )


def remove_blanks(text: str) -> str:
    """Remove the lines of a question that specify how to report the answers."""
    return _BLANKS.split(text)[0]


def remove_givens(text: str) -> str:
    """Return the prose of a question without numbers, their symbols and units, and answer blanks."""
    parts, end = [], 0
    for given in find_givens(text):
        parts.append(text[end : given.start])
        end = given.end
    prose = " ".join("".join([*parts, remove_blanks(text)[end:]]).split())
    return re.sub(r" (?=[,.;:?!])", "", prose)


def split_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield each sentence with its offset; decimal points do not end a sentence."""
    start = 0
    for end in _SENTENCE.finditer(text):
        yield start, text[start : end.start()]
        start = end.end()
    yield start, text[start:]


def find_asking_sentence(question: str) -> str:
    """Return the last sentence that asks or, without one, the last. The others describe circumstances."""
    sentences = [sentence for sentence in map(str.strip, _SENTENCE_BREAK.split(question)) if sentence]
    asking = [sentence for sentence in sentences if sentence.endswith("?")] or [
        sentence for sentence in sentences if _ASKS.match(sentence)
    ]
    return (asking or sentences or [""])[-1]


@cache
def remove_symbol_markup(symbol: str) -> str:
    """Remove the markup of a symbol: `V_\\infty`, `V_{inf}` and `V∞` are all `V_inf`."""
    spelled = symbol.replace("\\infty", "inf").replace("∞", "_inf").replace("\\", "").translate(_LETTERS)
    return re.sub(r"_+", "_", re.sub(r"[{},']", "", spelled).replace("-", "_")).strip("_")


def compact_symbol(symbol: str) -> str:
    """Remove markup and underscores, so that `V_inf` and `Vinf` are one symbol."""
    return remove_symbol_markup(symbol).replace("_", "")


def _find_in_sentence(sentence: str, offset: int) -> Iterator[WrittenQuantity]:
    start, earlier = 0, ""
    while found := _FOUND.search(sentence, start):
        unit, end = _read_unit(found)
        after = re.split(r"[,=\d]", sentence[end : end + 40])[0]
        before = sentence[start : found.start()][-70:]
        clause = before.lower()
        number = read_number(to_plain_text(re.sub(_TIMES, "*", found["number"])))
        prose = _SYMBOL_IN_PROSE.search(before)
        symbol = found["symbol"] or (prose["named"] or prose["group"] or prose["listed"] if prose else "")
        is_range, earlier = _is_range(earlier, clause, after, unit), f"{clause} {unit}"
        limit = _read_limit(found["sign"] or before)
        place = (offset + found.start(), offset + end)
        name = remove_symbol_markup(symbol)
        if number:  # None for a number too large, such as 10^999
            yield WrittenQuantity(number.value, unit, name, before, after, is_range, limit, *place)
        start = end


def _read_limit(before: str) -> int:
    """Return 1 if the words before a number make it a lower limit, -1 for an upper limit, otherwise 0."""
    return bool(_ABOVE.search(before)) - bool(_BELOW.search(before))


def _is_range(earlier: str, before: str, after: str, unit: str) -> bool:
    """Whether a number is an end of a range: "between 2 and 3 K", "2 to 3 K", but not "from 2 K to 3 K"."""
    bare = earlier.endswith(" -")
    starts = before.endswith("between ") or (unit == "-" and after.strip() in ("to", "–"))
    ends = ("between " in earlier and before.strip() == "and") or (bare and before.strip() in ("to", "–"))
    return starts or ends


def _read_unit(found: re.Match[str]) -> tuple[str, int]:
    """Return the unit after a number as written, and the offset of its end."""
    rest = found["rest"]
    for markup, level in _LEVELLED:
        rest = markup.sub(level, rest)
    before = _BEFORE_UNIT.match(rest)
    start = before.end() if before else 0
    unit, end = read_unit(rest.translate(_SIGNS), start)
    written = rest[start:end].strip()
    if unit.strip("-") and find_scale(written) is not None:
        return written, found.start("rest") + end
    return "-", found.end("number")
