"""Names of Greek letters and a few other signs."""

import re

_GREEK_LETTERS = (
    "α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu "
    "ξ xi ο omicron π pi ρ rho σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega "
    "ς sigma ϵ epsilon ϑ theta ϕ phi ϱ rho µ mu"
)
_LETTERS_AND_NAMES = iter(_GREEK_LETTERS.split())
_GREEK = dict(zip(_LETTERS_AND_NAMES, _LETTERS_AND_NAMES, strict=True))
EDGE = "\0"  # the border of a name; becomes a space only between two adjacent names
GREEK_NAMES = frozenset(_GREEK.values())
NAMES = {
    **_GREEK,
    **{letter.upper(): name.capitalize() for letter, name in _GREEK.items() if not letter.upper().isascii()},
    **{"∞": "inf", "∆": "Delta"},
}

_STARTS_GREEK = re.compile(  # a Greek name, at most with a short index
    rf"({'|'.join(sorted((name for name in GREEK_NAMES if len(name) > 2), key=len, reverse=True))})"
    r"(?=_|\d|[A-Za-z]{0,3}$)"
)


def leading_letter(symbol: str) -> str:
    """Return the letter or Greek name at the start of a symbol: rho of rho_inf or rhoinf, R of Rn."""
    greek = _STARTS_GREEK.match(symbol)
    if greek:
        return greek[1]
    return re.split(r"[_\d]", symbol)[0] if "_" in symbol else re.sub(r"(?<=^[A-Z])[a-z]$|\d+$", "", symbol)
