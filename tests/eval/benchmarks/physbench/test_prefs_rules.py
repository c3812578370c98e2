"""P-REFS by rules: each fault costs its own criterion, and a full solution earns all ten points."""

import asyncio

import pytest

from ansatz.eval.benchmarks.physbench.prefs_rubric import CODES, CONCEPTUAL, PROBLEM_SOLVING, criteria_of
from ansatz.eval.benchmarks.physbench.prefs_rules import PrefsRules
from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.score import ScoringContext
from tests.eval.benchmarks.physbench.prefs_cases import BRAKING, CHOICE, ESSAY, WORKED
from tests.fakes.transcripts import attempt


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


BARE = WORKED.replace("**Problem Formulation**", "We set it up.")
BARE = BARE.replace("**Step-by-step Solution**\n", "").replace("**Final Answer**\n", "")


@pytest.mark.parametrize(("answer", "keeps"), [(WORKED, 1.0), (solution_text(BRAKING), 1.0), (BARE, 0.0)])
def test_a_full_solution_earns_all_points_without_headings_too(answer, keeps):
    scores = scored(answer)
    assert lost(scores) == set() and scores["template"] == keeps
    assert scores["score"] == scores["fully_correct"] == scores["final_correct"] == 1.0
    assert all(scores[f"error.{code}"] == 0.0 for code in CODES)


FAULTS = {
    "a slip of arithmetic": ([("= 40 m", "= 45 m")], {"calculation", "correctness", "final"}),
    "no assumption": (
        [(WORKED[WORKED.index("Assumptions:") : WORKED.index("\n\n**Step")], "")],
        {"modeling"},
    ),
    "the wrong unit of a result": ([("**Final Answer**\nd = 40 m", "**Final Answer**\nd = 40 s")], {"correctness"}),
    "a right formula put to a wrong use": (
        [("F = 2000*5\n", "F = 2000*5*0.5\n"), ("2000*5 = 10000", "2000*5*0.5 = 5000"), ("F = 10000", "F = 5000")],
        {"application", "correctness", "final"},
    ),
    "one of two formulas is none of the problem": (
        [("v_0**2/(2*a)", "v_0**3/a"), ("20**2/(2*5)", "20**3/5"), ("= 40", "= 1600")],
        {"relevance", "application", "correctness", "final"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("edits", "costs"), FAULTS.values(), ids=FAULTS)
def test_a_fault_costs_what_it_concerns_and_nothing_else(edits, costs):
    text = WORKED
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    scores = scored(text)
    assert lost(scores) == costs and scores["fully_correct"] == 0.0
    errors = {each.error for each in PROBLEM_SOLVING if each.name in costs}
    assert {code for code in CODES if scores[f"error.{code}"] == 1.0} == errors
    earned = sum(each.points * scores[each.name] for each in PROBLEM_SOLVING)
    assert scores["score"] == pytest.approx(earned / 10)


def test_a_bare_correct_result_is_only_final_correct():
    scores = scored("d = 40 m\nF = 10000 N")
    assert scores["final_correct"] == 1.0 and scores["fully_correct"] == 0.0
    assert scores["correctness"] == 1.0 and scores["calculation"] == scores["relevance"] == 0.0


def test_an_empty_answer_earns_nothing_and_bears_every_error():
    scores = scored("", stop="empty")
    assert scores["score"] == scores["final_correct"] == scores["fully_correct"] == scores["template"] == 0.0
    assert all(scores[f"error.{code}"] == 1.0 for code in CODES)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("**Final Answer**\n(B) it quadruples", True),
        ("**Final Answer:** **B)**", True),
        ("The answer is (B).", True),
        ("Final Answer: it quadruples", True),
        ("Final Answer: A", False),
        ("Final Answer: A or B", False),
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
    calculating = CHOICE.model_copy(update={"reference": BRAKING.reference})
    found = [{each.name for each in criteria_of(problem)} for problem in (CHOICE, calculating)]
    assert found[1] - found[0] == {"execution"}
