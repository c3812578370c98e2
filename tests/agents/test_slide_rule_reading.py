"""From text to givens, targets and formulations, with the slips of an own reading."""

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from ansatz.agents.slide_rule.conversation import Conversation, split_notes
from ansatz.agents.slide_rule.formulation import read_formulation
from ansatz.agents.slide_rule.givens import WORKING_MEMORY
from ansatz.agents.slide_rule.reading import read
from ansatz.agents.slide_rule.units import parse_unit

QUESTION = """A probe of nose radius R_n = 0.6 m enters air of density rho_inf = 3.1e-4 kg/m^3 at a speed
V_inf = 6.8 km/s. Its wall is at T_w = 1,250 K. Find the stagnation heat flux q_s and the Mach number M.

Report your answers as:
q_s = ___ W/cm^2
M = ___ -"""


def test_givens_carry_symbol_si_value_and_words():
    givens = {given.symbol: given for given in read(QUESTION).givens}
    assert {name: given.value for name, given in givens.items()} == {
        "R_n": 0.6,
        "rho_inf": 3.1e-4,
        "V_inf": 6800.0,
        "T_w": 1250.0,
    }
    assert {"nose", "radius"} <= givens["R_n"].words
    assert "density" in givens["rho_inf"].words
    assert givens["T_w"].text == "1,250 K"


def test_targets_carry_unit_and_words():
    heat, mach = read(QUESTION).targets
    assert (heat.symbol, heat.unit_text, heat.unit.factor) == ("q_s", "W/cm^2", 1e4)
    assert {"stagnation", "heat", "flux"} <= heat.words
    assert "mach" in mach.words


def test_prose_without_symbols_is_read_too():
    reading = read(
        "Steam at 291.0°C and 11200.0 kPa has a quality of 0.52.\n\nReport your answers as:\nPhase: ___"
    )
    assert [given.text for given in reading.givens] == ["291.0°C", "11200.0 kPa", "0.52"]
    assert reading.givens[0].value == pytest.approx(564.15)
    assert reading.targets[0].label


def test_a_question_without_a_list_of_answers():
    (target,) = read(
        "Air flows at V = 90 m/s with density rho = 1.2 kg/m^3. Find the dynamic pressure q in kPa."
    ).targets
    assert (target.symbol, target.unit_text) == ("q", "kPa")


@pytest.mark.parametrize(
    ("text", "value"),
    [("p = 1.2×10^5 Pa", 1.2e5), ("p = 1.2 x 10^{-3} Pa", 1.2e-3), ("p = −4 Pa", -4.0), ("p = 2e3 Pa.", 2e3)],
)
def test_numbers_as_people_write_them(text, value):
    assert read(f"Given {text} find p.").givens[0].value == pytest.approx(value)


def test_no_more_givens_than_working_memory_holds():
    text = "With " + ", ".join(f"quantity number {name} = {i} K" for i, name in enumerate("abcdefgh", 1))
    assert len(read(text).givens) == WORKING_MEMORY


def test_a_bare_list_of_like_quantities_is_mixed_up_and_a_described_one_is_not():
    bare = read("T_1 = 300 K and T_2 = 400 K.").givens
    assert {given.symbol: given.value for given in bare} == {"T_1": 400.0, "T_2": 300.0}
    told = read("A cold reservoir T_1 = 300 K and a hot reservoir T_2 = 400 K.").givens
    assert {given.symbol: given.value for given in told} == {"T_1": 300.0, "T_2": 400.0}


def test_two_slips_with_units():
    (layer, flux) = read("A layer of thickness d = 40 µm under a heat flux q = 5 W/cm^2.").givens
    assert layer.value == pytest.approx(40e-3)
    assert flux.value == pytest.approx(5e2)
    assert flux.text == "5 W/cm^2"


FORMULATION = """Given: {givens}
Find: q [W/m^2]
Approach: steady conduction through a layer
Assumptions: one-dimensional, laminar flow outside"""


@pytest.mark.parametrize(
    "givens",
    [
        "layer thickness d = 40 µm; temperature T_1 = 300 K; temperature T_2 = 400 K",
        "d = 40 µm (layer thickness), T_1 = 300 K (temperature), T_2 = 400 K (temperature)",
        "d = 40 µm layer thickness, T_1 = 300 K temperature, T_2 = 400 K temperature",
    ],
)
def test_a_supplied_formulation_is_read_without_slips(givens):
    formulation = read_formulation(FORMULATION.format(givens=givens))
    reading = read("Some text with T_9 = 5 K.", formulation)
    assert {given.symbol: given.value for given in reading.givens} == pytest.approx(
        {"d": 40e-6, "T_1": 300.0, "T_2": 400.0}
    )
    assert {"layer", "thickness"} <= reading.givens[0].words
    assert "conduction" in reading.approach
    assert "laminar" in reading.text


