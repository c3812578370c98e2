"""Words and symbol names, compared the way a reader compares them: loosely."""

from __future__ import annotations

import re
from functools import lru_cache

_STOP = frozenset(
    """a an and are as at be by for from has have in into is it its of on or over per that the their then
    there this through to under number using with whose which where when what find determine calculate
    compute estimate give given take value values assume flow flows fluid flies each""".split()  # noqa: SIM905
)
_DISTINGUISHING = frozenset(
    """wall freestream stagnation edge exit inlet downstream initial final hot cold static dynamic
    nose throat vibrational kinematic sound skin boundary saturation critical reservoir""".split()  # noqa: SIM905
)
_QUANTITIES = frozenset(
    """pressure temperature density speed enthalpy entropy energy heat friction drag lift area length mass
    viscosity conductivity emissivity mach reynolds knudsen prandtl damkohler quality efficiency""".split()  # noqa: SIM905
)
# Of each row one excludes the others.
_RIVALS = tuple(
    frozenset(row.split())
    for row in (
        "radius altitude diameter wavelength amplitude focal semimajor",
        "first second third",
        "primary secondary",
        "input output",
        "perigee apogee periapsis apoapsis perihelion aphelion",
        "object image",
        "parallel series",
    )
)
_WORDS_KEPT = 6
_SYNONYMS = {
    "velocity": "speed", "ambient": "freestream", "total": "stagnation", "behind": "downstream",
    "vapour": "vapor", "ahead": "freestream",
    "upstream": "freestream", "post": "downstream", "surface": "wall", "viscous": "viscosity",
    "heating": "heat", "steam": "water", "dryness": "quality", "exhaust": "exit", "outlet": "exit",
    "entrance": "inlet", "quantity": "", "thermodynamic": "",
}  # fmt: skip
_SUBSCRIPTS = {
    "inf": "", "infty": "", "infinity": "", "oo": "", "∞": "", "wall": "w", "stag": "0", "t": "0", "o": "0",
    "edge": "e", "exit": "e", "nose": "n",
}  # fmt: skip
# Letters that are used for one another; units tell apart what this throws together.
_LETTERS = {
    "u": "v", "w": "v", "U": "v", "V": "v", "P": "p", "c": "a", "Ma": "M", "k": "gamma", "γ": "gamma",
    "ρ": "rho", "μ": "mu", "ε": "epsilon", "eps": "epsilon", "θ": "theta", "κ": "k", "kappa": "k",
    "λ": "lambda", "lam": "lambda", "qdot": "q", "q_dot": "q",
}  # fmt: skip


_JOINED = re.compile(r"\b(free|leading|trailing|semi|half)[- ]?(stream|edge|major|life|lives)")


@lru_cache(maxsize=8192)
def content_words(text: str) -> frozenset[str]:
    """The words of a phrase that carry meaning, in one spelling."""
    text = _JOINED.sub(r"\1\2", text.lower())
    return frozenset(
        filter(None, (_stem(word) for word in re.findall(r"[a-z][a-z0-9]+", text) if word not in _STOP))
    )


def phrase(text: str) -> str:
    """The last few words of a text that carry meaning, in their order."""
    text = _JOINED.sub(r"\1\2", text.lower())
    words = [word for word in re.findall(r"[a-z][a-z0-9]+", text) if word not in _STOP]
    return " ".join(words[-_WORDS_KEPT:])


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word != "reynolds" and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _SYNONYMS.get(word, word)


def overlap(ours: frozenset[str], theirs: frozenset[str]) -> float:
    """Shared words, from 0 to 1 (cosine of the two sets)."""
    if not ours or not theirs:
        return 0.0
    return float(len(ours & theirs) / (len(ours) * len(theirs)) ** 0.5)


def distinguishing(words: frozenset[str]) -> frozenset[str]:
    """Of some words, those that name a place or a kind of quantity."""
    return words & (_DISTINGUISHING | _QUANTITIES)


def is_particular(words: frozenset[str]) -> bool:
    """The words name a place or kind that is not the undisturbed stream itself."""
    return bool(words & _DISTINGUISHING - {"freestream", "static"})


@lru_cache(maxsize=16384)
def contradict(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Both name a place or kind (wall, exit, stagnation), a quantity or one of rivals, not the same."""
    for kind in (_DISTINGUISHING, _QUANTITIES, *_RIVALS):
        one, other = ours & kind, theirs & kind
        if one and other and not one & other:
            return True
    return False


@lru_cache(maxsize=8192)
def split_name(name: str) -> tuple[str, str]:
    """Letter and subscript of a symbol: R_n and Rn are (R, n); rho_inf is (rho, '')."""
    letter, _, subscript = name.replace("{", "").replace("}", "").partition("_")
    if not subscript and (
        found := re.fullmatch(r"([A-Za-z]|rho|gamma|theta|alpha|mu|tau|delta)(inf|\d+|[a-z])", name)
    ):
        letter, subscript = found.groups()
    subscript = subscript.replace("_", "")
    return _LETTERS.get(letter, letter), _SUBSCRIPTS.get(subscript, subscript)


@lru_cache(maxsize=16384)
def name_similarity(ours: str, theirs: str) -> float:
    """From 1 (the same symbol) to -0.4 (the same letter at a different place)."""
    if ours.replace("_", "").lower() == theirs.replace("_", "").lower():
        return 1.0
    (letter, subscript), (other, other_subscript) = split_name(ours), split_name(theirs)
    if letter.lower() != other.lower():
        return 0.0
    if subscript.lower() == other_subscript.lower():
        return 0.8
    if subscript and other_subscript:
        return -0.4
    return 0.6 if len(letter) > 1 else 0.3
