"""Greek letters and the few other signs that stand for names."""

_GREEK_LETTERS = (
    "α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu "
    "ξ xi ο omicron π pi ρ rho σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega "
    "ς sigma ϵ epsilon ϑ theta ϕ phi ϱ rho µ mu"
)
_LETTERS_AND_NAMES = iter(_GREEK_LETTERS.split())
_GREEK = dict(zip(_LETTERS_AND_NAMES, _LETTERS_AND_NAMES, strict=True))
EDGE = "\0"  # the border of a name: a space only where two names would otherwise run together
GREEK_NAMES = frozenset(_GREEK.values())
NAMES = {
    **_GREEK,
    **{letter.upper(): name.capitalize() for letter, name in _GREEK.items() if not letter.upper().isascii()},
    **{"∞": "inf", "∆": "Delta"},
}
