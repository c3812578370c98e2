"""Render Markdown, LaTeX and Unicode mathematics in one plain notation that is read line by line.

`\\dot q_{s} \\approx 3.45\\times10^{3}\\,\\mathrm{W\\,m^{-2}}` becomes `q_dot_s ≈ 3.45*10^3 W m^-2`.
Every pass takes time linear in the length of any text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ansatz.quantities.chinese import convert_chinese_notation
from ansatz.quantities.latex import BOX, THIN, LatexRenderer
from ansatz.quantities.letters import EDGE, NAMES

_HTML = [  # cells and items must stay separate: <li>5 m</li><li>6 m</li>
    (re.compile(tag, re.IGNORECASE), plainly)
    for tag, plainly in (
        (r"<sub>", "_"),
        (r"<sup>", "^"),
        (r"&nbsp;", " "),
        (r"</t[dh]>\s*", " | "),
        (r"(?:</?(?:br|p|li|ul|ol|tr|table|thead|tbody|div|h\d)(?: [^<>]{0,80})?/?>\s*)+", "\n"),
        (r"</?(?:b|i|u|em|strong|code|span|sub|sup|td|th)(?: [^<>]{0,80})?/?>", ""),
    )
]
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
# Markdown's bold around a LaTeX formula, which is no product.
_BOLD_FORMULA = re.compile(r"\*{2,3}(?=\\\()|(?<=\\\))\*{2,3}")
_COLUMNS = re.compile(r" {2,}|\t+")
_DASHES = re.compile(r"[-=]{2,}")
_CELLS = re.compile(r"(?<=[^\s|])\t+(?=[^\s|])")

_SIGNS = {
    **dict.fromkeys("−–‐‑‒﹣－", "-"),
    **dict.fromkeys("×⋅∙•∗✕⨯", "·"),  # becomes a star at the end, after Markdown's emphasis is removed
    **dict.fromkeys("≃≅∼～≒", "≈"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\t", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    **dict.fromkeys("\r\v\f\u2028\u2029\x85\x1c\x1d\x1e", "\n"),
    **dict.fromkeys("′’", "'"),
    **dict.fromkeys("″”“", '"'),
    **dict.fromkeys("→⇒⟹⟶∴", " ; "),
    **dict(zip("\1\2÷⁄∕≤≥≪≫º˚", ("", "", "/", "/", "/", "<=", ">=", "<<", ">>", "°", "°"), strict=True)),
    **{"℃": "°C", "℉": "°F", "＝": "=", "：": ":", "≡": "=", "√": "sqrt", "Ω": "ohm", EDGE: ""},
}
_TABLE = str.maketrans(_SIGNS | {letter: f"{EDGE}{name}{EDGE}" for letter, name in NAMES.items()})
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", "0123456789+-()n")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+-=()aehijklmnoprstuvx")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ]+")
_SUBSCRIPT = re.compile("_?[₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ]+")
_FRACTIONS = {"½": "0.5 ", "¼": "0.25 ", "¾": "0.75 ", "⅓": "(1/3)", "⅔": "(2/3)"}
_FRACTION = re.compile("(?<!\\d)[½¼¾⅓⅔]")
_MIXED = re.compile("(\\d{1,9}) ?([½¼¾⅓⅔])")
_ROOT = re.compile(r"√(?=[^\W_])")  # of one operand: √2 π is sqrt 2 times π
_MICRO = re.compile(r"(?<![\w])[µμ](?=(?:m|s|g|W|J|N|A|V|F|Pa|bar)\b)")
_DOTTED = re.compile("([A-Za-z])\u0307")
_BARRED = re.compile(
    "([α-ωΑ-Ω]|(?<![^\\W\\d_])[A-Za-z](?=.(?![^\\W\\d_])))[\u0304\u0305]"
)  # of a symbol, not in a word
_DELTA = re.compile(rf"{EDGE}Delta{EDGE} ?(?=[A-Za-z{EDGE}])")
_ETA = re.compile(rf"(?<={EDGE}eta){EDGE}(?=[A-Za-z])")  # letters after an efficiency are its index: ηth
_BOX = re.compile(rf"(?:([=≈])[ \n]*)?{BOX} *")  # Z = [7.52] states Z and the answer
_INF = re.compile(rf"(?<=[A-Za-z]){EDGE}{{1,2}}inf{EDGE}")
_SUBSCRIPT_LIST = re.compile(  # s_gen,total is one name
    r"(?<=[A-Za-z])(_[A-Za-z0-9]{1,12}),(?=[A-Za-z]{2,20}(?:_[a-z]{3}|\b)|s ?[=≈:|])"
)
_ONE_SIDED = re.compile(r"(?<=[^\s])· (?=[^\s])")
_SPACES = re.compile(r" {2,}(?=[·*^/=≈])| {3,}")
_TILDE = re.compile(r"~(?= ?[-+.\d])")

_NEW_STATEMENT = re.compile(r"[A-Za-z][\w,.'()\[\]{}/· -]{0,30}?[=≈:]")
_LONGEST_CHAIN = 2000  # characters of joined continuation lines


@lru_cache(maxsize=128)
def to_plain_text(text: str) -> str:
    """Convert a text to plain notation, line by line. Never raises."""
    text = _unwrap_markup(_MICRO.sub("u", convert_chinese_notation(text)))
    text = _MIXED.sub(lambda both: f"{int(both[1]) + unicodedata.numeric(both[2]):.6f}", text)
    text = _ROOT.sub("sqrt ", _FRACTION.sub(lambda sign: _FRACTIONS[sign.group()], text))
    text = _SUPERSCRIPT.sub(_format_power, text)
    text = _SUBSCRIPT.sub(lambda run: "_" + run.group().lstrip("_").translate(_SUBSCRIPTS), text)
    if not text.isascii():  # letters with a dot or bar above; other accents stay composed
        decomposed = _BARRED.sub(r"\1_bar", _DOTTED.sub(r"\1_dot", unicodedata.normalize("NFD", text)))
        text = unicodedata.normalize("NFC", decomposed)
    text = text.translate(_TABLE)
    if any(mark in text for mark in "\\{$&"):
        text = " ".join(part.strip(" ") for part in LatexRenderer(text).render().split(THIN))
        text = _BOX.sub(lambda box: f" {box[1]} answer = " if box[1] else "\nanswer = ", text)
    text = _INF.sub("_inf", _ETA.sub("_", _DELTA.sub("Delta_", text)))
    text = re.sub(rf"(?<=[^\W_]){EDGE}+(?=[^\W\d_])", " ", text).replace(EDGE, "")
    text = _SUBSCRIPT_LIST.sub(r"\1_", _SPACES.sub(_replace_spaces, text))
    text = _TILDE.sub("≈", text).replace("~", " ").replace("° C", "°C").replace("° F", "°F")
    text = _ONE_SIDED.sub("·", _remove_emphasis(text))
    return _join_lines(text.replace("·", "*").split("\n"))


def _replace_spaces(run: re.Match[str]) -> str:
    """Keep several spaces as a separator of statements, unless an operator follows."""
    following = run.string[run.end() : run.end() + 1]
    return " " if following and following in "·*^/=≈" else "  "


def _format_power(run: re.Match[str]) -> str:
    """Write superscripts as a power, with a space before a following digit: sin²28° is sin^2 28°."""
    power = "^" + run.group().translate(_SUPERSCRIPTS)
    return power + " " if run.string[run.end() : run.end() + 1].isdigit() else power


_STARS = re.compile(r"\*{1,3}")
_LINE_MARK = re.compile(r"^[ ]{0,12}(?:#{1,6} |> ?|[-*+] |\d{1,2}[.)] (?=\S))+", re.MULTILINE)
_BESIDE_POWER = re.compile(r"[\w)\]}.']")
_AFTER_POWER = re.compile(r"[\w(\[.+\-]")


def _remove_emphasis(text: str) -> str:
    """Remove Markdown's markers, except stars between two operands, which are products or powers."""

    def star(found: re.Match[str]) -> str:
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        spaced = before == " " and after == " "
        tight = bool(_BESIDE_POWER.match(before) and _AFTER_POWER.match(after))
        return found.group() if spaced or tight else ""

    text = _LINE_MARK.sub("", text.replace("`", ""))
    text = _STARS.sub(star, text)
    return re.sub(r"(?<![\w)\]|])_{1,3}(?=[^\W_])|(?<=[^\W_])_{1,3}(?!\w)", "", text)


