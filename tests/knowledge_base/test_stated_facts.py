"""Facts of questions: named quantities, devices that are only mentioned, and contradictions."""

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import find_facts
from ansatz.knowledge_base.search import Searcher


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
