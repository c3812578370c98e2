"""`solve` on plainly worded questions whose answer takes several formulas, or states of a fluid."""

import pytest

from ansatz.agents.slide_rule.asked_quantities import find_sought
from ansatz.agents.slide_rule.formulas import load_definitions, load_process_formulas, load_remembered
from ansatz.agents.slide_rule.inversion import format_tree, solve_formula
from ansatz.experiments.solve import solve
from ansatz.knowledge_base.equation import library
from ansatz.quantities.parser import parse_formula
from ansatz.quantities.scales import convert_value
from ansatz.quantities.statements import find_statements
from ansatz.quantities.tree import evaluate_tree


@pytest.mark.parametrize(
    ("question", "expected", "unit", "rtol"),
    [
        # Cengel and Boles, table: h1 = 3302.9, s1 = 6.7219, h2s = 2128.7 kJ/kg
        (
            "Steam expands in a turbine from 6 MPa, 450 degC to 10 kPa with an isentropic efficiency of 85 %. "
            "What is the specific work?",
            998.1,
            "kJ/kg",
            2e-3,
        ),
        # The same with 20 kg/s
        (
            "A turbine receives 20 kg/s of steam at 6 MPa and 450 degC and exhausts at 10 kPa. Its isentropic "
            "efficiency is 85 %. How many MW does it deliver?",
            19.96,
            "MW",
            2e-3,
        ),
        # Table A-13: h_f(800 kPa) = 95.48, h_f and h_fg at 120 kPa = 22.47 and 214.52 kJ/kg
        (
            "Saturated liquid R134a at 800 kPa is throttled to 120 kPa. What is the quality at the exit?",
            0.340,
            "-",
            5e-3,
        ),
        # NIST webbook: h_fg of ammonia at -10 degC
        (
            "How much heat does it take to evaporate 2 kg of saturated liquid ammonia at -10 degC?",
            2592.4,
            "kJ",
            2e-3,
        ),
        # Moran and Shapiro, example 10.1: h1 = 247.23, h2s = 264.7, h4 = 85.75 kJ/kg
        (
            "A refrigerator with R134a evaporates at 0 degC and condenses at 26 degC. What is the coefficient of "
            "performance?",
            9.24,
            "-",
            0.01,
        ),
        # Colebrook solved by iteration: f = 0.01858
        (
            "16 L/s of water (998 kg/m3, 1.0 mPa s) runs through 150 m of steel pipe with 100 mm bore and 0.046 mm "
            "roughness. What is the friction head loss in metres? Take g = 9.81 m/s2.",
            5.896,
            "m",
            0.015,
        ),
        (
            "What volume does 1 kg of nitrogen occupy at 1 bar and 300 K?",
            0.8904,
            "m^3",
            1e-3,
        ),  # not with air's R
        ("How long does it take to fill a 2000 L tank with a hose that delivers 20 L/min?", 6000, "s", 1e-6),
        ("What diameter must a pipe have so that 10 L/s of water flow at 1.5 m/s?", 0.09213, "m", 1e-3),
    ],
)
def test_chain_of_states_or_formulas_is_answered(question, expected, unit, rtol):
    found = find_statements(solve(question).answer)[-1]
    assert convert_value(found.value, found.unit or "-", unit) == pytest.approx(expected, rel=rtol)


@pytest.mark.parametrize(
    "question",
    [
        "Steam at 6 MPa expands in a turbine to 10 kPa. What is the specific work?",  # the inlet lacks a property
        "Steam at 6 MPa and 450 degC and 2 m/s expands in a turbine to 10 kPa. What is the specific work?",
        "Unobtainium vapour is compressed from 1 bar and 20 degC to 8 bar. What is the specific work?",
    ],
)
def test_incomplete_process_is_refused(question):
    found = solve(question)
    assert not found.answer
    assert any("read as given" in line for line in found.uncertain)


def test_tool_states_are_shown_with_their_inputs():
    answer = solve("Steam at 1 MPa and 300 degC is throttled to 100 kPa. What is its temperature?").answer
    assert "P = 1 MPa" in answer and "T = 300 degC" in answer and "property tool" in answer


def test_formulas_of_processes_are_those_of_the_base():
    for formula in load_process_formulas().values():
        if formula.id:
            entry = library().get(formula.id)
            numbers = {name: 3.0 + place for place, name in enumerate(sorted(entry.inputs))}
            assert evaluate_tree(formula.tree, numbers) == pytest.approx(entry.value(**numbers)), formula.id


