"""Repair of what optical character recognition and careless decoding do to a text, each change recorded.

A rule either cannot harm a sound text, or changes it only where the record proves the reading: a symbol or
a number is mended when a declared given has that name or that value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ansatz.eval.curation.candidates import Candidate, Repair
from ansatz.eval.curation.mojibake import mend_mojibake

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
# Full-width letters, digits and signs are typing habits; Chinese punctuation is text and stays.
_FULL_WIDTH = str.maketrans(
    {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F) if chr(code) not in ",.;:!?()'\"[]{}"}
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028\u2029\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_MINUS = "-−–"
_SPACED_POWER = re.compile(rf"(?<=\d)(\s*[×xX]\s*10)\s+([{_MINUS}]?\s?\d{{1,2}})(?![\d.]|\s*[×xX=])")
_SIGNED_POWER = re.compile(r"(?<=\d)(\s*[×xX]\s*10)([-−–]\s?\d{1,2})(?![\d.])")
_GLUED_POWER = re.compile(r"(?<![\w.])(\d(?:\.\d+)?)(\s*[×xX]\s*10)(\d{1,2})(?![\d.])")
_BROKEN_WORD = re.compile(r"(?<=[a-z]{2})-[ \t]*\r?\n[ \t]*(?=[a-z]{2})")
_PAGE_LINE = re.compile(
    r"(?m)^[ \t]*(?:page[ \t]+|[-–—][ \t]*)?\d{1,4}(?:[ \t]*[-–—])?[ \t]*$\n?", re.IGNORECASE
)
_PAGE_IN_WORD = re.compile(r"(?<![\w./^])([a-z]{5,})(\d{2,4})(?![\w.%/^])")
_METRE = re.compile(r"(?<=[\d)] )rn(?=[\s,.;/^·²³]|$)|(?<=\d)rn(?=[/^])|(?<=/)rn(?=[\s,.;^·²³\d)*]|$)")
_DEGREE = re.compile(r"(?<=\d)(\s?)[oº](?=[CF]\b)")
_UNIT = r"(?:K|Pa|kPa|MPa|GPa|bar|atm|m|cm|mm|km|kg|g|s|ms|W|kW|MW|J|kJ|MJ|N|kN|deg|rad|mol|Hz|%)"
_MISREAD_NUMBER = re.compile(
    rf"(?<==)(\s*)([-−+]?[\dOolI|][\dOolI|,]*(?:\.[\dOolI|]+)?(?:[eE][-+]?\d+)?)(?=\s+{_UNIT}\b|\s*[,;.]?(?:\s|$))"
)
_DIGITS = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "|": "1"})
_LONE_SIGN = re.compile(
    r"(?<![\w.^/=+\-*])([A-Za-z0-9](?:_\w+)?)(\s*=\s*)([-−+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
)
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff]")
_GARBAGE_SHARE = 0.02

Rule = tuple[str, Callable[[str], str]]

_RULES: tuple[Rule, ...] = (
    ("mojibake", mend_mojibake),
    ("full_width", lambda text: text.translate(_FULL_WIDTH)),
    ("ligature", lambda text: text.translate(_LIGATURES)),
    ("broken_word", lambda text: _BROKEN_WORD.sub("", text)),
    ("invisible_character", lambda text: _INVISIBLE.sub("", text)),
    ("special_space", lambda text: _SPACES.sub(" ", text)),
    ("lost_superscript", lambda text: _powers(text)),
    ("misread_metre", lambda text: _METRE.sub("m", text)),
    ("misread_degree", lambda text: _DEGREE.sub(r"\1°", text)),
)
# In prose only: a unit or a name may well be a number or end in one.
_TEXT_RULES: tuple[Rule, ...] = (
    (
        "page_number",
        lambda text: _PAGE_IN_WORD.sub(r"\1", _PAGE_LINE.sub("", text) if "\n" in text else text),
    ),
)


def repair(candidate: Candidate) -> Candidate:
    """The candidate with its texts mended and every change recorded. A sound record comes back as it is."""
    repairs: list[Repair] = []
    fields = {name: _mended(value, name, repairs) for name, value in candidate.fields.items()}
    for name in ("question", "context"):
        if isinstance(fields.get(name), str):
            text = _by_rules(fields[name], name, _TEXT_RULES, repairs)
            fields[name] = _by_context(text, name, fields.get("given") or [], repairs)
    if not repairs:
        return candidate
    return replace(candidate, fields=fields, repairs=(*candidate.repairs, *repairs))


def garbage(text: str) -> str | None:
    """Why a text is beyond repair, or None: too many characters that stand for no letter."""
    unreadable = len(_UNREADABLE.findall(text))
    if unreadable > _GARBAGE_SHARE * len(text):
        return f"{unreadable} of {len(text)} characters are unreadable"
    words = re.findall(r"\S+", text)
    broken = [
        word for word in words if re.search(r"[^\W\d_][#@~¬¤§¦|\\^*]{1,}[^\W\d_]", word) and "\\" not in word
    ]
    if len(words) >= 8 and len(broken) > len(words) / 5:
        return f"{len(broken)} of {len(words)} words hold signs in place of letters"
    return None


def unreadable_signs(text: str) -> int:
    """How many characters of a text were lost (replacement characters and private-use ones)."""
    return len(_UNREADABLE.findall(text))


def _mended(value: Any, field: str, repairs: list[Repair]) -> Any:
    """A field of any shape with the safe rules applied to each text in it."""
    if isinstance(value, str):
        return value if field in ("id", "family") else _by_rules(value, field, _RULES, repairs)
    if isinstance(value, Mapping):
        return {name: _mended(part, f"{field}.{name}", repairs) for name, part in value.items()}
    if isinstance(value, list):
        return [_mended(part, f"{field}[{index}]", repairs) for index, part in enumerate(value)]
    return value


def _by_rules(text: str, field: str, rules: tuple[Rule, ...], repairs: list[Repair]) -> str:
    for name, rule in rules:
        changed = rule(text)
        if changed != text:
            repairs.append(Repair(name, field, *_difference(text, changed)))
            text = changed
    return text


def _powers(text: str) -> str:
    def joined(found: re.Match[str]) -> str:
        exponent = found[2].replace(" ", "").replace("−", "-").replace("–", "-")
        return f"{found[1]}^{exponent}"

    return _SIGNED_POWER.sub(joined, _SPACED_POWER.sub(joined, text))


def _by_context(text: str, field: str, given: list[Any], repairs: list[Repair]) -> str:
    """Mend symbols and numbers that the declared givens prove to be misread."""
    values = [(str(each.get("name", "")), each["value"]) for each in given if _is_number(each.get("value"))]
    for rule, pattern, read in (
        ("lost_superscript", _GLUED_POWER, _glued_power),
        ("misread_digit", _MISREAD_NUMBER, _misread_number),
    ):
        changed = pattern.sub(lambda found, read=read: read(found, values) or found[0], text)  # type: ignore[misc]
        if changed != text:
            repairs.append(Repair(rule, field, *_difference(text, changed)))
            text = changed
    for before, after in _misread_symbols(text, values):
        repairs.append(Repair("misread_symbol", field, before, after))
        text = text.replace(before, after, 1)
    return text


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_value(number: float, values: list[tuple[str, float]]) -> bool:
    return any(abs(number - value) <= 1e-9 * abs(value) for _, value in values)


def _glued_power(found: re.Match[str], values: list[tuple[str, float]]) -> str | None:
    number = float(found[1]) * 10.0 ** int(found[3])
    return f"{found[1]}{found[2]}^{found[3]}" if _is_value(number, values) else None


def _misread_number(found: re.Match[str], values: list[tuple[str, float]]) -> str | None:
    written = found[2]
    if not re.search(r"[OolI|]", written):
        return None
    digits = written.translate(_DIGITS)
    number = float(digits.replace(",", "").replace("−", "-"))
    # Without a digit of its own ("= O") the token is a word unless a given has just that value.
    if _is_value(number, values) or (re.search(r"\d", written) and not re.fullmatch(r"[OI]\d", written)):
        return f"{found[1]}{digits}"
    return None


def _misread_symbols(text: str, values: list[tuple[str, float]]) -> Iterator[tuple[str, str]]:
    """A sign before `= number` that is no given, where the number is that of a given not in the text.

    A subscript must be that of the given.
    """
    names = {name for name, _ in values}
    for found in _LONE_SIGN.finditer(text):
        if found[1] in names:
            continue
        number = float(found[3].replace("−", "-"))
        missing = [
            name
            for name, value in values
            if abs(number - value) <= 1e-9 * abs(value)
            and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
            and name.partition("_")[2] == found[1].partition("_")[2]
        ]
        if len(missing) == 1 and missing[0]:
            yield found[0], f"{missing[0]}{found[2]}{found[3]}"


def _difference(before: str, after: str) -> tuple[str, str]:
    """The stretch in which two texts differ, with a little around it, for the record."""
    start = next(
        (place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other),
        min(len(before), len(after)),
    )
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    low = max(0, start - 12)
    return before[low : len(before) - end + 12 if end > 12 else None], after[
        low : len(after) - end + 12 if end > 12 else None
    ]
