"""`ansatz run`, `score` and `solve` against servers: requests, messages and stored data."""

import json
import re
import socket

import pytest

from ansatz.experiments.solve import solve_question
from tests.commands import ansatz, one_line
from tests.experiments.served_study import answer, item, write_study
from tests.fakes.behaviours import Answer, Failure, Slow
from tests.fakes.openai_server import OpenAIServer

HASTY = ", timeout: 0.2, retry: {tries: 2, initial_wait: 0.01, max_wait: 0.02}"


@pytest.fixture
def server():
    with OpenAIServer(answer) as serving:
        yield serving


@pytest.fixture
def study(tmp_path, server):
    """40 problems of 10 families, four each, under a baseline and a placebo arm."""
    path = write_study(tmp_path, server.base_url, problems=40)
    lines = [{**item(number), "family": f"family-{number // 4}"} for number in range(40)]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def asked(server):
    """Return the distinct numbers of the problems in requests."""
    return sorted(
        {int(found) for each in server.requests for found in re.findall(r"Problem (\d+):", each.text)}
    )


def test_limit_takes_as_many_families_as_possible(study, server, tmp_path):
    done = ansatz("run", study, "--out", tmp_path / "out", "--limit", 5)
    assert "10 of 10 attempts scored" in done.stdout
    assert asked(server) == [0, 8, 16, 24, 32]
    again = ansatz("run", study, "--out", tmp_path / "out", "--limit", 20)
    assert "10 of 40 attempts are already in the ledger" in again.stderr
    assert len(asked(server)) == 20 and {number // 4 for number in asked(server)} == set(range(10))


def test_seed_determines_the_sample_of_families(study, server, tmp_path):
    draws = []
    for out, seed in (("a", 1), ("b", 1), ("c", 2)):
        server.requests.clear()
        done = ansatz("run", study, "--out", tmp_path / out, "--sample", 10, "-o", f"seed={seed}")
        assert done.returncode == 0, done.stderr
        draws.append(asked(server))
    assert all({number // 4 for number in draw} == set(range(10)) for draw in draws)
    assert draws[0] == draws[1] != draws[2]


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ((), "1 model, 2 arms, 40 problems, 80 attempts"),
        (
            ("--arm", "placebo", "--problem", "item-3", "--problem", "item-7"),
            "2 arms, 2 problems, 4 attempts",
        ),
        (("--arm", "baseline", "--limit", "3", "-o", "repeats=2"), "1 arm, 3 problems, 6 attempts"),
        (("--model", "openai:fake", "-o", "problems.0.limit=6"), "1 model, 2 arms, 6 problems, 12 attempts"),
    ],
)
def test_dry_run_shows_the_reduced_plan_without_requests(study, server, tmp_path, options, shown):
    done = ansatz("run", study, "--out", tmp_path / "out", "--dry-run", *options)
    assert shown in done.stdout
    assert (server.requests, (tmp_path / "out").exists()) == ([], False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--arm", "placbo"), "the study has no arm 'placbo'; did you mean 'placebo'?"),
        (("--model", "openai:fak"), "the study has no model 'openai:fak'; did you mean 'openai:fake'?"),
        (("--problem", "item-41"), "the study has no problem 'item-41'; did you mean 'item-4'?"),
        (("-o", "repeat=2"), "-o: repeat: there is no such field; did you mean 'repeats'?"),
        (("-o", "limits.second=2"), "-o: limits.second: there is no such field; did you mean 'seconds'?"),
        (("-o", "repeats=0"), "-o: repeats: must be greater than or equal to 1, not 0"),
        (("-o", "repeats"), "cannot read 'repeats'; write setting=value"),
        (("-o", "name.first=2"), "cannot read 'name.first=2'; write setting=value"),
        (("-o", "models.3.label=x"), "cannot read 'models.3.label=x'; write setting=value"),
        (("-o", "seed=[3"), "seed: cannot read '[3'"),
    ],
)
def test_option_that_selects_nothing_is_one_line(study, options, message):
    assert message in one_line(ansatz("run", study, "--dry-run", *options))


def test_resumed_folder_follows_the_last_study(study, server, tmp_path, monkeypatch):
    """A reduced plan stays reduced when it is resumed, also after a larger one."""
    out = tmp_path / "out"
    ansatz("run", study, "--out", out, "-o", "problems.0.limit=30")
    study.write_text(
        study.read_text().replace("settings: {base_url", "settings: {temperature: 0.5, base_url")
    )
    ansatz("run", study, "--out", out, "-o", "problems.0.limit=5")
    assert len(server.requests) == 70
    monkeypatch.chdir(tmp_path)
    for resumed in (("run", out), ("run", "out", "-o", "max_identical_failures=3")):
        assert "10 of 10 attempts scored" in ansatz(*resumed).stdout
    assert len(server.requests) == 70


