"""How far the chain solver reaches: sorts, methods, stations, loops, plain definitions."""

import math

import pytest
from scipy.optimize import brentq

from ansatz.knowledge_base.chain import Solver, Supplied, Wanted
from ansatz.knowledge_base.chain.elementary import REPLACED, elementary
from ansatz.knowledge_base.chain.index import Index
from ansatz.knowledge_base.chain.likeness import known_as, mismatch
from ansatz.knowledge_base.chain.meaning import meaning
from ansatz.knowledge_base.chain.stated import stated
from ansatz.knowledge_base.library import library

SIGMA = 5.670374419e-8


@pytest.fixture(scope="module")
def solver():
    return Solver(library())


@pytest.fixture(scope="module")
def weights():
    return Index(list(library())).weights


@pytest.mark.parametrize("plain", elementary(), ids=lambda plain: plain.id)
def test_a_plain_definition_balances_and_yields_its_example(plain):
    example = plain.tests[0]
    assert plain.value(**example.inputs) == pytest.approx(example.out)
    assert plain.dimension_check() is None
    assert plain.id not in library()


def test_what_plain_definitions_replace_is_in_the_base():
    assert all(id in library() for id in REPLACED)


ALIKE = [
    ("skin-friction coefficient", "skin friction coefficient", "-"),
    ("gravitational acceleration", "gravity", "m/s**2"),
    ("greatest deceleration", "maximum deceleration", "m/s**2"),
    ("dynamic viscosity at the wall", "viscosity at the wall temperature", "Pa*s"),
    ("pitot pressure", "stagnation pressure behind the shock", "Pa"),
    ("heat of vaporisation", "heat of vaporization", "J/kg"),
]
APART = [
    ("laminar recovery factor", "turbulent recovery factor", "-"),
    ("specific gas constant", "specific heat at constant pressure", "J/kg/K"),
    ("static pressure ratio across the shock", "static temperature ratio across the shock", "-"),
    ("lift coefficient", "drag coefficient", "-"),
    ("skin friction coefficient with blowing", "skin friction coefficient without blowing", "-"),
]


@pytest.mark.parametrize(("one", "other", "unit"), ALIKE)
def test_one_quantity_in_two_wordings(weights, one, other, unit):
    first, second = meaning("", one, unit), meaning("", other, unit)
    assert mismatch(first, second, weights, strict=True) == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize(("one", "other", "unit"), APART)
def test_two_quantities_that_share_most_words(weights, one, other, unit):
    assert mismatch(meaning("", one, unit), meaning("", other, unit), weights) is None


def test_ahead_of_the_second_shock_is_behind_the_first(weights):
    ahead = meaning("M", "Mach number ahead of the second shock", "-")
    behind = meaning("M_2", "Mach number behind the first shock", "-")
    assert mismatch(ahead, behind, weights) is None
    assert any(mismatch(other, behind, weights) == 0 for other in known_as(ahead))


def test_two_ramps_use_one_law_at_two_stations(solver):
    givens = [
        Supplied("gamma", 1.4, "-", "ratio of specific heats"),
        Supplied("M_1", 3.0, "-", "Mach number ahead of the first shock"),
        Supplied("d_1", 10.0, "deg", "flow deflection angle of the first ramp"),
        Supplied("d_2", 10.0, "deg", "flow deflection angle of the second ramp"),
    ]
    targets = [
        Wanted("M_2", "-", "Mach number behind the first shock"),
        Wanted("M_3", "-", "Mach number behind the second shock"),
    ]
    laws = {"shock.oblique.theta_beta_mach", "shock.oblique.downstream_mach"}
    question = "Two oblique shocks of a ramp inlet."
    found = [chain.value for chain in solver.solve(givens, targets, question, only=laws)]
    # NACA Report 1135 charts: M = 3 turned by 10 deg leaves at 2.505, and that turned again at 2.09.
    assert found == pytest.approx([2.505, 2.09], abs=0.01)


def test_a_method_asked_for_by_name_is_the_one_used(solver):
    temperature = Supplied("T", 1500.0, "K", "temperature")
    targets = [
        Wanted("mu_S", "Pa*s", "viscosity by Sutherland's law"),
        Wanted("mu_B", "Pa*s", "viscosity by Blottner's fit"),
    ]
    chains = solver.solve([temperature], targets, "Compare two laws for the viscosity of nitrogen, N2.")
    assert [chain.steps[-1].equation for chain in chains] == [
        "equilibrium.sutherland.n2",
        "equilibrium.blottner.n2",
    ]


def test_a_radiating_wall_in_balance_with_convection_is_found_by_trial(solver):
    givens = [
        Supplied("h_c", 50.0, "W/m**2/K", "heat transfer coefficient"),
        Supplied("T_aw", 2590.0, "K", "adiabatic wall temperature"),
        Supplied("eps", 0.8, "-", "emissivity"),
    ]
    laws = {"radiation.grey_surface_emission"}
    wall = Wanted("T_w", "K", "wall temperature")
    chain = solver.solve(givens, [wall], "A grey panel radiates what convection brings.", only=laws)[0]
    expected = brentq(lambda wall: 0.8 * SIGMA * wall**4 - 50 * (2590 - wall), 300, 2590)
    assert chain.value == pytest.approx(expected, rel=1e-8)
    assert "tried until both agree" in chain.steps[-1].notes[0]


def test_a_relation_binds_only_to_what_it_names(solver):
    givens = [
        Supplied("q_a", 2.0, "W/m**2", "heat flux of the first panel"),
        Supplied("q_c", 5.0, "W/m**2", "heat flux of the second panel"),
    ]
    targets = [
        Wanted("q_b", "W/m**2", "heat flux of the third panel"),
        Wanted("r_q", "-", "ratio of the heat fluxes"),
    ]
    found = solver.solve(givens, targets, "Find q_b and the ratio r_q = q_b/q_a of the fluxes.")
    assert found[1].value != pytest.approx(5.0 / 2.0)


def test_each_relation_of_a_sentence_is_read():
    units = {"r_q": "-", "q_1": "W/m**2", "q_2": "W/m**2", "r_Q": "-", "Q_1": "J/m**2", "Q_2": "J/m**2"}
    read = stated("Find the ratios r_q = q_2/q_1 and r_Q = Q_2/Q_1, and say which.", units)
    assert [(each.output, each.expr) for each in read] == [("r_q", "q_2/q_1"), ("r_Q", "Q_2/Q_1")]


def test_a_reynolds_number_per_metre_serves_a_station(solver):
    givens = [
        Supplied("Re_1", 2e6, "1/m", "Reynolds number per metre"),
        Supplied("x", 0.25, "m", "distance from the leading edge"),
    ]
    target = Wanted("Re_x", "-", "Reynolds number based on distance from the leading edge")
    assert solver.solve(givens, [target], "")[0].value == pytest.approx(5e5)


def test_only_bars_all_other_entries(solver):
    givens = [Supplied("L", 2.0, "mm", "mean free path"), Supplied("D", 0.5, "m", "characteristic length")]
    wanted = [Wanted("Kn", "-", "Knudsen number")]
    assert math.isclose(solver.solve(givens, wanted)[0].value or 0, 0.004)
    assert solver.solve(givens, wanted, only=())[0].value is None
