"""Answers read into the parts of the template, however they are written."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.benchmarks.physbench.answer_parts import PARTS, read_answer

FORMULATION = "Given: v = 10 m/s; a = 5 m/s^2\nFind: d [m]\nApproach: kinematics\nAssumptions: level road"
SOLUTION = "Step 1: distance\nReasoning: constant a\nGeneral Formula: d = v**2/(2*a)\nResult: d = 10 m"
FINAL = "d = 10 m"
TEXTS = (FORMULATION, SOLUTION, FINAL)
HEADINGS = [
    *("**{}**\n", "**{}:**\n", "{}:\n", "## {}\n", "### **{}**\n", "1. {}\n", "2) **{}**\n"),
    *("**1. {}**\n", "Part 2: {}\n", "{upper}\n", "- {}:\n", "{}: ", "**{}:** "),
]
NAMES = (
    ("Problem Formulation", "Step-by-step Detailed Solution", "Final Answer"),
    ("Formulation", "Solution", "The Final Answer"),
    ("Problem Setup", "Step by Step Solution", "Final answers"),
    ("Formulation of the problem", "Detailed Solution", "Final Answer"),
)


def written(heading="**{}**\n", names=NAMES[1], texts=TEXTS):
    headings = (heading.format(name, upper=name.upper()) for name in names)
    return "\n\n".join(head + text for head, text in zip(headings, texts, strict=True))


@pytest.mark.parametrize(("at", "heading"), [*enumerate(HEADINGS)])
def test_headings_are_read_however_they_are_typeset_and_called(at, heading):
    answer = read_answer(written(heading, NAMES[at % len(NAMES)]))
    assert answer.is_compliant and answer.faults == ()
    assert tuple(answer.parts[part] for part in PARTS) == TEXTS
    assert answer.formulation["assumptions"] == "level road"


def test_fields_may_be_bold_or_list_entries():
    text = FORMULATION.replace("Given:", "**Given:**").replace("Find:", "- **Find**:")
    answer = read_answer(f"**Problem Formulation**\n{text}")
    assert answer.formulation["given"] == "v = 10 m/s; a = 5 m/s^2"
    assert answer.formulation["find"] == "d [m]"


@pytest.mark.parametrize(
    ("order", "texts", "fault"),
    [
        ((2,), TEXTS, "no part Problem Formulation"),
        ((0, 2), TEXTS, "no part Step-by-step Solution"),
        ((0, 1), TEXTS, "no part Final Answer"),
        ((0, 1, 2), (FORMULATION, SOLUTION, ""), "Final Answer is empty"),
        (
            (2, 0, 1),
            TEXTS,
            "the order of the parts is Final Answer, Problem Formulation, Step-by-step Solution",
        ),
    ],
)
def test_what_is_missing_or_out_of_order_is_said(order, texts, fault):
    answer = read_answer(written("**{}**\n", [NAMES[1][at] for at in order], [texts[at] for at in order]))
    assert not answer.is_compliant and fault in answer.faults


@pytest.mark.parametrize(
    "prose",
    [
        "The final answer is 12 m.",
        "Final answer would be about 12 m",
        "Solution by energy conservation gives v = 3 m/s",
        "A solution of salt in water has the density rho.",
        "We solve step by step.",
    ],
)
def test_prose_that_begins_like_a_heading_opens_no_part(prose):
    assert read_answer(prose).parts == {}


def test_of_a_heading_that_occurs_twice_the_longer_part_counts():
    for text in (f"{written()}\n\n**Final Answer**\n", f"**Final Answer**\n\n{written()}"):
        answer = read_answer(text)
        assert answer.parts["final"] == FINAL and answer.is_compliant


@given(st.text(alphabet=st.sampled_from("*#: \nabFinalAnswerSolutiop1.-"), max_size=200))
def test_any_text_is_read(text):
    answer = read_answer(text)
    assert set(answer.parts) <= set(PARTS) and answer.is_compliant == (not answer.faults)


@pytest.mark.parametrize("run", [" ", "\t", "*", "_", "#", "- ", "1. ", "> ", "step ", "Final Answer "])
def test_long_runs_of_one_mark_are_read_in_time(run):
    started = time.process_time()
    read_answer(f"x\n{run * 20_000}x\n{written()}")
    assert time.process_time() - started < 1
