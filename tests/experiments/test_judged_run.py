"""Runs whose answers are judged by a served model: paid once, billed apart, blind to the arm."""

import json
import random
import re
from pathlib import Path

import pytest
import yaml

from ansatz.eval.verifier.kpi import SOUND
from ansatz.experiments.ledger.prices import read_bill
from ansatz.experiments.ledger.store import Ledger
from ansatz.experiments.ledger.stored_results import read_results
from tests.eval.judging.judge_cases import marks
from tests.experiments.records import payments_of, records_of
from tests.experiments.served_study import answer, command, essence, run_command, write_study
from tests.experiments.test_kill import kill_after
from tests.fakes.behaviours import Answer, Failure, Tokens
from tests.fakes.openai_server import OpenAIServer

PROBLEMS = 8


def judge_or_answer(request):
    """The judge asks with the tool record_marks; everything else is an attempt at a problem."""
    if not is_judging(request):
        return answer(request)
    names = request.body["tools"][0]["function"]["parameters"]["properties"]["marks"]["required"]
    digits = ("21" * 8)[: len(names)]
    return Answer(calls=(("record_marks", marks(digits, names)),), tokens=Tokens(input=500, output=80))


def is_judging(request):
    return "record_marks" in str(request.body.get("tools"))


def judged_study(folder: Path, base_url: str, scorers, problems=PROBLEMS) -> Path:
    file = write_study(folder, base_url, problems=problems, settings=", retry: {tries: 1}")
    study = {**yaml.safe_load(file.read_text()), "scorers": scorers, "max_identical_failures": 100}
    file.write_text(yaml.safe_dump(study), encoding="utf-8")
    return file


def judge_by(base_url, **settings):
    asked = {"base_url": base_url, "retry": {"tries": 1}}
    model = {"name": "openai:judge", "settings": asked, "input_price": 2.0, "output_price": 10.0}
    return {"outcome": {}, "judge": {"models": [model], **settings}}


def test_a_judge_in_a_run_is_paid_once_billed_apart_and_reported(tmp_path):
    with OpenAIServer(judge_or_answer) as server:
        study = judged_study(tmp_path, server.base_url, judge_by(server.base_url))
        done = run_command(study, tmp_path / "out")
        asked = list(server.requests)
        again = run_command(study, tmp_path / "out")
        assert len(server.requests) == len(asked)
    assert done.returncode == again.returncode == 0, done.stderr
    judgings = [request for request in asked if is_judging(request)]
    # Both arms give the same answer, so that a judge who does not know the arm is asked once for both.
    assert len(asked) - len(judgings) == 2 * PROBLEMS and len(judgings) == PROBLEMS
    assert not re.search("placebo|baseline", "".join(request.text for request in judgings))
    line = "Judge openai:judge: 8 replies, 4,000 input and 640 output tokens, $0.01, not included"
    assert line in done.stdout and line in again.stdout
    with Ledger.open(tmp_path / "out", write=False) as ledger:
        [judged] = [each for each in read_bill(ledger) if each.arm is None]
    assert judged.dollars == pytest.approx((4000 * 2.0 + 640 * 10.0) / 1e6)
    for record in records_of(tmp_path / "out"):
        assert record.transcript.tokens == 26  # the arm's own, without the judge's
        scores = {score.dimension: score.value for score in record.scores}
        assert sorted(scores[f"judge.G{n}"] for n in range(1, 9)) == [0.5] * 4 + [1.0] * 4
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["judges"]["openai:judge"]["base_url"] == server.base_url
    assert len(manifest["judge_prompts_sha256"]) == 1
    results = read_results(tmp_path / "out")
    scales = {each.name: each.scale.name for each in results.dimensions}
    assert (scales["judge.G3"], scales["judge.kpi"]) == ("0–2", "0–100")
    assert results.notes[0].startswith("Judge openai:judge")
    assert set(results.values("tokens").tolist()) == {26.0}


