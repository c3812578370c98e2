"""Conceptual questions of electricity and magnetism, answered by fields and circuits worked out with numbers."""

import math

import numpy as np
from scipy import constants, integrate

from tests.eval.physbench_second_route.concept import Concept, concepts
from tests.eval.physbench_second_route.dimensions import unit_with_dimension
from tests.eval.physbench_second_route.motion import area

K = 1 / (4 * math.pi * constants.epsilon_0)


def bird_on_power_line(g):
    """A line of 0.1 mohm/m with 500 A; a body of 1 kohm across 5 cm of it, or from it to the ground."""
    line = g["V"] * 1e3
    across_feet = 500 * 1e-4 * 0.05 / 1000
    to_ground = line / 1000
    harmless, deadly = across_feet < 1e-3, to_ground > 0.1  # amperes: below feeling, and far above 30 mA
    assert harmless and deadly
    return Concept("hardly any current flows through the body")


def charge_along_field(g):
    velocity = g["v"] * np.array([0, {"north": 1, "south": -1}[g["heading"]], 0])
    force = np.linalg.norm(np.cross(g["q"] * 1e-9 * velocity, [0, g["B"], 0]))
    return Concept("None" if force == 0 else "It has the magnitude q*v*B", (force,))


def charge_inside_metal(g):
    """A ring of line charges in an outer field, placed so that the metal is at one potential: the field inside."""
    count, outer = 200, 1000.0
    angles = 2 * math.pi * np.arange(count) / count
    wire = np.column_stack([np.cos(angles), np.sin(angles)])
    between = np.linalg.norm(wire[:, None] - wire, axis=2)
    np.fill_diagonal(between, math.pi / count / math.e)  # mean over its own piece of the ring
    matrix = np.zeros((count + 1, count + 1))
    matrix[:count, :count] = -np.log(between)
    matrix[:count, count], matrix[count, :count] = -1, 1  # one potential, no net charge
    charges = np.linalg.solve(matrix, np.append(outer * wire[:, 0], 0))[:count]
    places = np.array([[0.0, 0.0], [0.3, 0.2], [-0.5, 0.1]])
    away = places[:, None] - wire
    field = (charges[:, None] * away / (away**2).sum(axis=2)[..., None]).sum(axis=1) + np.array([outer, 0])
    left = np.abs(field).max() / outer
    return Concept(
        "the field inside a conductor and inside the closed metal shell is zero", (round(left, 2),)
    )


def comb_and_paper(g):
    """A charge before a neutral pair of bound charges, which it has shifted apart by a little."""
    comb = {"negative": -1e-9, "positive": 1e-9}[g["sign"]]
    shifted = math.copysign(1e-12, comb)
    pull = K * comb * (-shifted) / 0.020**2 + K * comb * shifted / 0.0201**2  # positive: repulsion
    return Concept("the net force is an attraction" if pull < 0 else "the net force is a repulsion")


def coulomb_with_distance(g):
    def force(charge, distance):
        return -K * charge * (1 / (distance + 1e-6) - 1 / (distance - 1e-6)) / 2e-6

    own = force(3, 0.1)
    ratio = force(3 * g["n"], 0.1 * g["k"]) / own
    by_distance = force(3, 0.1 * g["k"]) / own
    as_potential = g["n"] / g["k"]
    both = force(3 * g["n"] * g["n"], 0.1 * g["k"]) / own
    return Concept(ratio, (ratio, by_distance, as_potential, both))


def lamps_in_parallel(g):
    """The power of a lamp before and after: nodes solved with a source of 12 V and wires of hardly any resistance."""

    def power(lamps):
        wire, lamp = 1e-9, 24.0
        voltage = (12 / wire) / (1 / wire + lamps / lamp)
        return voltage**2 / lamp

    same = math.isclose(power(g["n"]), power(g["n"] - 1), rel_tol=1e-6)
    return Concept("stay as bright as before" if same else "become")


def magnet_and_ring(g):
    """A dipole on the axis of a ring of radius 2 cm: emf from the change of flux, force from its gradient."""

    def flux(distance):
        return constants.mu_0 / 2 * 0.02**2 / (0.02**2 + distance**2) ** 1.5

    step, motion = 1e-6, {"towards": -1.0, "away from": 1.0}[g["way"]]  # change of the distance
    slope = (flux(0.05 + step) - flux(0.05 - step)) / (2 * step)
    current = -slope * motion
    force = current * slope  # on the ring, positive away from the magnet
    follows = force * -motion > 0
    return Concept("pushed in the direction of the magnet's motion" if follows else "pushed against it")


def plates_pulled_apart(g):
    """The work of pulling is the attraction of the plates over the way; the voltage is the field over the way."""
    charge, plate, gap = 1e-8, 0.01, 1e-3
    field = charge / (constants.epsilon_0 * plate)
    energy = area(lambda x: charge * field / 2, 0, gap)
    pulled = energy + area(lambda x: charge * field / 2, gap, g["k"] * gap)
    voltage = area(lambda x: field, 0, g["k"] * gap) / area(lambda x: field, 0, gap)
    assert math.isclose(pulled / energy, voltage)
    return Concept(f"voltage and energy both become {voltage:g} times", (voltage, 1 / voltage))


def stretched_wire(g):
    """A cylinder of fixed volume, its resistance summed over slices."""
    volume, length = 1e-6, 2.0

    def resistance(size):
        return area(lambda s: 1.7e-8 / (volume / size), 0, size)

    ratio = resistance(g["k"] * length) / resistance(length)
    section = (volume / (g["k"] * length)) / (volume / length)
    return Concept(f"{ratio:g} times as large", (ratio, section))


def transformer_on_direct_current(g):
    """Switching on a battery of 9 V: the current of the primary coil in time, the voltage from its change."""
    resistance, inductance = 3.0, 0.06
    path = integrate.solve_ivp(
        lambda t, i: (9 - resistance * i) / inductance, (0, 1), [0.0], dense_output=True, rtol=1e-8
    )

    def secondary(time):
        step = 1e-4
        change = (path.sol(time + step) - path.sol(time - step))[0] / (2 * step)
        return inductance * g["N_2"] / g["N_1"] * change

    pulse = secondary(1e-3) > 1 and abs(secondary(0.9)) < 1e-3
    return Concept("Only a short pulse" if pulse else "a steady voltage")


def unit_of_quantity(g):
    return Concept(unit_with_dimension(g["quantity"], ("farad", "henry", "tesla", "weber", "coulomb", "ohm")))


CONCEPTS = concepts("electricity_magnetism", globals())
