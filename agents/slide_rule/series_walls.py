"""Questions about heat through a plane wall of layers and films in series.

Each length with a conductivity after it is a layer, and each heat transfer coefficient is a film.
Resistances of a unit area add to both. A question is answered only if every given value has a place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ansatz.agents.slide_rule.asked_quantities import Sought
from ansatz.agents.slide_rule.formulas import KnownFormula, load_process_formulas, parse_equation
from ansatz.agents.slide_rule.plain_question import Located
from ansatz.agents.slide_rule.processes import SolutionSteps
from ansatz.agents.slide_rule.quantity_names import stem_words
from ansatz.agents.slide_rule.question import KnownQuantity, find_kind

_LENGTH, _CONDUCTIVITY, _FILM, _RESISTANCE = map(find_kind, ("m", "W/(m*K)", "W/(m^2*K)", "m^2*K/W"))
_AREA, _KELVIN, _FLUX, _RATE = map(find_kind, ("m^2", "K", "W/m^2", "W"))
_COUNTS = {"two": 2, "three": 3, "four": 4, "2": 2, "3": 3}
_COUNT = re.compile(
    rf"\b(?P<count>{'|'.join(_COUNTS)})(?: (?:layers|panes|sheets|plates) of| x| ×)? $", re.IGNORECASE
)
_ROUND = re.compile(r"\b(?:pipe|tube|cylind|spher|radius|diameter)", re.IGNORECASE)


@dataclass
class Wall:
    """The stated values of a wall."""

    layers: list[tuple[KnownQuantity, KnownQuantity, int]] = field(default_factory=list)
    """The thickness, the conductivity and the number of layers of each material."""
    films: list[KnownQuantity] = field(default_factory=list)
    resistances: list[KnownQuantity] = field(default_factory=list)
    areas: list[KnownQuantity] = field(default_factory=list)
    temperatures: list[KnownQuantity] = field(default_factory=list)
    rates: list[KnownQuantity] = field(default_factory=list)


def read_wall(body: str, located: Sequence[Located]) -> Wall | None:
    """Read a wall with two parts or more; None for any other question, or if a value has no place in it."""
    wall = Wall()
    thickness: tuple[KnownQuantity, int] | None = None
    slots = {
        _FILM: wall.films,
        _RESISTANCE: wall.resistances,
        _AREA: wall.areas,
        _KELVIN: wall.temperatures,
        _RATE: wall.rates,
    }
    for given, start in located:
        if given.kind == _LENGTH and thickness is None:
            counted = _COUNT.search(body[:start])
            thickness = given, _COUNTS[counted["count"].lower()] if counted else 1
        elif given.kind == _CONDUCTIVITY and thickness:
            wall.layers.append((thickness[0], given, thickness[1]))
            thickness = None
        elif given.kind in slots:
            slots[given.kind].append(given)
        else:
            return None
    parts = len(wall.layers) + len(wall.films) + len(wall.resistances)
    if thickness or not wall.layers or parts < 2 or len(wall.areas) > 1 or _ROUND.search(body):
        return None
    return wall


def compute_wall(wall: Wall, sought: Sought, steps: SolutionSteps) -> KnownQuantity | None:
    """Compute the U-value, the resistance, the flux or the heat flow; None if the wall does not give it."""
    kind = find_kind(sought.unit) if sought.unit else None
    wanted = stem_words(sought.name) | sought.head
    formulas = load_process_formulas()
    formula, bound = _write_resistance(wall)
    resistance = steps.add(formula, bound)
    if kind == _RESISTANCE or (kind is None and wanted & stem_words("resistance")):
        return None if wall.temperatures or wall.areas else resistance
    transmittance = steps.add(formulas["transmittance"], {"R_t": resistance})
    if kind == _FILM or (kind is None and wanted & stem_words("transmittance coefficient")):
        return None if wall.temperatures or wall.areas else transmittance
    differences = [each for each in wall.temperatures if stem_words("difference") & each.words]
    if len(wall.temperatures) == 2 and not differences:
        warm, cold = sorted(wall.temperatures, key=lambda each: -each.convert_to("K"))
        flux = steps.add(formulas["flux_of_temperatures"], {"U": transmittance, "T_w": warm, "T_c": cold})
    elif len(wall.temperatures) == len(differences) == 1:
        flux = steps.add(formulas["flux_of_difference"], {"U": transmittance, "dT": differences[0]})
    else:
        return None
    if wall.rates:
        return None
    if kind == _FLUX or (kind is None and wanted & stem_words("flux")):
        return None if wall.areas else flux
    if not wall.areas or not (kind == _RATE or wanted & stem_words("heat rate loss")):
        return None
    return steps.add(formulas["rate_of_flux"], {"q": flux, "A": wall.areas[0]})


def _write_resistance(wall: Wall) -> tuple[KnownFormula, dict[str, KnownQuantity]]:
    """Write the sum of the resistances of all parts as a formula."""
    terms, where, bound = [], ["R_t [m**2*K/W] thermal resistance of a unit area"], {}
    for place, film in enumerate(wall.films, 1):
        terms.append(f"1/h{place}")
        where.append(f"h{place} [W/(m**2*K)] heat transfer coefficient")
        bound[f"h{place}"] = film
    for place, (thickness, conductivity, count) in enumerate(wall.layers, 1):
        terms.append(f"{count}*L{place}/k{place}" if count > 1 else f"L{place}/k{place}")
        where += [f"L{place} [m] thickness", f"k{place} [W/(m*K)] thermal conductivity"]
        bound |= {f"L{place}": thickness, f"k{place}": conductivity}
    for place, resistance in enumerate(wall.resistances, 1):
        terms.append(f"R{place}")
        where.append(f"R{place} [m**2*K/W] thermal resistance")
        bound[f"R{place}"] = resistance
    formula = parse_equation("resistances in series", f"R_t = {' + '.join(terms)}", "; ".join(where))
    assert formula is not None
    return formula, bound
