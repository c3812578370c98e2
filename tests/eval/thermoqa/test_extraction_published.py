"""On a real run, reading the raw text alone gives the publisher's verdicts."""

import math

import pytest

from ansatz.eval.benchmarks.thermoqa.balance import is_balance
from ansatz.eval.benchmarks.thermoqa.extraction import from_text
from ansatz.eval.benchmarks.thermoqa.judgement import judge, unit_aware
from ansatz.eval.problem import LabelTarget
from tests.eval.thermoqa.cases import PUBLISHED, published_runs

EXPLAINED: dict[tuple[str, str], str] = {}
"""Every item whose verdict from the text is not the stored one: (question, target) -> why. There is none."""


@PUBLISHED
@pytest.mark.parametrize(("tier", "items"), [(1, 290), (2, 748), (3, 2127)])
def test_the_text_alone_gives_the_stored_verdicts(tier, items):
    judged, differing = 0, set()
    for asked, response, names, _ in published_runs(tier):
        ours = {
            item.name: item.published == "pass"
            for item in judge(asked, from_text(asked, response["response_text"]))
        }
        for stored in response["scores"]:
            judged += 1
            if ours[names[stored["key"]]] != stored["passed"]:
                differing.add((asked.id, names[stored["key"]]))
    assert judged == items
    assert differing == {key for key in EXPLAINED if key[0].startswith(f"T{tier}")}
    assert len(differing) <= 0.01 * items


@PUBLISHED
@pytest.mark.parametrize("tier", [1, 2, 3])
def test_the_text_alone_gives_the_stored_values(tier):
    for asked, response, _, extracted in published_runs(tier):
        values = unit_aware(asked, from_text(asked, response["response_text"]))
        for target in asked.targets:
            stored = extracted.get(target.name)
            if isinstance(target, LabelTarget):
                assert values.get(target.name) == stored
            elif not is_balance(target.name):
                assert (target.name in values) == (stored is not None)
                assert stored is None or math.isclose(values[target.name], stored, rel_tol=1e-12), (
                    asked.id,
                    target.name,
                )
