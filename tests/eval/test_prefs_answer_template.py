"""Answers read into the parts of the template, however they are written."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.reading.answer_parts import PARTS, read_answer
from tests.eval.prefs_cases import BRAKING

FORMULATION = "Given: v = 10 m/s; a = 5 m/s^2\nFind: d [m]\nApproach: kinematics\nAssumptions: level road"
SOLUTION = (
    "Step 1: distance\nReasoning: constant a\nGeneral Formula: d = v**2/(2*a)\n"
    "Substitution: d = 10**2/(2*5)\nCalculation: 100/10 = 10 m\nResult: d = 10 m"
)
FINAL = "d = 10 m"
HEADINGS = {
    "bold": "**{}**\n",
    "bold with colon": "**{}:**\n",
    "colon": "{}:\n",
    "markdown": "## {}\n",
    "markdown and bold": "### **{}**\n",
    "numbered": "1. {}\n",
    "numbered and bold": "2) **{}**\n",
    "bold with its number": "**1. {}**\n",
    "part": "Part 2: {}\n",
    "capitals": "{upper}\n",
    "list entry": "- {}:\n",
    "text on the line": "{}: ",
    "bold, text on the line": "**{}:** ",
}


def written(heading, parts=("Problem Formulation", "Step-by-step Solution", "Final Answer")):
    texts = (FORMULATION, SOLUTION, FINAL)
    return "\n\n".join(
        heading.format(name, upper=name.upper()) + text for name, text in zip(parts, texts, strict=True)
    )


NAMES = (
    ("Problem Formulation", "Step-by-step Detailed Solution", "Final Answer"),
    ("Formulation", "Solution", "The Final Answer"),
    ("Problem Setup", "Step by Step Solution", "Final answers"),
    ("Formulation of the problem", "Detailed Solution", "Final Answer"),
)


@pytest.mark.parametrize(("at", "heading"), [*enumerate(HEADINGS.values())], ids=HEADINGS)
def test_headings_are_read_however_they_are_typeset_and_called(at, heading):
    answer = read_answer(written(heading, NAMES[at % len(NAMES)]))
    assert answer.is_compliant and answer.faults == ()
    assert [answer.parts[part] for part in PARTS] == [FORMULATION, SOLUTION, FINAL]
    assert answer.formulation["assumptions"] == "level road"


def test_fields_may_be_bold_or_list_entries():
    text = FORMULATION.replace("Given:", "**Given:**").replace("Find:", "- **Find**:")
    answer = read_answer(f"**Problem Formulation**\n{text}")
    assert answer.formulation["given"] == "v = 10 m/s; a = 5 m/s^2"
    assert answer.formulation["find"] == "d [m]"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("d = 10 m", "no part Problem Formulation"),
        (f"**Final Answer**\n{FINAL}", "no part Step-by-step Solution"),
        (f"**Problem Formulation**\n{FORMULATION}\n**Solution**\n{SOLUTION}", "no part Final Answer"),
        (
            f"**Problem Formulation**\n{FORMULATION}\n**Solution**\n{SOLUTION}\n**Final Answer**\n",
            "Final Answer is empty",
        ),
        (
            f"**Final Answer**\n{FINAL}\n**Problem Formulation**\n{FORMULATION}\n**Solution**\n{SOLUTION}",
            "parts stand in the order Final Answer, Problem Formulation, Step-by-step Solution",
        ),
    ],
)
def test_what_is_missing_or_out_of_order_is_said(text, fault):
    answer = read_answer(text)
    assert not answer.is_compliant
    assert fault in answer.faults


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
    text = f"{written('**{}**' + chr(10))}\n\n**Final Answer**\n"
    assert read_answer(text).parts["final"] == FINAL
    assert read_answer(text).is_compliant


def test_a_reference_solution_keeps_the_template():
    assert read_answer(solution_text(BRAKING)).is_compliant


@given(st.text(alphabet=st.sampled_from("*#: \nabFinalAnswerSolutiop1.-"), max_size=200))
def test_any_text_is_read(text):
    answer = read_answer(text)
    assert set(answer.parts) <= set(PARTS)
    assert answer.is_compliant == (not answer.faults)


@pytest.mark.parametrize("run", [" ", "\t", "*", "_", "#", "- ", "1. ", "> ", "step ", "Final Answer "])
def test_long_runs_of_one_mark_are_read_in_time(run):
    started = time.process_time()
    read_answer(f"x\n{run * 20_000}x\n**Final Answer**\n{FINAL}")
    assert time.process_time() - started < 1
