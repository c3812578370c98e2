"""Translate the terms of a Chinese question to English by a glossary, longest terms first."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_GLOSSARY = Path(__file__).with_name("chinese_terms.yaml")
_HAN, _KANA = re.compile("[\u4e00-\u9fff\u3400-\u4dbf]"), re.compile("[\u3040-\u30ff]")


def translate_question(question: str) -> str:
    """Return a question with known terms in English and units in ASCII; other Chinese words are removed.

    A question without Chinese, or without a term of the glossary, is returned unchanged.
    """
    if _HAN.search(question) is None or _KANA.search(question):  # Japanese is another language
        return question
    from ansatz.quantities.chinese import convert_chinese_notation

    pattern, words = _load_glossary()
    translated = pattern.sub(lambda found: f" {words[found[0]]} ", convert_chinese_notation(question))
    if translated == convert_chinese_notation(question):
        return question
    return re.sub(r"[ \t]{2,}", " ", _HAN.sub(" ", translated)).strip()


@cache
def _load_glossary() -> tuple[re.Pattern[str], dict[str, str]]:
    import yaml

    words: dict[str, str] = yaml.load(_GLOSSARY.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return re.compile("|".join(sorted(words, key=len, reverse=True))), words
