"""The verifier against solutions written out from every reference, from every trap, and for other problems."""

import re

import pytest

from ansatz.agents import Transcript
from ansatz.eval.benchmarks import tps
from ansatz.eval.benchmarks.tps.instance import format_number
from ansatz.eval.problem import NumberTarget
from ansatz.eval.rubrics.verifier import review
from ansatz.knowledge_base.library import library

PROBLEMS = [
    problem
    for problem in tps.load(instances=1)
    if problem.reference.steps and all(isinstance(target, NumberTarget) for target in problem.targets)
]


def marks(problem, answer):
    transcript = Transcript(
        answer=answer, stop="answered", messages=(), model_calls=(), tool_calls=(), seconds=0
    )
    return {name: mark.points for name, mark in review(problem, transcript).items()}


def stated(name, value, unit):
    number = value if isinstance(value, str) else format_number(float(f"{value:.6g}"))
    return f"{name} = {number} {unit}".removesuffix(" -")


def given(problem):
    return "Given: " + ", ".join(stated(each.name, each.value, each.unit) for each in problem.givens)


def finals(problem):
    return "\n".join(stated(target.name, target.value, target.unit) for target in problem.targets)


def written_out(problem):
    """Givens, then each step as formula and substitution, then the final lines."""
    values = {each.name: each.value for each in problem.givens if not isinstance(each.value, str)}
    lines = [given(problem)]
    for step in problem.reference.steps:
        values[step.symbol] = float(f"{step.value:.6g}")
        expression = re.sub(r"= 0 [\w/]+ \+", "=", step.expression)  # nobody writes a term that is zero
        lines.append(expression)
        if not expression.startswith("0 ="):
            formula = expression.partition("=")[2]
            numbers = re.sub(r"\b[A-Za-z_]\w*", lambda name: f"({values.get(name[0], name[0])})", formula)
            numbers = re.sub(r"\(([a-z]+\d*)\)(?=\()", r"\1", numbers).replace("(pi)", "pi")
            lines.append(f"{step.symbol} = {numbers.strip()}")
        lines.append(stated(step.symbol, step.value, step.unit))
    return "\n".join([*lines, "", finals(problem)])


def other_problem(problem):
    """A problem of another family that shares no equation with this one."""
    apart = [
        each
        for each in PROBLEMS
        if not set(each.reference.gold_equations) & set(problem.reference.gold_equations)
        and not {t.name for t in (*each.targets, *each.givens)} & {t.name for t in problem.targets}
    ]
    return apart[len(problem.id) * 7 % len(apart)]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.family)
def test_a_reference_written_out_is_right_in_formula_parameters_and_units(problem):
    found = marks(problem, written_out(problem))
    assert (found["G1"], found["G2"], found["G3"]) == (2, 2, 2)
    assert found["G5"] == 1
    assert found["G6"] == found["G7"] == 0


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.family)
def test_the_solution_of_another_problem_is_no_solution(problem):
    found = marks(problem, written_out(other_problem(problem)))
    assert found["G1"] < 2  # some definitions, such as Reynolds numbers, serve several problems
    assert found["G3"] == found["G8"] == 0


def test_the_solution_of_another_problem_seldom_shares_a_formula():
    shared = [
        problem.family for problem in PROBLEMS if marks(problem, written_out(other_problem(problem)))["G1"]
    ]
    assert len(shared) <= 0.05 * len(PROBLEMS), shared


@pytest.mark.parametrize(
    ("problem", "trap"),
    [(problem, id) for problem in PROBLEMS for id in problem.reference.trap_equations],
    ids=lambda each: each if isinstance(each, str) else each.family,
)
def test_a_trap_said_to_be_used_is_never_a_right_formula(problem, trap):
    equation = library().get(trap)
    target = problem.targets[-1]
    wrong = stated(target.name, 1.7 * target.value, target.unit)
    formula = f"{equation.output} = {equation.expr}\n" if equation.expr else ""
    answer = f"{given(problem)}\nUsing the {equation.name}:\n{formula}{wrong}\n\n{wrong}"
    assert not marks(problem, answer)["G1"]
