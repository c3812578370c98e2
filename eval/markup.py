"""Markdown, LaTeX and Unicode mathematics rendered as one plain notation that can be read line by line.

`\\dot q_{s} \\approx 3.45\\times10^{3}\\,\\mathrm{W\\,m^{-2}}` becomes `q_dot_s ≈ 3.45*10^3 W m^-2`.
Every pass is linear in the length of the text, whatever the text is.
"""

from __future__ import annotations

import re
import unicodedata

_GREEK_LETTERS = (
    "α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu "
    "ξ xi ο omicron π pi ρ rho σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega "
    "ς sigma ϵ epsilon ϑ theta ϕ phi ϱ rho µ mu"
)
_LETTERS_AND_NAMES = iter(_GREEK_LETTERS.split())
_GREEK = dict(zip(_LETTERS_AND_NAMES, _LETTERS_AND_NAMES, strict=True))
_EDGE = "\0"  # the border of a name: a space only where two names would otherwise run together
GREEK_NAMES = frozenset(_GREEK.values())
_NAMES = {
    **_GREEK,
    **{letter.upper(): name.capitalize() for letter, name in _GREEK.items() if not letter.upper().isascii()},
    **{"∞": "inf", "∆": "Delta"},
}
_SIGNS = {
    **dict.fromkeys("−–‐‑‒﹣－", "-"),
    **dict.fromkeys("×⋅∙•∗✕⨯", "·"),  # a star only at the end, when emphasis has been taken off
    **dict.fromkeys("≃≅∼～≒", "≈"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\t", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    **dict.fromkeys("\r\v\f\u2028\u2029\x85\x1c\x1d\x1e", "\n"),
    **dict.fromkeys("′’", "'"),
    **dict.fromkeys("″”“", '"'),
    **dict.fromkeys("→⇒⟹⟶∴", " ; "),
    **{
        "\1": "",
        "÷": "/",
        "⁄": "/",
        "∕": "/",
        "≤": "<=",
        "≥": ">=",
        "≪": "<<",
        "≫": ">>",
        "º": "°",
        "˚": "°",
    },
    **{"℃": "°C", "℉": "°F", "＝": "=", "：": ":", "≡": "=", "√": "sqrt", "Ω": "ohm", _EDGE: ""},
}
_TABLE = str.maketrans(_SIGNS | {letter: f"{_EDGE}{name}{_EDGE}" for letter, name in _NAMES.items()})
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", "0123456789+-()n")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+-=()aehijklmnoprstuvx")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ]+")
_SUBSCRIPT = re.compile("_?[₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ]+")
_MICRO = re.compile(r"(?<![\w])[µμ](?=(?:m|s|g|W|J|N|A|V|F|Pa|bar)\b)")
_HTML = {"<sub>": "_", "</sub>": "", "<sup>": "^", "</sup>": "", "<br>": "\n", "<br/>": "\n", "&nbsp;": " "}
_HTML_TAG = re.compile("|".join(map(re.escape, _HTML)), re.IGNORECASE)
_DOTTED = re.compile("([A-Za-z])\u0307")
_DELTA = re.compile(rf"{_EDGE}Delta{_EDGE} ?(?=[A-Za-z{_EDGE}])")
_ETA = re.compile(rf"(?<=eta){_EDGE}(?=[A-Za-z])")  # an efficiency is named, not multiplied: ηth
_INF = re.compile(rf"(?<=[A-Za-z]){_EDGE}{{1,2}}inf{_EDGE}")
_SUBSCRIPT_LIST = re.compile(
    r"(?<=[A-Za-z])(_[A-Za-z0-9]{1,12}),(?=[A-Za-z]{2,20}(?:_[a-z]{3}|\b))"
)  # s_gen,total
_THIN = "\1"  # spaces that LaTeX asks for: however many, they separate as one
_SPACES = re.compile(" {3,}")
_TILDE = re.compile(r"~(?= ?[-+.\d])")

