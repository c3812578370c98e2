"""Measures of difficulty, and the selection of problems by them."""

import json

import pytest

from ansatz.errors import StudyError
from ansatz.eval.difficulty import measure_difficulty
from ansatz.eval.problem import NumberTarget, Problem, ReferenceSolution, SolutionStep, Trap
from ansatz.eval.problem_files import dump, load
from ansatz.experiments.design.resolution import select_by_tags
from ansatz.experiments.study import Study

STEP = SolutionStep(equation="", symbol="q", expression="q = 1", value=1, unit="Pa")


def problem(id, steps, benchmark="b", **reference):
    return Problem(
        id=id,
        family=id,
        benchmark=benchmark,
        question=f"Find q of {id}.",
        targets=[NumberTarget(name="q", unit="Pa", value=2.0)],
        reference=ReferenceSolution(steps=(STEP,) * steps, **reference),
    )


def test_measures_come_from_the_reference():
    traps = (Trap(name="a", reason="r", values={"q": 3.0}), Trap(name="b", reason="r", values={"q": 2.5}))
    gold = ("newtonian.pressure.dynamic", "newtonian.force.drag")
    found = measure_difficulty(problem("p", 4, traps=traps, gold_equations=gold))
    assert (found["steps"], found["laws"], found["trap_distance"]) == (4, 2, 0.25)
    assert found["retrieval_rank"] >= 1
    assert set(measure_difficulty(problem("p", 0)).values()) == {None}


def test_problems_are_selected_by_a_comparison():
    made = [problem(f"p{steps}", steps) for steps in (2, 5, 8)]
    assert [each.id for each in select_by_tags(made, {"steps": ">=5"}, "b")] == ["p5", "p8"]
    assert [each.id for each in select_by_tags(made, {"steps": ["<3", "8"]}, "b")] == ["p2", "p8"]
    with pytest.raises(StudyError, match="no problem with steps '>9'"):
        select_by_tags(made, {"steps": ">9"}, "b")
    with pytest.raises(StudyError, match="did you mean 'steps'"):
        select_by_tags(made, {"step": ">9"}, "b")


def test_a_study_file_selects_by_a_comparison(tmp_path):
    dump([problem(f"p{steps}", steps) for steps in (2, 5, 8)], tmp_path / "p.jsonl")
    choice = "{benchmark: file, settings: {path: p.jsonl}, where: {steps: '>=5'}}"
    text = (
        f"name: p\nmodels: [offline:slide-rule]\nproblems:\n  - {choice}\narms: {{calculator: calculator}}\n"
    )
    (tmp_path / "study.yaml").write_text(text)
    assert list(Study.from_yaml(tmp_path / "study.yaml").problems) == ["p5", "p8"]
    (tmp_path / "study.yaml").write_text(text.replace(">=5", ">=9"))
    with pytest.raises(StudyError, match=r"study\.yaml:4: .*no problem with steps '>=9'"):
        Study.from_yaml(tmp_path / "study.yaml")


@pytest.mark.parametrize(("benchmark", "is_marked"), [("b", True), ("file", False)])
def test_lines_of_a_set_have_the_canary(tmp_path, benchmark, is_marked):
    made = problem("p", 1, benchmark)
    dump([made], tmp_path / "p.jsonl")
    assert ("canary" in json.loads((tmp_path / "p.jsonl").read_text())) == is_marked
    assert load(tmp_path / "p.jsonl") == (made,)
