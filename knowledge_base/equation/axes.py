"""The controlled vocabulary of conditions: what a regime predicate may speak of, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from ansatz.quantities.did_you_mean import nearest


@dataclass(frozen=True)
class NumberAxis:
    """A quantity with its unit, such as the Mach number."""

    unit: str
    meaning: str


@dataclass(frozen=True)
class WordAxis:
    """A choice of words; `apart` holds the pairs that exclude each other.

    `parts` marks an axis whose words may be parts of one system: two of them exclude no third.
    """

    values: tuple[str, ...]
    apart: frozenset[frozenset[str]]
    parts: bool = False

    def exclude(self, first: str, second: str) -> bool:
        return frozenset((first, second)) in self.apart


def _words(text: str, *together: str) -> WordAxis:
    """Words that all exclude each other, but for those named together."""
    values = tuple(text.split())
    joint = {pair for group in together for pair in _pairs(group.split())}
    return WordAxis(values, frozenset(_pairs(values)) - joint)


def _facets(*facets: str) -> WordAxis:
    """Words of several facets; only words of the same facet exclude each other."""
    values = tuple(dict.fromkeys(word for facet in facets for word in facet.split()))
    return WordAxis(values, frozenset(pair for facet in facets for pair in _pairs(facet.split())))


def _pairs(words: Iterable[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in combinations(words, 2)}


NUMBERS: Mapping[str, NumberAxis] = {
    "mach": NumberAxis("-", "Mach number of the stream"),
    "theta": NumberAxis("rad", "inclination of the surface to the stream, or flow deflection"),
    "K_hyp": NumberAxis("-", "hypersonic similarity parameter M*theta"),
    "Re_x": NumberAxis("-", "Reynolds number on the running length"),
    "Re_theta": NumberAxis("-", "Reynolds number on the momentum thickness"),
    "Re": NumberAxis("-", "Reynolds number on a body dimension"),
    "kn": NumberAxis("-", "Knudsen number"),
    "chi_bar": NumberAxis("-", "viscous-interaction parameter"),
    "T": NumberAxis("K", "gas temperature"),
    "T_inf": NumberAxis("K", "free-stream temperature"),
    "T2": NumberAxis("K", "temperature behind the shock"),
    "Tw": NumberAxis("K", "wall temperature"),
    "Tw_over_T0": NumberAxis("-", "wall to stagnation temperature"),
    "p": NumberAxis("Pa", "gas pressure"),
    "rho": NumberAxis("kg/m**3", "free-stream density"),
    "speed": NumberAxis("m/s", "free-stream speed"),
    "altitude": NumberAxis("m", "altitude"),
    "gamma": NumberAxis("-", "ratio of specific heats"),
    "prandtl": NumberAxis("-", "Prandtl number"),
    "nose_radius": NumberAxis("m", "nose radius"),
    "sweep": NumberAxis("rad", "sweep angle"),
    "alpha": NumberAxis("rad", "angle of attack"),
    "Da": NumberAxis("-", "Damkohler number, flow time over chemical time"),
    "tau_opt": NumberAxis("-", "optical thickness"),
    "alpha_gamma": NumberAxis("-", "catalytic efficiency of the wall, 0 to 1"),
    "fourier": NumberAxis("-", "Fourier number"),
    "biot": NumberAxis("-", "Biot number"),
    "quality": NumberAxis("-", "vapour quality"),
    "ecc": NumberAxis("-", "orbital eccentricity"),
}
WORDS: Mapping[str, WordAxis] = {
    "gas": _words(
        "air N2 O2 NO CO2 CO2-N2 N2-CH4 H2-He He H2 Ar steam refrigerant carbon monatomic diatomic",
        "air diatomic",
        "N2 diatomic",
        "O2 diatomic",
        "NO diatomic",
        "H2 diatomic",
        "Ar monatomic",
        "He monatomic",
        "CO2 CO2-N2",
        "H2 H2-He",
        "He H2-He",
    ),
    "geometry": _words(
        "flat_plate wedge cone sphere cylinder swept_cylinder sphere_cone capsule blunt_body nozzle duct "
        "biconic airfoil slab semi_infinite channel",
        "sphere blunt_body",
        "capsule blunt_body",
        "sphere_cone blunt_body",
        "sphere_cone capsule",
        "cylinder blunt_body",
        "cylinder swept_cylinder",
        "swept_cylinder blunt_body",
        "slab semi_infinite",
        "nozzle duct",
        "duct channel",
        "flat_plate slab",
        "flat_plate airfoil",
        "flat_plate semi_infinite",
        "cone biconic",
    ),
    "dimensionality": _words("two_dimensional axisymmetric three_dimensional"),
    "surface": _words("windward leeward base"),
    "bl_state": _words("laminar transitional turbulent"),
    "flow": _words(
        "subsonic transonic supersonic hypersonic incompressible",
        "supersonic hypersonic",
        "subsonic incompressible",
    ),
    "shock": _words(
        "none normal oblique attached detached bow",
        "oblique attached",
        "detached bow",
        "normal bow",
        "normal detached",
    ),
    "wall": _facets(
        "adiabatic isothermal",
        "adiabatic cold",
        "adiabatic radiative_eq",
        "isothermal radiative_eq",
        "catalytic_full catalytic_partial noncatalytic",
        "slip no_slip",
        "ablating",
    ),
    "chemistry": _words(
        "calorically_perfect thermally_perfect equilibrium frozen finite_rate two_temperature ionized",
        "calorically_perfect frozen",
        "thermally_perfect frozen",
        "finite_rate two_temperature ionized",
        "equilibrium ionized",
        "frozen ionized",
        "calorically_perfect thermally_perfect",
    ),
    "optical": _words("thin intermediate thick"),
    "radiator": _words("blackbody gray nongray", "blackbody gray"),
    "process": _words(
        "isentropic adiabatic isothermal isobaric isochoric polytropic throttling reversible irreversible",
        "isentropic adiabatic reversible",
        "throttling adiabatic irreversible",
        "isothermal reversible",
        "isobaric reversible",
        "isochoric reversible",
        "polytropic reversible",
        "isobaric adiabatic",
    ),
    "phase": _words(
        "liquid two_phase vapor supercritical solid ideal_gas saturated_liquid saturated_vapor",
        "liquid saturated_liquid",
        "vapor saturated_vapor ideal_gas",
        "two_phase saturated_liquid",
        "two_phase saturated_vapor",
    ),
    "device": replace(
        _words(
            "turbine compressor pump nozzle diffuser valve heat_exchanger boiler condenser combustor mixer "
            "piston"
        ),
        parts=True,
    ),
    "cycle": _words(
        "carnot rankine brayton otto diesel dual stirling ericsson combined refrigeration heat_pump",
        "carnot rankine",
        "carnot refrigeration",
        "carnot heat_pump",
        "combined rankine",
        "combined brayton",
    ),
    "system": _words("closed open isolated"),
    "time": _words("steady unsteady"),
    "thrust": _words("impulsive low"),
    "orbit": _words("circular elliptic parabolic hyperbolic"),
    "entry": _words("ballistic glide lifting skip", "glide lifting skip"),
    "perturbation": _words("none J2 drag srp", "J2 drag srp"),
}
# Spellings seen in the literature and in prose, and the one used here.
SAME_AXIS: Mapping[str, str] = {
    "M": "mach", "Mach": "mach", "theta_rad": "theta", "Kn": "kn", "V": "speed", "velocity": "speed",
    "Pr": "prandtl", "Fo": "fourier", "Bi": "biot", "K": "K_hyp", "e": "ecc", "Pressure": "p",
}  # fmt: skip


def axis_name(var: str) -> str:
    return SAME_AXIS.get(var, var)


def word_problem(axis: str, word: str) -> str | None:
    """Why `word` is not a value of a word axis, or None."""
    values = WORDS[axis].values
    return None if word in values else f"{axis} has no value {word!r}{nearest(word, values, shown=20)}"
