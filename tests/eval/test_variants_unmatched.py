"""Single words that a close retelling loses, brings in, exchanges or puts in another order."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench.variants.invariance import check_texts
from ansatz.eval.benchmarks.physbench.variants.statement import read_statement
from ansatz.eval.benchmarks.physbench.variants.telling import root, telling
from ansatz.eval.benchmarks.physbench.variants.unmatched import CLOSE, nearness, unmatched_changes

COFFEE = (
    "Jonas has a mug with 0.2 kg of coffee at 84 degC and adds 0.05 kg of milk at 9 degC. "
    "How much heat does the coffee give up?"
)
PISTON = "The gas in a cylinder grows from 2 L to 3 L at constant pressure. Find the work W done by the gas."
SIREN = (
    "An ambulance with a siren drives past a house. Which frequencies are heard while it approaches (f_a) "
    "and after it has passed (f_b)? By what factor r does the frequency drop (f_a over f_b)?"
)
TRANSFORMER = (
    "An ideal transformer has N_1 = 200 turns on its primary side and N_2 = 40 turns on its secondary side. "
    "The mains give 230 V. Find the secondary voltage."
)
COMB = "A plastic comb is held near scraps of paper that carry no charge. Explain why the scraps jump to the comb."
TRAP = "An electron is in a trap of width 2 nm. By Heisenberg's principle, what is the least momentum it can have?"
MUON = (
    "A muon moves at 0.9 times the speed of light and lives 2.2 us in its own frame. How far does it travel?"
)


@pytest.mark.parametrize(
    ("original", "old", "new", "said"),
    [
        (COFFEE, "does the coffee", "does the milk", "the question is about milk instead of coffee"),
        (COFFEE, "How much heat", "How much entropy", "heat became entropy"),
        (PISTON, "by the gas", "on the gas", "w by gas became w on gas"),
        (PISTON, "grows from", "grows slowly and evenly without friction from", "are new"),
        (PISTON, "constant pressure", "low pressure", "constant"),
        (SIREN, "f_a over f_b", "f_b over f_a", "f_a over f_b became f_b over f_a"),
        (SIREN, "the frequency drop", "the wavelength drop", "frequencies became wavelength"),
        (
            TRANSFORMER,
            "the secondary voltage",
            "the primary voltage",
            "secondary voltage became primary voltage",
        ),
        (
            TRANSFORMER,
            "N_1 = 200 turns on its primary",
            "N_1 = 200 turns on its secondary",
            "N_1 was primary",
        ),
        (COMB, "carry no charge", "carry a charge", "'charge' is there in one text and not in the other"),
        (COMB, "Explain why", "Describe how", "explain"),
        (TRAP, "Heisenberg's principle", "Pauli's principle", "Heisenberg's  became Pauli's "),
        (TRAP, "least momentum", "average momentum", "least"),
        (MUON, "in its own frame", "in the frame of the ground", "proper"),
        (MUON, "How far does", "How many seconds does", "far"),
    ],
)
def test_a_word_that_makes_another_problem_is_named(original: str, old: str, new: str, said: str) -> None:
    assert old in original
    assert check_texts(original, f"In Lima, {original[0].lower()}{original[1:]}") == ()
    changes = [str(change) for change in check_texts(original, original.replace(old, new))]
    assert any(said in change for change in changes), changes


@pytest.mark.parametrize(
    ("original", "old", "new"),
    [
        (COFFEE, "How much heat does the coffee give up", "What heat is given up by the coffee"),
        (COFFEE, "Jonas has a mug", "Kwame in Accra has a hot drink in a mug"),
        (PISTON, "Find the work W", "What is the work W"),
        (PISTON, "grows", "increases"),
        (PISTON, "at constant pressure", "while its pressure stays constant"),
        (SIREN, "Which frequencies are heard", "Find the frequencies that are heard"),
        (SIREN, "drives past a house", "drives past a house near Lusaka"),
        (TRANSFORMER, "Find the secondary voltage", "How large is the secondary voltage"),
        (COMB, "Explain why", "Give the reason why"),
        (COMB, "that carry no charge", "without any charge"),
        (TRAP, "least momentum", "minimum momentum"),
        (MUON, "How far does it travel", "What distance does it travel"),
    ],
)
def test_another_turn_of_phrase_is_no_change(original: str, old: str, new: str) -> None:
    assert old in original
    assert [str(change) for change in check_texts(original, original.replace(old, new))] == []


def test_free_retellings_are_not_held_to_single_words() -> None:
    told = read_statement(
        "Someone stirs cold milk into hot coffee in Cusco; what energy has the coffee lost then?"
    )
    assert nearness(read_statement(COFFEE), told) < CLOSE
    assert not list(unmatched_changes(read_statement(COFFEE), told))


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("falls fell falling dropped decreases", True),
        ("deviates deviated deviation", True),
        ("velocities speed", True),
        ("index indices", True),
        ("rises raised", False),
        ("current voltage", False),
        ("kinetic potential", False),
    ],
)
def test_forms_and_synonyms_share_a_root(words: str, same: bool) -> None:
    assert (len({root(word) for word in words.split()}) == 1) is same


def test_words_that_tell_of_physics_are_told_from_words_of_the_scene() -> None:
    assert {root(word) for word in ("kinetic", "lenses", "greatest", "concave", "halved")} <= telling()
    assert not {root(word) for word in ("market", "teacher", "Nairobi", "rides", "bucket")} & telling()


_STORIES = [
    problem.question
    for problem in physbench.load(seed=4)
    if len(re.findall(r"\.\s", problem.question.split("\n\n")[0])) >= 2
][:60]


@settings(max_examples=40)
@given(story=st.sampled_from(_STORIES), seed=st.randoms(use_true_random=False))
def test_the_order_of_the_sentences_does_not_matter(story: str, seed: object) -> None:
    told, _, rest = story.partition("\n\n")
    first, *others = re.split(r"(?<=[.?])\s+(?=[A-Z])", told)
    seed.shuffle(others)  # type: ignore[attr-defined]
    turned = read_statement(f"{' '.join([first, *others])}\n\n{rest}")
    if nearness(read_statement(story), turned) >= CLOSE:
        assert list(unmatched_changes(read_statement(story), turned)) == []
