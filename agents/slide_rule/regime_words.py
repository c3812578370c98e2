"""The words engineers use for regimes: which word means which value, and which values go together."""

from __future__ import annotations

import re
from functools import lru_cache

# For each variable, the words that state each of its values (regular expressions, lower case).
_STATED: dict[str, dict[str, str]] = {
    "bl_state": {"laminar": "laminar", "transitional": "transitional", "turbulent": "turbulent"},
    "gas": {
        "air": "air|earth|earth's",
        "CO2": "co2|carbon dioxide|martian|mars|venus|venusian",
        "CO2-N2": "co2-n2|martian|mars|venus|venusian",
        "N2": "nitrogen|n2",
        "O2": "oxygen|o2",
        "NO": "nitric oxide",
        "He": "helium",
        "H2": "hydrogen",
        "H2-He": "jupiter|jovian|saturn|hydrogen-helium",
        "N2-CH4": "titan",
        "Ar": "argon",
        "steam": "steam|water vapou?r",
        "refrigerant": r"refrigerant|r-?134a",
        "monatomic": "monatomic",
        "diatomic": "diatomic",
    },
    "geometry": {
        "flat_plate": "flat[ -]plate|plate",
        "wedge": "wedge|ramp",
        "cone": "(?<!sphere-)(?<!sphere )cones?",
        "sphere": "spheres?(?![ -]cone)|spherical|hemispher[a-z]*",
        "cylinder": "(?<!swept )(?<!swept-)cylinder|cylindrical",
        "swept_cylinder": "swept[ -]cylinder|swept leading edge",
        "sphere_cone": "sphere[ -]cone",
        "capsule": "capsule",
        "blunt_body": "blunt|blunt[ -](?:body|nosed?)",
        "nozzle": "nozzle",
        "duct": "duct|pipe|tube",
        "airfoil": "airfoil|aerofoil",
        "slab": "slab",
    },
    "flow": {
        "subsonic": "subsonic",
        "transonic": "transonic",
        "supersonic": "supersonic",
        "hypersonic": "hypersonic",
        "incompressible": "incompressible",
    },
    "shock": {
        "normal": "normal shock",
        "oblique": "oblique(?: shock)?",
        "attached": "attached",
        "detached": "detached",
        "bow": "bow shock",
    },
    "wall": {
        "adiabatic": "adiabatic|insulated",
        "isothermal": "isothermal",
        "cold": "cold",
        "radiative_eq": "radiative[ -]equilibrium",
        "catalytic_full": "fully[ -]catalytic",
        "catalytic_partial": "partially[ -]catalytic|finite catalytic",
        "noncatalytic": "non-?catalytic",
        "slip": "slip",
        "ablating": "ablat[a-z]+",
    },
    "chemistry": {
        "calorically_perfect": "calorically perfect|constant specific heats?|perfect gas",
        "thermally_perfect": "thermally perfect|variable specific heats?",
        "equilibrium": "(?<!non)(?<!non-)(?<!radiative )(?<!radiative-)equilibrium",
        "frozen": "frozen",
        "finite_rate": "finite[ -]rate|non-?equilibrium",
        "two_temperature": "two[ -]temperature",
        "ionized": "ioni[sz]ed",
    },
    "optical": {"thin": "optically[ -]thin", "thick": "optically[ -]thick"},
    "device": {
        "turbine": "turbine",
        "compressor": "compressor",
        "pump": "pump",
        "diffuser": "diffuser",
        "valve": "valve|throttl[a-z]+",
        "heat_exchanger": "heat exchanger",
    },
    "process": {
        "isentropic": "isentropic(?:ally)?",
        "isothermal": "isothermal(?:ly)?",
        "throttling": "throttl[a-z]+",
        "isobaric": "constant pressure|isobaric",
        "isochoric": "constant volume|isochoric",
        "polytropic": "polytropic",
    },
    "dimensionality": {
        "two_dimensional": "two-dimensional|planar",
        "axisymmetric": "axisymmetric",
    },
    "surface": {"windward": "windward", "leeward": "leeward|shadow", "base": "base"},
    "radiator": {"blackbody": "black ?body|black", "gray": "gr[ae]y"},
    "time": {"steady": "steady", "unsteady": "unsteady|transient"},
    "thrust": {"impulsive": "impulsive|impulse", "low": "low[ -]thrust|electric propulsion"},
    "entry": {"ballistic": "ballistic", "glide": "glide|gliding", "lifting": "lifting", "skip": "skip"},
}

# Values that do not exclude each other; all other values of these variables do.
_TOGETHER: dict[str, tuple[str, ...]] = {
    "gas": (
        "air N2 O2 NO H2 diatomic",
        "He Ar monatomic",
        "CO2 CO2-N2",
        "H2 He H2-He",
        "N2 N2-CH4",
        "N2 CO2-N2",
    ),
    "geometry": (
        "sphere capsule sphere_cone blunt_body",
        "cylinder swept_cylinder blunt_body",
        "cone sphere_cone",
        "nozzle duct",
        "flat_plate airfoil slab wedge",
    ),
    "flow": ("supersonic hypersonic", "subsonic incompressible"),
    "shock": ("oblique attached", "normal detached bow"),
    "chemistry": (
        "calorically_perfect thermally_perfect frozen",
        "finite_rate two_temperature ionized",
        "equilibrium ionized",
        "frozen ionized",
    ),
    "process": ("isentropic polytropic",),
    "radiator": ("blackbody gray",),
    "entry": ("glide lifting skip",),
}

