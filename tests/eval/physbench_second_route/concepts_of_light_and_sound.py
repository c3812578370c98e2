"""Conceptual questions of optics, waves and sound: rays traced, waves added and crests counted."""

import math

import numpy as np

from tests.eval.physbench_second_route.concept import Concept
from tests.eval.physbench_second_route.motion import area, root
from tests.eval.physbench_second_route.optics import refracted


def bending_direction(g):
    inside = refracted(g["n_1"], 10, g["n_2"])
    slower = 1 / g["n_2"] < 1 / g["n_1"]
    way = "Towards" if inside < 10 else "Away from"
    speed = g["n_2"] / g["n_1"]
    return Concept(f"{way} the normal and {'slower' if slower else 'faster'}", (speed,))


def half_covered_lens(g):
    """Rays from a point of the object through many heights of the lens: where each meets the first one."""
    distance, height = 3 * g["f"], 1.0

    def ray(at):
        slope = (at - height) / distance - at / g["f"]
        return at, slope

    def meeting(lens):
        (low, tilt), *others = [ray(at) for at in lens]
        crossings = [(at - low) / (tilt - slope) for at, slope in others]
        return np.array([(where, low + tilt * where) for where in crossings])

    whole, lower = np.linspace(-2, 2, 400), np.linspace(-2, 0, 200)
    same = np.allclose(meeting(whole)[0], meeting(lower))
    light = len(lower) / len(whole)
    return Concept("The whole image stays in the same place" if same else "Half of the image", (light,))


def longest_radio_wave(g):
    lengths = {g[name]: 299.792458 / g[name] for name in ("f_1", "f_2", "f_3")}
    return Concept(f"The one at {max(lengths, key=lengths.__getitem__):g} MHz")


def own_image_approaches(g):
    """The mirror is the plane x = 0: the image is the point with the sign of x changed."""
    before, after = np.array([g["d"], 0]), np.array([g["d"] - g["s"], 0])
    flipped = np.array([-1, 1])

    def apart(person, image):
        return float(np.linalg.norm(person - image))

    right = apart(after, after * flipped)
    return Concept(
        right,
        (right, apart(after, 0 * after), apart(before, before * flipped), apart(after, before * flipped)),
    )


def prism_colours(g):
    """Both colours through a prism of 60 degrees, at 50 degrees of incidence on the first face."""

    def deviation(index):
        inside = refracted(1, 50, index)
        out = math.degrees(math.asin(index * math.sin(math.radians(60 - inside))))
        return 50 + out - 60

    violet = deviation(g["n_v"]) > deviation(g["n_r"])
    return Concept(("Violet" if violet else "Red") + " light has the larger index")


def slits_moved_apart(g):
    """The first place where the paths from both slits differ by one wavelength, on a screen 2 m away."""

    def fringe(apart):
        def off(y):
            return math.hypot(2, y + apart / 2) - math.hypot(2, y - apart / 2) - 600e-9

        return root(off, 1e-9, 0.5)

    return Concept(f"{fringe(0.1e-3) / fringe(0.1e-3 * g['k']):.3g} times as small")


def amplitude_and_intensity(g):
    """The mean power of an oscillation, over a period."""

    def power(amplitude):
        return area(lambda t: (amplitude * math.cos(t)) ** 2, 0, 2 * math.pi)

    ratio = power(g["k"]) / power(1)
    return Concept(f"It becomes {ratio:g} times as large", (ratio,))


def pulses_meet(g):
    """Two bumps run towards each other; the rope when they are at the same place."""
    place = np.linspace(-10, 10, 2001)

    def rope(time):
        upward = g["A_1"] * np.exp(-((place + 5 - time) ** 2))
        downward = -g["A_2"] * np.exp(-((place - 5 + time) ** 2))
        return upward + downward

    middle = rope(5.0)[1000]
    apart = rope(0.0)
    larger = max(apart, key=abs)
    return Concept(f"{middle:g} cm", (middle, -middle, larger, apart.max() - apart.min()))


def sound_into_water(g):
    """Crests leave the boundary as often as they come; how far apart are they then?"""
    arrivals = np.arange(5) / 440
    behind = g["v_2"] * (arrivals[-1] - arrivals)
    before = g["v_1"] * (arrivals[-1] - arrivals)
    ratio = (behind[0] - behind[1]) / (before[0] - before[1])
    change = "longer" if ratio > 1 else "shorter"
    return Concept(f"The frequency stays the same and the wavelength becomes {change}", (ratio,))


def sound_is_longitudinal(g):
    """A plane wave of pressure along x: where its slope pushes the air, and how often it does so in a second."""
    wave = 2 * math.pi * g["f"] / 343
    places = np.array([[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    push = np.abs(np.sin(wave * (places @ [1, 0, 0]) + 0.3) - math.sin(0.3))
    times = np.linspace(0, 1, 100001)
    swing = np.sin(2 * math.pi * g["f"] * times + 0.1)
    count = int(np.sum((swing[:-1] < 0) & (swing[1:] >= 0)))
    way = "along" if push[0] > 0 and not push[1:].any() else "across"
    return Concept(f"They oscillate {count} times a second {way} the direction", (count,))


def steady_doppler_pitch(g):
    """Crests of 500 Hz that leave a source on its way from 1000 m: when they arrive, and how loud."""
    sent = np.arange(5000) / 500
    distance = 1000 - g["v"] * sent
    between = np.diff(sent + distance / 343)
    constant = np.allclose(between, between[0]) and between[0] < 1 / 500
    assert np.all(np.diff(1 / distance**2) > 0)  # louder and louder
    return Concept("It is not right" if constant else "It is right")


def tighter_string(g):
    """A chain of beads: the frequency of a long wave on it from the tension between neighbours."""

    def speed(tension):
        wave, apart, bead = 0.01, 0.1, 0.005
        return 2 * math.sqrt(tension / (bead * apart)) * math.sin(wave * apart / 2) / wave

    ratio = speed(20 * g["k"]) / speed(20)
    return Concept(f"It becomes {ratio:.4g} times as large", (ratio,))


_OPTICS = (
    bending_direction,
    half_covered_lens,
    longest_radio_wave,
    own_image_approaches,
    prism_colours,
    slits_moved_apart,
)
_WAVES = (
    amplitude_and_intensity,
    pulses_meet,
    sound_into_water,
    sound_is_longitudinal,
    steady_doppler_pitch,
    tighter_string,
)
CONCEPTS = {f"optics.{route.__name__}": route for route in _OPTICS} | {
    f"waves_acoustics.{route.__name__}": route for route in _WAVES
}
