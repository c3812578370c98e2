"""The reference functions of astrodynamics: what must hold for any values, not only for those of the sets."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.benchmarks.apbench.reference import flight, orbits, vectors

MU = 3.986004418e14
angles = st.floats(0.05, 2 * math.pi - 0.05)
eccentricities = st.floats(0.0, 0.95)


def state(a, e, i, node, argument, nu):
    p = a * (1 - e * e)
    turned = (i, node, argument)
    return (
        orbits.from_perifocal(orbits.perifocal_position(p, e, nu), *turned),
        orbits.from_perifocal(orbits.perifocal_velocity(MU, p, e, nu), *turned),
    )


states = st.builds(
    state, st.floats(7e6, 5e7), st.floats(0.02, 0.8), st.floats(0.1, 3.0), angles, angles, angles
)


@given(st.floats(-20, 20), eccentricities)
def test_keplers_equation_holds_at_its_root(mean, e):
    found = flight.eccentric_anomaly(mean, e)
    assert found - e * math.sin(found) == pytest.approx(mean, abs=1e-10)


@given(angles, eccentricities)
def test_anomalies_convert_back(nu, e):
    assert flight.true_from_eccentric(flight.eccentric_from_true(nu, e), e) == pytest.approx(nu, abs=1e-9)


@given(st.floats(7e6, 5e7), st.floats(0.05, 0.8), st.floats(0.1, 3.0), angles, angles, angles)
def test_elements_convert_back(a, e, i, node, argument, nu):
    r, v = state(a, e, i, node, argument, nu)
    assert np.linalg.norm(orbits.eccentricity_vector(MU, r, v)) == pytest.approx(e, abs=1e-9)
    assert orbits.inclination(r, v) == pytest.approx(i, abs=1e-9)
    assert orbits.ascending_node(r, v) == pytest.approx(node, abs=1e-9)
    for found, wanted in (
        (orbits.argument_of_pericentre(MU, r, v), argument),
        (orbits.true_anomaly(MU, r, v), nu),
    ):
        assert math.cos(found - wanted) == pytest.approx(1, abs=1e-9)


@given(states, st.floats(60, 20000))
def test_motion_carried_forward_and_back_returns_and_keeps_its_energy(start, time):
    r, v = start
    later = flight.propagated_position(MU, r, v, time), flight.propagated_velocity(MU, r, v, time)
    energies = [u @ u / 2 - MU / np.linalg.norm(x) for x, u in (start, later)]
    assert energies[1] == pytest.approx(energies[0], rel=1e-8)
    assert flight.propagated_position(MU, *later, -time) == pytest.approx(r, rel=1e-6, abs=1.0)


@settings(max_examples=60)
@given(states, st.floats(0.05, 0.45))
def test_lamberts_problem_finds_the_orbit_that_was_flown(start, share):
    r, v = start
    if np.cross(r, v)[2] < 0:
        v = -v  # the prograde sense
    a = 1 / (2 / np.linalg.norm(r) - v @ v / MU)
    time = share * 2 * math.pi * math.sqrt(a**3 / MU)
    later = flight.propagated_position(MU, r, v, time)
    angle = flight.transfer_angle(r, later)
    if abs(angle - math.pi) > 0.05 and abs(np.cross(r, later)[2]) > 0:
        assert flight.lambert_departure(MU, r, later, time) == pytest.approx(v, rel=1e-5, abs=0.05)


@given(angles, angles, angles)
def test_rotations_keep_lengths_and_products_follow_matrices(yaw, pitch, roll):
    matrix = vectors.matrix_321(yaw, pitch, roll)
    assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=1e-12)
    first = vectors.quaternion_of(np.array([1.0, 2.0, -0.5]), yaw)
    second = vectors.quaternion_of(np.array([-0.3, 1.0, 0.7]), pitch)
    both = vectors.quaternion_matrix(vectors.quaternion_product(second, first))
    assert both == pytest.approx(
        vectors.quaternion_matrix(second) @ vectors.quaternion_matrix(first), abs=1e-12
    )


@given(st.floats(-1.5, 1.5), angles)
def test_horizon_axes_convert_back(latitude, longitude):
    of = np.array([3.0, -4.0, 12.0])
    there = vectors.east_north_up(of, latitude, longitude)
    assert vectors.from_east_north_up(there, latitude, longitude) == pytest.approx(of)


@given(st.floats(1e-6, 0.5))
def test_forces_balance_at_collinear_points(mu):
    for which in (1, 2, 3):
        x = orbits.collinear_point(mu, which)
        pulls = (1 - mu) * (x + mu) / abs(x + mu) ** 3 + mu * (x - 1 + mu) / abs(x - 1 + mu) ** 3
        assert x - pulls == pytest.approx(0, abs=1e-6)


@given(st.floats(5e-4, 2e-3), st.floats(100, 2500))
def test_relative_motion_leads_to_its_target(n, time):
    start, target = np.array([100.0, -900.0, 30.0]), np.array([0.0, -50.0, 5.0])
    if abs(math.sin(n * time)) > 0.05 and n * time < 5:
        velocity = orbits.cw_velocity_to(n, start, target, time)
        assert orbits.cw_position(n, start, velocity, time) == pytest.approx(target, abs=1e-5)


def test_an_eccentricity_of_another_conic_is_refused():
    with pytest.raises(ValueError, match="eccentricity"):
        flight.eccentric_anomaly(1.0, 1.0)
