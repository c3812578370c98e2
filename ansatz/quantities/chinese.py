"""Convert Chinese digits, signs and unit names to those that the other readers understand."""

from __future__ import annotations

import re

from ansatz.quantities.units import CHINESE

_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width forms of ASCII
_STOPS = dict(zip("。、，；：【】〖〗", (". ", ", ", ", ", "; ", ": ", *"[][]"), strict=True))
_TABLE = {**_WIDE, **{ord(sign): plain for sign, plain in _STOPS.items()}, 0x3000: " "}
_ANY = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_HAN = "\u4e00-\u9fff"

_NAMES = "|".join(sorted(CHINESE, key=len, reverse=True))
_AFTER_NUMBER = re.compile(
    rf"(?<=[\d)⁰¹²³⁴⁵⁶⁷⁸⁹]) ?((?:{_NAMES})(?:(?: ?[·*/每] ?|\^-?\d ?)*(?:{_NAMES}|[A-Za-z]{{1,4}}))*)"
)
_PER = re.compile(rf"(?<=[A-Za-z]) ?(?:/|每) ?((?:{_NAMES}))")
_IS = re.compile(
    r"(?<=[A-Za-z0-9_)\]}']) ?(?:大?约(?:为|等于|是)?|近似为|等于|就?是|应?为|取)"
    r" ?(?=[-+≈]?\$? ?[\d.(\\])"
)
_ABOUT = re.compile(r"(?<=[=:]) ?(?:大?约(?:为)?|近似)")
_ANSWER = re.compile(r"(?:最终|最后)?(?:答案|结果)(?:是|为)? ?(?P<sign>[:=]|(?=[-\d]))")
_ITEM = re.compile(r" ?(?:（[1-9一二三四五六七八九]）|(?<![\w)}])\([1-9]\)) ?(?=[A-Za-z$\\])")
_JOINTS = re.compile(rf"(?<=[{_HAN}])(?=[A-Za-z0-9\\$(+*`-])|(?<=[A-Za-z0-9)\]}}$*`])(?=[{_HAN}])")


def convert_chinese_notation(text: str) -> str:
    """Convert digits, signs and unit names to ASCII; put spaces around other Chinese words."""
    if _ANY.search(text) is None:
        return text
    text = _ITEM.sub("\n", text).translate(_TABLE)
    text = _AFTER_NUMBER.sub(lambda found: " " + _spell_unit(found[1]), text)
    text = _PER.sub(lambda found: "/" + CHINESE[found[1]], text)
    text = _ANSWER.sub(lambda found: f"answer {found['sign'] or '='} ", text)
    text = _ABOUT.sub(" ", _IS.sub(" = ", text))
    return _JOINTS.sub(" ", text)


def _spell_unit(words: str) -> str:
    """Convert a run of unit words to a unit: 瓦每平方米 and 瓦/平方米 are W/m^2."""
    symbols = re.sub(_NAMES, lambda found: CHINESE[found[0]], words)
    return re.sub(r" ?每 ?", "/", symbols)
