"""Form never makes up for substance: the KPI of well-dressed wrong answers and of terse right ones."""

import asyncio
import contextlib
from dataclasses import replace

import pytest

from ansatz.agents import Transcript
from ansatz.eval.rubrics.verifier import Verifier
from ansatz.knowledge_base.equation import EvaluationError
from ansatz.knowledge_base.expression import ExpressionError
from tests.eval.faults.chain import NOTHING, invented_formulas, wrong_formulas
from tests.eval.faults.corpus import PARTS
from tests.eval.faults.generated import makers
from tests.eval.faults.render import as_markdown, as_terse, number, with_unit

SOUND = 0.65  # the weight of G1 to G4: what a calculation with a fault cannot pass


def scores(problem, text):
    transcript = Transcript(
        answer=text, stop="answered", messages=(), model_calls=(), tool_calls=(), seconds=0
    )
    return {each.dimension: each.value for each in asyncio.run(Verifier().score(problem, transcript))}


def faults(maker):
    """Wrong formulas, an invented one, misread givens and slips, small and large."""
    yield from wrong_formulas(maker.problem, maker.template)
    yield from list(invented_formulas(maker.problem, maker.template))[:2]
    solution = maker.solution(NOTHING)
    given = {each.name: each.value for each in solution.givens}
    for line in solution.lines:
        for name in [each for each in line.numbers if each in given][:1]:
            yield replace(NOTHING, misread={name: float(f"{1.3 * given[name]:.3g}")})
        yield from (replace(NOTHING, slips={line.symbol: slip}) for slip in (1.15, 30.0))


def dressed(solution):
    """All that a reader could ask for, with a check that holds."""
    name, value, unit = solution.finals[-1]
    stated = with_unit(f"{name} = {number(value)}", unit)
    limit = with_unit(number(3 * abs(value)), unit)
    return as_markdown(solution).replace(
        "## Final answer", f"## Check\n\n{stated} is below the upper limit of {limit}.\n\n## Final answer"
    )


def wrong_solutions(maker):
    """The chain with each fault that leaves it computable, and the right chain with other final values."""
    for fault in faults(maker):
        with contextlib.suppress(EvaluationError, ExpressionError):
            yield maker.solution(fault)
    right = maker.solution(NOTHING)
    yield replace(right, finals=tuple((name, 1.5 * value, unit) for name, value, unit in right.finals))


@pytest.mark.parametrize("part", PARTS)
def test_no_dressed_wrong_answer_passes_a_terse_right_one(part):
    compared, unread = 0, []
    for maker in makers(part):
        right = scores(maker.problem, as_terse(maker.solution(NOTHING)))["kpi"]
        if right <= SOUND:
            unread.append(maker.problem.id)
            continue
        for solution in wrong_solutions(maker):
            text = dressed(solution)
            assert scores(maker.problem, text)["kpi"] < right, (maker.problem.id, right, text)
            compared += 1
    assert compared > 100
    assert len(unread) <= 1, unread  # a formula with min(a, b) is not read


def test_the_published_score_lets_form_make_up_for_a_wrong_formula():
    passed = 0
    for maker in makers("development"):
        right = scores(maker.problem, as_terse(maker.solution(NOTHING)))["kpi_published"]
        for fault in wrong_formulas(maker.problem, maker.template):
            passed += scores(maker.problem, dressed(maker.solution(fault)))["kpi_published"] > right
    assert passed > 0
