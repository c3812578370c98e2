"""The US Standard Atmosphere of 1976 by ambiance 1.3.1, which is asked for geometric altitudes."""

from ambiance import Atmosphere
from answering import answer


def at(name):
    def value(H):
        return getattr(Atmosphere(Atmosphere.geop2geom_height([H])), name).item()

    return value


LAYERS = {
    "troposphere": "both",
    "lower_stratosphere": "pressure",
    "middle_stratosphere": "both",
    "upper_stratosphere": "both",
    "stratopause": "pressure",
    "lower_mesosphere": "both",
    "upper_mesosphere": "both",
}
ROUTES = {
    f"reference.us76_{layer}_{name}": at(name)
    for layer, held in LAYERS.items()
    for name in ("pressure", "temperature")
    if held in ("both", name)
} | {
    "reference.geopotential_altitude": lambda z: Atmosphere.geom2geop_height([z])[0],
    "reference.gravity_at_altitude": lambda z: Atmosphere(z).grav_accel.item(),
}

if __name__ == "__main__":
    answer(ROUTES)
