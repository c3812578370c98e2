"""Check that the LaTeX of an entry has the symbols and numbers of its executable formula."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from ansatz.knowledge_base.equation.equation import Equation

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon "
    "phi chi psi omega"
)
# Stems that conventionally denote a Greek letter, some because `lambda` is a reserved word.
_CUSTOM: Mapping[str, tuple[str, ...]] = {
    "g": ("gamma",), "k": ("kappa", "gamma"), "lam": ("lambda",), "eps": ("epsilon",), "sig": ("sigma",),
    "om": ("omega",), "th": ("theta",), "d": ("Delta", "delta", "partial"), "del": ("delta",),
    "h": ("hbar",), "e": ("epsilon",), "s": ("sigma",), "a": ("alpha",), "t": ("tau",), "w": ("omega",),
}  # fmt: skip
_DECORATION = re.compile(
    r"\\(?:mathrm|mathit|mathbf|operatorname|text|textrm|textup|rm|dot|ddot|bar|overline|hat|tilde|vec|left|right|"
    r"bigl?|bigr|Bigl?|Bigr)(?![A-Za-z])"
)


def find_notation_problems(equation: Equation) -> list[str]:
    """Return a line for each symbol, and each number of at least three digits, that the LaTeX lacks.

    The LaTeX has a symbol if it contains its first letter, or a Greek letter that the name spells or
    shortens. The check finds a formula of another entry, a missing symbol or a mistyped constant. It does not
    compare the structure.
    """
    latex = _DECORATION.sub(" ", equation.latex)
    missing = [name for name in sorted(equation.formula.names) if not _is_shown(equation, name, latex)]
    lines = [
        f"latex does not show {name!r}; if it is written otherwise, give the symbol a `latex: '...'`"
        for name in missing
    ]
    written = set(re.findall(r"\d+(?:\.\d+)?", latex.replace("{,}", "").replace(r"\,", "")))
    lines += [
        f"latex does not show the number {text}" for text in _find_numbers(equation) if text not in written
    ]
    for name, each in equation.constants.items():
        # The power of ten may belong to the unit, and a constant of 1 only introduces a unit.
        if re.fullmatch(r"[\d.]+", each.latex) and each.value != 1:
            digits = each.latex.replace(".", "").lstrip("0")
            if f"{abs(each.value):.{len(digits) - 1}e}".split("e")[0].replace(".", "") != digits:
                lines.append(f"latex shows {name} as {each.latex}, its value is {each.value:g}")
    return lines


def _is_shown(equation: Equation, name: str, latex: str) -> bool:
    part = equation.symbols.get(name) or equation.constants[name]
    if part.latex:
        return _DECORATION.sub(" ", part.latex).replace(" ", "") in latex.replace(" ", "")
    if name in equation.constants and _format_digits(equation.constants[name].value) in latex:
        return True
    stem = re.split(r"[_\d]", name)[0]
    letters = [greek for greek in _GREEK.split() if stem.lower().startswith(greek)]
    letters += [greek for short, meant in _CUSTOM.items() if stem.startswith(short) for greek in meant]
    if any(re.search(rf"\\(?:var)?(?:{each}|{each.capitalize()})(?![A-Za-z])", latex) for each in letters):
        return True
    return stem[0] in re.sub(r"\\[A-Za-z]+", " ", latex)


def _find_numbers(equation: Equation) -> list[str]:
    """Return the literal numbers of the formula with at least three significant digits, as text."""
    literals = [node.value for node in ast.walk(equation.formula.tree) if isinstance(node, ast.Constant)]
    texts = [_format_digits(float(value)) for value in literals if isinstance(value, int | float)]
    return [text for text in texts if len(text.replace(".", "").strip("0")) >= 3]


def _format_digits(value: float) -> str:
    """Format the mantissa as in LaTeX: 1.7415e-4 and 17415 give "1.7415" and "17415"."""
    if 1e-3 <= abs(value) < 1e6 or value == 0:
        return f"{value:.12g}"
    return f"{value:.12e}".split("e")[0].rstrip("0").rstrip(".")