# Variables of several facets, the other way round: only these values exclude each other.
_APART: dict[str, tuple[str, ...]] = {
    "wall": (
        "adiabatic isothermal",
        "adiabatic cold",
        "adiabatic radiative_eq",
        "isothermal radiative_eq",
        "catalytic_full catalytic_partial noncatalytic",
    ),
}

# What a regime word says about a number: its range.
RANGES: dict[str, dict[str, tuple[float, float]]] = {
    "mach": {
        "hypersonic": (5.0, 50.0),
        "supersonic": (1.2, 50.0),
        "subsonic": (0.0, 0.8),
        "transonic": (0.8, 1.2),
        "incompressible": (0.0, 0.3),
    },
    "kn": {
        "continuum": (0.0, 0.01),
        "slip flow": (0.01, 0.1),
        "rarefied": (0.1, 100.0),
        "free[- ]molecular": (10.0, 1e6),
    },
}

# The symbol, words and unit under which a question gives the number that a condition speaks of.
NUMBERS: dict[str, tuple[str, str, str]] = {
    "speed": ("V", "speed", "m/s"),
    "velocity": ("V", "speed", "m/s"),
    "mach": ("M", "mach", "-"),
    "kn": ("Kn", "knudsen", "-"),
    "re": ("Re", "reynolds", "-"),
    "re_x": ("Re_x", "reynolds", "-"),
    "re_theta": ("Re_theta", "momentum thickness reynolds", "-"),
    "theta": ("theta", "angle inclination", "rad"),
    "theta_rad": ("theta", "angle inclination", "rad"),
    "k_hyp": ("K", "hypersonic similarity parameter", "-"),
    "t": ("T", "temperature", "K"),
    "t2": ("T_2", "temperature downstream shock", "K"),
    "tw": ("T_w", "wall temperature", "K"),
    "p": ("p", "pressure", "Pa"),
    "rho": ("rho", "density", "kg/m^3"),
    "chi_bar": ("chi", "viscous interaction parameter", "-"),
    "da": ("Da", "damkohler", "-"),
    "gamma": ("gamma", "ratio specific heats", "-"),
    "quality": ("x", "quality", "-"),
    "prandtl": ("Pr", "prandtl", "-"),
    "tau_opt": ("tau", "optical thickness", "-"),
    "ecc": ("e", "eccentricity", "-"),
    "nose_radius": ("R_n", "nose radius", "m"),
    "altitude": ("h", "altitude", "m"),
    "sweep": ("Lambda", "sweep angle", "rad"),
    "alpha": ("alpha", "angle attack", "rad"),
    "fourier": ("Fo", "fourier", "-"),
    "biot": ("Bi", "biot", "-"),
}
DERIVABLE = frozenset({"mach", "kn", "re", "re_x", "k_hyp"})


def says(text: str, variable: str, value: str) -> bool:
    """The lower-case text states this value of a variable, and does not deny it."""
    return bool(_pattern(variable, value).search(text))


def denies(text: str, variable: str, value: str) -> bool:
    return bool(re.search(rf"\b(?:not|no|non)[ -](?:{_words(variable, value)})\b", text))


@lru_cache(maxsize=1024)
def _pattern(variable: str, value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!non-)(?<!not )(?<!no )(?<!\w)(?:{_words(variable, value)})(?!\w)")


def _words(variable: str, value: str) -> str:
    stated = _STATED.get(variable, {}).get(value)
    return stated or re.escape(value.strip().lower()).replace("_", "[ -]")


def excluding(text: str, variable: str, values: list[str]) -> str | None:
    """A value the text states that none of `values` can go with, or None."""
    for other in _STATED.get(variable, {}):
        excluded = not any(_compatible(variable, other, value) for value in values)
        if other not in values and excluded and says(text, variable, other):
            return other
    return None


def _compatible(variable: str, one: str, other: str) -> bool:
    pair = {one, other}
    if variable in _APART:
        return not any(pair <= set(group.split()) for group in _APART[variable])
    return any(pair <= set(group.split()) for group in _TOGETHER.get(variable, ()))


_SPOKEN = {
    "bl_state": "boundary layer",
    "chemistry": "gas model",
    "optical": "radiating layer",
    "time": "state",
}


def stated_values(text: str) -> list[tuple[str, str]]:
    """All regime words of a lower-case text, as (variable, value) in plain words."""
    found = [(name, value) for name, values in _STATED.items() for value in values if says(text, name, value)]
    return [(_SPOKEN.get(name, name), value.replace("_", " ")) for name, value in found]
