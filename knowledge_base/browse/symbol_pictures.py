"""Symbols as the typeset formula of their entry shows them: rho_inf as \\rho_\\infty."""

from __future__ import annotations

import re
from functools import lru_cache

from ansatz.knowledge_base.equation.equation import Equation

_SHORT = {"lam": "lambda", "eps": "epsilon", "sig": "sigma", "th": "theta", "om": "omega", "inf": "infty"}
_MARK = r"\\(?:dot|ddot|bar|overline|hat|tilde|vec) ?"
_INDEX = r"(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[A-Za-z\d*'+])"
_STEM = r"\\mathrm\{\w+\}|\\[A-Za-z]+|[A-Z]{2,}|Re|Pr|Nu|Ma|Kn|Sc|[A-Za-z]"
_SYMBOL = re.compile(
    r"\\(?:d?frac|sqrt|exp|ln|log|left|right|cdot|times|quad|min|max|sin|cos|tan)(?![A-Za-z])"
    rf"|(?P<symbol>(?:{_MARK})?(?:{_STEM})(?:_{_INDEX})?)"
)
_STYLE = re.compile(r"\\(?:mathrm|mathit|text|var|dot|bar|overline|hat|tilde|vec)(?![a-z]{5})|[\\{}_ ,*]")


def find_symbol_latex(equation: Equation, name: str) -> str | None:
    """The LaTeX of one of an entry's symbols or constants, None where the formula shows none for it."""
    own = (equation.symbols.get(name) or equation.constants[name]).latex
    if own and not re.fullmatch(r"[\d.]+|.*_", own):
        return own
    shown, letters = _find_symbols(equation.latex), _join_letters(name)
    if letters in shown:
        return shown[letters]
    # The picture may add an index to a symbol that the entry needs none for: q is shown as q_s.
    indexed = [latex for latex in shown.values() if _STYLE.sub("", latex.split("_")[0]) == letters]
    alike = [
        each for each in (*equation.symbols, *equation.constants) if _join_letters(each).startswith(letters)
    ]
    return indexed[0] if len(indexed) == len(alike) == 1 else None


def _join_letters(name: str) -> str:
    return "".join(_SHORT.get(part, part) for part in re.findall(r"[A-Za-z]+|\d+", name))


@lru_cache(maxsize=64)
def _find_symbols(latex: str) -> dict[str, str]:
    """Each symbol of a formula by its letters alone."""
    found = [each["symbol"] for each in _SYMBOL.finditer(latex) if each["symbol"]]
    return {_STYLE.sub("", symbol): symbol for symbol in found}