@pytest.mark.parametrize(
    "given",
    [
        "free-stream Mach number: M = 24; inclination: theta_p = 25 deg; body shape: geometry = flat_plate",
        "M = 24 (free-stream Mach number); theta_p = 25 deg (inclination); geometry = flat_plate (body shape)",
        "\n- free-stream Mach number: M = 24\n- inclination: theta_p = 25 deg\n- body shape: geometry = flat_plate",
    ],
)
@pytest.mark.parametrize(
    "find",
    ["peak pressure coefficient: C_p [-]", "C_p [-] (peak pressure coefficient)"],
    ids=["before", "after"],
)
def test_descriptions_stand_before_or_after(given, find):
    reading = read(
        "It flies. Find C_p.\n\nReport your answers as:\nC_p = ___",
        read_formulation(f"Given: {given}\nFind: {find}\nApproach: x\nAssumptions: y"),
    )
    assert {g.symbol: g.words for g in reading.givens} == {
        "M": {"freestream", "mach"},
        "theta_p": {"inclination"},
    }
    assert reading.givens[1].value == pytest.approx(0.43633, rel=1e-4)
    assert reading.targets[0].words == {"peak", "pressure", "coefficient"}
    assert "flat plate" in reading.text


def test_what_a_formulation_leaves_unsaid_is_taken_from_the_question():
    bare = read_formulation(
        "Given: R_n = 0.6 m; V_inf = 6.8 km/s\nFind: q_s [W/m^2]\nApproach: x\nAssumptions: y"
    )
    reading, own = read(QUESTION, bare), read(QUESTION)
    assert [given.words for given in reading.givens] == [own.givens[0].words, own.givens[2].words]
    assert reading.targets == own.targets
    assert "enters air" in reading.text


def test_the_words_of_the_question_for_a_place_are_kept():
    told = read_formulation(
        "Given: V_inf = 6.8 km/s\nFind: heat flux: q_s [W/m^2]\nApproach: x\nAssumptions: y"
    )
    assert read(QUESTION, told).targets[0].words == {"stagnation", "heat", "flux"}


def test_a_temperature_in_electronvolts_is_one_in_kelvin():
    temperature, energy = read("Electrons of temperature T_e = 2 eV lose the energy E = 3 eV.").givens
    assert (temperature.value, temperature.unit) == (pytest.approx(23209, rel=1e-4), parse_unit("K"))
    assert energy.value == pytest.approx(4.80653e-19)


def test_a_formulation_is_not_cut_to_working_memory():
    many = "; ".join(f"q{i} = {i} K" for i in range(1, 10))
    assert len(read("", read_formulation(FORMULATION.format(givens=many))).givens) == 9


@pytest.mark.parametrize("text", ["", "Given: symbol = value unit\nFind: x", "Given: T = 3 K"])
def test_what_is_no_formulation(text):
    assert read_formulation(text) is None


def test_notes_are_told_from_the_question():
    note = "This collection has many items.\n\nNone of them matters."
    first = "A plate is L = 2 m long."
    notes, question = split_notes(f"{note}\n\n[E1] A law\n    y = x\n\n{first}\n\n{QUESTION}")
    assert question == f"{first}\n\n{QUESTION}"
    assert notes.startswith("This collection")
    assert "[E1]" in notes


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("1. Regime identification\n2. Parameter extraction\n3. Calculation\n4. Plausibility check", True),
        ("## Classify the flow\n## List the given parameters\n## Check units\n## Sanity check\n", True),
        ("**Step 1: regime**\n**Step 2: dimensions**\n**Step 3: compute**\n**Step 4: interpret**", True),
        ("Identify the regime, extract parameters, calculate, check plausibility and interpret.", False),
        ("1. Read\n2. Calculate\n3. Check", False),
        ("", False),
    ],
)
def test_a_protocol_is_known_by_its_headings(system, expected):
    talk = Conversation.of([SystemMessage(system), HumanMessage(QUESTION)], ())
    assert talk.wants_protocol is expected
