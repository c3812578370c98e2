"""Whether a text asks for something: imperatives and questions, in English and in Chinese.

The same verbs fill textbook prose ("we find that", "to determine the heating, …"), so a verb counts only
where it is a command: at the head of a clause, or bare before its object without a subject.
"""

from __future__ import annotations

import re

_VERBS = (
    "calculate|compute|determine|find|estimate|evaluate|derive|obtain|compare|predict|solve|show that|prove|"
    "report|give|state|express|decide|check whether|work out|write down|name|identify|rank|say|tell|judge|"
    "assess|choose|size|design"
)
_ADVERBS = r"(?:(?:then|also|first|next|now|finally|hence|please|again|therefore|thus)[,\s]+)*"
# A clause begins a text, a sentence or a line, or follows a comma, a bracket, a label such as (a), or "and".
_CLAUSE = r"(?:^|[.!?;:。；]\s+|\n\s*|,\s+|\band\s+|\bbut\s+|\([a-z0-9ivx]{1,3}\)\s*|[-•]\s+|\b[a-d]\)\s*)"
_COMMAND = re.compile(rf"{_CLAUSE}{_ADVERBS}(?:{_VERBS})\b(?!\s*,)", re.IGNORECASE)
_BARE = re.compile(
    r"(?P<subject>[^\s,.;:]+)[,]?\s+(?:calculate|compute|determine|find|estimate|evaluate|derive|obtain|predict|compare)"
    r"\s+(?:the|its|their|both|an?|how|whether|what|[A-Za-z]_?\w{0,8}(?=[\s,.]))(?![\w-])"
)
_USED_TO = re.compile(
    r"(?:^|[.!?;:]\s+|\n\s*)(?:use|apply|employ|let|take|assume|combine)\b(?:[^.!?]|\.(?=\d))*"
    r"\bto (?:find|calculate|compute|determine|estimate|evaluate|derive|obtain|predict)\b",
    re.IGNORECASE,
)
_WITHIN = r"(?:[^.!?]|\.(?=\d))*"
_QUESTION = re.compile(rf"\b(?:what|how|which|by how|is|are|does|do|will|can)\b{_WITHIN}\?", re.IGNORECASE)
_SOUGHT = re.compile(
    r"\b(?:is|are|be) (?:wanted|required|sought|asked for|"
    r"to be (?:found|calculated|determined|estimated|computed))\b"
    r"|\byou are (?:asked|to)\b|\b(?:we|you) (?:want|need) (?:the|to (?:find|know))\b|=\s*(?:\?|_{2,})",
    re.IGNORECASE,
)
# Before a verb these make a statement or a purpose of it: "we find", "one can compute", "used to determine".
_SUBJECTS = re.compile(
    "we|i|they|one|you|he|she|it|who|which|that|to|can|could|may|might|would|will|must|should|shall|not|be|"
    "been|also|often|usually|easily|readily|did|does|do|and|or"
)
_TOLD = re.compile(
    r"\b(?:we|they|one|researchers|engineers|designers|he|she|can|could|may|might|would)\s+\w+", re.IGNORECASE
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CHINESE_QUESTION = re.compile(r"多少|是几|为何值|何值|多大|[？?]")
_CHINESE_SOUGHT = re.compile(
    r"(?:^|[，。；：！？、\s）)])(?:用|按|根据|由|取|据|利用|采用|设|假定)[^。；？！]*?"
    r"(?:求|计算|估算|确定|推导)(?!表明|结果|得|方法|可知|公式|过程|中|机|时|了|流体|域|的)"
    r"|需要[^，。；0-9]*[A-Za-z]\w*_\w+|(?:作出|给出|进行)估算"
)
_CHINESE_CLAUSE = re.compile(r"(?:^|[，。；：！？、\s）)]|试|请|并|再|分别|由此|据此|和|需)$")
_CHINESE_VERB = re.compile(
    r"(?:计算|求解|求出|试求|求|确定|估算|估计|推导|导出|给出|比较|证明|判断|写出|报告)"
    r"(?!表明|结果|得到|得出|方法|可知|公式|过程|中|机|时|了|得|流体|域|的|值为|和实验)"
)


def has_request(text: str) -> bool:
    """Whether a text asks for something to be calculated, derived, compared or decided."""
    return _asks_in_english(text) or (_CHINESE.search(text) is not None and _asks_in_chinese(text))


def _asks_in_english(text: str) -> bool:
    if _SOUGHT.search(text) or _QUESTION.search(text) or _USED_TO.search(text):
        return True
    if any(not _is_told(text, found) for found in _COMMAND.finditer(text)):
        return True
    return any(_is_commanded(found["subject"]) for found in _BARE.finditer(text))


def _is_told(text: str, found: re.Match[str]) -> bool:
    """Whether the sentence before a clause has a teller as its subject: "we integrate and find …"."""
    if not re.match(r",\s|and\s|but\s", found[0], re.IGNORECASE):
        return False
    sentence = re.split(r"[.!?;。](?:\s|$)", text[: found.start()])[-1]
    return _TOLD.search(sentence) is not None


def _is_commanded(before: str) -> bool:
    """Whether the word before a bare verb is no subject of it; a plural noun would be one."""
    word = before.lower().strip("()[]\"'")
    return _SUBJECTS.fullmatch(word) is None and re.fullmatch(r"[a-z-]+[^suia]s", word) is None


def _asks_in_chinese(text: str) -> bool:
    if _CHINESE_QUESTION.search(text) or _CHINESE_SOUGHT.search(text):
        return True
    return any(_CHINESE_CLAUSE.search(text[: found.start()]) for found in _CHINESE_VERB.finditer(text))
