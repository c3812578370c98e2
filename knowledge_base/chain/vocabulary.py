"""The words by which quantities are told apart, or known to be the same."""

from __future__ import annotations

from collections.abc import Mapping

# Words for one place in a flow; what lies at one place is no substitute for what lies at another.
_PLACE_WORDS: Mapping[str, str] = {
    "upstream": "freestream ambient ahead upstream before",
    "downstream": "behind downstream after",
    "edge": "edge",
    "wall": "wall",
    "throat": "throat",
    "exit": "exit",
    "star": "star reference",
}
PLACES = {word: place for place, words in _PLACE_WORDS.items() for word in words.split()}
INDEX = {"inf": "upstream", "w": "wall", "e": "edge"}
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
        "exponent",
        "sound",
        "slip",
        "constantof",
        "limit",
        "thermal",
        "gasconstant",
    ]
)
# Words of which one excludes the others of its line; what is laminar is derived from what is laminar.
_ALTERNATIVES = (
    "laminar turbulent transitional",
    "convective radiative conductive",
    "first second third",
    "smaller larger",
    "cold hot insulated",
    "front back",
    "windward leeward",
    "flight tunnel",
    "fullycatalytic noncatalytic",
    "wedge cone sphere cylinder",
    "oxygen nitrogen hydrogen helium argon",
    "blown unblown",
)
# What is convective itself rests on quantities that are not.
NOT_PASSED_ON = frozenset(_ALTERNATIVES[1].split())
# What a whole question is about, where it speaks of one of them alone.
OF_A_QUESTION = frozenset(["laminar", "turbulent", "oxygen", "nitrogen"])
ALTERNATIVES = {word: line for line, words in enumerate(_ALTERNATIVES) for word in words.split()}
# What can be total, vibrational and so on; a total relaxation time is just a sum.
STATES = frozenset(["pressure", "temperature", "enthalpy", "density", "energy"])
# Of the words of a line, one quantity is not another's.
APART = (
    STATES,
    frozenset(["lift", "drag"]),
    frozenset(["doppler", "stark", "lorentz", "voigt"]),
    frozenset(["coupled", "uncoupled"]),
    frozenset(["continuum", "freemolecular"]),
)
MODES = frozenset(["total", "vibrational", "electron", "rotational", "characteristic", "thermal"])
# Words that make another quantity more often than not.
TENDENCIES = frozenset(
    [
        "mean",
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
        "total",
        "both",
        "freemolecular",
    ]
)
# Phrases of one meaning, read before words are: the order is that in which they are put.
PHRASES: Mapping[str, str] = {
    r"boundary[- ]layer edge|edge of the (?:boundary )?layer": "edge",
    r"boundary[- ]layer": "boundarylayer",
    r"leading[- ]edge": "leadingedge",
    r"free[- ]stream": "freestream",
    r"stagnation[- ](?:point|line)|stagnation (?=heat)|attachment[- ]line": "stagnationpoint ",
    r"(cold|hot)[- ]wall (?=.*flux)": r"\1wall ",
    r"pitot pressure": "total pressure behind the shock",
    r"total pressure recovery": "total pressure ratio",
    r"specific heats?\b": "specificheat",
    r"free[- ]molecular?(?:-flow)?": "freemolecular",
    r"^constant of (?:the )?(?=.*coefficient)": "constantof ",
    r"fully catalytic": "fullycatalytic",
    r"adiabatic \(uncoupled\)": "uncoupled",
    r"(?:specific )?gas constant": "gasconstant",
    r"with(out)? blowing": r"blown\1",
    r"without (?:an? |the )?([a-z])": r"no\1",
    r"gravitational acceleration|acceleration of (?:free fall|gravity)": "gravity",
    r"viscosity at the (reference|wall) temperature": r"viscosity at the \1",
    r"dynamic viscosity": "viscosity",
    r"temperature of vibration": "vibrational temperature",
    r"(?<=[a-z])i[sz]ation\b": "ization",
    r"(?<=[a-z]{3})i[sz]e(s|d)\b": r"ize\1",
    r"([a-z])-(?=[a-z])": r"\1 ",
}
SAME = {
    "velocity": "speed", "velocities": "speed", "atoms": "atom", "molecules": "molecule",
    "stagnation": "total",
    "adiabatic": "recovery", "over": "ratio", "dissociated": "dissociation", "gray": "grey",
    "vehicle": "flow", "rarefaction": "viscous",
    "greatest": "peak", "highest": "peak", "largest": "peak", "maximum": "peak",
    "blownout": "unblown", "least": "minimum", "lowest": "minimum", "smallest": "minimum",
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
