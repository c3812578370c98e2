"""Symbols and sentences of many authors: what each is taken for."""

import pytest

from ansatz.agents.slide_rule.procedures.asked import quantity_asked
from ansatz.agents.slide_rule.procedures.kinds import kind_of_dimension, kind_of_quantity
from ansatz.agents.slide_rule.procedures.media import Medium, medium, varies
from ansatz.agents.slide_rule.procedures.procedure import procedures
from ansatz.agents.slide_rule.procedures.solving import recognised
from ansatz.agents.slide_rule.procedures.worksheet import worksheet
from ansatz.agents.slide_rule.reading import Target
from ansatz.agents.slide_rule.units import parse_unit
from tests.agents.processes.symbols import SYMBOLS
from tests.agents.processes.texts import TEXTS

PROCEDURES = {procedure.name: procedure for procedure in procedures()}
ALL_HABITS = frozenset(("isentropes", "effectiveness", "streams", "boundaries", "heat additions"))
CASES = [
    (line.partition(":")[0], *item.split())
    for line in SYMBOLS.strip().splitlines()
    for item in line.partition(":")[2].split(";")
    if item.strip()
]
ASKED = {
    "brayton": "T_2 = ___ K\nw_c = ___ kJ/kg\nw_net = ___ kJ/kg\neta = ___ %",
    "boiler": "h_1 = ___ kJ/kg\nh_2 = ___ kJ/kg\nq_in = ___ kJ/kg",
    "combined": "y = ___ -\nw_net = ___ kJ/kg\neta_th = ___ %",
    "compressor": "h_1 = ___ kJ/kg\nh_2 = ___ kJ/kg\nw_in = ___ kJ/kg",
    "exchanger": "h_h,in = ___ kJ/kg\nQ_dot = ___ kW\nS_gen = ___ kW/K",
    "mixer": "h_1 = ___ kJ/kg\nh_2 = ___ kJ/kg\nh_3 = ___ kJ/kg",
    "nozzle": "h_2 = ___ kJ/kg\nV_2 = ___ m/s\ns_gen = ___ kJ/(kg·K)",
    "pump": "h_1 = ___ kJ/kg\nw_p = ___ kJ/kg\nh_2 = ___ kJ/kg",
    "rankine": "h_1 = ___ kJ/kg\nw_t = ___ kJ/kg\nw_p = ___ kJ/kg\nη_th = ___ %",
    "refrigeration": "h_1 = ___ kJ/kg\nq_L = ___ kJ/kg\nw_c = ___ kJ/kg\nCOP = ___ -",
    "regenerative": "T_5 = ___ K\nq_in = ___ kJ/kg\nw_net = ___ kJ/kg",
    "reheat": "h_5 = ___ kJ/kg\nq_in = ___ kJ/kg\nw_net = ___ kJ/kg",
    "turbine": "h_1 = ___ kJ/kg\nh_2s = ___ kJ/kg\nw_t = ___ kJ/kg",
}


@pytest.mark.parametrize("name", PROCEDURES)
def test_a_symbol_stands_for_its_quantity(name):
    procedure = PROCEDURES[name]
    media = {stream: Medium("air" if stream == "gas" else "water") for stream in procedure.streams}
    known = {*worksheet(procedure, media, ALL_HABITS).lines, *(slot.name for slot in procedure.slots)}
    known |= {f"{prop}_{label}" for prop in "TPhsvux" for label in procedure.labels}
    cases = [case[1:] for case in CASES if case[0] == name]
    assert cases
    for symbol, unit_text, expected in cases:
        unit = parse_unit(unit_text)
        target = Target(symbol, unit, unit_text, frozenset())
        assert quantity_asked(target, procedure, {}, known) == expected, symbol
        assert kind_of_quantity(expected) == kind_of_dimension(unit), symbol


@pytest.mark.parametrize(("name", "text", "expected"), TEXTS, ids=[text[:40] for _, text, _ in TEXTS])
def test_what_a_text_states_is_found_and_nothing_is_mistaken(name, text, expected):
    case = recognised(f"{text}\n\nReport your answers as:\n{ASKED[name]}", True)
    assert case is not None
    assert case.procedure.name == name
    found = {key: stated.value for key, stated in case.given.items()}
    assert {key: found.get(key) for key in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("Use variable specific heats.", True),
        ("The specific heats of air vary with temperature.", True),
        ("Do not use constant specific heats; cp varies with temperature.", True),
        ("Use air tables rather than constant specific heats.", True),
        ("Use constant specific heats.", False),
        ("Make the cold-air-standard assumptions.", False),
        ("Air is an ideal gas.", False),
    ],
)
def test_specific_heats_are_treated_as_the_text_says(text, variable):
    assert varies(text, ()) is variable
    assert medium("air", text, (), True).perfect is not variable


def test_nobody_knows_an_air_table_by_heart():
    assert medium("air", "Use air tables.", (), False).perfect


@pytest.mark.parametrize(
    ("text", "fluid"),
    [
        ("R-134a with the ASHRAE reference state", "R134a (ASHRAE)"),
        ("R-134a, h = 0 for saturated liquid at -40 °C", "R134a (ASHRAE)"),
        ("R-134a with the NBP reference", "R134a (NBP)"),
        ("R-134a with the IIR reference", "R134a"),
    ],
)
def test_the_reference_state_named_is_the_one_asked_of_the_tool(text, fluid):
    assert medium("R134a", text, (), True).fluid == fluid


def test_a_perfect_gas_has_its_zeros_where_the_text_puts_them():
    gas = medium("air", "Take h = 0 at 0 °C and s = 0 at 300 K and 1 bar.", (), False)
    assert (gas.zero_h, gas.zero_s, gas.zero_p) == (273.15, 300.0, 100.0)