def _join_lines(lines: list[str]) -> str:
    """Join lines that start with an equals sign to the line before, and lines after a trailing equals sign.

    A line that is a separate statement is not joined; the line before it then ends in a blank.
    """
    joined: list[str] = []
    for line in map(str.strip, lines):
        awaited = joined and joined[-1].endswith(("=", "≈")) and not _NEW_STATEMENT.match(line)
        continues = joined and line and (line[0] in "=≈" or awaited)
        if continues and line[:2] != "==" and len(joined[-1]) < _LONGEST_CHAIN:
            joined[-1] += f" {line}"
        elif line or (joined and joined[-1]):
            joined.append(line)
    return "\n".join(joined)


def _unwrap_markup(text: str) -> str:
    """Convert HTML, JSON and marked answers to lines, table rows and equalities. Never raises."""
    text = _MARKED.sub(lambda mark: f"\nanswer = {mark['tagged'] or mark['hashed']}\n", text)
    if "<" in text or "&nbsp;" in text:
        for tag, plainly in _HTML:
            text = tag.sub(plainly, text)
    if "value" in text:
        text = _JSON_VALUE.sub(r"\1 \2", text)
    if '":' in text or '" :' in text:
        text = _JSON_KEY.sub(r"\1", _JSON_TEXT.sub(r"\1\2", text))
    if not text.isascii():
        text = _BULLET.sub("", text)
    if "\\(" in text:
        text = _BOLD_FORMULA.sub("", text)
    return _CELLS.sub(" | ", _mark_rows(text))


def _mark_rows(text: str) -> str:
    """Convert adjacent lines with the same number of space-separated columns, some numeric, to table rows."""
    if "  " not in text:
        return text
    lines = text.split("\n")
    rows = [_COLUMNS.split(line.strip()) if "|" not in line else [] for line in lines]
    numeric = [sum(cell[:1].isdigit() for cell in cells) >= 2 for cells in rows]
    for at, cells in enumerate(rows):
        if len(cells) > 1 and all(map(_DASHES.fullmatch, cells)):  # below a header, above the rows of a table
            end = at + 1
            while end < len(rows) and len(rows[end]) == len(cells):
                end += 1
            for row in range(max(0, at - 1), end):
                lines[row] = f"| {' | '.join(rows[row])} |" if len(rows[row]) == len(cells) else lines[row]
        nearby = [i for i in (at - 1, at + 1) if 0 <= i < len(rows) and len(rows[i]) == len(cells)]
        if len(cells) > 2 and any(numeric[i] for i in (at, *nearby)) and nearby and "=" not in lines[at]:
            lines[at] = f"| {' | '.join(cells)} |"
    return "\n".join(lines)
