"""More than a hundred labelled answers are judged as they are labelled, every one."""

import os
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from ansatz.eval.benchmarks.tpbench import load
from ansatz.eval.benchmarks.tpbench.score import OUTCOMES, TPBenchScore


class Case(NamedTuple):
    """An answer to the problem that asks for `function`; `label` is the outcome, `kind` what was done to it."""

    name: str
    kind: str
    function: str
    label: str
    answer: str


ANSWERS = Path(__file__).with_name("answers.yaml").read_text(encoding="utf-8")
CASES = [Case(**each) for each in yaml.load(ANSWERS, Loader=yaml.CSafeLoader)]
PROBLEMS = {problem.targets[0].name: problem for problem in load()}
GUIDE = Path(__file__).parents[4] / "docs" / "tpbench.md"
SCORER = TPBenchScore(timeout_seconds=30.0)  # for each call; enough for whatever is not endless
HASTY = TPBenchScore(timeout_seconds=0.5)  # for what never ends


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.name}")
async def test_an_answer_is_judged_as_labelled(case):
    scorer = HASTY if case.kind == "slow" else SCORER
    found = await scorer.verify(PROBLEMS[case.function], case.answer)
    assert found.outcome == case.label, found.format()


def test_the_guide_shows_the_table_of_labelled_answers():
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/eval/benchmarks/tpbench/test_answers.py."""
    counted = Counter((case.kind, case.label) for case in CASES)
    rows = [["kind of answer", *OUTCOMES], ["---", *["---:"] * len(OUTCOMES)]]
    rows += [
        [kind, *(str(counted[kind, outcome]) for outcome in OUTCOMES)]
        for kind in dict.fromkeys(case.kind for case in CASES)
    ]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    page = GUIDE.read_text(encoding="utf-8")
    block = re.compile(r"(<!-- labelled: begin -->\n)(.*?)(<!-- labelled: end -->)", re.DOTALL)
    if os.environ.get("UPDATE_GOLDEN"):
        page = block.sub(lambda found: f"{found[1]}{table}{found[3]}", page)
        GUIDE.write_text(page, encoding="utf-8")
    assert block.search(page)[2] == table
    assert f"{len(CASES)} labelled answers" in page
    assert len({(case.kind, case.name) for case in CASES}) == len(CASES)