_TOKEN = re.compile(r"\\\\(?:\[[^\]\n]{0,12}\])?|\\[A-Za-z]+\*?|\\[\s\S]|[{}^_$&]|[^\\{}^_$&]+|\\")
_LONGEST_CHAIN = 2000  # characters that continuation lines may be gathered into
_DEEPEST = 40  # groups nested deeper than this are read as if their braces were not there
_BARE = re.compile(
    "text(?:rm|bf|it|sf|tt)?|math(?:rm|bf|it|sf|tt|cal)|operatorname|[mhf]box|bm|boldsymbol|underline|emph"
    "|ensuremath|displaystyle|textstyle|limits|phantom|left|right|[bB]igg?[lr]?|rm|bf|it|cal|nonumber"
)
_ACCENTS = {
    "dot": "_dot",
    "ddot": "_ddot",
    "bar": "_bar",
    "overline": "_bar",
    "hat": "_hat",
    "tilde": "_tilde",
}
_LATEX_NAMES = {
    **{
        name: name
        for name in (*_NAMES.values(), "sin", "cos", "tan", "sinh", "cosh", "tanh", "ln", "log", "exp")
    },
    **{f"var{name}": name for name in ("epsilon", "theta", "phi", "rho", "sigma", "kappa")},
    **{"arcsin": "asin", "arccos": "acos", "arctan": "atan", "infty": "inf", "max": "max", "min": "min"},
}
_COMMANDS: dict[str, str] = {
    **{command: f"{_EDGE}{name}{_EDGE}" for command, name in _LATEX_NAMES.items()},
    **dict.fromkeys(("times", "cdot", "ast", "bullet"), "·"),
    **dict.fromkeys(("approx", "simeq", "sim", "cong", "doteq"), "≈"),
    **dict.fromkeys(("le", "leq", "leqslant", "lesssim"), "<="),
    **dict.fromkeys(("ge", "geq", "geqslant", "gtrsim"), ">="),
    **dict.fromkeys(("Rightarrow", "implies", "therefore", "to", "rightarrow", "quad", "qquad"), " ; "),
    **dict.fromkeys(("degree", "circ"), "°"),
    **{"pm": "±", "ll": "<<", "gg": ">>", "lt": "<", "gt": ">", "div": "/"},
    **{"equiv": "=", "neq": "!=", "ne": "!=", "percent": "%", "prime": "'", "newline": "\n", "par": "\n"},
}
_ESCAPES = {
    ",": _THIN,
    ";": _THIN,
    ":": _THIN,
    " ": _THIN,
    "!": "",
    "(": " ",
    ")": " ",
    "[": "\n",
    "]": "\n",
    "\n": "\n",
}


def plain(text: str) -> str:
    """The text without markup, one statement chain per line where the author wrote it so. Never raises."""
    text = _HTML_TAG.sub(lambda tag: _HTML[tag.group().lower()], _MICRO.sub("u", text))
    text = _SUPERSCRIPT.sub(lambda run: "^" + run.group().translate(_SUPERSCRIPTS), text)
    text = _SUBSCRIPT.sub(lambda run: "_" + run.group().lstrip("_").translate(_SUBSCRIPTS), text)
    text = _compose(text).translate(_TABLE)
    if any(mark in text for mark in "\\{$&"):
        text = " ".join(part.strip(" ") for part in _Latex(text).render().split(_THIN))
    text = _INF.sub("_inf", _ETA.sub("_", _DELTA.sub("Delta_", text)))
    text = re.sub(rf"(?<=[^\W_]){_EDGE}+(?=[^\W\d_])", " ", text).replace(_EDGE, "")
    text = _SUBSCRIPT_LIST.sub(r"\1_", _SPACES.sub("  ", text))
    text = _TILDE.sub("≈", text).replace("~", " ").replace("° C", "°C").replace("° F", "°F")
    return _joined(_without_emphasis(text).replace("·", "*").split("\n"))


