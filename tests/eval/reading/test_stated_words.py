"""Words in free answers: short answers without a verb such as "is", and texts that do not assert the word."""

import pytest

from ansatz.eval.problem import LabelTarget
from ansatz.eval.reading.stated_words import is_accepted, read_label
from ansatz.quantities.markup import to_plain_text

METAL = LabelTarget(name="metal", weight=1, value="copper", accepted=("Cu",))


@pytest.mark.parametrize(
    "text",
    [
        "Copper.",
        "Copper, with 401 W/(m K).",
        "Use copper (a soft metal).",
        "For this bearing the guideline says copper.",
        "The metal is copper.",
    ],
)
def test_a_short_answer_is_read(text):
    assert read_label(METAL, text).lower() == "copper"


@pytest.mark.parametrize(
    "text",
    [
        "It says brass or copper.",
        "Do not use copper.",
        "Use brass instead of copper.",
        "Copper? No, silver conducts better.",
        "Use silver. It conducts better than copper.",
        "I take silver. The second choice: copper.",
    ],
)
def test_a_word_that_is_not_asserted_is_not_read(text):
    assert read_label(METAL, text) is None


@pytest.mark.parametrize(
    ("text", "emphasized", "read"),
    [
        ("Brass was in the list. Take copper for it: the rest is soft.", "copper", "copper"),
        ("Brass was in the list. Do not take copper: it is soft.", "copper", None),
    ],
)
def test_an_asserted_word_in_bold_is_read(text, emphasized, read):
    assert read_label(METAL, text, emphasized) == read


def test_a_formula_with_subscripts_is_the_word_without():
    oxide = LabelTarget(name="oxide", weight=1, value="Al2O3")
    assert is_accepted(to_plain_text("Al₂O₃"), oxide)
