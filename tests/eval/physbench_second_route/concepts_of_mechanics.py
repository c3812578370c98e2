"""Conceptual questions of mechanics: orderings, signs and factors found by motion followed in small steps."""

import math

import numpy as np
from scipy import constants

from tests.eval.physbench_second_route.concept import Concept, concepts
from tests.eval.physbench_second_route.dimensions import same_dimension, unit_in_base
from tests.eval.physbench_second_route.motion import area, follow, root

GRAVITY = 9.8


def _braking_force(mass, speed, time):
    """The force that stops a body within a time, from following the motion under it."""

    def left(force):
        return follow(lambda t, x, v: [-force / mass], 0, speed, lambda t, x, v: time - t)[2][0]

    return root(left, 1e-3, 1e6)


def airbag_force(g):
    ratio = _braking_force(75, 12, 0.02 * g["k"]) / _braking_force(75, 12, 0.02)
    return Concept(f"1/{1 / ratio:.3g} of that without", (ratio,))


def collision_forces(g):
    """A collision through a stiff spring: the greatest force on either body from its own acceleration."""
    masses, stiffness, step = np.array([g["m_1"], g["m_2"]]), 1e6, 1e-5
    place, speed, greatest = np.array([0.0, 0.0]), np.array([10.0, 0.0]), np.zeros(2)
    for _ in range(20000):
        squeeze = max(place[0] - place[1], 0.0)
        change = stiffness * squeeze * np.array([-1, 1]) / masses
        greatest = np.maximum(greatest, abs(change))
        speed = speed + change * step
        place = place + speed * step
    forces = greatest * masses
    assert np.isclose(*forces, rtol=1e-6) and np.isclose(masses @ speed, 10 * masses[0])
    return Concept("equal in magnitude and opposite in direction", (greatest[1] / greatest[0],))


def fall_in_vacuum(g):
    def time(mass):
        return follow(lambda t, x, v: [-mass * GRAVITY / mass], 1, 0, lambda t, x, v: x[0] if t else 1)[0]

    assert math.isclose(time(g["m_1"]), time(g["m_2"]))
    ratio = (g["m_1"] * GRAVITY) / (g["m_2"] * GRAVITY)
    return Concept(f"Both arrive together, and the steel ball is pulled with {ratio:.4g} times", (ratio,))


def gravity_with_distance(g):
    def potential(distance):
        return -constants.G * 5.97e24 / (distance * 6.371e6)

    def pull(distance):
        step = 1e-4 * distance
        return (potential(distance + step) - potential(distance - step)) / step

    factor = pull(1) / pull(g["k"])
    linear = potential(1) / potential(g["k"])  # the mistaken answer falls as the potential does
    return Concept(f"1/{factor:.4g}", (factor, 1 / factor, 1 / linear))


def kinetic_energy_doubled_speed(g):
    def work(speed):
        return area(lambda v: 3 * v, 0, speed)  # of the force that speeds 3 kg up

    return Concept(
        f"{work(5 * g['k']) / work(5):g} times", (work(5 * g["k"]) / work(5), 1 / g["k"], work(1) / 3)
    )


def same_momentum_energy(g):
    momentum, mass = 6.0, 2.0

    def energy(body):
        return area(lambda p: p / body, 0, momentum)

    ratio = energy(g["k"] * mass) / energy(mass)
    return Concept(
        f"1/{1 / ratio:g} of it", (ratio, ratio**2, 1 / ratio**2, momentum**2 / mass / energy(mass))
    )


def push_without_motion(g):
    """At rest, friction is what the push leaves to balance; the limits are those of a slope about to slip."""
    weight = g["m"] * g["g"]
    steepest = math.atan(g["mu_s"])
    limit = weight * math.sin(steepest) / math.cos(steepest)
    assert g["F"] < limit
    return Concept(g["F"], (weight, limit, limit - g["F"], limit * g["mu_k"] / g["mu_s"]))


def hoop_against_disc(g):
    """Rolling by the energy: the inertia is an integral over the mass."""
    slope = math.sin(math.radians(g["theta"]))
    inertia = {"hoop": 1.0, "solid disc": area(lambda r: 2 * r * r**2, 0, 1)}
    gained = {name: slope / (1 + share) for name, share in inertia.items()}
    twice = inertia["hoop"] / inertia["solid disc"]
    return Concept(max(gained, key=gained.__getitem__), (twice, *gained.values()))


def horse_and_cart(g):
    """Pull on the cart from Newton's second law of both, with a push of the ground on the horse."""
    horse, cart, push, rolling = 500, 300, 400, 50
    shared, pull = np.linalg.solve([[horse, 1], [cart, -1]], [push, -rolling])
    assert pull > 0
    return Concept("the conclusion wrong" if shared > 0 else "right")