def _compose(text: str) -> str:
    """Letters with a dot above, written with Unicode, as `X_dot`; other accents stay composed."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _DOTTED.sub(r"\1_dot", unicodedata.normalize("NFD", text)))


class _Latex:
    """One left-to-right reading of LaTeX commands and groups."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = _TOKEN.findall(text)
        self._at = 0

    def render(self) -> str:
        parts = []
        while self._at < len(self._tokens):
            parts.append(self._sequence(0))
        return "".join(parts)

    def _sequence(self, depth: int) -> str:
        """Up to the brace that closes this group, or the end."""
        parts: list[str] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token == "}":
                break
            parts.append(self._one(token, depth))
        return "".join(parts)

    def _one(self, token: str, depth: int) -> str:
        if token == "{":
            return self._sequence(depth + 1) if depth < _DEEPEST else ""
        if token in ("^", "_"):
            return self._script(token, depth)
        if token in ("$", "&", "}"):
            return ""
        if token.startswith("\\\\"):
            return "\n"
        if token.startswith("\\"):
            return self._command(token[1:].rstrip("*"), depth)
        return token

    def _script(self, mark: str, depth: int) -> str:
        following = self._tokens[self._at] if self._at < len(self._tokens) else ""
        if following != "{" and not following.startswith("\\"):
            return mark
        content = self._argument(depth).strip()
        if mark == "_":
            return "_" + re.sub(r"[^\w']+", "_", content.replace(_EDGE, "")).strip("_")
        if content.strip("°'") == "":
            return content
        return f"^{content}" if re.fullmatch(r"[+-]?[\w.]+", content) else f"^({content})"

    def _command(self, name: str, depth: int) -> str:
        if name in _COMMANDS:
            return _COMMANDS[name]
        if name in _ACCENTS:
            return self._argument(depth).strip() + _ACCENTS[name]
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return f"({self._argument(depth)})/({self._argument(depth)})"
        if name == "sqrt":
            return f"{_EDGE}sqrt({self._argument(depth)})"
        if name == "boxed":
            return self._boxed(depth)
        if name in ("begin", "end", "tag", "label"):
            self._argument(depth)
            return "\n" if name in ("begin", "end") else " "
        if _BARE.fullmatch(name):
            return self._argument(depth) if self._tokens[self._at : self._at + 1] == ["{"] else ""
        if len(name) > 1:
            return ""
        return _ESCAPES.get(name, name)

    def _boxed(self, depth: int) -> str:
        content = self._argument(depth)
        return content if re.search("[=≈:]", content) else f"\nanswer = {content}\n"

    def _argument(self, depth: int) -> str:
        """The next group, command or single character."""
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        if self._at >= len(self._tokens) or depth >= _DEEPEST:
            return ""
        token = self._tokens[self._at]
        self._at += 1
        if token == "}":
            self._at -= 1
            return ""
        if token[0] in "\\{^_$&":
            return self._one(token, depth + 1)
        token = token.lstrip()
        if len(token) > 1:
            self._at -= 1
            self._tokens[self._at] = token[1:]
        return token[:1]


_STARS = re.compile(r"\*{1,3}")
_LINE_MARK = re.compile(r"^[ ]{0,12}(?:#{1,6} |> ?|[-*+] |\d{1,2}[.)] (?=\S))+", re.MULTILINE)
_BESIDE_POWER = re.compile(r"[\w)\]}.']")
_AFTER_POWER = re.compile(r"[\w(\[.+\-]")


def _without_emphasis(text: str) -> str:
    """Drop Markdown's markers; a star between two operands is a product or a power and stays."""

    def star(found: re.Match[str]) -> str:
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        spaced = before == " " and after == " "
        tight = bool(_BESIDE_POWER.match(before) and _AFTER_POWER.match(after))
        return found.group() if spaced or tight else ""

    text = _LINE_MARK.sub("", text.replace("`", ""))
    text = _STARS.sub(star, text)
    return re.sub(r"(?<!\w)_{1,3}(?=[^\W_])|(?<=[^\W_])_{1,3}(?!\w)", "", text)


def _joined(lines: list[str]) -> str:
    """Lines that begin with an equals sign continue the line before; so does one after a trailing one."""
    joined: list[str] = []
    for line in map(str.strip, lines):
        continues = joined and line and (line[0] in "=≈" or joined[-1].endswith(("=", "≈")))
        if continues and line[:2] != "==" and len(joined[-1]) < _LONGEST_CHAIN:
            joined[-1] += f" {line}"
        elif line or (joined and joined[-1]):
            joined.append(line)
    return "\n".join(joined)
