"""Axes that a question does not state but that follow from what it does, by the base's own equations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ansatz.knowledge_base.equation.entry import EvaluationError
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.facts import Facts, Number, Word

# How sure a derived number is, relative to the least sure of its inputs, with and without assumed values.
_DERIVED, _ASSUMED = 0.97, 0.9
_ONLY_LIKELY = 0.65
_TOLERANCE = 0.3
_CONDENSING = {"steam", "refrigerant", "carbon"}  # gases whose state a temperature alone does not tell
_TEMPERATURE_KNOWN_TO = 86_000.0  # m, the top of the Standard used here
# Bodies in flight are larger than 2 cm; from 140 km on the mean free path exceeds 18 m (U.S. Standard
# Atmosphere 1976, table IV), which is more than nearly all of them measure.
_SMALLEST, _FREE_MOLECULAR_FROM = 0.02, 140_000.0
# Speed of sound between the coldest and warmest levels of an atmosphere, m/s. Earth: sqrt(1.4*287.05*T) for
# 186.9 to 288.15 K (U.S. Standard Atmosphere 1976, up to 86 km). Mars: sqrt(1.3*189*T) for 130 to 270 K, the
# range of the Viking entry profiles (Seiff and Kirk, J. Geophys. Res. 82, 1977).
_SOUND_SPEED = {"air": (274.0, 341.0), "CO2-N2": (178.0, 258.0)}


@dataclass(frozen=True)
class Derivation:
    """An equation of the base that yields an axis from others; `inputs` maps its symbols to axes.

    `assumed` are values for axes that a question rarely states: a regime needs only the order of magnitude.
    `within` are axes whose number must lie in a range, where the equation holds in a smaller range than its
    inputs; the result is multiplied by the axis `times`.
    """

    equation: str
    inputs: Mapping[str, str]
    axis: str
    assumed: Mapping[str, float] = field(default_factory=dict)
    within: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    times: str = ""


_AIR = {"gas_constant": 287.0}
_PERFECT_AIR = {"gamma": 1.4, "gas_constant": 287.0}
_KNUDSEN = "viscous_interaction.knudsen_number"
_REYNOLDS = "reference.reynolds_number"
# In the order of dependence: what a line yields, the lines after it may use.
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("cycle.ideal_gas_density", {"P1": "p", "Rgas": "gas_constant", "T1": "T_inf"}, "rho", _AIR),
    Derivation(
        "equilibrium.sound_speed_perfect",
        {"gamma": "gamma", "Rgas": "gas_constant", "T": "T_inf"},
        "sound_speed",
        _PERFECT_AIR,
    ),
    Derivation("reference.mach_number", {"V": "speed", "a": "sound_speed"}, "mach"),
    Derivation("equilibrium.sutherland.air", {"T": "T_inf"}, "mu", within={"T_inf": (100.0, 2000.0)}),
    Derivation(_REYNOLDS, {"rho": "rho", "V": "speed", "L": "length", "mu": "mu"}, "Re_x"),
    Derivation(_REYNOLDS, {"rho": "rho", "V": "speed", "L": "nose_radius", "mu": "mu"}, "Re"),
    Derivation("newtonian.similarity.k", {"M": "mach", "theta": "theta"}, "K_hyp"),
    Derivation(
        "viscous_interaction.mean_free_path_viscosity",
        {"mu": "mu", "rho": "rho", "Rgas": "gas_constant", "T": "T_inf"},
        "mean_free_path",
        _AIR,
    ),
    Derivation(_KNUDSEN, {"lam": "mean_free_path", "L": "length"}, "kn"),
    Derivation(_KNUDSEN, {"lam": "mean_free_path", "L": "nose_radius"}, "kn"),
    Derivation(
        "viscous_interaction.knudsen_mach_reynolds",
        {"M": "mach", "Re": "Re_x", "gamma": "gamma"},
        "kn",
        {"gamma": 1.4},
    ),
    Derivation(
        "viscous_interaction.chi_bar",
        {"M": "mach", "C": "chapman_rubesin", "Re": "Re_x"},
        "chi_bar",
        {"chapman_rubesin": 1.0},
    ),
    Derivation(
        "shock.isentropic.temperature_ratio",
        {"M": "mach", "gamma": "gamma"},
        "T0",
        {"gamma": 1.4},
        within={"mach": (0.0, 5.0)},
        times="T_inf",
    ),
    Derivation(
        "shock.normal.temperature_ratio",
        {"M": "mach", "gamma": "gamma"},
        "T2",
        {"gamma": 1.4},
        within={"mach": (1.0, 5.0)},
        times="T_inf",
    ),
    Derivation("nonequilibrium.damkohler", {"tau_f": "flow_time", "tau_c": "chemical_time"}, "Da"),
)
# Which word a number implies: number axis, from, to, word axis, word. Limits are the usual conventions
# (Knudsen: Schaaf and Chambre 1961; Damkohler: the base's own entry; vibration of air is felt from 800 K,
# dissociation from 2000 K: Anderson, Hypersonic and High-Temperature Gas Dynamics, 2nd ed., sec. 9.1).
_WORDS: tuple[tuple[str, float, float, str, str], ...] = (
    ("kn", 0.01, 0.1, "wall", "slip"),
    ("tau_opt", 0.0, 0.1, "optical", "thin"),
    ("tau_opt", 5.0, float("inf"), "optical", "thick"),
    ("Da", 0.0, 0.01, "chemistry", "frozen"),
    ("Da", 100.0, float("inf"), "chemistry", "equilibrium"),
    ("T", 0.0, 600.0, "chemistry", "calorically_perfect"),
    ("T", 800.0, 2000.0, "chemistry", "thermally_perfect"),
    ("mach", 0.0, 0.3, "flow", "incompressible"),
    ("mach", 0.0, 0.8, "flow", "subsonic"),
    ("mach", 1.2, float("inf"), "flow", "supersonic"),
    ("mach", 5.0, float("inf"), "flow", "hypersonic"),
)


def with_derived(stated: Facts, library: Library) -> Facts:
    """`stated` with the axes that follow from it: the standard atmosphere first, then each derivation."""
    known = _with_atmosphere(stated)
    for derivation in DERIVATIONS:
        if not known.has(derivation.axis) and derivation.equation in library:
            known = _derived(known, derivation, library)
    known = _with_mach_interval(known)
    known = _with_wall_ratio(known)
    known = _with_rarefaction(known)
    return _with_words(known)


def _with_atmosphere(known: Facts) -> Facts:
    """Free-stream temperature, pressure and density at one stated altitude on Earth, where not stated."""
    altitude = known.only("altitude")
    if altitude is None or known.words.get("gas", frozenset({"air"})) != {"air"}:
        return known
    if not 0 <= altitude <= _TEMPERATURE_KNOWN_TO:
        return known
    from ansatz.knowledge_base.properties.atmosphere import at

    air = at(geometric=altitude)
    state = {"T_inf": air.T, "p": air.P, "rho": air.rho, "mu": air.viscosity}
    origin = f"standard atmosphere at {altitude / 1000:g} km"
    sure = known.confidence("altitude") * _DERIVED
    numbers = {
        axis: (Number(value, value, origin, sure, tolerance=_TOLERANCE),)
        for axis, value in state.items()
        if not known.has(axis)
    }
    return replace(known, numbers={**known.numbers, **numbers})


def _derived(known: Facts, by: Derivation, library: Library) -> Facts:
    stated = {name: known.only(axis) for name, axis in by.inputs.items()}
    values = {
        name: by.assumed.get(by.inputs[name]) if value is None else value for name, value in stated.items()
    }
    scale = known.only(by.times) if by.times else 1.0
    if scale is None or not all(_inside(known.only(axis), limits) for axis, limits in by.within.items()):
        return known
    numbers = {name: value for name, value in values.items() if value is not None}
    if len(numbers) < len(values):
        return known
    try:
        value = scale * library.get(by.equation).value(**numbers)
    except EvaluationError:
        return known
    inputs = [axis for name, axis in by.inputs.items() if stated[name] is not None]
    sure = min((known.confidence(axis) for axis in [*inputs, by.times] if axis), default=0.0)
    sure *= _DERIVED if len(inputs) == len(values) else _ASSUMED
    origin = f"derived from {', '.join(by.inputs.values())}"
    number = Number(value, value, origin, sure, tolerance=_TOLERANCE)
    return replace(known, numbers={**known.numbers, by.axis: (number,)})


def _inside(value: float | None, limits: tuple[float, float]) -> bool:
    return value is not None and limits[0] <= value <= limits[1]


def _with_mach_interval(known: Facts) -> Facts:
    """The Mach numbers that a speed may mean somewhere in the atmosphere, where no temperature is stated."""
    speed, gas = known.only("speed"), known.words.get("gas", frozenset({"air"}))
    sound = _SOUND_SPEED.get(next(iter(gas))) if len(gas) == 1 else None
    if speed is None or speed <= 0 or sound is None or known.has("mach"):
        return known
    sure = known.confidence("speed") * _DERIVED
    number = Number(speed / sound[1], speed / sound[0], "derived from speed", sure, tolerance=_TOLERANCE)
    return replace(known, numbers={**known.numbers, "mach": (number,)})


def _with_wall_ratio(known: Facts) -> Facts:
    wall, total = known.only("Tw"), known.only("T0")
    if wall is None or not total or "Tw_over_T0" in known.numbers:
        return known
    sure = min(known.confidence("Tw"), known.confidence("T0"))
    number = Number(wall / total, wall / total, "derived from Tw, T0", sure, tolerance=_TOLERANCE)
    return replace(known, numbers={**known.numbers, "Tw_over_T0": (number,)})


def _with_rarefaction(known: Facts) -> Facts:
    """The Knudsen numbers that bodies in flight have at one stated altitude on Earth, where none is known."""
    path, altitude = known.only("mean_free_path"), known.only("altitude")
    on_earth = known.words.get("gas", frozenset({"air"})) == {"air"}
    if "kn" in known.numbers or altitude is None or not on_earth:
        return known
    if path is not None and path < 0.1 * _SMALLEST:
        limits = (0.0, path / _SMALLEST)
    elif altitude >= _FREE_MOLECULAR_FROM:
        limits = (1.0, float("inf"))
    else:
        return known
    number = Number(*limits, "derived from altitude", _ONLY_LIKELY, tolerance=_TOLERANCE)
    return replace(known, numbers={**known.numbers, "kn": (number,)})


def _with_words(known: Facts) -> Facts:
    words = dict(known.stated)
    for axis, word in _implied(known):
        if word.word not in known.words.get(axis, ()):
            words[axis] = (*words.get(axis, ()), word)
    return replace(known, stated=words) if len(words) or known.stated else known


def _implied(known: Facts) -> Iterator[tuple[str, Word]]:
    for axis, low, high, word_axis, word in _WORDS:
        numbers = known.numbers.get(axis, ())
        if axis == "T" and known.words.get("gas", frozenset()) & _CONDENSING:
            continue
        if numbers and all(low <= number.low and number.high <= high for number in numbers):
            share = _ONLY_LIKELY if axis == "T" else _ASSUMED
            sure = share * min(number.confidence for number in numbers)
            yield word_axis, Word(word, f"implied by {axis} {numbers[0].shown()}", sure)
