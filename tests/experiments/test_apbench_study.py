"""The study of APBench: its arms differ as they say, and what was shown is what had been judged right."""

import re
from pathlib import Path

import pytest
import yaml

from ansatz.eval.follow_up_questions import strip_blanks
from ansatz.experiments.design.study_file import read
from ansatz.experiments.ledger.store import Ledger
from tests.experiments.quiet import ran
from tests.experiments.records import records_of
from tests.fakes.behaviours import Answer, Tokens
from tests.fakes.openai_server import OpenAIServer

STUDY = Path(__file__).parents[2] / "experiments" / "configs" / "apbench.yaml"


def test_every_independent_arm_has_a_progressive_one():
    arms = {name: frozenset(chosen) for name, chosen in {"baseline": {}, **read(STUDY).all_arms()}.items()}
    independent = [chosen for chosen in arms.values() if "progressive" not in chosen]
    assert len(independent) >= 2
    assert {chosen | {"progressive"} for chosen in independent} == set(arms.values()) - set(independent)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("apbench")


@pytest.fixture(scope="module")
def run(folder):
    return run_study(folder, {"apbench": {}})


def run_study(folder, scorers):
    """The two plainest arms of the study, on the numeric questions of two topics."""
    study = yaml.safe_load(STUDY.read_text(encoding="utf-8"))
    study["problems"][0] |= {"where": {"format": "numeric", "topic": ["two_body", "attitude"]}}
    study["arms"] = {"independent": [], "progressive": {"progressive": {"judged_by": "strict"}}}
    (folder / "study.yaml").write_text(yaml.safe_dump(study | {"scorers": scorers}), encoding="utf-8")
    ran(folder / "study.yaml", folder / "run")
    with Ledger.open(folder / "run", write=False) as ledger:
        return ledger.problems(), records_of(folder / "run")


def shown_and_right(problems, records):
    """For every attempt, the earlier questions in its prompt, and those that its arm should have been shown."""
    right = {
        (record.arm, record.problem)
        for record in records
        for score in record.scores
        if score.dimension == "strict" and score.value == 1
    }
    for record in records:
        found = re.findall(r"Question: (.*?)\n\nYour answer: ", prompt_of(record), re.DOTALL)
        earlier = [id for id in problems[record.problem].follows if (record.arm, id) in right]
        assert prompt_of(record).count("Report your answer") <= 1  # the form of the question at hand
        yield found, [strip_blanks(problems[id]) for id in earlier] if record.arm == "progressive" else []


def prompt_of(record):
    return next(message["content"] for message in record.transcript.messages if message["role"] == "user")


def test_no_prompt_holds_a_reference_solution_or_a_key(run):
    problems, records = run
    for record in records:
        problem = problems[record.problem]
        for id in (record.problem, *problem.follows):
            assert problems[id].reference.text.splitlines()[-1] not in prompt_of(record)
            for target in problems[id].targets:
                assert str(target.value) not in prompt_of(record) or target.kind == "choice"


def served(request):
    """The solver's answer, or the judge's mark where its tool is offered."""
    if request.body.get("tools"):
        return Answer(
            calls=(("record_likeness", {"reason": "the same point", "likeness": 8}),), tokens=Tokens(50, 9)
        )
    return Answer("At a high speed the same velocity change adds more energy: the Oberth effect.")


def test_a_judge_of_messages_is_billed_separately(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with OpenAIServer(served) as server:
        settings = {"base_url": server.base_url}
        study = {
            "name": "judged",
            "models": [{"name": "openai:fake", "settings": settings, "concurrency": 1}],
            "problems": [
                {"benchmark": "apbench", "settings": {"sets": ["escape"]}, "where": {"kind": "message"}}
            ],
            "arms": {"progressive": ["progressive"]},
            "scorers": {"apbench": {"judge": {"name": "openai:judge", "settings": settings}}},
        }
        (tmp_path / "study.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
        outcome = ran(tmp_path / "study.yaml", tmp_path / "run")
        assert outcome.counts == {"planned": 2, "scored": 2, "failed": 0}
        assert len(server.requests) == 2  # both arms ask the same, and the judge is asked the same
    paid, judged = outcome.notes
    assert paid.startswith("Paid: 2 requests, 60 tokens in, 14 out, unknown dollars")
    assert judged.startswith("Judge openai:judge: 1 replies, 50 input and 9 output tokens")
    for record in records_of(tmp_path / "run"):
        scores = {score.dimension: score.value for score in record.scores}
        assert scores["message"] == pytest.approx(0.5 * (0.8 + scores["cosine"]))
        assert scores["published"] == (scores["message"] > 0.6)


@pytest.mark.slow
def test_other_scorer_settings_repeat_later_questions(run, folder):
    """What is shown is what is judged right now, and the independent arm keeps its answers."""
    before = list(shown_and_right(*run))
    assert all(found == expected for found, expected in before)
    problems, records = run_study(folder, {"apbench": {"relative": 0.3}})
    after = list(shown_and_right(problems, records))
    assert all(found == expected for found, expected in after)
    assert sum(len(found) for found, _ in after) > sum(len(found) for found, _ in before)
    assert len(records) == len(run[1]) and {record.state for record in records} == {"scored"}
    kept = {(r.problem, r.transcript.answer) for r in run[1] if r.arm == "independent"}
    assert {(r.problem, r.transcript.answer) for r in records if r.arm == "independent"} == kept
