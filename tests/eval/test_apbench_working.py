"""The worked solutions of the astrodynamics sets: each step on the way to an answer, by a second route."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from ansatz.eval.problem import ChoiceTarget, MessageTarget
from tests.eval.apbench_second_route import working_of_missions, working_of_orbits
from tests.eval.apbench_second_route.motion import circular, fly
from tests.eval.test_apbench_sets import SETS, by_instance, second_route, si, stated_by

WORKING = {
    name: route
    for module in (working_of_orbits, working_of_missions)
    for name, route in vars(module).items()
    if name in SETS
}
WITHIN = 1e-3
NUMBER = re.compile(r"(?<![\w.^])\d+(?:\.\d+)?|\btwice\b")
RIGHT_ANGLES = {90.0, 180.0}
"""Degrees that mark a case (retrograde, opposite) rather than come out of a calculation."""


def parts(name, value):
    """A vector as steps write it: by its axes, or by numbers if it has more than three."""
    if not np.ndim(value):
        return {name: float(value)}
    axes = "xyz" if len(value) == 3 else range(1, len(value) + 1)
    return {f"{name}_{axis}": float(part) for axis, part in zip(axes, value, strict=True)}


def recomputed(problem):
    answers = second_route(problem)
    route = WORKING.get(problem.family)
    between = route(stated_by(problem), SimpleNamespace(**answers)) if route else {}
    return answers | {
        key: part for name, value in between.items() for key, part in parts(name, value).items()
    }


@pytest.mark.parametrize("seed", [0, 1])
def test_every_step_of_every_worked_solution_is_met_by_a_second_route(seed):
    wrong = []
    for asked in by_instance(seed, 1).values():
        found = recomputed(asked[-1])
        for step in (step for problem in asked for step in problem.reference.steps):
            key, other = si(step.value, step.unit), found.get(step.symbol, np.nan)
            if not abs(other - key) <= WITHIN * abs(key) + 1e-12:
                wrong.append(
                    f"{asked[-1].id} {step.symbol} = {step.expression}: {key:.8g}, not {other:.8g} (SI)"
                )
    assert not wrong, "\n".join(sorted(set(wrong)))


def swing_along_the_orbit():
    """Of a slightly eccentric orbit: the swing of its angle about even motion, in eccentricities."""
    e, times = 1e-3, np.linspace(0.1, 3.0, 30)
    start = [1 - e, 0, 0], [0, np.sqrt((1 + e) / (1 - e)), 0]
    places = [fly(1.0, *start, time)[0] for time in times]
    return max(np.arctan2(place[1], place[0]) - time for place, time in zip(places, times, strict=True)) / e


def potential_lost_for_kinetic_gained():
    """Between circular orbits: the potential energy of one, and half the squared speed."""
    high, low = 1.0, 0.999
    return (1 / low - 1 / high) / (circular(1.0, low) ** 2 / 2 - circular(1.0, high) ** 2 / 2)


CLAIMS = {"safety_ellipse": swing_along_the_orbit, "drag_decay": potential_lost_for_kinetic_gained}
"""What a message says of a number that is no given: each says that it is two."""


@pytest.mark.parametrize("name", CLAIMS)
def test_a_number_that_a_message_claims_is_computed(name):
    (message,) = [
        t.value for one in by_instance(0, 1)[f"{name}-0"] for t in one.targets if isinstance(t, MessageTarget)
    ]
    assert "twice" in message
    assert CLAIMS[name]() == pytest.approx(2, rel=WITHIN)


def test_every_other_number_of_a_message_or_an_option_is_given_or_a_right_angle():
    strange = []
    for asked in by_instance(0, 3).values():
        known = {one.value for one in asked[-1].givens} | RIGHT_ANGLES
        known |= {2.0} if asked[0].family in CLAIMS else set()
        for problem in asked:
            texts = [target.value for target in problem.targets if isinstance(target, MessageTarget)]
            for target in problem.targets:
                texts += target.options.values() if isinstance(target, ChoiceTarget) else ()
            numbers = {
                2.0 if word == "twice" else float(word) for text in texts for word in NUMBER.findall(text)
            }
            strange += [f"{problem.id}: {number}" for number in numbers - known]
    assert not strange
