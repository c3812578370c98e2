"""Conceptual questions of heat: energy added up in steps, and gases summed over their molecules."""

import math

from scipy import constants

from tests.eval.physbench_second_route.concept import Concept, concepts
from tests.eval.physbench_second_route.motion import area, root


def boiling_temperature(g):
    """1 kg of boiling water heated in steps: what is not needed for 100 degC turns water into steam."""

    def after(power):
        water, heat, steam = 1.0, 0.0, 0.0
        for _ in range(60):
            heat += power  # joules in a second
            made = heat / 2.256e6
            steam, water, heat = steam + made, water - made, 0.0
        return 100 + heat / (4186 * water), steam

    (cool, less), (hot, more) = after(1000), after(1000 * g["k"])
    stays = cool == hot and more > less
    return Concept("stays at the boiling point" if stays else "rises")


def hotter_gas_speed(g):
    """The mean square of the speed, over Maxwell's distribution for nitrogen."""
    mass = 28 * constants.atomic_mass

    def speed(temperature):
        scale = math.sqrt(constants.k * temperature / mass)
        weights = area(lambda v: v**2 * math.exp(-(v**2) / 2), 0, 30)
        return scale * math.sqrt(area(lambda v: v**4 * math.exp(-(v**2) / 2), 0, 30) / weights)

    ratio = speed(300 * g["k"]) / speed(300)
    return Concept(f"It becomes {ratio:.4g} times as large", (ratio,))


def metal_feels_colder(g):
    """Where a hand of 33 degC touches: the temperature at which as much heat leaves it as enters the bench."""
    skin, iron, wood = 1100, math.sqrt(60 * 7870 * 450), math.sqrt(0.15 * 600 * 1700)

    def contact(bench):
        return root(lambda t: skin * (33 - t) - bench * (t - g["T"]), -50, 50)

    colder = contact(iron) < contact(wood) < 33
    return Concept("Iron conducts heat much better than wood" if colder else "Wood conducts heat better")


def open_refrigerator(g):
    """Heat taken from the air in front and given off behind, summed over a day."""
    taken, seconds = 3 * g["P"], 86400
    given_off = taken + g["P"]
    gain = (given_off - taken) * seconds
    return Concept("The kitchen becomes warmer" if gain > 0 else "The kitchen becomes cooler")


def warm_air_rises(g):
    """Heat to the far end, 5 m off, through resting air, and carried by air that moves at 0.1 m/s, per m^2."""
    resting = 0.026 * (g["T"] - 20) / 5
    density = 101325 * 0.02897 / (constants.R * (g["T"] + 273.15))
    lighter = density < 101325 * 0.02897 / (constants.R * 293.15)
    carried = density * 0.1 * 1005 * (g["T"] - 20)
    assert lighter
    return Concept("By convection" if carried > 100 * resting else "By conduction")


def which_warms_more(g):
    def rise(mass, specific):
        return root(lambda t: mass * specific * t - 1e4, 0, 1e4)

    stone, metal = rise(g["m_1"], g["c_1"]), rise(g["m_2"], g["c_2"])
    return Concept("The stone" if stone > metal else "The metal block", (stone / metal,))


CONCEPTS = concepts("thermodynamics", globals())
