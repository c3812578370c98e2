"""Render LaTeX commands and groups in plain notation, from left to right."""

from __future__ import annotations

import re

from ansatz.quantities.letters import EDGE, NAMES

BOX = "\2"  # marks the start of a box
THIN = "\1"  # an explicit LaTeX space; several count as one
_TOKEN = re.compile(r"\\\\(?:\[[^\]\n]{0,12}\])?|\\[A-Za-z]+\*?|\\[\s\S]|[{}^_$&]|[^\\{}^_$&]+|\\")
_AT_EDGE = re.compile(r"^ +| +$")
_DEEPEST = 40  # braces of groups nested deeper than this are ignored
_BARE = re.compile(
    "text(?:rm|bf|it|sf|tt)?|math(?:rm|bf|it|sf|tt|cal)|operatorname|[mhf]box|bm|boldsymbol|underline|emph"
    "|ensuremath|displaystyle|textstyle|limits|phantom|left|right|[bB]igg?[lr]?|rm|bf|it|cal|nonumber"
)
_ACCENTS = {name: f"_{name}" for name in ("dot", "ddot", "bar", "hat", "tilde")} | {"overline": "_bar"}
_LATEX_NAMES = {
    **{
        name: name
        for name in (*NAMES.values(), "sin", "cos", "tan", "sinh", "cosh", "tanh", "ln", "log", "exp")
    },
    **{f"var{name}": name for name in ("epsilon", "theta", "phi", "rho", "sigma", "kappa")},
    **{"arcsin": "asin", "arccos": "acos", "arctan": "atan", "infty": "inf", "max": "max", "min": "min"},
}
_FRACTIONS = ("\\frac", "\\dfrac", "\\tfrac", "\\cfrac")
_FUNCTION = re.compile(rf"(?<![a-z])(?:a?(?:sin|cos|tan)h?|ln|log|exp)(?:{EDGE}| |\^\d)*$")
_SUM = re.compile(r"[\w)\]] [-+] [\w(\[]")  # a sum in braces is a factor: 2 {0.6 + x}
_STATES = re.compile(r"[=≈:\n]|(?:^| )(?:the|and|of|is|for|with|to) ")
_COMMANDS: dict[str, str] = {
    **{command: f"{EDGE}{name}{EDGE}" for command, name in _LATEX_NAMES.items()},
    **dict.fromkeys(("times", "cdot", "ast", "bullet"), "·"),
    **dict.fromkeys(("approx", "approxeq", "simeq", "sim", "cong", "doteq"), "≈"),
    **dict.fromkeys(("le", "leq", "leqslant", "lesssim"), "<="),
    **dict.fromkeys(("ge", "geq", "geqslant", "gtrsim"), ">="),
    **dict.fromkeys(("Rightarrow", "implies", "therefore", "to", "rightarrow", "quad", "qquad"), " ; "),
    **dict.fromkeys(("degree", "circ"), "°"),
    **dict.fromkeys(("int", "iint", "iiint", "oint"), "∫"),  # the limits of an integral are no factors
    **{"sum": "∑", "prod": "∏"},
    **{"partial": "∂", "pm": "±", "ll": "<<", "gg": ">>", "lt": "<", "gt": ">", "div": "/"},
    **{"equiv": "=", "neq": "!=", "ne": "!=", "percent": "%", "prime": "'", "newline": "\n", "par": "\n"},
}
_ESCAPES = {
    **dict.fromkeys(",;: ", THIN),
    **dict.fromkeys("()", " "),
    **dict.fromkeys("[]\n", "\n"),
    "!": "",
    "*": "·",
}


def render_latex(text: str) -> str:
    """Render LaTeX in plain notation, without the marks of boxes and name borders."""
    return LatexRenderer(text).render().replace(EDGE, "").replace(THIN, " ").replace(BOX, "")


