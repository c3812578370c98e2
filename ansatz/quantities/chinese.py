"""Chinese typesetting of an answer rendered in the signs and unit names that are read elsewhere."""

from __future__ import annotations

import re

_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width forms of ASCII
_STOPS = {
    "。": ". ",
    "、": ", ",
    "，": ", ",
    "；": "; ",
    "：": ": ",
    "【": "[",
    "】": "]",
    "〖": "[",
    "〗": "]",
}
_TABLE = {**_WIDE, **{ord(sign): plain for sign, plain in _STOPS.items()}, 0x3000: " "}
_ANY = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_HAN = "\u4e00-\u9fff"

_UNITS = {
    "千米": "km",
    "公里": "km",
    "厘米": "cm",
    "毫米": "mm",
    "微米": "um",
    "纳米": "nm",
    "平方米": "m^2",
    "平方厘米": "cm^2",
    "立方米": "m^3",
    "立方厘米": "cm^3",
    "米": "m",
    "毫秒": "ms",
    "微秒": "us",
    "秒": "s",
    "小时": "h",
    "分钟": "min",
    "千克": "kg",
    "公斤": "kg",
    "克": "g",
    "千摩尔": "kmol",
    "摩尔": "mol",
    "兆帕": "MPa",
    "千帕": "kPa",
    "帕斯卡": "Pa",
    "帕": "Pa",
    "大气压": "atm",
    "兆瓦": "MW",
    "千瓦": "kW",
    "瓦特": "W",
    "瓦": "W",
    "兆焦耳": "MJ",
    "兆焦": "MJ",
    "千焦耳": "kJ",
    "千焦": "kJ",
    "焦耳": "J",
    "焦": "J",
    "千牛": "kN",
    "牛顿": "N",
    "牛": "N",
    "摄氏度": "degC",
    "开尔文": "K",
    "开": "K",
    "吉赫兹": "GHz",
    "吉赫": "GHz",
    "兆赫兹": "MHz",
    "兆赫": "MHz",
    "赫兹": "Hz",
    "赫": "Hz",
    "电子伏特": "eV",
    "电子伏": "eV",
    "弧度": "rad",
    "度": "deg",
}
_NAMES = "|".join(sorted(_UNITS, key=len, reverse=True))
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


def westernised(text: str) -> str:
    """The text with ASCII digits, signs and unit names; other Chinese words stay, set apart by spaces."""
    if _ANY.search(text) is None:
        return text
    text = _ITEM.sub("\n", text).translate(_TABLE)
    text = _AFTER_NUMBER.sub(lambda found: " " + _unit(found[1]), text)
    text = _PER.sub(lambda found: "/" + _UNITS[found[1]], text)
    text = _ANSWER.sub(lambda found: f"answer {found['sign'] or '='} ", text)
    text = _ABOUT.sub(" ", _IS.sub(" = ", text))
    return _JOINTS.sub(" ", text)


def _unit(words: str) -> str:
    """The unit that a run of unit words spells: 瓦每平方米 and 瓦/平方米 are W/m^2."""
    symbols = re.sub(_NAMES, lambda found: _UNITS[found[0]], words)
    return re.sub(r" ?每 ?", "/", symbols)
