"""From a question's text to its givens and targets, read the way a hurried person reads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ansatz.agents.slide_rule.units import ONE, Unit, parse_unit, plain_text
from ansatz.agents.slide_rule.words import content_words, phrase

WORKING_MEMORY = 6  # givens kept in mind at once (Miller's seven, plus or minus two, less one for the target)

_NUMBER = r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+|\s*[×x]\s*10\^?\{?[-+]?\d+\}?)?"
_UNIT = r"(?:1/)?[A-Za-z°µμ%][^\s,;:()\[\]]*(?:\([^()]*\)[^\s,;:()]*)?"
_QUANTITY = re.compile(
    rf"(?:(?P<symbol>[^\W\d][\w∞']*)\s*(?:=|≈)\s*)?(?<![\w.^])(?P<number>{_NUMBER})(?![\w]*\])\s*(?P<unit>{_UNIT})?"
)
_REPORT = re.compile(r"^[ \t]*report your answers? as\b.*:?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_BLANK = re.compile(
    r"^[\s*-]*(?P<symbol>[^\s=:*]+)\**\s*(?P<sign>[=:])\s*_+[ \t]*(?P<unit>\S.*)?$", re.MULTILINE
)
_FIND = re.compile(
    r"\b(?:find|determine|calculate|compute|estimate|what (?:is|are)|evaluate)\b", re.IGNORECASE
)
_PREPOSITION = re.compile(r"\b(?:at|with|from|for|and|flies|flows|along|through)\b|,", re.IGNORECASE)
_SYMBOL = re.compile(r"(?<!\w)(?:[^\W\d_]\w*_\w+|[^\W\d_](?<!a))(?!\w)")
_LABELS = re.compile(
    r"^[ \t*#-]*(Given|Find|Approach|Assumptions)[ \t*]*:[ \t*]*", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True)
class Given:
    """A quantity in SI, as written (`text`) and with the words around it (`about`).

    `step` is the step that found it, if it is a result; `assumed` marks what nobody stated.
    """

    symbol: str
    value: float
    unit: Unit
    text: str
    about: str = ""
    step: int | None = None
    assumed: bool = False

    @property
    def words(self) -> frozenset[str]:
        return content_words(self.about)


@dataclass(frozen=True)
class Target:
    """A quantity asked for, or a word such as a phase (`label`). `unit` is None where none was asked."""

    symbol: str
    unit: Unit | None
    unit_text: str
    words: frozenset[str]
    label: bool = False


@dataclass(frozen=True)
class Formulation:
    """A problem set up by someone: its givens as written, and how to approach it."""

    given: str
    approach: str = ""
    assumptions: str = ""


@dataclass(frozen=True)
class Reading:
    body: str
    givens: tuple[Given, ...]
    targets: tuple[Target, ...]
    approach: frozenset[str] = field(default=frozenset())
    assumptions: str = ""
    formulated: bool = False

    @property
    def text(self) -> str:
        """All that says something about the case: the question and the assumptions it was given."""
        return f"{self.body}\n{self.assumptions}".lower()


def read(question: str, formulation: Formulation | None = None) -> Reading:
    """Givens from a formulation as they stand, otherwise from the text with this reader's slips."""
    question = plain_text(question)
    report = next(reversed(list(_REPORT.finditer(question))), None)
    body, blanks = (question[: report.start()], question[report.end() :]) if report else (question, "")
    body = body.strip()
    targets = _blanks(blanks, body) or _targets_in_prose(body)
    if formulation is None:
        return Reading(body, _with_slips(body), targets)
    givens = quantities(plain_text(formulation.given), separate=True)
    assumptions = f"{formulation.approach}\n{formulation.assumptions}"
    return Reading(body, givens, targets, content_words(formulation.approach), assumptions, True)


def read_formulation(text: str) -> Formulation | None:
    """The last `Given: … Find: … Approach: … Assumptions: …` in the text that holds quantities."""
    parts: dict[str, str] = {}
    labels = list(_LABELS.finditer(text))
    ends = [label.start() for label in labels[1:]] + [len(text)]
    for label, end in zip(labels, ends, strict=False):
        content = text[label.end() : end].split("\n\n")[0].strip()
        parts[label.group(1).lower()] = content
    if not any(True for _ in quantities(parts.get("given", ""))) or "find" not in parts:
        return None
    return Formulation(parts["given"], parts.get("approach", ""), parts.get("assumptions", ""))


def holds_quantity(text: str) -> bool:
    return bool(quantities(plain_text(text)))


def quantities(text: str, separate: bool = False) -> tuple[Given, ...]:
    """Every `symbol = value unit`, and every bare value with a unit, each with the words that describe it.

    `separate`: the text is a list, in which a quantity's words stand in its own item.
    """
    found: list[Given] = []
    end = start = 0
    while match := _QUANTITY.search(text, start):
        given = _quantity(match, text)
        if given is None:
            start = match.end("number")
            continue
        before = _nearest_phrase(re.split(r"[.;:]\s", text[end : match.start()])[-1])
        end = match.start("number") + text[match.start("number") :].index(given.text) + len(given.text)
        remark = re.match(r"\s*\(([^)]*)\)", text[end:])
        about = before if not remark else f"{before} {remark.group(1)}"
        if separate and not remark:
            about = f"{before} {re.split(r'[,;]| and |$', text[end:], maxsplit=1)[0]}"
        found.append(replace(given, about=phrase(about)))
        start = end
    return tuple(found)


