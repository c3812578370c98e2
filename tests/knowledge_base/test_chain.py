"""The derivation chain solver: what it derives, how it shows it, and what it refuses to derive."""

import pytest

from ansatz.knowledge_base.chain import Solver, Supplied, Wanted
from ansatz.knowledge_base.chain.meaning import meaning, parts_of
from ansatz.knowledge_base.library import library


@pytest.fixture(scope="module")
def solver():
    return Solver(library())


STREAM = [
    Supplied("gamma", 1.4, "-", "ratio of specific heats"),
    Supplied("R", 287.0, "J/(kg*K)", "specific gas constant"),
    Supplied("T_inf", 220.0, "K", "free-stream temperature"),
    Supplied("M_inf", 6.0, "-", "free-stream Mach number"),
]


def test_one_step_is_evaluated_with_units_converted(solver):
    givens = [Supplied("L", 2.0, "mm", "mean free path"), Supplied("D", 0.5, "m", "characteristic length")]
    chain = solver.solve(givens, [Wanted("Kn", "-", "Knudsen number")], "How rarefied is the gas?")[0]
    assert chain.value == pytest.approx(0.004)
    assert [step.equation for step in chain.steps] == ["viscous_interaction.knudsen_number"]


def test_two_steps_pass_the_speed_of_sound_on(solver):
    speed = Wanted("V_inf", "km/s", "free-stream speed")
    chain = solver.solve(STREAM, [speed], "Air flies past. Find the speed from the Mach number.")[0]
    assert chain.value == pytest.approx(6e-3 * (1.4 * 287 * 220) ** 0.5)
    assert len(chain.steps) == 2
    origins = {each.source for step in chain.steps for each in step.inputs}
    assert {"M_inf", "T_inf", "step 1"} <= origins


@pytest.mark.parametrize("geometry", ["flat plate", "flat_plate", "a shape that no condition speaks of"])
def test_a_word_given_need_not_be_one_of_the_vocabulary(solver, geometry):
    speed = Wanted("V_inf", "m/s", "free-stream speed")
    words = {"geometry": geometry}
    chain = solver.solve(STREAM, [speed], "Find the speed from the Mach number.", words)[0]
    assert chain.value == pytest.approx(6 * (1.4 * 287 * 220) ** 0.5)


def test_evidence_is_plain_data_and_can_be_worked_out_again(solver):
    total = Wanted("h_0", "MJ/kg", "total enthalpy")
    givens = [
        Supplied("h_inf", 250.0, "kJ/kg", "free-stream static enthalpy"),
        Supplied("V_inf", 5.0, "km/s", "free-stream speed"),
    ]
    chain = solver.solve(givens, [total], "Find the total enthalpy of the stream.")[0]
    step = chain.to_dict()["steps"][-1]
    again = library().get(step["equation"])
    assert again.value(**{each["symbol"]: each["value"] for each in step["inputs"]}) == step["value"]
    assert chain.value == pytest.approx(0.25 + 12.5)


def test_a_relation_that_the_question_states_is_used(solver):
    givens = [
        Supplied("n_e", 6e17, "1/m^3", "electron number density"),
        Supplied("n_c", 2e15, "1/m^3", "critical electron density"),
    ]
    chain = solver.solve(
        givens, [Wanted("r_n", "-", "ratio of densities")], "Find the ratio r_n = n_e/n_c that tells."
    )[0]
    assert chain.value == pytest.approx(300.0)


def test_a_target_out_of_reach_is_said_to_be_missing(solver):
    chain = solver.solve([], [Wanted("q", "W/m^2", "wall heat flux")], "")[0]
    assert chain.value is None
    assert "not derived; missing" in chain.words()
    assert chain.missing


def test_an_equation_outside_its_range_is_no_step(solver):
    givens = [Supplied("T_w", -5.0, "K", "wall temperature"), Supplied("eps", 0.9, "-", "emissivity")]
    chain = solver.solve(givens, [Wanted("q", "W/m^2", "radiated heat flux")], "A grey wall radiates.")[0]
    assert chain.value is None


@pytest.mark.parametrize(
    ("description", "parts"),
    [
        ("static pressure ratio across the shock", ("static pressure  behind the shock", "static pressure  ahead of the shock")),
        ("lift-to-drag ratio", ("lift", "drag")),
        ("ratio of wall to total enthalpy", ("wall enthalpy", "total enthalpy")),
        ("inverse density ratio across the shock", None),
        ("wall temperature", None),
    ],
)  # fmt: skip
def test_what_a_ratio_divides_is_read_from_its_description(description, parts):
    assert parts_of(description) == parts


def test_places_and_kinds_are_read_apart():
    edge, wall = (
        meaning("T_e", "boundary-layer edge temperature", "K"),
        meaning("Tw", "wall temperature", "K"),
    )
    assert edge.places == {"edge"} and wall.places == {"wall"}
    assert edge.words == wall.words == {"temperature"}
    assert meaning("T0", "stagnation temperature", "K").kinds == {"total"}
    assert meaning("q", "stagnation-point heat flux", "W/m^2").kinds == frozenset()
