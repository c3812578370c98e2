"""The check of paraphrases: which texts ask the same, and by what the others are dropped."""

import pytest

from ansatz.eval.benchmarks import hard
from ansatz.eval.probes import add_probes
from ansatz.eval.probes.paraphrasing import (
    apply_paraphrase,
    find_difference,
    find_recompute,
    is_draft,
    make_task,
)
from tests.eval.probes.test_probes import duct

SAME = (
    "Find the dynamic pressure q in a duct of area S = 0.5 m^2, through which air of density rho = 1.2 kg/m^3 "
    "and temperature T = 300 K moves at V = 50 m/s."
)


def draft(problem=None):
    return add_probes([problem or duct()], ["paraphrased"]).problems[1]


def test_a_text_that_asks_the_same_becomes_the_question():
    task = make_task(draft())
    assert "___" not in task.question and is_draft(draft()) and not is_draft(task)
    assert find_difference(task, SAME) == ""
    variant = apply_paraphrase(draft(), SAME)
    assert variant.question == f"{SAME}\n\nReport your answers as:\nq = ___ Pa"
    assert variant.targets == duct().targets and not is_draft(variant)
    assert variant.tags == {**duct().tags, "probe": "paraphrased", "original_id": "duct"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        (make_task(draft()).question, "unchanged"),
        ("q = ___ Pa", "no question"),
        (SAME.replace("50 m/s", "51 m/s"), "quantities"),
        (SAME.replace("50 m/s", "50 km/h"), "quantities"),
        (SAME.replace("300 K", "-300 K"), "quantities"),
        (SAME.replace(" and temperature T = 300 K", ""), "quantities"),
        (f"{SAME} The duct is 2 m long.", "quantities"),
        (f"{SAME} The duct has two bends.", "quantities"),
        (SAME.replace("pressure q", "pressure"), "symbols"),
        (SAME.replace("pressure q", "pressure q in Pa"), "requested units"),
        (SAME.replace("V = 50 m/s", "V, which is 50 m/s"), "values"),
        (SAME.replace("rho =", "x =").replace("T =", "rho =").replace("x =", "T ="), "values"),
    ],
)  # fmt: skip
def test_a_text_that_asks_something_else_is_dropped(text, kind):
    assert find_difference(make_task(draft()), text).partition(":")[0] == kind


def test_the_same_value_in_another_notation_is_accepted():
    words = duct(
        question="Air at 0.3 MPa and 20 % humidity flows.\n\nq = ___ Pa", given=[], reference_solution={}
    )
    assert (
        find_difference(make_task(draft(words)), "There is a flow of air at 300 kPa and 20 percent humidity.")
        == ""
    )


def test_exchanged_values_change_the_key():
    cycles = hard.load(instances=1, domains=["cycles"])
    problem = next(each for each in cycles if each.family == "cycles.condenser_size")
    task = make_task(draft(problem))
    first, second = (each for each in problem.givens if each.unit == "K" and each.name in ("T_e", "T_a"))
    swapped = task.question.replace(f"{first.name} = {first.value:g}", f"{first.name} = {second.value:g}", 1)
    head, found, tail = swapped.rpartition(f"{second.name} = {second.value:g}")
    swapped = f"{head}{second.name} = {first.value:g}{tail}" if found else ""
    assert find_difference(task, swapped.replace("Find", "Determine")).startswith("key")


def test_keys_of_templates_are_computed_again():
    assert all(find_recompute(each) for each in hard.load(instances=1, domains=["flow"]))
    assert find_recompute(duct()) and find_recompute(duct(reference_solution={})) is None
