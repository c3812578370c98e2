"""The verifier against answers with one planted fault each: what it finds, and what it finds where nothing is."""

import pytest

from tests.eval.faults.confusion import answers, judge
from tests.eval.faults.corpus import CLEAN, FAULTS, PARTS


@pytest.fixture(scope="module", params=PARTS)
def judged(request):
    return judge(answers(request.param))


def test_the_corpus_is_wide_enough(judged):
    kinds = {each.answer.fault for each in judged}
    assert kinds == {CLEAN, *FAULTS}
    assert sum(each.answer.fault == CLEAN for each in judged) >= 20
    assert len({each.answer.template.split(".")[0] for each in judged}) == 8
