"""P-REFS by rules: each fault costs its own criterion, and a full solution earns all ten points."""

import asyncio

import pytest

from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    CODES,
    CONCEPTUAL,
    PROBLEM_SOLVING,
    criteria_of,
)
from ansatz.eval.benchmarks.physbench.prefs_rules import PrefsRules
from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.score import ScoringContext
from tests.eval.judge_cases import attempt
from tests.eval.prefs_cases import BRAKING, CHOICE, ESSAY, WORKED


def scored(answer, problem=BRAKING, stop="answered"):
    scores = asyncio.run(PrefsRules().score(ScoringContext(problem, attempt(answer, stop=stop))))
    assert tuple(score.dimension for score in scores) == tuple(each.name for each in PrefsRules.dimensions)
    assert all(score.evidence for score in scores)
    return {score.dimension.replace("prefs_rules.", ""): score.value for score in scores}


def lost(scores):
    return {each.name for each in PROBLEM_SOLVING if scores[each.name] not in (1.0, None)}


def test_the_points_are_those_of_the_paper():
    by_part = dict.fromkeys(("formulation", "solution", "final"), 0)
    for each in PROBLEM_SOLVING:
        by_part[each.part] += each.points
    assert by_part == {"formulation": 2, "solution": 6, "final": 2}
    assert [each.points for each in CONCEPTUAL] == [1] * 5
    assert tuple(each.error for each in PROBLEM_SOLVING) == CODES


@pytest.mark.parametrize("answer", [WORKED, solution_text(BRAKING)], ids=["by headings", "reference"])
def test_a_full_solution_earns_all_points(answer):
    scores = scored(answer)
    assert lost(scores) == set()
    assert scores["score"] == scores["fully_correct"] == scores["final_correct"] == scores["template"] == 1.0
    assert all(scores[f"error.{code}"] == 0.0 for code in CODES)


def test_the_same_without_headings_is_worth_as_much():
    plain = WORKED.replace("**Problem Formulation**", "We set it up.").replace(
        "**Step-by-step Solution**\n", ""
    )
    scores = scored(plain.replace("**Final Answer**\n", ""))
    assert scores["template"] == 0.0 and lost(scores) == set()


FAULTS = {
    "a slip of arithmetic": (
        lambda text: text.replace("= 40 m", "= 45 m"),
        {"calculation", "correctness", "final"},
    ),
    "no assumption": (
        lambda text: text.replace(text[text.index("Assumptions:") : text.index("\n\n**Step")], ""),
        {"modeling"},
    ),
    "the wrong unit of a result": (
        lambda text: "d = 40 s".join(text.rsplit("d = 40 m", 1)),
        {"correctness"},
    ),
    "a right formula put to a wrong use": (
        lambda text: text.replace("2000*5 = 10000", "2000*5*0.5 = 5000").replace("F = 10000", "F = 5000")
        .replace("F = 2000*5\n", "F = 2000*5*0.5\n"),
        {"application", "correctness", "final"},
    ),
    "one of two formulas is none of the problem": (
        lambda text: text.replace("v_0**2/(2*a)", "v_0**3/a").replace("20**2/(2*5) = 40", "20**3/5 = 1600")
        .replace("20**2/(2*5)", "20**3/5").replace("d = 40", "d = 1600"),
        {"relevance", "application", "correctness", "final"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_costs_what_it_concerns_and_nothing_else(name):
    spoil, costs = FAULTS[name]
    text = spoil(WORKED)
    assert text != WORKED
    scores = scored(text)
    assert lost(scores) == costs
    assert scores["fully_correct"] == 0.0
    errors = {each.error for each in PROBLEM_SOLVING if each.name in costs}
    assert {code for code in CODES if scores[f"error.{code}"] == 1.0} == errors


def test_a_bare_right_result_is_final_correct_and_not_fully_correct():
    scores = scored("d = 40 m\nF = 10000 N")
    assert scores["final_correct"] == 1.0 and scores["fully_correct"] == 0.0
    assert scores["correctness"] == 1.0 and scores["calculation"] == scores["relevance"] == 0.0


def test_score_is_the_points_over_ten():
    scores = scored(WORKED.replace("= 40 m", "= 45 m"))
    earned = sum(each.points * scores[each.name] for each in PROBLEM_SOLVING)
    assert scores["score"] == pytest.approx(earned / 10)


def test_an_empty_answer_earns_nothing_and_bears_every_error():
    scores = scored("", stop="empty")
    assert scores["score"] == scores["final_correct"] == scores["fully_correct"] == scores["template"] == 0.0
    assert all(scores[f"error.{code}"] == 1.0 for code in CODES)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("**Final Answer**\n(B) it quadruples", True),
        ("Final Answer: B", True),
        ("**Final Answer:** **B)**", True),
        ("The answer is (B).", True),
        ("Final Answer: it quadruples", True),
        ("Final Answer: A", False),
        ("Final Answer: A or B", False),
        ("Final Answer: it doubles", False),
        ("I cannot tell.", False),
    ],
)
def test_of_options_exactly_the_right_one_must_be_chosen(answer, right):
    scores = scored(answer, CHOICE)
    assert scores["final_correct"] == scores["final"] == float(right)
    assert scores["score"] is scores["fully_correct"] is scores["coherence"] is None
    assert all(scores[f"error.{code}"] is None for code in CODES)


def test_an_answer_in_words_is_left_to_a_judge():
    scores = scored("Inertia keeps the passenger moving.", ESSAY)
    assert {name for name, value in scores.items() if value is not None} == {"template"}


def test_execution_counts_where_a_conceptual_question_has_steps():
    assert "execution" not in [each.name for each in criteria_of(CHOICE)]
    reference = CHOICE.reference.model_copy(update={"steps": BRAKING.reference.steps})
    assert "execution" in [
        each.name for each in criteria_of(CHOICE.model_copy(update={"reference": reference}))
    ]
