"""How a phrase of a question is meant: stated, taken back, or only spoken of (compared, asked, supposed)."""

from __future__ import annotations

import re

# A phrase that is only compared with, asked about or supposed says little of the case in hand.
ASKED, SUPPOSED = 0.4, 0.6
_CLAUSE = re.compile(
    r"[.;:?!]\s|\n|,\s(?:but|while|whereas|although|yet)\b|\s(?:but|while|whereas|although)\s"
)
_SENTENCE = re.compile(r"[.;?!](?=\s|$)|\n\s*\n")
_NEGATED = re.compile(
    r"(?:\b(?:not|no|without|never|neither|nor|cannot|hardly|rather than|instead of|unlike|other than|"
    r"(?:absence|lack) of|(?:free|away|far) from|free of|except(?: for)?|neglect(?:s|ing|ed)?|excluding|"
    r"ignor(?:es|ing|ed)|fails to be|ceases to be|too \w+ (?:for|to be))\b|n't)[\s-]+(?:[\w-]+[\s-]+){0,2}$"
    r"|(?:\bnon-?|\bun-?)$",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\bnot (?:only|just|merely)\b[\s\w-]*$|\bno doubt[\s\w-]*$", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"[\s,]*(?:effects?\s+|losses\s+|reactions?\s+)?(?:"
    r"(?:is|are|being|can be|may be|was|were)\s+(?:\w+ly\s+)?(?:negligible|neglected|ignored|absent|excluded)"
    r"|(?:is|are|was|were|has|have|had|does|do|did|can|will|would)\s*"
    r"(?:not\b|n't|never\b|no longer\b|yet to\b)"
    r"|never\b)",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"\b(?<!has )(?<!have )(?<!had )(?<!having )(?:becom(?:e|es|ing)|turn(?:s|ing)?|go(?:es|ing)?|"
    r"get(?:s|ting)?|tripped|transition(?:s|ing)?(?: to)?|chang(?:e|es|ing) (?:in)?to|before|until|unless|"
    r"onset of|prior to|start(?:s)? to be|towards?)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:compar(?:e|es|ed|ing)|comparison|relative to|versus|vs\.?|than|as opposed to|as against|whether|"
    r"which of|either|differ(?:s|ent|ence)?|distinguish\w*|contrast\w*)\b",
    re.IGNORECASE,
)
_ALTERNATIVE_BEFORE = re.compile(r"\b(?:or|versus|vs\.?)\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+)?$", re.IGNORECASE)
_ALTERNATIVE_AFTER = re.compile(r"\s*,?\s*(?:[\w-]+\s+)?(?:or|versus|vs\.?)\s", re.IGNORECASE)
_PASSAGE_AFTER = re.compile(r"(?:[\s-]to)?(?:[\s–-](?:turbulent|laminar))?[\s-]transition\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:if|suppos(?:e|ing)|imagine|were|(?:would|could|might) (?:\w+ )?be|hypothetical\w*)\b",
    re.IGNORECASE,
)
_ASKS_WHETHER = re.compile(
    r"^\s*(?:(?:so|and|but|then|hence),?\s+)?(?:is|are|was|does|do|will|would|can|could|should)\b",
    re.IGNORECASE,
)
_OF_SEVERAL = re.compile(
    r"\bwhich (?:of|law|formula|relation|regime|model|equation|theory|limit)\b|\bdifference between\b"
    r"|\bdiffer\b",
    re.IGNORECASE,
)
_REACH = 90  # characters before a phrase that can still bear on it


def standing(text: str, start: int, end: int) -> float:
    """How far the phrase at `start` to `end` is stated: 1 plainly, 0 taken back, between else."""
    before = _CLAUSE.split(text[max(0, start - _REACH) : start])[-1]
    if (_NEGATED.search(before) and not _ONLY.search(before)) or _TAKEN_BACK.match(text, end):
        return 0.0
    if _CHANGING.search(before) or _COMPARED.search(before.rsplit(",", 1)[-1]):
        return ASKED
    if _ALTERNATIVE_BEFORE.search(before) or _ALTERNATIVE_AFTER.match(text, end):
        return ASKED
    if _PASSAGE_AFTER.match(text, end):
        return ASKED
    sentence, is_question = _sentence(text, start)
    if is_question and _ASKS_WHETHER.search(sentence):
        return ASKED
    return SUPPOSED if _SUPPOSED.search(before) or (is_question and _OF_SEVERAL.search(sentence)) else 1.0


def _sentence(text: str, place: int) -> tuple[str, bool]:
    """The sentence around a place, and whether it is a question."""
    start = max((found.end() for found in _SENTENCE.finditer(text, 0, place)), default=0)
    end = _SENTENCE.search(text, place)
    return text[start : end.start() if end else len(text)], bool(end and end[0] == "?")
