"""Symbols as engineers write them (h₂s, Ẇ_net, s_gen,comp, \\dot{m}) in one plain spelling."""

from __future__ import annotations

import re

from ansatz.agents.slide_rule.units import plain_text

_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx", strict=True))
_SUBSCRIPT_RUN = re.compile(rf"_?[{''.join(_SUBSCRIPTS)}]+")
_DOTTED = {"Ẇ": "W", "ẇ": "w", "ṁ": "m", "Ṁ": "m", "Ė": "E", "ė": "e", "Ẋ": "X", "ẋ": "x", "Ṡ": "S", "ṡ": "s"}
_DOT = re.compile(r"(\w)\u0307")
_GREEK = {
    "η": "eta", "ψ": "psi", "Ψ": "psi", "ε": "epsilon", "ϵ": "epsilon", "σ": "sigma", "Δ": "Delta", "γ": "k",
    "φ": "psi", "ϕ": "psi", "δ": "delta", "β": "beta", "ρ": "rho",
}  # fmt: skip
_TEX = (
    (re.compile(r"\\dot\s*\{?(\w)\}?"), r"\1_dot"),
    (re.compile(r"\\(?:text|mathrm|rm)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\(eta|psi|varepsilon|epsilon|sigma|Delta|gamma)(?![A-Za-z])"), r"\1"),
    (re.compile(r"\\circ"), "°"),
    (re.compile(r"\\[,;! ]"), " "),
    (re.compile(r"[${}]|\\cdot"), ""),
)
_SPELLINGS = (
    (re.compile(r"degrees? (?:Celsius|C)\b|deg\.? C\b"), "°C"),
    (re.compile(r"\b(kJ|J)/kg K\b"), r"\1/(kg*K)"),
    (re.compile(r"\bper ?cent\b"), "percent"),
    (re.compile(r"(?<=[a-z])\s*\((?:abs|absolute|gauge)\.?\)", re.IGNORECASE), ""),
    (re.compile(r"[*_]{2,}(?=[A-Za-z])|(?<=[\w.:])\*\*"), ""),
)


def plain(text: str) -> str:
    """Unicode subscripts, dotted letters, Greek letters and light TeX or Markdown in ASCII."""
    text = plain_text(text)
    for pattern, replacement in (*_TEX, *_SPELLINGS):
        text = pattern.sub(replacement, text)
    text = _DOT.sub(r"\1_dot", text)
    for dotted, letter in _DOTTED.items():
        text = text.replace(dotted, f"{letter}_dot")
    text = _SUBSCRIPT_RUN.sub(_subscript, text)
    for letter, name in _GREEK.items():
        text = text.replace(letter, name)
    return text


def _subscript(run: re.Match[str]) -> str:
    return "_" + "".join(_SUBSCRIPTS.get(letter, "") for letter in run.group())


_RUN_TOGETHER = re.compile(
    r"^(?P<base>sgen|exdest|xdest|mdot|wdot|qdot|psi|eta|cop|ex|bwr|[hstpvuxweqmcn])"
    r"(?P<rest>\d\w*|net|in|out|th|turb\w*|comp\w*|pump|[IL]+|isen)$",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[_,{}()\[\]\s.·'′-]+")


def parts(symbol: str) -> tuple[str, tuple[str, ...]]:
    """Letter and subscripts of a symbol: `Ẇ_net,out` is (W, (dot, net, out)), `h2s` is (h, (2s,))."""
    first, *rest = filter(None, _SEPARATORS.split(plain(symbol))) if symbol.strip() else ("",)
    if change := re.fullmatch(r"Delta(\w+)", first):
        return "Delta", (change[1], *rest)
    split = _RUN_TOGETHER.match(first)
    if split:
        return split["base"], (split["rest"], *rest)
    return first, tuple(rest)
