"""What values come wrapped in before their notation is read: hypertext, JSON, bullets, tabs."""

from __future__ import annotations

import re

_TAGS = {
    **{"<sub>": "_", "</sub>": "", "<sup>": "^", "</sup>": "", "<br>": "\n", "<br/>": "\n", "&nbsp;": " "},
}
_TAG = re.compile("|".join(map(re.escape, _TAGS)), re.IGNORECASE)
_STYLE = re.compile(
    r"</?(?:b|i|u|em|strong|code|p|li|ul|ol|td|th|tr|table|thead|tbody|span|div|h\d)(?: [^<>]{0,80})?/?>",
    re.I,
)
_BULLET = re.compile(r"^[ \t]*[•◦▪‣●○■□✓✔✅☑➤►]+\ufe0f?[ \t]*|[ \t]*[✓✔✅☑]\ufe0f?", re.MULTILINE)
_JSON_VALUE = re.compile(
    r'\{\s*"?value"?\s*:\s*"?([^",{}]{1,40})"?\s*,\s*"?units?"?\s*:\s*"?([^"{}]{0,40})"?\s*\}'
)
_JSON_TEXT = re.compile(r'(?<=":)(\s?)"([^"\n]{1,60})"')
_JSON_KEY = re.compile(r'"([^"\n]{1,60})"(?=\s*:)')
_MARKED = re.compile(  # <answer>42</answer>, [ANSWER]42[/ANSWER], #### 42
    r"(?:<answer>|\[answer\])\s*(?P<tagged>[^<\[\n]{1,200}?)\s*(?:</answer>|\[/answer\]|$)"
    r"|^#{4} +(?=[^A-Za-z\n]{1,40}$|\S{1,20}$)(?P<hashed>.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_COLUMNS = re.compile(r" {2,}|\t+")
_CELLS = re.compile(r"(?<=[^\s|])\t+(?=[^\s|])")


def unwrapped(text: str) -> str:
    """The same statements as lines, rows and equalities. Linear in the text; never raises."""
    text = _MARKED.sub(lambda mark: f"\nanswer = {mark['tagged'] or mark['hashed']}\n", text)
    if "<" in text or "&nbsp;" in text:
        text = _STYLE.sub("", _TAG.sub(lambda tag: _TAGS[tag.group().lower()], text))
    if "value" in text:
        text = _JSON_VALUE.sub(r"\1 \2", text)
    if '":' in text or '" :' in text:
        text = _JSON_KEY.sub(r"\1", _JSON_TEXT.sub(r"\1\2", text))
    if not text.isascii():
        text = _BULLET.sub("", text)
    return _CELLS.sub(" | ", _ruled(text))


def _ruled(text: str) -> str:
    """Neighbouring lines of as many columns, set apart by spaces and some of them numbers, as rows."""
    if "  " not in text:
        return text
    lines = text.split("\n")
    rows = [_COLUMNS.split(line.strip()) if "|" not in line else [] for line in lines]
    numeric = [sum(cell[:1].isdigit() for cell in cells) >= 2 for cells in rows]
    for at, cells in enumerate(rows):
        beside = [i for i in (at - 1, at + 1) if 0 <= i < len(rows) and len(rows[i]) == len(cells)]
        if len(cells) > 2 and any(numeric[i] for i in (at, *beside)) and beside and "=" not in lines[at]:
            lines[at] = f"| {' | '.join(cells)} |"
    return "\n".join(lines)
