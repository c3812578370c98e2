"""What a question asks for, gives and excludes, by dimension, and how that orders entries."""

import pytest

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import find_facts
from ansatz.knowledge_base.search import RegimeAware, Searcher
from ansatz.knowledge_base.search.asked_dimension import (
    count_denied_inputs,
    find_denied_terms,
    load_asked_dimensions,
)
from ansatz.knowledge_base.search.ranking import load_word_index
from ansatz.knowledge_base.search.supplied_inputs import GivenInputs, get_dimension


@pytest.fixture(scope="module")
def ranker():
    return RegimeAware(library(), load_word_index(library()))


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("A probe glides at 6 km/s. How hot does its skin get?", "K"),
        ("Air leaves a tank. What mass flow does the throat pass?", "kg/s"),
        ("Which heat flux reaches the nose?", "W/m**2"),
        ("Give me a rough estimate of the drag coefficient.", "-"),
        ("How many joules per kilogram does the shield absorb?", "J/kg"),
        ("How many free electrons per cubic metre block the radio?", "1/m**3"),
        ("How many orbits does it take?", "-"),
        ("What is the ionization limit of hydrogen in eV?", "eV"),
        ("By how much does the pressure at the wall rise?", "Pa"),
    ],
)
def test_asked_dimension_is_read_from_prose(question, unit):
    shares = load_asked_dimensions(library()).read(question)
    assert max(shares, key=shares.get) == get_dimension(unit)


@pytest.mark.parametrize("question", ["Is it so?", "What do I get?", ""])
def test_open_question_asks_for_no_dimension(question):
    assert not load_asked_dimensions(library()).read(question)


def test_ratio_answers_for_the_quantity_in_its_name():
    asked, base = load_asked_dimensions(library()), library()
    ratio = base.get("shock.normal.temperature_ratio")
    assert asked.rate_output(ratio, {get_dimension("K"): 1.0}) > 0.5
    assert asked.rate_output(ratio, {get_dimension("Pa"): 1.0}) == 0


def test_entries_with_the_asked_dimension_rank_higher(ranker):
    base, text = library(), "Sphere of 0.5 m radius in a hypersonic stream at the stagnation point"
    plain, asking = (ranker.scores(f"{text}{end}") for end in (".", ". How many watts per square metre?"))
    heat, pressure = (
        base.places[id] for id in ("heating.stagnation.perfect_sphere", "newtonian.pressure.modified")
    )
    assert asking[heat] / asking[pressure] > plain[heat] / plain[pressure]


def test_share_of_the_given_quantities_that_an_entry_uses():
    given = GivenInputs(find_facts("A body of 3 kg moves at 4 m/s.").givens)
    assert given.used(library().get("physics.energy.kinetic")) == 1
    assert given.used(library().get("physics.energy.spring")) == 0
    orbit = GivenInputs(find_facts("The eccentricity is e = 1.4, the anomaly F = 0.9.").givens)
    used = [orbit.used(library().get(f"astro.{id}")) for id in ("true_from_hyperbolic", "asymptote_anomaly")]
    assert used == [1, 0.5]
    assert (
        GivenInputs(find_facts("It weighs 3 kg.").givens).used(library().get("physics.energy.kinetic")) == 0
    )


def test_denied_quantity_is_no_input():
    denied = find_denied_terms("A plate at 15 degrees, no friction. Heat losses are neglected.")
    assert denied == {"friction", "loss"}
    with_friction, without = (
        library().get(f"newtonian.force.plate_drag{end}") for end in ("_with_friction", "")
    )
    assert (count_denied_inputs(with_friction, denied), count_denied_inputs(without, denied)) == (1, 0)


def test_symbol_in_a_list_names_its_number():
    given = find_facts("Air (rho 1.2 kg/m3, c 343 m/s) and gamma 1.4 at rest").givens
    assert [each.symbol for each in given] == ["rho", "c", "gamma"]


def test_device_before_its_part_is_only_named():
    blade, machine = (
        find_facts(f"A turbine {words}").words("device", 0.5) for words in ("blade is cooled", "expands gas")
    )
    assert (blade, machine) == (frozenset(), {"turbine"})


def test_facts_that_cancel_are_shown_as_open():
    text = "Skin friction on a flat plate, laminar up to the trip wire and turbulent after it"
    hits = Searcher(library(), ranker="bm25").search(text, prerequisites=False).hits
    shown = [condition for hit in hits for condition in hit.open if condition.startswith("bl_state")]
    assert shown
    assert all("laminar and turbulent" in condition for condition in shown)
