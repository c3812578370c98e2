"""The words by which quantities are told apart, or known to be the same."""

from __future__ import annotations

from collections.abc import Mapping

# Words for one place in a flow; what lies at one place is no substitute for what lies at another.
_PLACE_WORDS: Mapping[str, str] = {
    "upstream": "free-stream freestream ambient ahead upstream before first",
    "downstream": "behind downstream after second",
    "edge": "edge",
    "wall": "wall",
    "throat": "throat",
    "exit": "exit",
    "star": "star reference",
}
PLACES = {word: place for place, words in _PLACE_WORDS.items() for word in words.split()}
INDEX = {"1": "upstream", "2": "downstream", "inf": "upstream", "w": "wall", "e": "edge", "star": "star"}
# Words that make another quantity of the same dimension, whatever else two descriptions share.
KINDS = frozenset(
    [
        "recovery",
        "total",
        "vibrational",
        "electron",
        "rotational",
        "momentum",
        "displacement",
        "ratio",
        "difference",
        "jump",
        "gradient",
        "inverse",
        "characteristic",
        "unit",
        "exponent",
        "sound",
        "slip",
        "thermal",
    ]
)
# What can be total, vibrational and so on; a total relaxation time is just a sum.
STATES = frozenset(["pressure", "temperature", "enthalpy", "density", "energy"])
MODES = frozenset(["total", "vibrational", "electron", "rotational", "characteristic", "thermal"])
# Words that make another quantity more often than not.
TENDENCIES = frozenset(
    [
        "mean",
        "maximum",
        "minimum",
        "critical",
        "excitation",
        "equilibrium",
        "frozen",
        "initial",
        "dynamic",
        "parameter",
        "number",
        "peak",
        "similarity",
    ]
)
SAME = {
    "velocity": "speed", "velocities": "speed", "atoms": "atom", "molecules": "molecule",
    "stagnation": "total",
    "adiabatic": "recovery", "over": "ratio", "viscous-interaction": "viscous-interaction",
    "dissociated": "dissociation", "diameter": "diameter", "gray": "grey", "speeds": "speed",
    "vehicle": "flow", "bond-line": "bond-line", "leading-edge": "leading-edge", "rarefaction": "viscous",
}  # fmt: skip
FILLER = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "at",
        "to",
        "in",
        "on",
        "and",
        "for",
        "by",
        "with",
        "from",
        "per",
        "its",
        "one",
        "or",
        "as",
        "that",
        "if",
        "is",
    ]
)
