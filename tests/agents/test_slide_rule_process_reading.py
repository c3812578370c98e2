"""How the offline model reads a text about a device or a cycle."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.model import respond
from ansatz.agents.slide_rule.procedures.mentions import mentions
from ansatz.agents.slide_rule.procedures.notation import parts, plain
from ansatz.agents.slide_rule.procedures.procedure import procedures
from ansatz.agents.slide_rule.procedures.solving import recognised
from tests.agents.test_slide_rule_processes import values


@pytest.mark.parametrize(
    ("symbols", "expected"),
    [
        (("h_2s", "h₂s", "h₂ₛ", "h_{2s}", "h2s"), ("h", ("2s",))),
        (("Ẇ_net", "W_dot_net", r"\dot{W}_{net}", "Ẇ_net"), ("W", ("dot", "net"))),
        (("η_th", "eta_th", r"\eta_{th}"), ("eta", ("th",))),
        (("s_gen,comp", "s_{gen,comp}", "s_gen_comp"), ("s", ("gen", "comp"))),
        (("ψ_1", "ψ₁", "psi_1", "ψ1"), ("psi", ("1",))),
    ],
)
def test_symbols_have_one_plain_spelling(symbols, expected):
    for symbol in symbols:
        assert parts(plain(symbol)) == expected, symbol


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Steam enters the turbine at 8 MPa and 500 °C and leaves at 30 kPa.",
            [
                ("pressure", 8e6, "turbine inlet"),
                ("temperature", 773.15, "turbine inlet"),
                ("pressure", 3e4, "turbine exit"),
            ],
        ),
        (
            "Air at 100 kPa and 300 K enters a compressor; the discharge pressure is 0.9 MPa.",
            [
                ("pressure", 1e5, "compressor inlet"),
                ("temperature", 300, "compressor inlet"),
                ("pressure", 9e5, "exit"),
            ],
        ),
        (
            "The isentropic efficiencies of the turbine and the pump are 87% and 0.80, respectively.",
            [("efficiency", 0.87, "turbine"), ("efficiency", 0.80, "pump")],
        ),
        ("A turbine of 88% isentropic efficiency drives it.", [("efficiency", 0.88, "turbine")]),
        ("The pump is reversible.", [("efficiency", 1.0, "pump")]),
        ("Saturated liquid leaves the condenser.", [("quality", 0.0, "condenser exit")]),
        ("The environment is at 25 °C (298.15 K).", [("temperature", 298.15, "dead")]),
        (
            "The limits are between 0.1 and 0.8 MPa.",
            [("pressure", 1e5, ""), ("pressure", 8e5, "")],
        ),
        ("The vapour is superheated by 5 °C.", [("superheat", 278.15, "")]),
        ("The liquid has 5 K of subcooling.", [("subcooling", 5.0, "")]),
        ("The ratio of specific heats is 1.4.", [("k", 1.4, "")]),
        ("Enthalpies refer to h = 200 kJ/kg for saturated liquid at 0 °C.", []),
        ("The scale has s = 0 at 298.15 K and 100 kPa.", []),
    ],
)
def test_quantities_are_attached_to_their_places(text, expected):
    found = mentions(plain(text))
    assert [mention.kind for mention in found] == [kind for kind, _, _ in expected]
    for mention, (_, value, places) in zip(found, expected, strict=True):
        assert mention.value == pytest.approx(value)
        assert set(places.split()) <= set(mention.place.values())


def test_a_heading_says_where_its_items_belong():
    text = "Condenser:\n- pressure 10 kPa\n\nBoiler:\n- pressure 8 MPa"
    assert [mention.place.get("component") for mention in mentions(text)] == ["condenser", "boiler"]


ITEMS = (
    "- Boiler pressure: 8 MPa",
    "- Condenser pressure: 10 kPa",
    "- Turbine inlet temperature: 500 °C",
    "- Turbine isentropic efficiency: 87%",
    "- Pump isentropic efficiency: 80%",
)
BLANKS = "Report your answers as:\nh_3 = ___ kJ/kg\nw_t = ___ kJ/kg\nw_p = ___ kJ/kg\nη_th = ___ %"


def answered(text):
    reply = respond(Conversation.of([HumanMessage(text)], ()))
    assert isinstance(reply, str)
    return values(reply)


def rankine(items):
    return "A Rankine cycle:\n" + "\n".join(items) + f"\n\n{BLANKS}"


def test_the_order_of_a_list_does_not_matter():
    expected = answered(rankine(ITEMS))
    assert len(expected) >= 4
    for items in itertools.permutations(ITEMS):
        final = answered(rankine(items))
        assert {name: final[name] for name in ("h_3", "w_t", "w_p", "η_th")} == {
            name: expected[name] for name in ("h_3", "w_t", "w_p", "η_th")
        }


@given(
    high=st.floats(2.0, 15.0),
    low=st.floats(5.0, 60.0),
    T=st.floats(400.0, 600.0),
    unit=st.sampled_from(((1.0, "MPa"), (10.0, "bar"), (1000.0, "kPa"))),
)
@settings(max_examples=60, deadline=None)
def test_a_remembered_cycle_obeys_the_first_and_the_second_law(high, low, T, unit):
    factor, name = unit
    items = (f"- Boiler pressure: {factor * high:.2f} {name}", f"- Condenser pressure: {low:.2f} kPa")
    found = answered(rankine((*items, f"- Turbine inlet temperature: {T:.1f} °C")))
    assert found["w_t"] > found["w_p"] > 0
    carnot = 1 - 300 / (T + 273.15)
    assert 0 < found["η_th"] < 100 * carnot


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Steam expands through an adiabatic turbine.", "turbine"),
        ("A Brayton cycle with a regenerator.", "regenerative"),
        ("A Rankine cycle with reheat.", "reheat"),
    ],
)
def test_the_procedure_that_explains_most_is_taken(text, name):
    given_values = (
        "P_1 = 100 kPa, T_1 = 300 K, P_2 = 800 kPa, T_3 = 1200 K, P_3 = 8 MPa, P_4 = 1 MPa, r_p = 8"
    )
    asked = {
        "turbine": "h_1 = ___ kJ/kg\nh_2 = ___ kJ/kg\nw = ___ kJ/kg",
        "regenerative": "T_2 = ___ K\nT_5 = ___ K\nq_regen = ___ kJ/kg",
        "reheat": "h_5 = ___ kJ/kg\nh_6 = ___ kJ/kg\nq_reheat = ___ kJ/kg",
    }
    found = recognised(f"{text} {given_values}\n\nReport your answers as:\n{asked[name]}", False)
    assert found is not None
    assert found.procedure.name == name


@pytest.mark.parametrize(
    "block",
    [
        "h_1 = ___ kJ/kg\nh_2 = ___ kJ/kg\nw_out = ___ kJ/kg",
        "- h_1 = [value] kJ/kg\n- h_2 = [value] kJ/kg\n- w_out = [value] kJ/kg",
        "(a) h_1: ____ kJ/kg\n(b) h_2: ____ kJ/kg\n(c) w_out: ____ kJ/kg",
    ],
)
def test_answer_blocks_come_in_several_forms(block):
    text = f"Steam expands in a turbine from 8 MPa, 500 °C to 30 kPa.\n\nReport your answers as:\n{block}"
    found = answered(text)
    assert {"h_1", "h_2", "w_out"} <= found.keys()
    assert found["h_1"] == pytest.approx(3399, rel=0.03)


def test_every_way_of_a_procedure_can_be_worked_out():
    """Each term is a quantity of the procedure, one of its states' properties or something stated."""
    for procedure in procedures():
        known = {slot.name for slot in procedure.slots} | procedure.quantities.keys()
        known |= procedure.assumptions.keys() | {"T_0", "P_0", "k", "cp", "R"}
        labels = (*procedure.labels, "0")
        known |= {
            f"{prop}_{label}" for prop in ("T", "P", "h", "s", "v", "u", "x", "psi") for label in labels
        }
        known |= {name[0].upper() + name[1:] for name in procedure.quantities}
        for name, ways in procedure.quantities.items():
            for way in ways:
                missing = way.terms - known
                assert not missing, f"{procedure.name}: {name} = {way.expression} needs {missing}"
        for alias, name in procedure.aliases.items():
            assert name.replace("ex_dest", "s_gen") in known, f"{procedure.name}: {alias}"
