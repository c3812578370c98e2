"""Values that a student knows by heart of the things a question names: water, sound, electrons, planets.

Gravitational parameters and equatorial radii: NASA planetary fact sheets, for the Sun IAU 2015.
Particles: CODATA 2018. Water and the speed of sound at room temperature: Halliday, Resnick and Walker.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.units import parse_unit

_BODIES = {  # gravitational parameter in km^3/s^2, radius in km
    "earth": (398600.4, 6378.0),
    "moon": (4904.9, 1737.4),
    "mars": (42828.0, 3396.0),
    "venus": (324859.0, 6052.0),
    "mercury": (22032.0, 2440.0),
    "jupiter": (126687000.0, 71490.0),
    "saturn": (37931000.0, 60270.0),
    "uranus": (5794000.0, 25560.0),
    "neptune": (6837000.0, 24765.0),
    "sun": (132712000000.0, 695700.0),
}
_THINGS = {
    "water": (
        ("rho", 1000.0, "kg/m^3", "density"),
        ("c", 4186.0, "J/(kg*K)", "specific heat"),
    ),
    "ice": (("L", 3.34e5, "J/kg", "latent heat fusion"),),
    "sound": (("v", 343.0, "m/s", "speed sound"),),
    "electron": (("q", 1.602176634e-19, "C", "charge"), ("m", 9.1093837e-31, "kg", "mass")),
    "proton": (("q", 1.602176634e-19, "C", "charge"), ("m", 1.67262192e-27, "kg", "mass")),
    "atmospheric": (("p0", 101325.0, "Pa", "atmospheric pressure"),),
}
_NAMES = "|".join(_BODIES)
_AROUND = re.compile(
    rf"\b(?:orbits?|orbiting|around|about|circles|leaves|leaving|circling)\s+(?:the\s+)?({_NAMES})\b",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"\b({_NAMES})\b", re.IGNORECASE)
_CENTRED = {"heliocentric": "sun", "geocentric": "earth", "lunar orbit": "moon"}
_IN_SPACE = re.compile(r"\b(?:satellite|spacecraft|orbit|orbital)", re.IGNORECASE)


@lru_cache(maxsize=512)
def known_of_what_is_named(text: str) -> tuple[Given, ...]:
    """What goes without saying of the things in a text, as an assumption each."""
    named = (values for thing, values in _THINGS.items() if re.search(rf"\b{thing}s?\b", text, re.IGNORECASE))
    things = tuple(_known(*value) for values in named for value in values)
    return (*things, *_of_the_central_body(text))


def _of_the_central_body(text: str) -> tuple[Given, ...]:
    """Attraction and size of the body that is orbited: the one named, else Earth; none without an orbit."""
    body = _central_body(text)
    if body is None:
        return ()
    parameter, radius = _BODIES[body]
    return (
        _known("mu", parameter, "km^3/s^2", "gravitational parameter"),
        _known("R", radius, "km", "planet radius"),
    )


def _central_body(text: str) -> str | None:
    for word, body in _CENTRED.items():
        if word in text.lower():
            return body
    if found := _AROUND.search(text) or _NAMED.search(text):
        return found.group(1).lower()
    return "earth" if _IN_SPACE.search(text) else None


def _known(symbol: str, value: float, unit_text: str, words: str) -> Given:
    unit = parse_unit(unit_text)
    assert unit is not None
    return Given(symbol, unit.to_si(value), unit, f"{value:g} {unit_text}", words, assumed=True)
