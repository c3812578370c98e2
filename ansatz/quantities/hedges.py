"""Detect quantities that a text mentions but does not assert: ranges, limits, alternatives and denials.

Only the words of the same sentence directly before and after a quantity are read.
"""

from __future__ import annotations

import re

from ansatz.quantities.notation import NUMBER
from ansatz.quantities.scales import Quantity, convert_value, is_close
from ansatz.quantities.terms import NAME, read_quantity

TAKEN_BACK = ("denied", "rejected")
"""The reasons that do not affect an earlier statement of another value."""
_BEFORE, _AFTER = 200, 120  # characters of the sentence that are read
_SAME = 0.02  # relative: tolerance of one value that is given twice, rounded or converted
_END = re.compile(r"[\n|]|[.;?!](?=\s)")
_NAMED = rf"(?P<name>{NAME} ?(?:[=≈:]|is) ?)?"
_ABOUT = (
    r"(?:(?:about|approximately|roughly|around|nearly|exactly|precisely|simply|just|only|even|perhaps|maybe"
    r"|possibly|rather|be|equals?|equal to|the|an?|its|value|values|answer|power of|of|to be) )*"
)
_AT_END = rf"[ (\[\"']*{_ABOUT}[≈ ]*{_NAMED}[(\[\"' ≈]*$"
_NOT = "(?<!no )(?<!not )(?<!never )"
_MORE, _LESS = "(?:more|greater|larger|higher|faster|bigger)", "(?:less|smaller|lower|slower|fewer)"
ABOVE = (
    rf"\b(?:above|beyond|over|exceed(?:s|ed|ing)?|{_NOT}{_MORE} than|at least|as (?:low|little|small) as"
    rf"|(?:not?|never) {_LESS} than|not (?:below|under)|(?:lower|minimum) (?:bound|limit)(?: of| is)?)"
)
"""A pattern of words that make the following number a lower limit; `BELOW` an upper limit."""
BELOW = (
    rf"\b(?:below|under|up to|within|{_NOT}{_LESS} than|at most|as (?:high|much|large|many) as"
    rf"|(?:not?|never) {_MORE} than|not (?:above|over|exceeding)"
    r"|(?:upper|maximum) (?:bound|limit)(?: of| is)?)"
)
_LIMIT = re.compile(rf"(?:{ABOVE}|{BELOW}|>>?=?|<<?=?|[≥≳≤≲]){_AT_END}", re.IGNORECASE)
_LIMIT_AFTER = re.compile(
    r"[ ,(]*(?:at (?:the )?(?:very )?(?:most|least)\b|(?:and|or) (?:more|less|above|below|higher|lower"
    r"|greater|smaller|fewer|beyond)\b(?! than)|(?:is|was|as|being)? ?an? (?:upper|lower) (?:bound|limit)\b)",
    re.IGNORECASE,
)
_LIMITS_NAME = re.compile(r" ?[<>]=? ?[A-Za-z]")  # 1.5 kW < P
_IS_STATED = re.compile(r"(?:[=≈:]|\b(?:is|are|was|be|equals))[ (\[]*$")
_DENIED = re.compile(
    r"(?:\b(?:not|never|neither|nor|cannot|rather than|instead of|unlike|except"
    rf"|(?:differs?|different|far) from)|n't|!=|≠){_AT_END}",
    re.IGNORECASE,
)
_TEMPTED = re.compile(
    r"\b(?:tempt(?:ed|ing)|wrongly|mistaken(?:ly)?|erroneous(?:ly)?|incorrect(?:ly)?|naive(?:ly)?"
    r"|(?:wrong|false) (?:value|result|answer))\b[^,]*$",
    re.IGNORECASE,
)
_WRONG = (
    r"(?:wrong|incorrect|impossible|mistaken|false|unphysical|a mistake|an error"
    r"|(?:not|n't) (?:right|correct|possible|valid|the (?:right|correct|real|actual|final)))"
)
_BE = r"(?:is|was|are|were|would be|must be|seems|looks|'s|isn't|cannot be|can't be)"
_REJECTED = re.compile(
    rf"[ )\"']*(?:(?:[.,;:!-]+ ?(?:(?:but|no|oh|wait|hmm+|however|actually|oops|sorry)\b[,.! ]*)*"
    rf"(?:that|this|which|it|the (?:value|result|answer)) ?)|,? ?(?:which|but (?:that|this|it)) )?"
    rf"{_BE} (?:(?:clearly|obviously|definitely|surely|simply) )?"
    rf"(?:{_WRONG}|(?<=isn't )(?:right|correct|the))\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:%|\b(?:percent|fraction|multiple|share|part|thirds?|quarters?|tenths?|half)) of (?:the |its )?$"
    r"|\b(?:times|twice|thrice|double|triple|half|proportional to)(?: the)? ?$",
    re.IGNORECASE,
)
_ADDS = re.compile(r" ?\+ ?[A-Za-z]| (?:plus|minus|times)\b")
_BETWEEN = re.compile(r"\b(?:between|from|ranges?|ranging|either|neither|both)\b[^\d]{0,30}$", re.IGNORECASE)
_JOINT = r"(?P<joint>\band/or\b|\bor\b|\bto\b|\band\b|\buntil\b|\bvs\b\.?|\bversus\b|\.{2,3}|…|-{1,2})"
_JOINS_NEXT = re.compile(
    rf"[ )\]]*[,;]? ?\(?{_JOINT} ?(?:(?:else|alternatively),? )?{_ABOUT}{_NAMED}[≈ (]*(?=[.\d])",
    re.IGNORECASE,
)
_JOINS_LAST = re.compile(rf"[ )\]]*[,;]? ?\(?{_JOINT} ?{_ABOUT}{_NAMED}[≈ (]*$", re.IGNORECASE)
_ALTERNATIVELY = re.compile(rf"\b(?:alternatively|or else|otherwise),? {_ABOUT}{_NAMED}$", re.IGNORECASE)
_NUMBER = re.compile(rf"(?<![\w.]){NUMBER.pattern}")
_CHOOSES = ("or", "and/or", "vs", "vs.", "versus")
_RANGES = ("to", "until", "..", "...", "…", "-", "--")
_CLOSES = re.compile(r" *(?:[.,;)!?|\n]|$|depending|respectively|for\b|in\b|as\b)", re.IGNORECASE)


