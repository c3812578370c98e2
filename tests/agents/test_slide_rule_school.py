"""School physics from memory: right, homogeneous, turned round rightly, and found as exercises are worded."""

import re
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from ansatz.agents.slide_rule import SlideRule
from ansatz.agents.slide_rule.arithmetic import dimension_of, evaluate
from ansatz.agents.slide_rule.formula import TURNED
from ansatz.agents.slide_rule.school import topics

# `name | inputs | value`, worked out by hand or from tables: planets, hydrogen, water, standard conditions.
EXAMPLES = {
    name: (
        {symbol: float(value) for symbol, value in (pair.split("=") for pair in inputs.split())},
        float(value),
    )
    for name, inputs, value in (
        line.split(" | ")
        for line in Path(__file__)
        .with_name("school_physics_examples.txt")
        .read_text(encoding="utf-8")
        .splitlines()
    )
}
FORMULAS = [formula for topic in topics() for formula in topic.formulas]
PLAIN = [formula for formula in FORMULAS if TURNED not in formula.name]

# Exercises of our own, with the values worked out by hand.
EXERCISES = [
    ("A car starts from rest and accelerates at 3 m/s^2 for 8 s. What is its final speed?", 24),
    ("A train slows down from 30 m/s to 10 m/s in 40 s. How far does it travel in this time?", 800),
    ("A 4.0-kg block is pulled along a smooth floor by a 26 N force. Find the acceleration of the block.", 6.5),
    ("A stone is dropped from a cliff 45 m high. How long does it take to reach the ground?", 3.03),
    ("How fast is a ball moving after it has fallen freely through a height of 20 m?", 19.8),
    ("A projectile is launched at 25 m/s at an angle of 40° above the horizontal. Find its range.", 62.7),
    ("A crate of mass 20 kg slides down a frictionless incline of 30°. Determine its acceleration.", 4.905),
    ("A spring of spring constant k = 250 N/m is stretched by x = 0.12 m. How much energy is stored in it?", 1.8),
    ("A 1200 kg car travels at 20 m/s. Calculate the kinetic energy of the car in kJ.", 240),
    ("Find the period of a simple pendulum of length 0.9 m.", 1.903),
    ("A wave has a frequency of 440 Hz and travels at 340 m/s. What is its wavelength?", 0.773),
    ("How much heat is needed to raise the temperature of 0.5 kg of water by 30 K?", 62790),
    ("Two charges of 2 nC and 5 nC are 3 cm apart. Find the electric force between them.", 9.986e-5),
    ("A current of 1.5 A flows through a resistor of 8 Ω. What is the voltage across it?", 12),
    ("Resistors R1 = 4 ohm and R2 = 12 ohm are connected in parallel. Find the equivalent resistance.", 3),
    ("An object is placed 30 cm from a converging lens of focal length 20 cm. Find the image distance in cm.", 60),
    ("Light of wavelength 400 nm strikes a metal. Calculate the energy of a photon in eV.", 3.1),
    ("A satellite orbits the Earth at an altitude of 500 km. Find its orbital speed in km/s.", 7.613),
    ("A spacecraft is in a circular orbit around Mars of radius 8000 km. What is the orbital period in hours?", 6.03),
    ("A rocket with a specific impulse of 320 s has an initial mass of 5000 kg and a final mass of 2000 kg."
     " Calculate the delta-v.", 2875),
    ("A wheel rotates at 120 rpm. What is its angular speed in rad/s?", 12.57),
    ("A force of 15 N acts on a body of mass m = 3 kg for 4 s. Find the impulse.", 60),
    ("A radioactive sample of 80 g has a half-life of 6 days. Find the remaining mass in g after 18 days.", 10),
    ("A coil of 200 turns has a flux change of 0.03 Wb in 0.5 s. What is the induced emf?", 12),
]  # fmt: skip


def answer(question, *notes):
    return SlideRule().invoke([SystemMessage("Solve."), HumanMessage("\n\n".join([*notes, question]))]).text


def value(text):
    return float(re.findall(r"= ([-+.\deE]+)(?: \S+)?$", text, re.MULTILINE)[-1])


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: f"{formula.name} {formula.output.name}")
def test_a_formula_is_homogeneous(formula):
    units = {symbol.name: symbol.unit for symbol in formula.inputs}
    units |= {constant.name: constant.unit for constant in formula.constants}
    assert dimension_of(formula.expression, units) == formula.output.unit.dimension


def values_of(formula, inputs):
    return inputs | {constant.name: constant.value for constant in formula.constants}


def test_every_formula_has_an_example():
    assert {formula.name for formula in PLAIN} == EXAMPLES.keys()


@pytest.mark.parametrize("formula", PLAIN, ids=lambda formula: formula.name)
def test_a_formula_is_right(formula):
    inputs, expected = EXAMPLES[formula.name]
    assert evaluate(formula.expression, values_of(formula, inputs), exact=True) == pytest.approx(
        expected, rel=2e-3
    )


@pytest.mark.parametrize("formula", [f for f in FORMULAS if f not in PLAIN], ids=lambda formula: formula.name)
def test_a_formula_turned_round_gives_back_the_input_it_was_made_from(formula):
    inputs, _ = EXAMPLES[formula.title]
    (plain,) = (each for each in PLAIN if each.name == formula.title)
    result = evaluate(plain.expression, values_of(plain, inputs), exact=True)
    known = values_of(formula, inputs | {plain.output.name: result})
    found = evaluate(formula.expression, known, exact=True)
    assert found == pytest.approx(inputs[formula.output.name], rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(("question", "expected"), EXERCISES, ids=lambda x: str(x)[:40])
def test_an_exercise_is_solved_to_the_precision_of_a_slide_rule(question, expected):
    assert value(answer(question)) == pytest.approx(expected, rel=0.03)