def test_a_formula_solved_for_an_input_gives_it_back():
    numbers = {"p": 7.0, "T": 300.0, "gamma": 1.3, "rho": 1.2, "V": 11.0, "D": 0.3, "h": 2.5, "M": 0.7}
    for formula in (*load_remembered(), *load_definitions()):
        if formula.tree is None or not formula.inputs:
            continue
        inputs = {each.name: numbers.get(each.name, 0.6) for each in formula.inputs}
        constants = {name: each.value for name, each in formula.constants.items()}
        output = evaluate_tree(formula.tree, inputs | constants)
        for name in inputs if output else ():
            solved = solve_formula(formula, name)
            known = {each: value for each, value in inputs.items() if each != name}
            back = solved and evaluate_tree(solved.tree, known | constants | {formula.output.name: output})
            if back is not None:
                again = evaluate_tree(formula.tree, known | constants | {name: back})
                assert again == pytest.approx(output, rel=1e-6), (formula.title, name)


@pytest.mark.parametrize(
    "text", ["a - (b - c)", "a/(b*c)", "(a + b)**2/c", "-a**2 + sqrt(b)*c", "a**(b - 1)", "a/b*c"]
)
def test_written_tree_reads_back(text):
    numbers = {"a": 1.7, "b": 2.3, "c": 0.9}
    written = format_tree(parse_formula(text, numbers).tree)
    assert parse_formula(written, numbers).value(numbers) == pytest.approx(
        parse_formula(text, numbers).value(numbers)
    )


def test_numbers_without_symbol_are_named_by_the_formula():
    found = solve("A pump lifts 12 L/s of water by 9 m at 70 % efficiency. What is the shaft power?")
    assert "V_dot = 12 L/s, H = 9 m, eta_p = 70 %" in found.transcript.answer