def kind_of_collision(g):
    restitution = {"elastic": 1.0, "inelastic": 0.5, "perfectly inelastic": 0.0}[g["collision"]]
    masses, before = np.array([2.0, 3.0]), np.array([4.0, -1.0])
    after = np.linalg.solve([masses, [-1, 1]], [masses @ before, restitution * (before[0] - before[1])])
    lost = masses @ (before**2 - after**2) / 2
    if lost < 1e-9:
        return Concept("Momentum and kinetic energy are both conserved")
    together = math.isclose(*after)
    return Concept("the bodies stay together" if together else "the bodies separate again")


def lower_orbit_faster(g):
    """By Kepler's third law: the way around over the period."""
    ratio = g["k"] / math.sqrt(g["k"] ** 3)
    return Concept("becomes smaller" if ratio < 1 else "becomes greater", (ratio,))


def name_of_quotient(g):
    above, below = _parts(g["definition"])
    return Concept(same_dimension(f"{above} / {below}"))


def _parts(definition):
    above, below = definition.split(" divided by ")
    return above.replace("change of ", ""), below


def passengers_lurch(g):
    """The passenger goes straight on at 10 m/s for 0.5 s; where is that, seen from a bus that is followed?"""
    change = {"brakes": (-2, 0), "speeds up": (2, 0), "turns left": (0, 2)}[g["event"]]
    _, bus, _ = follow(lambda t, x, v: change, [0, 0], [10, 0], lambda t, x, v: 0.5 - t)
    against = np.dot(np.array([5, 0]) - bus, change) < 0
    return Concept("opposite to its acceleration" if against else "along its acceleration")


def standing_on_snow(g):
    weight, sole = 700, 0.03
    ratio = (weight / (g["k"] * sole)) / (weight / sole)
    return Concept(f"1/{1 / ratio:.3g}", (ratio,))


def steel_ship_floats(g):
    """An open steel box 20 m by 8 m by 5 m with walls of 2 cm: the draught at which weight and water balance."""
    steel = 0.02 * (20 * 8 + 2 * (20 + 8) * 5) * g["k"] * 1000

    def draught(cargo):
        return root(lambda depth: 1000 * 20 * 8 * depth - steel - cargo, 0, 100)

    assert draught(0) < 5  # it floats
    return Concept("sinks deeper" if draught(1e5) > draught(0) else "rises")


def string_breaks(g):
    outwards = np.array({"north": (0, 1), "east": (1, 0)}[g["side"]])
    sense = 1 if g["turning"] == "anticlockwise" else -1
    velocity = sense * np.array([-outwards[1], outwards[0]])
    _, place, _ = follow(lambda t, x, v: [0, 0], outwards, velocity, lambda t, x, v: 1 - t)
    flown = place - outwards
    assert np.allclose(flown, velocity) and abs(flown @ outwards) < 1e-9
    return Concept("Along the tangent")


def top_of_throw(g):
    """Velocity at the highest point, and its rate of change there from just before and after."""

    def speed(time):
        return follow(lambda t, x, v: [-GRAVITY], 0, 6, lambda t, x, v: time - t)[2][0]

    top = root(speed, 0.1, 1)
    change = (speed(top + 1e-3) - speed(top - 1e-3)) / 2e-3
    downwards = math.isclose(change, -GRAVITY, rel_tol=1e-6)
    return Concept("that of free fall, downwards" if downwards else "zero", (speed(top),))


def unit_in_base_units(g):
    return Concept(unit_in_base(g["quantity"]))


def weightless_in_orbit(g):
    """Gravity as the slope of the potential, at the orbit and on the ground."""

    def pull(distance):
        return (1 / (distance - 0.01) - 1 / (distance + 0.01)) / 0.02

    share = pull(g["R_E"] + g["h"]) / pull(g["R_E"])
    return Concept("gravity there is still" if share > 0.5 else "there is no gravity", (share,))


def what_the_slope_means(g):
    """A motion of known velocity: which of its quantities has the slope or the area of the graph?"""
    times = np.linspace(0, 3, 3001)
    known = {"velocity": 2 * times**2 + 1, "acceleration": 4 * times}
    known["position"] = 2 * times**3 / 3 + times
    what, curve = g["feature"].split(" its ")
    graph = known[curve.split("-")[0]]
    if what == "slope of":
        slope = np.gradient(graph, times)[1:-1]
        fits = [name for name, values in known.items() if np.allclose(slope, values[1:-1], atol=1e-5)]
        return Concept(f"its {fits[0]}")
    whole = np.trapezoid(graph, times)
    names = {"position": "its displacement", "velocity": "its change of velocity"}
    return Concept(
        next(
            n for key, n in names.items() if math.isclose(whole, known[key][-1] - known[key][0], rel_tol=1e-6)
        )
    )


CONCEPTS = concepts("mechanics", globals())
