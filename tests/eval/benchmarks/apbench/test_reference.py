"""The reference functions of astrodynamics by other methods than their own, and by worked examples of textbooks."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import approx_fprime
from scipy.spatial.transform import Rotation

from ansatz.eval.benchmarks.apbench.reference import FUNCTIONS, flight, orbits, vectors
from ansatz.knowledge_base.equation import Expression

MU = 3.986004418e14
near = pytest.approx


def fly(r, v, times):
    """Positions and velocities at some times, by integration of the equations of motion."""

    def rates(_, state):
        return [*state[3:], *(-MU * state[:3] / np.linalg.norm(state[:3]) ** 3)]

    flown = solve_ivp(rates, (0, times[-1]), [*r, *v], "DOP853", t_eval=times, rtol=1e-11, atol=1e-6).y.T
    return [(state[:3], state[3:]) for state in flown]


@pytest.mark.parametrize(
    ("e", "i", "node", "argument", "nu", "times"),
    [
        (0.01, 0.9, 5.1, 4.0, 0.4, (120, 240, 2400)),
        (0.3, 2.1, 0.7, 1.2, 3.5, (100, 220, 30000)),
        (0.75, 1.2, 3.3, 5.9, 5.0, (60, 150, 5000)),
        (1.6, 0.4, 2.0, 2.8, 5.7, (90, 150, 20000)),
    ],
)
def test_integrated_orbits_have_their_elements(e, i, node, argument, nu, times):
    p = 9e6
    r = orbits.from_perifocal(orbits.perifocal_position(p, e, nu), i, node, argument)
    v = orbits.from_perifocal(orbits.perifocal_velocity(MU, p, e, nu), i, node, argument)
    (r1, v1), (r2, _), (r3, _) = flown = fly(r, v, times)
    assert orbits.gibbs_velocity(MU, r, r1, r3) == near(v1, rel=1e-6)
    assert orbits.herrick_gibbs_velocity(MU, r, r1, r2, times[0], times[1] - times[0]) == near(v1, abs=20)
    for after, (place, velocity) in zip(times, flown, strict=True):
        found = orbits.inclination(place, velocity), orbits.ascending_node(place, velocity)
        assert (*found, orbits.argument_of_pericentre(MU, place, velocity)) == near((i, node, argument))
        assert flight.propagated_position(MU, r, v, after) == near(place, rel=1e-7)
        assert flight.propagated_velocity(MU, r, v, after) == near(velocity, rel=1e-7)
        if i < np.pi / 2:  # transfers are prograde
            assert flight.lambert_departure(MU, r, place, after) == near(v, rel=1e-5)
            assert flight.lambert_arrival(MU, r, place, after) == near(velocity, rel=1e-5)
        if e < 1:
            start, rate = flight.eccentric_from_true(nu, e), np.sqrt(MU * ((1 - e**2) / p) ** 3)
            later = flight.eccentric_anomaly(start - e * np.sin(start) + rate * after, e)
            assert flight.true_from_eccentric(later, e) == near(orbits.true_anomaly(MU, place, velocity))


def test_a_parabola_is_flown_from_its_pericentre():
    q = 8e6
    [(place, _)] = fly([q, 0, 0], [0, np.sqrt(2 * MU / q), 0], [7000])
    assert flight.parabolic_true_anomaly(MU, q, 7000) == near(np.arctan2(place[1], place[0]))


def test_relative_motion_is_that_of_its_linear_equations():
    n, time = 1.1e-3, 2000.0
    rates = np.block([[np.zeros((3, 3)), np.eye(3)], [np.diag([3 * n**2, 0, -(n**2)]), np.zeros((3, 3))]])
    rates[3, 4], rates[4, 3] = 2 * n, -2 * n
    r, v = np.array([120.0, -400.0, 60.0]), np.array([0.2, -0.1, 0.3])
    place, velocity = np.split(expm(rates * time) @ [*r, *v], 2)
    assert orbits.cw_position(n, r, v, time) == near(place)
    assert orbits.cw_velocity(n, r, v, time) == near(velocity)
    assert orbits.cw_velocity_to(n, r, place, time) == near(v)


def test_the_jacobi_constant_and_points_match_inertial_motion():
    mu, place, velocity = 0.03, np.array([0.4, -0.7, 0.2]), np.array([0.3, 0.1, -0.4])
    inertial = velocity + np.cross([0, 0, 1], place)
    first, second = (np.linalg.norm(place - [x, 0, 0]) for x in (-mu, 1 - mu))
    energy = inertial @ inertial / 2 - (1 - mu) / first - mu / second
    twice = 2 * (np.cross(place, inertial)[2] - energy)
    assert orbits.jacobi_constant(mu, place, velocity) == near(twice)
    for which, low, high in ((1, -mu, 1 - mu), (2, 1 - mu, 2), (3, -2, -mu)):
        x = orbits.collinear_point(mu, which)
        slopes = approx_fprime(np.array([x, 0.0, 0.0]), lambda at: orbits.potential(mu, at))
        assert low < x < high and slopes == near(np.zeros(3), abs=1e-5)


def test_attitude_is_that_of_scipys_rotations():
    yaw, pitch, roll = 2.3, -0.7, 1.1
    turn = Rotation.from_euler("ZYX", [yaw, pitch, roll])
    matrix = vectors.matrix_321(yaw, pitch, roll)
    assert matrix == near(turn.inv().as_matrix())
    first, second = Rotation.from_rotvec([0.4, 0, 0.3]), Rotation.from_rotvec([0, -0.9, 0])
    both = vectors.quaternion_product(
        vectors.quaternion_of(np.array([0.0, -2.0, 0.0]), 0.9),
        vectors.quaternion_of(np.array([0.8, 0.0, 0.6]), 0.5),
    )
    assert both == near((first * second).as_quat(canonical=True))
    assert vectors.quaternion_matrix(both) == near((first * second).inv().as_matrix())
    seen = np.array([0.3, 0.9, -0.2]), np.array([-0.8, 0.1, 0.4])
    found = vectors.triad_matrix(*(matrix @ each for each in seen), *seen)
    assert found == near(matrix) and vectors.turned(found, seen[0]) == near(turn.inv().apply(seen[0]))


def test_up_is_square_to_the_ellipsoid():
    latitude, longitude, radius, f = 0.8, -2.1, 6.378e6, 1 / 298.257
    foot = vectors.geodetic_position(latitude, longitude, 0, radius, f)
    up = vectors.geodetic_position(latitude, longitude, 1000, radius, f) - foot
    shape = np.array([1, 1, 1 / (1 - f) ** 2]) / radius**2
    assert foot**2 @ shape == near(1) and vectors.angle(foot * shape, up) == near(0, abs=1e-7)
    assert vectors.east_north_up(up, latitude, longitude) == near([0, 0, 1000], abs=1e-5)
    assert vectors.from_east_north_up(np.array([1.0, 0, 0]), latitude, longitude)[:2] == near(
        [-np.sin(longitude), np.cos(longitude)]
    )


# Vallado 2013, examples 2-1 and 2-5; Curtis 2014, examples 5.1 and 5.2; and the Lagrange points of the Earth and the
# Moon, at mu = 0.012150585, as widely tabulated.
VALLADO = "vector(6524834, 6862875, 6448296), vector(4901.327, 5533.756, -1976.341)"
CURTIS = "3.986e14, vector(5000000, 10000000, 2100000), vector(-14600000, 2500000, 7000000), 3600"
GIBBS = "3.986e14, vector(-294320, 4265100, 5986700), vector(-1365500, 3637600, 6346800), vector(-2940300, 2473700, 6555800)"


@pytest.mark.parametrize(
    ("formula", "published"),
    [
        ("eccentric_anomaly(235.4*pi/180, 0.4)*180/pi", 220.512074),
        (f"norm(eccentricity_vector(3.986004418e14, {VALLADO}))", 0.832853),
        (f"inclination({VALLADO})*180/pi", 87.870),
        (f"ascending_node({VALLADO})*180/pi", 227.898),
        (f"argument_of_pericentre(3.986004418e14, {VALLADO})*180/pi", 53.38),
        (f"true_anomaly(3.986004418e14, {VALLADO})*180/pi", 92.335),
        (f"component(lambert_departure({CURTIS}), 1)", -5992.49),
        (f"component(lambert_arrival({CURTIS}), 2)", -4196.62),
        (f"component(gibbs_velocity({GIBBS}), 3)", 1599.0),
        ("collinear_point(0.012150585, 1)", 0.836915),
        ("collinear_point(0.012150585, 2)", 1.155682),
        ("collinear_point(0.012150585, 3)", -1.005063),
    ],
)
def test_formulas_meet_worked_examples(formula, published):
    assert Expression.parse(formula, FUNCTIONS)({}) == near(published, rel=1e-4)