class LatexRenderer:
    """One pass over LaTeX commands and groups."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = _TOKEN.findall(text)
        self._at = 0
        self._cell = ""  # the replacement of "&": a bar in a table, nothing in an alignment

    def render(self) -> str:
        parts = []
        while self._at < len(self._tokens):
            parts.append(self._sequence(0))
        return "".join(parts)

    def _sequence(self, depth: int) -> str:
        """Render up to the closing brace of this group, or to the end."""
        parts: list[str] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token == "}":
                break
            part = self._token(token, depth)
            of_function = token in _FRACTIONS and any(_FUNCTION.search(before) for before in parts[-1:])
            parts.append(f"({part})" if of_function else part)
        return "".join(parts)

    def _token(self, token: str, depth: int) -> str:
        if token == "{":
            content = self._sequence(depth + 1) if depth < _DEEPEST else ""
            return f"({content})" if _SUM.search(content) and not _STATES.search(content) else content
        if token in ("^", "_"):
            return self._script(token, depth)
        if token == "&":
            return self._cell
        if token in ("$", "}"):
            return ""
        if token.startswith("\\\\"):
            return "\n"
        if token.startswith("\\"):
            return self._command(token[1:].rstrip("*") or "*", depth)
        return token

    def _script(self, mark: str, depth: int) -> str:
        following = self._tokens[self._at] if self._at < len(self._tokens) else ""
        if following != "{" and not following.startswith("\\"):
            return mark
        content = self._argument(depth).strip()
        if mark == "_":
            return "_" + re.sub(r"[^\w']+", "_", content.replace(EDGE, "")).strip("_")
        if content.strip("°'") == "":
            return content
        return f"^{content}" if re.fullmatch(r"[+-]?[\w.]+", content) else f"^({content})"

    def _command(self, name: str, depth: int) -> str:
        if name in _COMMANDS:
            return _COMMANDS[name]
        if name in _ACCENTS:
            return self._argument(depth).strip() + _ACCENTS[name]
        if f"\\{name}" in _FRACTIONS:
            return f"({self._argument(depth)})/({self._argument(depth)})"
        if name == "sqrt":
            return self._root(depth)
        if name in ("boxed", "fbox", "framebox"):
            return self._boxed(depth)
        if name in ("begin", "end", "tag", "label"):
            return self._environment(name, self._argument(depth), depth)
        if _BARE.fullmatch(name):
            content = self._argument(depth) if self._tokens[self._at : self._at + 1] == ["{"] else ""
            return _AT_EDGE.sub(THIN, content)  # the space of 10^9 \text{ Pa} is no separator
        if len(name) > 1:
            return ""
        return _ESCAPES.get(name, name)

    def _root(self, depth: int) -> str:
        """Render a square root, or a root with an index in brackets."""
        text = self._tokens[self._at] if self._at < len(self._tokens) else ""
        index = re.match(r" ?\[(\w{1,3})\](.*)", text, re.DOTALL)
        if index is None:
            return f"{EDGE}sqrt({self._argument(depth)})"
        self._tokens[self._at] = index[2]
        self._at += not index[2]
        return f"({self._argument(depth)})^(1/{index[1]})"

    def _environment(self, name: str, what: str, depth: int) -> str:
        if name in ("tag", "label"):
            return " "
        self._cell = " | " if name == "begin" and what in ("tabular", "tabularx") else ""
        if name == "begin" and what in ("array", "tabular"):
            self._argument(depth)  # the columns
        return "\n"

    def _boxed(self, depth: int) -> str:
        """Render a box as a statement of the answer, together with the rest of its line."""
        content = self._argument(depth).strip()
        if "\n" in content:
            return f"\n{content}\n"
        if sum(map(content.count, "=≈")) < 2:
            content = content.replace(" ; ", " ")
        return f"{BOX}{content} "

    def _argument(self, depth: int) -> str:
        """Render the next group, command or single character."""
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
            return self._token(token, depth + 1)
        token = token.lstrip()
        if len(token) > 1:
            self._at -= 1
            self._tokens[self._at] = token[1:]
        return token[:1]
