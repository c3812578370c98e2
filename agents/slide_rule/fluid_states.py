"""Questions about a state of a fluid that is given by a superheat or subcooling, or by a volume or mass."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ansatz.agents.slide_rule.asked_quantities import Sought
from ansatz.agents.slide_rule.formulas import load_process_formulas
from ansatz.agents.slide_rule.plain_question import Located
from ansatz.agents.slide_rule.processes import StateReader, name_property
from ansatz.agents.slide_rule.property_lookup import find_property, find_saturation_phase
from ansatz.agents.slide_rule.quantity_names import find_any_fluid, load_yaml, stem_words
from ansatz.agents.slide_rule.question import KnownQuantity, find_kind

_OFFSET = re.compile(
    r"(?P<word>superheat|subcool|sub-cool|undercool)\w*(?: (?:by|of|is|at))?(?: about)? $"
    r"|^(?: of)? (?P<after>superheat|subcool|sub-cool|undercool)",
    re.IGNORECASE,
)
_MOST_KELVIN = 200.0  # a larger value is a temperature
_VAPOUR = re.compile(r"\b(?:steam|vapou?r|saturated|quality|dryness|refrigerant|wet)\b", re.IGNORECASE)


class FluidState(NamedTuple):
    """The stated values of one state."""

    state: dict[str, KnownQuantity]
    """By property: T, P, x, v and others."""
    offset: KnownQuantity | None
    """The superheat, or the subcooling as a negative difference."""
    mass: KnownQuantity | None
    volume: KnownQuantity | None


def find_offset(body: str, given: KnownQuantity, start: int) -> str:
    """Return "superheat" or "subcooling" if a value is that difference of temperatures; or an empty text."""
    if (
        given.unit not in ("K", "degC", "delta_degC")
        or given.kind != find_kind("K")
        or given.value > _MOST_KELVIN
    ):
        return ""
    end = re.match(r"[\d.,]+ ?\S+", body[start:])
    before, after = (
        _OFFSET.search(body[:start]),
        _OFFSET.search(body[start + (end.end() if end else 0) :][:40]),
    )
    word = (before and before["word"]) or (after and after["after"]) or ""
    is_temperature = given.unit == "degC" and not re.search(r"\bby $", body[:start])
    if not word or (before and before["word"] and is_temperature and not re.search(r"\bof $", body[:start])):
        return ""
    return "superheat" if word.lower() == "superheat" else "subcooling"


def read_fluid_state(body: str, located: Sequence[Located]) -> FluidState | None:
    """Read a state; None without a superheat, volume or mass, or if a value has no place in it."""
    fluid = find_any_fluid(body)
    gases = load_yaml("memory.yaml")["gas_constants"]
    if fluid is None or fluid == "air" or not (_VAPOUR.search(body) or fluid not in (*gases, "water")):
        return None
    found = FluidState({}, None, None, None)
    for given, start in located:
        name = name_property(given)
        if (word := find_offset(body, given, start)) and found.offset is None:
            size = given.value if word == "superheat" else -given.value
            found = found._replace(offset=KnownQuantity("dT", size, "K", word))
        elif given.kind == find_kind("kg") and found.mass is None:
            found = found._replace(mass=given)
        elif given.kind == find_kind("m^3") and found.volume is None:
            found = found._replace(volume=given)
        elif name and name not in found.state:
            found.state[name] = given
        else:
            return None
    phase = None if found.mass and found.volume else find_saturation_phase(body)
    if phase is not None and "x" not in found.state and found.offset is None and len(found.state) == 1:
        found.state["x"] = KnownQuantity("x", phase, "-")
    return found if found.offset or found.mass or found.volume else None


def compute_fluid_state(state: FluidState, sought: Sought, reader: StateReader) -> KnownQuantity | None:
    """Compute a property, the volume of a mass or the mass in a volume. Raises NeedsCall and NotSolvable."""
    formulas = load_process_formulas()
    wanted = find_property(sought, len(state.state))
    name = wanted.name.partition("_")[0] if wanted else ""
    kind = find_kind(sought.unit) if sought.unit else None
    known = dict(state.state)
    if state.offset:
        if known.keys() != {"P"} or state.mass or state.volume:
            return None
        saturated = reader.find_state(
            f"P = {known['P'].text}", f"x = {float(state.offset.value > 0):g}", ("T",)
        )
        known["T"] = reader.steps.add(
            formulas["temperature_of_offset"], {"T_sat": saturated["T"], "dT": state.offset}
        )
        if name == "T":
            return known["T"]
    elif state.mass and state.volume and len(known) == 1:
        known["v"] = reader.steps.add(formulas["volume_of_unit_mass"], {"V": state.volume, "m": state.mass})
    elif bool(state.mass) == bool(state.volume) or len(known) != 2:
        return None
    values = [each.with_result([one.value for one in reader.steps.results]) for each in known.values()]
    first, second = (f"{symbol} = {each.text}" for symbol, each in zip(known, values, strict=True))
    is_volume = kind == find_kind("m^3") or sought.head == stem_words("volume")
    if state.mass and not state.volume and is_volume:
        volume = reader.find_state(first, second, ("v",))["v"]
        return reader.steps.add(formulas["volume_of_mass"], {"m": state.mass, "v": volume})
    if state.volume and not state.mass and (kind == find_kind("kg") or sought.head == stem_words("mass")):
        volume = reader.find_state(first, second, ("v",))["v"]
        return reader.steps.add(formulas["mass_of_volume"], {"V": state.volume, "v": volume})
    if not name or bool(state.mass) != bool(state.volume):
        return None
    return reader.find_state(first, second, (name,))[name]
