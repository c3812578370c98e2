"""Exercises in plain prose: what is asked, what is told in words, lettered options, earlier results."""

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from ansatz.agents.slide_rule import SlideRule
from ansatz.agents.slide_rule.options import split_options
from ansatz.agents.slide_rule.reading import read
from ansatz.agents.slide_rule.units import parse_unit


def reply(text):
    return SlideRule().invoke([SystemMessage("Solve."), HumanMessage(text)]).text


@pytest.mark.parametrize(
    ("question", "unit", "words"),
    [
        ("How far does the cart roll?", "m", {"distance"}),
        ("How long does it take to land?", "s", {"time"}),
        ("How long is the plank?", "m", {"length"}),
        ("How fast is the boat?", "m/s", {"speed"}),
        ("How much work is done on the box?", "J", {"work"}),
        ("What is the maximum height of the ball?", "m", {"maximum", "height"}),
        ("Find the speed of the train in km/h.", "km/h", {"speed", "train"}),
        ("Determine the angular velocity of the disc.", "rad/s", {"angular", "speed"}),
        ("With what speed does the stone land after a second?", "m/s", {"speed"}),
    ],
)
def test_what_is_asked_has_a_unit_and_words(question, unit, words):
    (target,) = read(f"Something of mass 3 kg moves. {question}").targets
    assert target.unit == parse_unit(unit)
    assert words <= target.words


def test_two_quantities_asked_together_are_two_targets():
    targets = read("A lamp takes 2 A at 12 V. Find the power and the resistance of the lamp.").targets
    assert [target.title for target in targets] == ["power", "resistance"]


def test_a_symbol_after_the_name_is_the_targets():
    (target,) = read("A cart of mass 3 kg is pushed with 6 N. Find the acceleration a_c of the cart.").targets
    assert target.symbol == "a_c"


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("A 3-kg block slides.", 3.0, {"block", "mass"}),
        ("It is pushed by a 12 N force.", 12.0, {"force"}),
        ("It moves at 36 km/h.", 10.0, {"speed"}),
        ("A coil has 40 turns.", 40.0, {"turn"}),
        ("The wheel turns at 60 rpm.", 6.283185, {"angular", "speed"}),
        ("A plank at an angle of 30° rests.", 0.5235988, {"angle"}),
    ],
)
def test_a_bare_value_is_told_by_its_noun_or_by_its_unit(text, value, words):
    (given,) = read(text).givens
    assert given.value == pytest.approx(value)
    assert words <= given.words


def test_values_from_one_to_the_other():
    first, second = read("The car speeds up from 5 m/s to 15 m/s.").givens
    assert (first.value, "initial" in first.words) == (5.0, True)
    assert (second.value, "final" in second.words) == (15.0, True)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("A cart starts from rest.", "initial"),
        ("A nut is dropped.", "initial"),
        ("A bus comes to rest.", "final"),
        ("A bus moves on.", None),
    ],
)
def test_rest_is_a_speed_of_zero(text, role):
    told = [(given.value, role in given.words) for given in read(text).givens]
    assert told == ([(0.0, True)] if role else [])


FALL = "A 0.5 kg ball is dropped from a height of 3 m. What is its speed just before it hits the ground?"


@pytest.mark.parametrize(
    "letters", ["(A) {} (B) {} (C) {} (D) {}", "A. {}\nB. {}\nC. {}\nD. {}", "a) {}\nb) {}\nc) {}\nd) {}"]
)
def test_the_option_nearest_to_what_was_worked_out_is_chosen(letters):
    options = letters.format("3.8 m/s", "7.7 m/s", "9.8 m/s", "29 m/s")
    assert reply(f"{FALL}\n{options}").splitlines()[-1] == "answer: B"
    labelled = reply(f"{FALL}\n{options}\n\nReport your answers as:\nchoice: ___")
    assert labelled.splitlines()[-1] == "choice: B"


def test_no_option_is_chosen_without_a_value_near_it():
    assert reply(f"{FALL}\n(A) 1 km/s (B) 2 km/s (C) 3 km/s").splitlines()[-1] == "answer: undetermined"
    assert reply("Which is red?\n(A) a rose (B) the sea (C) snow").splitlines()[-1] == "answer: undetermined"


def test_text_without_a_row_of_options_is_left_alone():
    for text in ("Find (a) the speed v and (b) the time t.", "Take A. The rest is B."):
        assert split_options(text)[0] == text


EARLIER = """Earlier questions about the same situation, with your own answers to them.

Question: An orbit around the Earth reaches from r_p = 7000 km to r_a = 9000 km. Find its semi-major axis a.

Your answer: Semi-major axis from the apsides:
a = (rp + ra)/2 = (7e6 + 9e6)/2 = 8e6 m

a = 8000 km"""
NEXT = "The orbit is around the Earth. Find the orbital period T.\n\nReport your answers as:\nT = ___ min"


def test_an_earlier_result_is_built_upon():
    assert reply(f"{EARLIER}\n\n{NEXT}").splitlines()[-1] == "T = 120 min"
    assert reply(NEXT).splitlines()[-1] != "T = 120 min"


def test_a_formulation_lifts_the_limit_of_what_is_kept_in_mind_at_school_too():
    question = (
        "A crate of length 1 m, width 2 m, depth 3 m, with a handle of 4 m, a lid of 5 m and a rope of 6 m is"
        " pulled by a force F = 30 N. Its mass is m = 12 kg. Find the acceleration a of the crate."
    )
    formulation = (
        "Given: F = 30 N (net force); m = 12 kg (mass)\nFind: a [m/s^2] (acceleration)\n"
        "Approach: Newton's second law\nAssumptions: smooth floor"
    )
    assert "I do not recall" in reply(question) or "= 2.5" not in reply(question)
    assert reply(f"{formulation}\n\n{question}").splitlines()[-1] == "a = 2.5 m/s^2"


def test_what_is_known_by_heart_is_said():
    text = reply(
        "A satellite circles Mars in a circular orbit of radius 9000 km. Find its orbital speed in km/s."
    )
    assert "Taken as known: mu = 42828 km^3/s^2." in text


def test_engineering_does_not_call_school_to_mind():
    text = (
        "A probe enters at hypersonic speed V = 6 km/s; its mass is m = 30 kg. The boundary layer is laminar."
    )
    assert "Kinetic energy:" in reply(
        f"{text} Find its kinetic energy E.\n\nReport your answers as:\nE = ___ J"
    )