def _nearest_phrase(text: str) -> str:
    """The words after the last preposition that has any: "the drag at a distance x" is a distance."""
    for part in reversed(_PREPOSITION.split(text)):
        if phrase(part):
            return part
    return text


def _quantity(match: re.Match[str], text: str) -> Given | None:
    unit_text, unit = _trimmed_unit(match["unit"] or "")
    bare = match["symbol"] is None
    if bare and not unit_text and not re.search(r"\b(?:of|is|=)\s*$", text[: match.start("number")]):
        return None
    number = re.sub(r"\s*[×x]\s*10\^?\{?([-+]?\d+)\}?", r"e\1", match["number"]).replace(",", "")
    stated = match.string[match.start("number") : match.end("number")]
    if unit_text:
        stated = match.string[match.start("number") : match.start("unit") + len(unit_text)]
    return Given(match["symbol"] or "", unit.to_si(float(number)), unit, stated)


def _trimmed_unit(text: str) -> tuple[str, Unit]:
    """The unit at the start of a token that may end in punctuation; none if it is an ordinary word."""
    while text:
        unit = parse_unit(text)
        if unit is not None:
            return text, unit
        shorter = text.rstrip(".,:?!'")
        text = shorter if shorter != text else ""
    return "", ONE


def _with_slips(body: str) -> tuple[Given, ...]:
    """An own reading: micro is read as milli, cm² is converted as if only once centi, lists get mixed up."""
    slipped = re.sub(r"(?<=\d)(\s*)[µμ]m\b", r"\1mm", body)
    slipped = re.sub(r"\bcm(?:\^|\*\*)2", "cm·m", slipped)
    kept = quantities(slipped)[:WORKING_MEMORY]
    givens = [replace(given, text=given.text.replace("cm·m", "cm^2")) for given in kept]
    for first, second in zip(range(len(givens)), range(1, len(givens)), strict=False):
        one, other = givens[first], givens[second]
        if (
            one.unit.same_kind(other.unit)
            and one.symbol
            and other.symbol
            and not one.about
            and not other.about
        ):
            givens[first] = replace(one, value=other.value, text=other.text, unit=other.unit)
            givens[second] = replace(other, value=one.value, text=one.text, unit=one.unit)
    return tuple(givens)


def _blanks(report: str, body: str) -> tuple[Target, ...]:
    targets = []
    for blank in _BLANK.finditer(report):
        unit_text = (blank["unit"] or "").strip().rstrip(".,;")
        unit = parse_unit(unit_text)
        label = blank["sign"] == ":" and not unit_text
        words = _words_about(blank["symbol"], body)
        targets.append(Target(blank["symbol"], None if label else unit or ONE, unit_text, words, label))
    return tuple(targets)


def _words_about(symbol: str, body: str) -> frozenset[str]:
    """The words around a symbol where it is named, else those of the sentence that asks."""
    asked = _FIND.split(body)[-1] if _FIND.search(body) else body.split(". ")[-1]
    for text in (asked, body):
        if found := re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)(?!\s*=\s*[-+\d])", text):
            before = re.split(r"[.;,]\s| and ", text[: found.start()])[-1].split()[-6:]
            rest = re.split(r"[.;](?:\s|$)", text[found.end() :])[0]
            after = re.split(r",(?:\s|$)| and ", rest)[0].split()[:6]
            if not after and (last := list(_SYMBOL.finditer(rest))):
                after = rest[last[-1].end() :].split()[:6]  # "T_2 and p_2 behind the shock": said of both
            return content_words(" ".join(before + after))
    return content_words(" ".join(asked.split()[:14]))


def _targets_in_prose(body: str) -> tuple[Target, ...]:
    """For a question without a list of answers: the quantity after "find", in a unit after "in" if named."""
    if not _FIND.search(body):
        return ()
    asked = re.split(r"[.?](?:\s|$)", _FIND.split(body)[-1])[0]
    unit_text, unit = "", ONE
    if found := re.search(rf"\bin ({_UNIT})", asked):
        unit_text, unit = _trimmed_unit(found.group(1))
    symbols = [
        word.strip(",;")
        for word in asked.split()
        if re.fullmatch(r"[^\W\d]\w?|[^\W\d]\w*_\w+", word.strip(",;"))
    ]
    symbols = [
        symbol
        for symbol in symbols
        if symbol not in ("of", "in", "at", "to", "is", "it", "by", "a", "an", "on")
    ]
    symbol = symbols[0] if symbols else "answer"
    return (Target(symbol, unit if unit_text else None, unit_text, content_words(asked)),)