def find_hedge(text: str, start: int, end: int) -> str:
    """Return why the quantity at `text[start:end]` of a plain text is not asserted; "" if it is.

    Example:
        >>> find_hedge("P is at most 5 kW", 13, 17)
        'a limit'
    """
    start += len(text[start:end]) - len(text[start:end].lstrip())
    before = _END.split(text[max(0, start - _BEFORE) : start])[-1]
    after = text[end : end + _AFTER]
    if _DENIED.search(before):
        return "denied"
    if _TEMPTED.search(before) or _REJECTED.match(after):
        return "rejected"
    sentence = _END.split(after)[0]
    if _LIMIT.search(before) or _LIMIT_AFTER.match(sentence):
        return "a limit"
    if _LIMITS_NAME.match(sentence) and not _IS_STATED.search(before):
        return "a limit"
    if _PART.search(before) or _ADDS.match(after):
        return "a part or multiple"
    if _ALTERNATIVELY.search(before):
        return "one of several"
    return _check_neighbours(text[start:end], before, sentence)


def _check_neighbours(written: str, before: str, after: str) -> str:
    """Return whether a quantity and the one next to it are a range or alternatives."""
    quantity = read_quantity(written)
    if quantity is None:
        return ""
    following = _JOINS_NEXT.match(after)
    if following and (second := read_quantity(after[following.end() :])):
        rest = after[following.end() + second[1] :]
        if reason := _classify_pair(quantity[0], following, second[0], before, rest):
            return reason
    if written[:1] == "-" and before[-1:].isdigit():
        return "a range"
    for number in _NUMBER.finditer(before, max(0, len(before) - 60)):
        first = read_quantity(f"{before[number.start() :]}{written}")
        joins = first and _JOINS_LAST.fullmatch(before, number.start() + first[1])
        if first and joins:
            return _classify_pair(first[0], joins, quantity[0], before[: number.start()], after)
    return ""


def _classify_pair(first: Quantity, joins: re.Match[str], second: Quantity, before: str, after: str) -> str:
    """Classify two quantities joined by a word or sign: a range, alternatives, or neither ("")."""
    joint = joins["joint"].lower()
    if joins["name"] and joint not in _CHOOSES:
        return ""
    value = convert_value(first.value, first.unit, second.unit) if first.unit and second.unit else first.value
    if value is None:
        return ""
    if joint in _RANGES:
        return "a range" if not joint.startswith("-") or 0 <= value < second.value else ""
    if joint == "and" and _BETWEEN.search(before):
        return "a range"
    if joint == "and" and not _CLOSES.match(after):
        return ""
    converted = convert_value(first.value, first.unit, second.unit)  # of a share without a unit, 0.38 or 38 %
    same = any(is_close(each, second.value, _SAME) for each in (value, converted) if each is not None)
    return "" if same else "one of several"
