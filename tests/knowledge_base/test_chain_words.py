"""What the chain solver takes from words: values said in words, quotients, results that serve again."""

import pytest

from ansatz.knowledge_base.chain import Solver, Supplied, Wanted
from ansatz.knowledge_base.chain.implied import implied
from ansatz.knowledge_base.chain.index import Index
from ansatz.knowledge_base.chain.joint import known
from ansatz.knowledge_base.chain.meaning import meaning
from ansatz.knowledge_base.chain.offers import Offers
from ansatz.knowledge_base.chain.prices import Prices
from ansatz.knowledge_base.chain.search import Search
from ansatz.knowledge_base.chain.stated import stated
from ansatz.knowledge_base.library import library
from ansatz.knowledge_base.regime import facts

SIGMA = 5.670374419e-8


@pytest.fixture(scope="module")
def solver():
    return Solver(library())


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Two black plates face each other.", 1.0),
        ("It radiates to cold black surroundings.", None),
        ("A free-molecular stream meets the plate with full accommodation.", 1.0),
        ("The plate flies at zero incidence.", 0.0),
        ("The stream meets the plate at normal incidence.", 90.0),
    ],
)
def test_a_value_said_in_words_alone_is_known(question, value):
    found = implied(question, [])
    assert [each.value for each in found] == ([] if value is None else [value])


def test_words_add_nothing_to_what_is_given():
    given = Supplied("eps", 0.9, "-", "surface emissivity")
    assert implied("Two black walls.", [given]) == []


def test_black_plates_exchange_the_difference_of_their_emissive_powers(solver):
    givens = [
        Supplied("T_1", 900.0, "K", "temperature of surface 1"),
        Supplied("T_2", 400.0, "K", "temperature of surface 2"),
    ]
    wanted = [Wanted("q", "W/m^2", "net radiative heat flux between the plates")]
    question = "Two large parallel black plates face each other. Find the net radiative flux."
    found = solver.solve(givens, wanted, question, only={"radiation.parallel_plates"})[0]
    assert found.value == pytest.approx(SIGMA * (900**4 - 400**4))
    assert {each.source for each in found.steps[-1].inputs} == {"T_1", "T_2", "black"}


def test_a_quotient_may_be_named_after_it_is_written():
    units = {"q_a": "W/m**2", "q_b": "W/m**2", "r_q": "-"}
    read = stated("Find both fluxes and q_a/q_b as r_q.", units)
    assert [(each.output, each.expr) for each in read] == [("r_q", "q_a/q_b")]


@pytest.mark.parametrize(
    ("description", "places"),
    [("reference area", set()), ("reference temperature", {"star"}), ("viscosity at the reference temperature", {"star"})],
)  # fmt: skip
def test_only_a_state_is_that_of_reference(description, places):
    assert meaning("", description, "-").places == places


def test_a_step_counts_once_however_often_its_result_is_used():
    givens = [
        Supplied("T_e", 240.0, "K", "boundary-layer edge temperature"),
        Supplied("T_w", 440.0, "K", "wall temperature"),
        Supplied("T_aw", 1060.0, "K", "adiabatic wall temperature"),
        Supplied("Re_x", 1.7e6, "-", "Reynolds number based on distance from the leading edge"),
    ]
    laws = (
        "boundary_layer.laminar.reference_temperature_cf",
        "boundary_layer.reference.eckert_temperature",
        "equilibrium.sutherland.air",
    )
    index = Index(list(library()))
    search = Search(index, list(map(known, givens)), Offers(index, dict.fromkeys(laws, 0.5)))
    way = search.derivations(meaning("c_f", "local skin friction coefficient", "-"), 6.0, 5)[0]

    def as_a_tree(node):
        return sum(map(as_a_tree, node.inputs.values())) + (0 if node.known else own[node.derivation])

    own = {step: price for step, (_, price) in way.steps.items()}
    sutherland = sorted(price for (law, _), price in way.steps.values() if law == laws[2])
    assert len(own) == 4  # the friction law, the reference temperature, and a viscosity at each end
    assert way.cost == pytest.approx(sum(own.values()) - 0.5 * sutherland[0])
    assert way.cost < as_a_tree(way) - 0.5  # the reference temperature serves twice


def test_a_result_on_which_nothing_rests_yet_serves_first(solver):
    givens = [
        Supplied("q_u", 8.0e5, "W/m^2", "adiabatic (uncoupled) radiative heat flux"),
        Supplied("Gam", 0.1, "-", "Goulard number"),
        Supplied("eps", 0.9, "-", "surface emissivity"),
    ]
    wanted = [
        Wanted("q_c", "W/m^2", "coupled radiative heat flux"),
        Wanted("T_w", "K", "wall temperature in radiative equilibrium"),
    ]
    laws = {"radiation.tauber_wakefield", "heating.wall.radiative_equilibrium"}
    coupled, wall = solver.solve(givens, wanted, "Radiation cools the shock layer.", only=laws)
    assert wall.value == pytest.approx((coupled.value / (0.9 * SIGMA)) ** 0.25)


def test_a_partner_that_is_named_is_cheaper_than_another_even_at_the_lowest_prices():
    question = (
        "Dissociation of nitrogen by molecular partners, N2 + molecule -> 2N + molecule, follows the rate"
        " of Park. Find the dissociation rate coefficient by molecules."
    )
    of = Prices(library()).of(question, facts(question, library()))
    chosen, other = (f"nonequilibrium.dissociation_rate.n2_{by}" for by in ("molecule", "atom"))
    assert 0 < of[chosen] < of[other]


def test_the_total_state_in_a_plenum_is_its_state(solver):
    givens = [
        Supplied("T_0", 3700.0, "K", "temperature in the plenum"),
        Supplied("alpha_0", 0.5, "-", "degree of dissociation in the plenum"),
        Supplied("theta_d", 59500.0, "K", "characteristic dissociation temperature"),
        Supplied("R_2", 259.8, "J/(kg*K)", "specific gas constant of the molecules"),
    ]
    wanted = [Wanted("h_0", "J/kg", "stagnation enthalpy in the plenum")]
    laws = {"equilibrium.lighthill_enthalpy", "equilibrium.dissociated_mole_fraction"}
    found = solver.solve(givens, wanted, "Oxygen as Lighthill's gas in a plenum.", only=laws)[0]
    assert found.value == pytest.approx(259.8 * (4.5 * 3700 + 0.5 * 59500))
