"""More than a hundred labelled answers are judged as they are labelled, every one."""

from collections import Counter

import pytest

from ansatz.agents.sandbox import Sandbox
from ansatz.eval.benchmarks.tpbench import load
from ansatz.eval.benchmarks.tpbench.verification import OUTCOMES, Verifier, outcome_of
from tests.eval.tpbench_answers import CASES

PROBLEMS = {problem.targets[0].name: problem for problem in load()}
SECONDS = 2.0  # for each call; enough for whatever is not endless


@pytest.fixture(scope="module")
def verifier():
    return Verifier(Sandbox.shared(timeout=SECONDS))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.name}")
async def test_an_answer_is_judged_as_labelled(verifier, case):
    found = await verifier.verify(PROBLEMS[case.function], case.answer)
    assert (found.outcome, found.sentence()) == (case.label, found.sentence())
    assert outcome_of(found.sentence()) == case.label


def test_the_labelled_answers_cover_every_outcome_and_kind():
    assert len(CASES) >= 100
    assert len({(case.kind, case.name) for case in CASES}) == len(CASES)
    counted = Counter(case.label for case in CASES)
    assert all(counted[outcome] >= 4 for outcome in OUTCOMES)
    assert Counter(case.kind for case in CASES)["malicious"] >= 15
