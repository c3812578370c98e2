"""Physical bounds that a result is really compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.arithmetic import written
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.reading import Target
from ansatz.agents.slide_rule.units import NONE, ONE, Dimension
from ansatz.agents.slide_rule.words import name_similarity

_HEAT_FLUX: Dimension = (0, 1, -3, 0, 0, 0)
_TEMPERATURE: Dimension = (0, 0, 0, 1, 0, 0)
_PRESSURE: Dimension = (-1, 1, -2, 0, 0, 0)
_SPEED: Dimension = (1, 0, -1, 0, 0, 0)
_DENSITY: Dimension = (-3, 1, 0, 0, 0, 0)
_ENTHALPY: Dimension = (2, 0, -2, 0, 0, 0)
_ENTROPY: Dimension = (2, 0, -2, -1, 0, 0)
_VOLUME: Dimension = (3, -1, 0, 0, 0, 0)


@dataclass(frozen=True)
class Bound:
    """Lowest and highest value in SI, and why."""

    low: float
    high: float
    reason: str


# Pure numbers, by the words that name them.
_NUMBERS: tuple[tuple[frozenset[str], Bound], ...] = (
    (frozenset({"density", "ratio"}), Bound(1.0, 6.0, "the strong-shock limit for gamma = 1.4 is 6")),
    (frozenset({"efficiency"}), Bound(0.0, 1.0, "an efficiency cannot exceed one")),
    (frozenset({"quality"}), Bound(0.0, 1.0, "quality is a mass fraction")),
    (frozenset({"fraction"}), Bound(0.0, 1.0, "a fraction cannot exceed one")),
    (frozenset({"emissivity"}), Bound(0.0, 1.0, "no body radiates more than a black one")),
    (frozenset({"pressure", "coefficient"}), Bound(-2.0, 2.0, "the Newtonian maximum is 2")),
    (frozenset({"friction"}), Bound(0.0, 0.1, "attached boundary layers stay below about 0.1")),
    (frozenset({"mach"}), Bound(0.0, 60.0, "the range of flight")),
    (frozenset({"reynolds"}), Bound(1e-3, 1e10, "the range of engineering flows")),
)
# Quantities by dimension: ranges met in engineering gases and in property tables.
_RANGES: dict[Dimension, Bound] = {
    _TEMPERATURE: Bound(2.0, 5e4, "the range of engineering gas flows"),
    _PRESSURE: Bound(1e-6, 1e10, "the range of engineering flows"),
    _DENSITY: Bound(1e-12, 2.3e4, "from high vacuum to the densest metals"),
    _SPEED: Bound(0.0, 3e8, "nothing exceeds the speed of light"),
    _VOLUME: Bound(5e-4, 1e3, "the span of property tables"),
    _ENTROPY: Bound(-1e3, 2e4, "the span of property tables"),
    _ENTHALPY: Bound(-2e6, 1e9, "from property tables to entry flows"),
}


def check(target: Target, value: float, givens: Sequence[Given], stated: str) -> str:
    """Compare a result in SI with the tightest bound known; `stated` is it as `symbol = value unit`."""
    bound = next(_bounds(target, givens), None)
    if bound is None:
        return (
            f"{stated}: no bound is known for it; its sign is {'positive' if value > 0 else 'not positive'}."
        )
    unit, spelling = (
        target.unit or ONE,
        "" if target.unit_text in ("", "-", "1", "(-)") else f" {target.unit_text}",
    )
    low, high = (f"{written(unit.from_si(limit), 4)}{spelling}" for limit in (bound.low, bound.high))
    if bound.low == 0.0 and 0 < value <= bound.high:
        return f"{stated} <= {high}, {bound.reason}: plausible."
    if bound.low <= value <= bound.high:
        return f"{stated} lies between {low} and {high}, {bound.reason}: plausible."
    return f"{stated} breaks the bounds {low} and {high} ({bound.reason}): NOT plausible."


def _bounds(target: Target, givens: Sequence[Given]) -> Iterator[Bound]:
    dimension = target.unit.dimension if target.unit else NONE
    if dimension == _HEAT_FLUX and (flux := _energy_flux(givens)):
        yield Bound(0.0, flux, "the energy flux 0.5*rho*V^3 of the free stream")
    if dimension in (_TEMPERATURE, _PRESSURE) and "shock" in target.words:
        for given in givens:
            if given.unit.dimension == dimension:
                yield Bound(given.value, 1e5 * given.value, "a shock must raise it above the upstream value")
    if dimension == NONE:
        yield from (bound for words, bound in _NUMBERS if words <= target.words)
        if target.symbol == "x":
            yield Bound(0.0, 1.0, "quality is a mass fraction")
    elif dimension in _RANGES:
        yield _RANGES[dimension]


def _energy_flux(givens: Sequence[Given]) -> float | None:
    density = next((g.value for g in givens if g.unit.dimension == _DENSITY and "wall" not in g.words), None)
    speed = next(
        (g.value for g in givens if g.unit.dimension == _SPEED and name_similarity(g.symbol, "V") > 0), None
    )
    return 0.5 * density * speed**3 if density and speed else None