def test_a_panel_in_a_run_has_its_disputes_decided_and_counted(tmp_path):
    def script(request):
        if not is_judging(request):
            return answer(request)
        parameters = request.body["tools"][0]["function"]["parameters"]
        names = parameters["properties"]["marks"]["required"]
        given = {"strict": "0", "kind": "2", "third": "1"}[request.body["model"]]
        digits = "".join(given if name == "G7" else "1" for name in names)
        return Answer(calls=(("record_marks", marks(digits, names)),))

    with OpenAIServer(script) as server:
        asked = {"settings": {"base_url": server.base_url}}
        strict, kind, third = ({"name": f"openai:{name}", **asked} for name in ("strict", "kind", "third"))
        panel = {"judge": {"models": [strict, kind], "adjudicator": third}}
        study = judged_study(tmp_path, server.base_url, panel, problems=2)
        done = run_command(study, tmp_path / "out")
        assert len(server.requests) == 2 * 2 + 3 * 2
    assert "Two judges differed by more than half the scale on 12.5% of the scores." in done.stdout
    assert "Judge openai:third: 2 replies" in done.stdout
    assert "Judgements: 4 ok, 0 ok_partial, 0 failed." in done.stdout
    for record in records_of(tmp_path / "out"):
        values = {score.dimension: score.value for score in record.scores}
        assert values.pop("judge.kpi") == pytest.approx(0.5 * SOUND)  # half marks: no sound calculation
        assert set(values.values()) == {0.5}


def test_a_judge_that_is_down_costs_no_attempt_and_is_tried_again(tmp_path):
    state = {"down": True}

    def script(request):
        return Failure(503) if is_judging(request) and state["down"] else judge_or_answer(request)

    with OpenAIServer(script) as server:
        study = judged_study(tmp_path, server.base_url, judge_by(server.base_url))
        failed = run_command(study, tmp_path / "out")
        assert failed.returncode == 1
        assert "0 of 16 attempts scored, 16 failed" in failed.stdout
        before, state["down"] = len(server.requests), False
        done = run_command(study, tmp_path / "out")
        assert "16 of 16 attempts scored, 0 failed" in done.stdout
        assert all(map(is_judging, server.requests[before:]))


def test_scoring_again_that_is_broken_off_leaves_no_mixture(tmp_path):
    def script(request):
        return Failure(401) if is_judging(request) and "Q = 7 J" in request.text else judge_or_answer(request)

    with OpenAIServer(script) as server:
        study = judged_study(tmp_path, server.base_url, {"outcome": {}})
        assert run_command(study, tmp_path / "out").returncode == 0
        study = judged_study(tmp_path, server.base_url, judge_by(server.base_url))
        assert "check OPENAI_API_KEY" in run_command(study, tmp_path / "out").stderr
        resumed = run_command(tmp_path / "out", tmp_path / "out")  # the study that the folder holds
    assert resumed.returncode == 0
    assert {len(record.scores) for record in records_of(tmp_path / "out")} == {3}


@pytest.mark.slow
def test_a_killed_run_does_not_pay_its_judges_twice(tmp_path):
    choose, kills, problems, concurrency = random.Random(7), 2, 20, 4
    with OpenAIServer(judge_or_answer, latency=0.03) as server:
        study = judged_study(tmp_path, server.base_url, judge_by(server.base_url), problems)
        assert run_command(study, tmp_path / "quiet").returncode == 0
        before = len(server.requests)
        assert before == 3 * problems
        for _ in range(kills):
            kill_after(command(study, tmp_path / "killed"), server, choose)
        assert run_command(study, tmp_path / "killed").returncode == 0
        paid = len(server.requests) - before
    assert essence(tmp_path / "killed") == essence(tmp_path / "quiet")
    assert 3 * problems <= paid <= 3 * problems + kills * concurrency
    [judged] = [paid for payer, paid in payments_of(tmp_path / "killed").items() if payer.arm is None]
    assert judged.requests == problems


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ({"model": "openai:x"}, "judge has no setting 'model'; did you mean 'models'?"),
        ({"models": "openia:x"}, "there is no provider 'openia'; did you mean 'openai'?"),
    ],
)
def test_a_judge_that_cannot_be_stops_a_study_before_it_starts(tmp_path, judge, message):
    study = judged_study(tmp_path, "http://127.0.0.1:1/v1", {"outcome": {}, "judge": judge})
    done = run_command(study, tmp_path / "out")
    assert done.returncode == 2
    assert message in done.stderr and "study.yaml" in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