# The values follow from separate calculations of each step by hand, and from CoolProp for states.
@pytest.mark.parametrize(
    ("question", "expected", "unit"),
    [
        pytest.param(
            "What is the air-standard efficiency of a petrol engine with a compression ratio of 9?",
            0.5848,
            "-",
            marks=pytest.mark.slow,
        ),
        (
            "An ideal Rankine cycle runs with 60 bar, 500 degC at the turbine inlet and 10 kPa in the condenser. "
            "What is its thermal efficiency?",
            0.38356,
            "-",
        ),
        (
            "A wall has 0.24 m of brick (0.8 W/(m K)) and 0.1 m of insulation (0.04 W/(m K)). The film "
            "coefficients are 8 and 25 W/(m2 K). What is the U-value?",
            0.3371,
            "W/(m^2*K)",
        ),
        (
            "A counterflow heat exchanger cools 2 kg/s of oil (cp = 2000 J/(kg K)) from 95 degC to 60 degC; the "
            "water warms from 20 degC to 45 degC. U = 300 W/(m2 K). What area does it need?",
            10.413,
            "m^2",
        ),
        (
            "A tyre is filled to 2.3 bar gauge at 15 degC. Later it is at 48 degC. What gauge pressure does it show "
            "if the atmosphere is at 1.013 bar and the volume is constant?",
            2.6794,
            "bar",
        ),
        pytest.param(
            "A rigid 0.5 m3 vessel holds 4 kg of water and steam at 6 bar. What fraction of the mass is vapour?",
            0.3940,
            "-",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "What is the temperature of R134a at 8 bar that is superheated by 10 K?",
            314.477,
            "K",
            marks=pytest.mark.slow,
        ),
        (
            "A compressor takes in 0.25 kg/s of air at 15 degC and raises its pressure by a factor of 6.5. Its "
            "isentropic efficiency is 78 %. What power does it need?",
            65632.0,
            "W",
        ),
        (
            "A refrigerator with R134a evaporates at -10 degC and condenses at 40 degC. Its compressor has an isentropic "
            "efficiency of 0.8. The mass flow is 0.05 kg/s. What heat does the condenser reject?",
            8926.2,
            "W",
        ),
        (
            "Steam at 10 bar is throttled to 1 bar and then has 120 degC. What dryness fraction did it have, as a number "
            "between 0 and 1?",
            0.96998,
            "-",
        ),
        pytest.param(
            "An ammonia compressor sweeps 100 m3/h with a volumetric efficiency of 0.75. It draws in saturated vapour at "
            "-10 degC, and saturated liquid at 30 degC enters the valve. How many kW of cold are made?",
            55.2206,
            "kW",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "A Rankine cycle: live steam 100 bar / 500 degC, expanded to 20 bar, reheated to 500 degC, condenser 0.1 bar. "
            "Thermal efficiency?",
            0.41684,
            "-",
            marks=pytest.mark.slow,
        ),
        (
            "What delta-v does a Hohmann transfer from a 350 km orbit to a 20200 km orbit around the Earth need?",
            3437.95,
            "m/s",
        ),
        pytest.param(
            "An Earth orbit has its perigee at 500 km and its apogee at 39873 km. Period in hours?",
            11.969,
            "h",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "Steel balls of 12 mm diameter leave a furnace at 850 degC and cool in air at 30 degC. h is 60 W/(m2 K); "
            "steel: 7830 kg/m3, 560 J/(kg K), 40 W/(m K). How long until they are at 200 degC?",
            229.98,
            "s",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "Water flows at 1.2 m/s through a heated tube of 25 mm bore (kinematic viscosity 0.66e-6 m2/s, Pr = 4.3, "
            "k = 0.63 W/(m K)). What inside heat-transfer coefficient does Dittus-Boelter give?",
            5528.1,
            "W/(m2*K)",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "Water (998 kg/m3) flows at 2 m/s through 120 m of pipe with an inner diameter of 80 mm and a Darcy friction "
            "factor of 0.02. What is the pressure drop?",
            59880.0,
            "Pa",
            marks=pytest.mark.slow,
        ),
        ("What is the escape velocity at 300 km altitude above the Earth?", 10926.0, "m/s"),
        pytest.param(
            "What is the drag on a 0.2 m diameter sphere in air of 1.2 kg/m3 at 30 m/s? CD = 0.47",
            7.973,
            "N",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "How many kilograms of nitrogen are in 50 L at 150 bar absolute and 20 degC? Molar mass 28.014 g/mol.",
            8.620,
            "kg",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_standard_problem_is_answered(question, expected, unit):
    found = find_statements(solve(question).answer)[-1]
    assert convert_value(found.value, found.unit or "-", unit) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize(
    ("request_text", "name", "unit"),
    [
        ("Gear oil is pumped at 90 L/min. Pressure drop in bar?", "Pressure drop", "bar"),
        ("All lengths are in mm. Mach number downstream?", "Mach number downstream", ""),
        ("A manual's estimate of the peak deceleration, in g (9.81 m/s2)?", "peak deceleration", "g_0"),
        ("Give the thrust in kN.", "thrust", "kN"),
        ("How many seconds until they are cold?", "", "seconds"),
        ("How long until they are cold?", "time", ""),
        ("What's the power?", "power", ""),
        ("A 2 kW heater, 1.5 kg of water, 20 to 100 degC - how long?", "time", ""),
        ("Isp 320 s, 10 t at the start, 4 t at the end: delta v?", "delta v", ""),
        ("specific volume of steam at 10 bar", "specific volume", ""),
        ("the COP of an R134a fridge between -20 and 40 degC, ideal compressor?", "COP", ""),
        ("What does the compressor draw?", "compressor power", ""),
        ("What does the engine reject?", "engine reject", ""),
        ("By how many kelvin do they warm up?", "temperature change", "kelvin"),
        ("What percentage of the mass is vapour?", "quality", "%"),
        ("An ideal Diesel cycle with a cut-off ratio of 2. Efficiency (%)?", "Efficiency", "%"),
        ("What is the flux with a coefficient of 12 W/(m2 K)?", "flux", ""),
        ("Static temperature behind the shock, K?", "Static temperature behind the shock", "K"),
        ("How dense is dry steam? kg/m^3 please.", "density of dry steam", "kg/m^3"),
    ],
)
def test_request_in_any_form_names_quantity_and_unit(request_text, name, unit):
    assert [(each.name, each.unit) for each in find_sought(request_text)] == [(name, unit)]


@pytest.mark.parametrize(
    ("request_text", "names"),
    [
        ("What is the power, the torque and the speed?", ["power", "torque", "speed"]),
        ("How much power does it need, and what is the torque?", ["power", "torque"]),
    ],
)
def test_request_for_several_quantities_names_all(request_text, names):
    assert [each.name for each in find_sought(request_text)] == names


@pytest.mark.parametrize("text", ["The power is 5 kW, correct?", "All lengths are in mm.", "Does it boil?"])
def test_sentence_with_a_verb_is_no_fragment_of_a_question(text):
    assert not find_sought(text)


@pytest.mark.parametrize(
    ("question", "expected", "unit"),
    [
        ("An Otto cycle with a compression ratio of 9.5 and kappa = 1.38. Its efficiency?", 0.574926, "-"),
        ("A normal shock in air (gamma 1.4) at Mach 2, 250 K ahead. Temperature behind it, K?", 421.875, "K"),
        pytest.param(
            "density of saturated R1234yf vapour at 5 degC, kg/m3?", 20.7299, "kg/m3", marks=pytest.mark.slow
        ),
        (
            "Water at 60 degC leaves a drum as dry saturated steam at 10 bar. How much heat does each kilogram need?",
            2525.1,
            "kJ/kg",
        ),
        ("2 kg of water take up 84 kJ (4.2 kJ/(kg K)). By how many kelvin does it warm up?", 10.0, "K"),
    ],
)
def test_short_request_is_answered(question, expected, unit):
    found = find_statements(solve(question).answer)[-1]
    assert convert_value(found.value, found.unit or "-", unit) == pytest.approx(expected, rel=1e-4)


def test_a_stated_conversion_is_no_value_to_use():
    text = "What is the dynamic pressure of air of density 1.2 kg/m3 at 30 ft/s? (1 ft = 0.3048 m)"
    found = find_statements(solve(text).answer)[-1]
    assert convert_value(found.value, found.unit, "Pa") == pytest.approx(0.6 * (30 * 0.3048) ** 2, rel=1e-3)
