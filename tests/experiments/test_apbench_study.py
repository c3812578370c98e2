"""The study of APBench: its arms differ as they say, and what was shown is what had been judged right."""

import asyncio
import re
from contextlib import nullcontext
from pathlib import Path

import pytest
import yaml

from ansatz.experiments.config import load_study
from ansatz.experiments.launch import launch
from ansatz.experiments.store import Ledger

STUDY = Path(__file__).parents[2] / "experiments" / "configs" / "apbench.yaml"


class Quiet:
    def begin(self, total, done):
        return nullcontext()

    def advance(self, state):
        pass


def test_every_independent_arm_has_a_progressive_one():
    arms = {name: frozenset(chosen) for name, chosen in load_study(STUDY).all_arms().items()}
    independent = [chosen for chosen in arms.values() if "progressive" not in chosen]
    assert len(independent) >= 2
    assert {chosen | {"progressive"} for chosen in independent} == set(arms.values()) - set(independent)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The two plainest arms of the study, on the numeric questions of three topics."""
    folder = tmp_path_factory.mktemp("apbench")
    study = yaml.safe_load(STUDY.read_text(encoding="utf-8"))
    study["problems"][0] |= {"where": {"format": "numeric", "topic": ["manoeuvres", "two_body", "attitude"]}}
    study["arms"] = {name: arm for name, arm in study["arms"].items() if "+" not in name}
    (folder / "study.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    asyncio.run(launch(folder / "study.yaml", folder / "run", None, Quiet()))
    with Ledger.open(folder / "run", write=False) as ledger:
        return ledger.problems(), list(ledger.records())


def test_what_was_shown_is_what_had_been_judged_right(run):
    problems, records = run
    right = {
        (record.arm, record.problem)
        for record in records
        for score in record.scores
        if score.dimension == "published" and score.value == 1
    }
    shown = 0
    for record in records:
        prompt = next(m["content"] for m in record.transcript.messages if m["role"] == "user")
        found = re.findall(r"Question: (.*?)\n\nYour answer: ", prompt, re.DOTALL)
        earlier = [id for id in problems[record.problem].follows if (record.arm, id) in right]
        expected = [problems[id].question for id in earlier] if "progressive" in record.arm else []
        assert found == expected, (record.arm, record.problem)
        shown += len(found)
    assert shown > 3


def test_no_prompt_holds_a_reference_solution_or_a_key_that_was_not_stated(run):
    problems, records = run
    for record in records:
        problem = problems[record.problem]
        prompt = next(m["content"] for m in record.transcript.messages if m["role"] == "user")
        for id in (record.problem, *problem.follows):
            assert problems[id].reference.text.splitlines()[-1] not in prompt
            for target in problems[id].targets:
                assert str(target.value) not in prompt or target.kind == "choice"
