"""Worked solutions of the physics set: each line with its numbers, worked out again from what is written there.

The numbers are read from the text with their units, as a learner would, and put into SI units by pint; nothing
that made the solution takes part. So a step that no answer depends on is checked as well as those that lead to one.
"""

import math
import re
from typing import NamedTuple

import pint
import pytest
from scipy import constants

from ansatz.eval.benchmarks.physbench import load

pytestmark = pytest.mark.xdist_group("physbench")

UNITS = pint.UnitRegistry()
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
UNIT = r"(?:1/)?[A-Za-z][\w/*^]*(?:\([^()]*\))?"
PUT_IN = re.compile(rf"(?<!\w)\(({NUMBER})(?: ({UNIT}))?\)")
"""A number put into a formula: (4180 J/(kg*K))."""

MOVED = re.compile(rf"^({NUMBER})(?: ({UNIT}))?$")
"""The side of an equation that is a number by itself."""

FUNCTIONS = {
    name: getattr(math, name)
    for name in ("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan")
} | {"abs": abs, "pi": math.pi}
ROUNDED, FINELY_ROUNDED = 5e-4, 5e-7
"""The greatest relative error of a number written with four digits, and with seven where numbers are subtracted."""

AGREEMENT = 1e-3
CONSTANTS = {
    *(constants.h, constants.hbar, constants.c, constants.e, constants.k, constants.G, constants.sigma),
    *(constants.m_e, constants.m_p, constants.m_n, constants.epsilon_0, constants.mu_0, constants.N_A),
    *(constants.R, constants.Rydberg, constants.Wien, constants.value("Bohr radius")),
    constants.value("Rydberg constant times hc in J"),
    *(0.0, 1.0, 3.0, math.pi / 2),  # a start from rest, the first order, the next overtone, a right angle
    1e-12,  # W/m^2, the threshold of hearing
    1.2e-15,  # m, the radius of a nucleon
}


class Line(NamedTuple):
    """An equation of written[0], written[1], ... in SI units; the last is the result."""

    left: str
    right: str
    numbers: tuple[float, ...]

    def off(self, numbers):
        known = FUNCTIONS | {"written": numbers}
        return eval(self.right, known) - eval(self.left, known)

    def moved_by(self, place, share):
        """By how much the sides part when a number changes by a share of itself."""
        changed = list(self.numbers)
        changed[place] *= 1 + share
        return abs(self.off(changed) - self.off(self.numbers))

    def holds(self):
        """Within 0.1 % of the result, and what the rounding of the numbers put in may do."""
        last = len(self.numbers) - 1
        formula = self.left + self.right
        subtracts = " - " in formula or (" + " in formula and min(self.numbers[:-1]) < 0)
        rounded = FINELY_ROUNDED if subtracts else ROUNDED
        allowed = self.moved_by(last, AGREEMENT) + sum(self.moved_by(each, rounded) for each in range(last))
        return abs(self.off(self.numbers)) <= 1.01 * allowed


def si(value, unit, angles):
    """A number in SI units; an angle in degrees stays as it is where the formula turns it into radians itself."""
    if not unit or unit == "-" or (unit == "deg" and not angles):
        return float(value)
    power = re.sub(r"^1/(.*)", r"(\1)**-1", unit)  # pint takes no unit that begins with a number
    return float(UNITS.Quantity(float(value), power).to_base_units().magnitude)


def line(step):
    """The line of a step with its result."""
    angles = bool(step.equation)
    numbers = []

    def put(match):
        numbers.append(si(match[1], match[2], angles))
        return f"written[{len(numbers) - 1}]"

    left, right = (PUT_IN.sub(put, side.strip()) for side in step.substitution.split(" = "))
    alone = MOVED.match(left)
    if alone:
        left = put(alone)
    numbers.append(si(step.value, step.unit, angles))
    unknown = f"written[{len(numbers) - 1}]"
    names = re.compile(r"\b(?!(?:" + "|".join([*FUNCTIONS, "written"]) + r")\b)[A-Za-z_]\w*")
    assert len(set(names.findall(f"{left} {right}"))) == 1, step.substitution
    return Line(names.sub(unknown, left), names.sub(unknown, right), tuple(numbers))


@pytest.fixture(scope="module")
def solved():
    """Two instances of every question whose solution has steps."""
    return [problem for problem in load(instances=2, seed=7) if problem.reference.steps]


def test_every_line_of_a_worked_solution_holds_as_written(solved):
    """Off by 2 %: that is more than all rounding comes to, in decibels too."""
    steps = {step.substitution: step for problem in solved for step in problem.reference.steps}
    assert len(steps) >= 900
    for text, step in steps.items():
        written = line(step)
        *numbers, result = written.numbers
        assert written.holds(), text
        assert not result or not written._replace(numbers=(*numbers, 1.02 * result)).holds(), text


@pytest.mark.slow
def test_every_substituted_number_is_known_before(solved):
    strange = []
    for problem in solved:
        known = [(one.value, one.unit) for one in problem.givens if not isinstance(one.value, str)]
        for step in problem.reference.steps:
            for value, unit in PUT_IN.findall(step.substitution):
                numbers = {si(value, unit, True), si(value, unit, False)}
                before = {si(*each, angles) for each in known for angles in (True, False)}
                if not any(
                    math.isclose(one, other, rel_tol=1.01 * ROUNDED)
                    for one in numbers
                    for other in before | CONSTANTS
                ):
                    strange.append(f"{problem.id}: {value} {unit} in {step.substitution}")
            known.append((step.value, step.unit))
    assert not strange, "\n".join(strange)