def dead_port():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{unused.getsockname()[1]}/v1"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (None, "connection failed"),
        (lambda request: Failure(500, "the disk burns"), "500: the disk burns"),
        (lambda request: Slow(30.0), "no answer within 0.2 s"),
    ],
    ids=["dead port", "500", "hang"],
)
def test_dead_server_is_reported_and_stops_the_run(tmp_path, script, reason):
    with OpenAIServer(script or answer) as serving:
        address = serving.base_url if script else dead_port()
        study = write_study(tmp_path, address, problems=40, settings=HASTY, concurrency=2)
        done = ansatz("run", study, "--out", tmp_path / "out", "-o", "max_identical_failures=4")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    for prefix in ("served: waiting: ", "served: failed: "):  # of each kind the first
        assert [reason in line for line in lines if prefix in line] == [True]
    assert any(re.match(r"served: [45] × ModelUnavailable", line) for line in lines), "counts by kind"
    assert lines[-1].startswith("ansatz: stopped after 4 identical consecutive failures with openai:fake: ")
    assert lines[-1].endswith("fix the cause and run the same command again")
    with OpenAIServer(answer) as well:
        study.write_text(study.read_text().replace(address, well.base_url))
        assert "80 of 80 attempts scored" in ansatz("run", study, "--out", tmp_path / "out").stdout


def test_failures_of_several_kinds_do_not_stop_a_run(tmp_path):
    def script(request):
        number = int(re.findall(r"Problem (\d+):", request.text)[0])
        return [answer(request), Failure(400, "no"), Failure(503, "later")][number % 3]

    with OpenAIServer(script) as serving:
        study = write_study(tmp_path, serving.base_url, problems=12, settings=HASTY, concurrency=1)
        done = ansatz("run", study, "--out", tmp_path / "out", "-o", "max_identical_failures=8")
    assert done.returncode == 1
    assert "8 of 24 attempts scored, 16 failed" in done.stdout
    counts = re.findall(r"served: (\d+) × (\w+)", done.stderr)
    assert counts == [("8", "RequestRejected"), ("8", "ModelUnavailable")]


async def test_solve_reports_waiting():
    lines = []
    retry = {"tries": 3, "initial_wait": 0.2, "max_wait": 0.2}
    with OpenAIServer([Failure(503, "busy"), Slow(0.6, Failure(503, "busy")), Answer("42")]) as serving:
        settings = {"base_url": serving.base_url, "retry": retry}
        solved = await solve_question(
            "How much?", "openai:m", [], settings, on_wait=lines.append, seconds_before_notice=0.5
        )
    assert solved.answer == "42"
    for number, line in enumerate(lines, start=2):
        assert re.fullmatch(rf"waiting: openai:m: 503: busy; try {number} of 3 in 0\.\d s", line)
    assert len(lines) == 2
    lines.clear()
    with OpenAIServer([Slow(0.3, Answer("42"))]) as serving:
        settings = {"base_url": serving.base_url}
        await solve_question(
            "How much?", "openai:m", [], settings, on_wait=lines.append, seconds_before_notice=0.1
        )
    assert lines == ["waiting: for openai:m to answer"]


SCORER = """
from ansatz.eval import Score
from ansatz.eval.score import Dimension

class Own:
    dimensions = (Dimension("length"),)

    {score}
"""
LENGTH = "async def score(self, context): return (Score(dimension='length', value=0.5, evidence=''),)"


def test_run_is_rescored_from_its_folder(study, server, tmp_path):
    (tmp_path / "own.py").write_text(SCORER.format(score=LENGTH))
    out = tmp_path / "out"
    ansatz("run", study, "--out", out, "--limit", 4)
    study.unlink()
    done = ansatz("score", out, "--scorer", "own.py:Own", "--scorer", "outcome")
    assert (done.returncode, done.stdout) == (0, f"{out}: 8 attempts scored again, 0 failed\n")
    resumed = ansatz("run", out)
    assert "8 of 8 attempts are already in the ledger" in resumed.stderr
    assert len(server.requests) == 8
    assert "length" in ansatz("report", out).stdout
    manifest = json.loads((out / "manifest.json").read_text())
    assert [each["name"] for each in manifest["study"]["dimensions"]][:1] == ["length"]


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ("async def score(self, context): return 1 / 0", "ZeroDivisionError: division by zero"),
        ("async def score(self, context): return 0.5", "score must return a tuple of Scores, not 0.5"),
        ("def score(self, context): return ()", "TypeError: score must be an async function"),
        (LENGTH.replace("0.5", "3"), "ValidationError: value: must be less than or equal to 1, not 3"),
        (LENGTH.replace("length", "lenth"), "'lenth' is none of its dimensions; did you mean 'length'?"),
    ],
)
def test_failing_scorer_fails_attempts_and_retains_answers(study, server, tmp_path, score, message):
    (tmp_path / "wrong.py").write_text(SCORER.format(score=score))
    (tmp_path / "right.py").write_text(SCORER.format(score=LENGTH))
    study.write_text(study.read_text().replace("scorers: [outcome]", "scorers: [wrong.py:Own]"))
    done = ansatz("run", study, "--out", tmp_path / "out", "--limit", 2)
    assert (done.returncode, "0 of 4 attempts scored, 4 failed" in done.stdout) == (1, True)
    assert f"failed: ScorerFailed: scorer Own: {message}" in done.stderr
    study.write_text(study.read_text().replace("wrong", "right"))
    assert "4 of 4 attempts scored" in ansatz("run", study, "--out", tmp_path / "out", "--limit", 2).stdout
    assert len(server.requests) == 4


def test_a_run_first_reports_that_all_answers_are_truncated(tmp_path):
    with OpenAIServer(lambda request: Answer("P = 1.5", finish="length")) as server:
        done = ansatz("run", write_study(tmp_path, server.base_url, problems=4), "--out", tmp_path / "out")
    first, counts, *_ = done.stdout.splitlines()
    assert first.startswith("Warning: 100% of the answers are truncated") and "max_tokens" in first
    assert "8 of 8 attempts scored" in counts
