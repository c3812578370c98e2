"""UTF-8 text that was read as Windows-1252 or Latin-1: "Î²" for β, "Ã—" for ×, "Â°" for °."""

from __future__ import annotations

import re

# The signs that Windows-1252 has where Latin-1 has control codes, and the bytes behind them.
_WINDOWS = {bytes([code]).decode("cp1252", "ignore"): code for code in range(0x80, 0xA0)}
_BYTE_OF = {chr(code): code for code in range(0x80, 0x100)} | {
    sign: code for sign, code in _WINDOWS.items() if sign
}
_HIGH = "".join(re.escape(sign) for sign in _BYTE_OF)
_RUN = re.compile(f"[{_HIGH}]{{2,}}")
# What a text of engineering has: signs of Latin-1, Greek, punctuation, arrows and operators, Chinese.
_PLAUSIBLE = re.compile(
    "[\u00a0°±²³´µ·¹º»«¼½¾×÷àáâäåæçèéêëíîïñóôöøúûüßÅÄÖÜÉ\u0370-\u03ff\u1f00-\u1fff\u2010-\u206f\u2070-\u209f"
    "\u20ac\u2100-\u214f\u2190-\u21ff\u2200-\u22ff\u2500-\u257f\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+"
)


def mend_mojibake(text: str) -> str:
    """The text with each run of such signs decoded, where they are valid UTF-8 and give plausible signs.

    Applied twice, because texts are often decoded wrongly twice. "Å²" stays a square ångström: it would be
    valid UTF-8, but for a letter that no such text has.
    """
    for _ in range(2):
        mended = _RUN.sub(_decoded, text)
        if mended == text:
            break
        text = mended
    return text


def _decoded(found: re.Match[str]) -> str:
    try:
        read = bytes(_BYTE_OF[sign] for sign in found[0]).decode("utf-8")
    except UnicodeDecodeError:
        return found[0]
    return read if _PLAUSIBLE.fullmatch(read) or _is_half_mended(read) else found[0]


def _is_half_mended(read: str) -> bool:
    """Whether a second decoding gives plausible signs."""
    if not all(sign in _BYTE_OF for sign in read):
        return False
    try:
        again = bytes(_BYTE_OF[sign] for sign in read).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return _PLAUSIBLE.fullmatch(again) is not None
