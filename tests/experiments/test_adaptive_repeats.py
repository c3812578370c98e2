"""Repeats where the baseline is unsure: decided by answers that are not counted, so differences have no bias."""

from collections import Counter

import pytest

from ansatz.errors import InvalidData, StudyError
from ansatz.experiments.study import Study
from benchmarks.repeats import measure_bias, repeat_where_differing, repeat_where_unsure
from tests.experiments.served_study import answer, write_study
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer

RULE = ["repeats={least: 1, most: 3, where: baseline_unsure}"]


def script(request):
    """Every third question is answered wrongly by the baseline; the placebo's prompt is longer."""
    right = answer(request)
    is_wrong = int(right.text.split()[2]) % 3 == 0 and len(request.text) < 1000
    return Answer("Q = 0 J") if is_wrong else right


def test_unsure_problems_have_more_repeats(tmp_path):
    with OpenAIServer(script) as server:
        study = Study.from_yaml(write_study(tmp_path, server.base_url, problems=12), RULE)
        assert study.plan().attempts == (48, 96)
        run = study.run(tmp_path / "run", progress=False)
        made = len(server.requests)
        again = study.run(tmp_path / "run", progress=False)
        assert len(server.requests) == made
        resumed = Study.from_run(tmp_path / "run").run(tmp_path / "run", progress=False)
        assert len(server.requests) == made and resumed.counts == again.counts == run.counts
    counted = 2 * (8 + 3 * 4)
    assert run.counts == {"planned": counted, "scored": counted, "failed": 0}
    times = Counter(run.attempts("placebo")["problem"].to_list())
    assert sorted(times.values()) == [1] * 8 + [3] * 4
    assert set(run.attempts("baseline")["repeat"].to_list()) == {0, 1, 2}
    [note] = [note for note in run.notes if "not counted" in note]
    assert note.startswith("4 of 12 problems have 3 repeats") and run.results.is_complete
    assert not any("earlier plan" in note for note in run.notes)


@pytest.mark.slow
def test_repeats_by_own_answers_would_be_biased():
    """Two more answers where an arm's own two differ move its score towards 0 or 1; the rule above does not."""
    assert abs(measure_bias(repeat_where_unsure, 3000)) < 0.002
    assert measure_bias(repeat_where_differing, 3000) > 0.005


@pytest.mark.parametrize(
    "changes",
    [
        [*RULE, "stop.looks=2"],
        ["repeats={least: 3, most: 3}"],
        ["repeats={least: 0}"],
        ["repeats={often: 3}"],
        ["repeats={where: arm_unsure}"],
        ["repeats=0"],
    ],
)
def test_wrong_repeats_are_refused_in_one_line(tmp_path, changes):
    with pytest.raises((StudyError, InvalidData)) as raised:
        Study.from_yaml(write_study(tmp_path, "http://localhost:1", problems=12), changes)
    assert "repeats" in str(raised.value) and "\n" not in str(raised.value)
