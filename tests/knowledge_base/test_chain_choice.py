"""Which derivation the chain solver chooses, and what it pays for a step with an equation."""

import itertools
import math

import pytest

from ansatz.knowledge_base.chain import Solver, Supplied, Wanted
from ansatz.knowledge_base.chain.prices import Prices, inversion_price
from ansatz.knowledge_base.library import library
from ansatz.knowledge_base.regime import facts

LAYER = [
    Supplied("I_0", 1400.0, "W/m^2/sr", "radiant intensity entering the layer"),
    Supplied("k_a", 1.6, "1/m", "absorption coefficient"),
    Supplied("L", 0.26, "m", "thickness of the layer"),
]
SOURCE = Supplied("S_0", 17000.0, "W/m^2/sr", "source function")
DEPTH = Wanted("tau", "-", "optical thickness")
LEAVING = Wanted("I_1", "W/m^2/sr", "radiant intensity leaving the layer")
THROUGH = "A ray passes a uniform absorbing layer of a hot gas. Find what leaves it."


@pytest.fixture(scope="module")
def solver():
    return Solver(library())


def equations(chain):
    return [step.equation for step in chain.steps]


def test_a_law_that_uses_every_given_is_preferred(solver):
    weakened = solver.solve(LAYER, [DEPTH, LEAVING], THROUGH)[1]
    assert equations(weakened) == ["radiation.beer_lambert"]
    glowing = solver.solve([*LAYER, SOURCE], [DEPTH, LEAVING], f"{THROUGH} The layer glows.")[1]
    assert equations(glowing) == ["radiation.transfer_uniform_path"]


@pytest.mark.parametrize("targets", [(DEPTH, LEAVING), (LEAVING, DEPTH)])
def test_targets_serve_each_other_in_any_order(solver, targets):
    chains = dict(
        zip((target.name for target in targets), solver.solve(LAYER, targets, THROUGH), strict=True)
    )
    assert chains["tau"].value == pytest.approx(1.6 * 0.26)
    assert chains["I_1"].steps[-1].equation == "radiation.beer_lambert"
    assert any(each.source == "tau" for each in chains["I_1"].steps[-1].inputs)


@pytest.mark.parametrize("givens", list(itertools.permutations(LAYER)))
def test_the_order_of_givens_changes_nothing(solver, givens):
    chains = solver.solve(givens, [DEPTH, LEAVING], THROUGH)
    assert [chain.value for chain in chains] == [
        chain.value for chain in solver.solve(LAYER, [DEPTH, LEAVING], THROUGH)
    ]


def test_a_target_out_of_reach_keeps_no_other_from_being_derived(solver):
    lost = Wanted("m", "kg", "mass of the vehicle")
    chains = solver.solve(LAYER, [lost, DEPTH], THROUGH)
    assert chains[0].value is None and chains[0].missing
    assert chains[1].value == pytest.approx(1.6 * 0.26)


def test_an_equation_costs_least_for_its_output_and_most_without_a_formula():
    for equation in library():
        assert inversion_price(equation, equation.output) == 0.0
        others = {symbol: inversion_price(equation, symbol) for symbol in equation.inputs}
        closed = [price for symbol, price in others.items() if symbol in equation.solvable]
        trial = [price for symbol, price in others.items() if symbol not in equation.solvable]
        assert all(price > 0 for price in others.values()), equation.id
        assert not closed or not trial or max(closed) < min(trial), equation.id


@pytest.fixture(scope="module")
def prices():
    made = Prices(library())
    return lambda question: made.of(question, facts(question, library()))


def test_what_the_regime_excludes_has_no_price(prices):
    of = prices("Free-molecular flow, Kn = 100, meets a sphere.")
    barred = [equation for equation in library() if equation.id not in of]
    assert any("kn" in {predicate.axis for predicate in each.regime.require} for each in barred)
    assert "boundary_layer.laminar.blasius_cf" not in of
    assert "boundary_layer.laminar.blasius_cf" in prices("Air passes a flat plate.")


@pytest.mark.parametrize(
    ("cheaper", "dearer", "question"),
    [
        (
            "boundary_layer.laminar.blasius_cf",
            "boundary_layer.turbulent.white_incompressible",
            "A laminar layer of air covers a flat plate at low speed.",
        ),
        (
            "boundary_layer.turbulent.white_incompressible",
            "boundary_layer.laminar.blasius_cf",
            "A turbulent layer of air covers a flat plate at low speed.",
        ),
        (
            "equilibrium.sutherland.n2",
            "equilibrium.sutherland.air",
            "Find the viscosity of nitrogen by the law of Sutherland.",
        ),
        (
            "equilibrium.sutherland.air",
            "equilibrium.sutherland.n2",
            "Find the viscosity of air by the law of Sutherland.",
        ),
    ],
)
def test_what_a_question_speaks_of_is_cheaper(prices, cheaper, dearer, question):
    of = prices(question)
    assert of[cheaper] < of.get(dearer, float("inf"))


def test_prices_are_positive(prices):
    assert min(prices("Air flies past a sphere at M = 20.").values()) > 0


def test_a_loop_that_uses_every_given_displaces_a_direct_way_that_leaves_some_out(solver):
    theta, gas_constant, density, enthalpy, pressure = 113200.0, 296.8, 130000.0, 15.0e6, 5.0e4
    givens = [
        Supplied("h_0", enthalpy, "J/kg", "specific enthalpy"),
        Supplied("p_0", pressure, "Pa", "pressure"),
        Supplied("rho_d", density, "kg/m^3", "characteristic dissociation density"),
        Supplied("theta_d", theta, "K", "characteristic dissociation temperature"),
        Supplied("R_2", gas_constant, "J/(kg*K)", "specific gas constant of the molecules"),
    ]
    targets = [
        Wanted("T_eq", "K", "temperature in equilibrium"),
        Wanted("alpha", "-", "degree of dissociation"),
        Wanted("rho_eq", "kg/m^3", "density"),
    ]
    laws = {f"equilibrium.lighthill_{name}" for name in ("enthalpy", "pressure", "dissociation")}
    direct = {"equilibrium.mass_action", "equilibrium.dissociation_fraction"}
    plate = {"viscous_interaction.zero_pressure_gradient_plate"}
    question = "Nitrogen as Lighthill's ideal dissociating gas in equilibrium. Find its state."
    chains = solver.solve(givens, targets, question, only=laws | direct | plate)
    temperature, degree, found = (chain.value for chain in chains)
    assert {step.equation for chain in chains for step in chain.steps} == laws
    assert pressure == pytest.approx(found * gas_constant * temperature * (1 + degree))
    assert enthalpy == pytest.approx(gas_constant * ((4 + degree) * temperature + degree * theta))
    balance = density / found * math.exp(-theta / temperature)
    assert degree**2 / (1 - degree) == pytest.approx(balance, rel=1e-5)
