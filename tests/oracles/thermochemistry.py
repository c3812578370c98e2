"""Species of cantera 3.2.0: NASA polynomials of seven coefficients (GRI-Mech 3.0) and of nine (air)."""

import cantera as ct
from answering import answer

SEVEN = {species.name: species.thermo for species in ct.Species.list_from_file("gri30.yaml")}
NINE = {species.name: species.thermo for species in ct.Species.list_from_file("airNASA9.yaml")}
PROPERTIES = {"cp": "cp", "h": "h", "s": "s"}
IN_SEVEN = {
    "cp": ("co", "co2", "h2", "h2o", "n", "n2", "no", "o", "o2"),
    "h": ("co", "co2", "h2", "h2o", "n", "n2", "no", "o", "o2"),
    "s": ("n2", "o2"),
}
IN_NINE = ("n", "n2", "no", "o", "o2", "no_ion")


def molar(thermo, name):
    """cantera counts in kmol."""
    return lambda T: getattr(thermo, name)(T) / 1000


def called(instance):
    return "NO+" if instance == "no_ion" else instance.upper()


ROUTES = {
    f"equilibrium.nasa_{name}.{instance}": molar(SEVEN[called(instance)], name)
    for name, instances in IN_SEVEN.items()
    for instance in instances
} | {
    f"equilibrium.nasa9_{name}.{instance}": molar(NINE[called(instance)], name)
    for name in PROPERTIES
    for instance in IN_NINE
}

if __name__ == "__main__":
    answer(ROUTES)
