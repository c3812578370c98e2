"""Runs by the providers' batch interfaces: half the price, the same ledger, nothing lost by a kill."""

import random
import time

import pytest

from ansatz.experiments.ledger import Ledger
from ansatz.experiments.run import Run
from tests.commands import start_command
from tests.experiments.records import payments_of
from tests.experiments.served_study import (
    STOP,
    answer,
    command,
    essence,
    helped_by_placebo,
    run_command,
    write_study,
)
from tests.experiments.test_judged_run import is_judging, judge_by, judge_or_answer, judged_study
from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.batch_server import AnthropicBatchServer, Batches, OpenAIBatchServer, request_of
from tests.fakes.behaviours import Answer, Failure
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.long

SERVERS = {"openai": (OpenAIServer, OpenAIBatchServer), "anthropic": (AnthropicServer, AnthropicBatchServer)}
PROBLEMS = 30
PRICES = "input_price: 100, output_price: 1000, concurrency:"
RETRY = ", retry: {tries: 4, max_total_wait: 5, initial_wait: 0.01, max_wait: 0.02}"


@pytest.fixture(autouse=True)
def haste(monkeypatch):
    monkeypatch.setenv("ANSATZ_BATCH_QUIET", "0.5")
    monkeypatch.setenv("ANSATZ_BATCH_POLL", "0.05")


def study_of(folder, provider, server, **settings):
    path = write_study(
        folder, server.base_url, problems=PROBLEMS, provider=provider, settings=RETRY, **settings
    )
    path.write_text(path.read_text().replace("concurrency:", PRICES))
    return path


def quiet_run(folder, provider):
    with SERVERS[provider][0](answer) as server:
        assert run_command(study_of(folder, provider, server), folder / "quiet").returncode == 0
    return essence(folder / "quiet")


@pytest.mark.parametrize("provider", SERVERS)
def test_a_study_by_batches_is_the_same_at_half_the_price(tmp_path, provider):
    expected, met = quiet_run(tmp_path, provider), set()

    def some(request):
        """Two requests fail at first, one in its batch and one because the batch expires."""
        text = answer(request).text
        for at, status in (("Q = 3 J", 500), ("Q = 4 J", 504)):
            if text == at and (at, len(request.text)) not in met:
                met.add((at, len(request.text)))
                return Failure(status)
        return answer(request)

    batches = Batches()
    with SERVERS[provider][1](_once(some), batches) as server:
        done = run_command(study_of(tmp_path, provider, server), tmp_path / "run", "--batch")
    assert done.returncode == 0, done.stderr[-2000:]
    assert essence(tmp_path / "run") == expected
    sizes = [len(batch["rows"]) for batch in batches.batches]
    assert sizes[0] == 2 * PROBLEMS and sum(sizes) == 2 * PROBLEMS + 4
    assert "batch batch_0 of 60 requests" in done.stderr
    whole, half = (Run(tmp_path / name).spending["dollars"].sum() for name in ("quiet", "run"))
    assert half == pytest.approx(whole / 2)


def _once(script):
    """A batch's result is the same however often it is looked at."""
    kept = {}

    def steady(request):
        key = (id(request.body), request.path)
        return kept.setdefault(key, script(request))

    return steady


@pytest.mark.slow
def test_each_part_of_a_study_that_stops_is_a_batch(tmp_path):
    batches = Batches()
    with OpenAIBatchServer(helped_by_placebo, batches) as server:
        path = study_of(tmp_path, "openai", server)
        path.write_text(path.read_text() + STOP)
        done = run_command(path, tmp_path / "run", "--batch")
    assert done.returncode == 0, done.stderr[-2000:]
    assert [len(batch["rows"]) for batch in batches.batches] == [PROBLEMS]  # the second half is not asked
    assert "interim analysis 1 of 2, 50% of the families: placebo: found" in done.stderr


@pytest.mark.parametrize("provider", SERVERS)
def test_rounds_of_an_arm_with_tools_are_batches(tmp_path, provider):
    def script(request):
        right = answer(request)
        is_told = '"role": "tool"' in request.text or "tool_result" in request.text
        return right if is_told else Answer(calls=(("python", {"code": "print(2.0 * 3)"}),))

    batches = Batches()
    with SERVERS[provider][1](_once(script), batches) as server:
        path = study_of(tmp_path, provider, server)
        path.write_text(
            path.read_text().replace("arms: {placebo: placebo}", "arms: {calculator: calculator}")
        )
        done = run_command(path, tmp_path / "run", "--batch", "--limit", "10", "--arm", "calculator")
    assert done.returncode == 0, done.stderr[-2000:]
    assert [len(batch["rows"]) for batch in batches.batches] == [20, 10]  # then the calculator's results


def killed_when(is_time, study, out):
    """The command, ended by SIGKILL at its time."""
    process, deadline = start_command(*command(study, out), "--batch"), time.monotonic() + 60
    while not is_time() and process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.join()


@pytest.mark.slow
@pytest.mark.parametrize("provider", SERVERS)
def test_kills_pay_no_batch_twice(tmp_path, provider):
    """Twice killed: while a batch is under way, and while its answers are joining the ledger."""
    expected, few = quiet_run(tmp_path, provider), random.Random(4).randint(1, 20)
    batches, run = Batches(seconds=2.0), tmp_path / "run"
    with SERVERS[provider][1](_once(answer), batches) as server:
        study = study_of(tmp_path, provider, server)
        killed_when(lambda: batches.batches, study, run)
        killed_when(lambda: _attempts(run) > few, study, run)
        finished = run_command(study, run, "--batch")
    assert finished.returncode == 0, finished.stderr[-2000:]
    assert essence(run) == expected
    assert [len(batch["rows"]) for batch in batches.batches] == [2 * PROBLEMS]
    assert sum(each.requests for each in payments_of(run).values()) == 2 * PROBLEMS


@pytest.mark.slow
@pytest.mark.parametrize("provider", SERVERS)
def test_a_batch_whose_id_was_never_heard_is_found_again(tmp_path, provider):
    """Killed between sending a batch and hearing its id: it is known by its metadata, or by its requests."""
    batches, run = Batches(seconds=0.5, receipt=30.0), tmp_path / "run"
    with SERVERS[provider][1](_once(answer), batches) as server:
        study = study_of(tmp_path, provider, server)
        killed_when(lambda: batches.batches, study, run)
        with Ledger.open(run, write=False) as ledger:
            assert [each.id for each in ledger.batches(f"{provider}:fake").list_sent()] == [None]
        batches.receipt = 0.0
        finished = run_command(study, run, "--batch")
    assert finished.returncode == 0, finished.stderr[-2000:]
    assert [len(batch["rows"]) for batch in batches.batches] == [2 * PROBLEMS]
    assert _attempts(run) == 2 * PROBLEMS


def test_judges_are_asked_by_batches_too(tmp_path):
    batches = Batches()
    with OpenAIBatchServer(_once(judge_or_answer), batches) as server:
        study = judged_study(tmp_path, server.base_url, judge_by(server.base_url))
        done = run_command(study, tmp_path / "run", "--batch")
    assert done.returncode == 0, done.stderr[-2000:]
    judged = [is_judging(request_of(batch["rows"][0][1], 0, "")) for batch in batches.batches]
    assert judged == [False, True]
    totals = payments_of(tmp_path / "run")
    assert all(payer.batched for payer in totals)
    assert [payer.arm for payer in totals if payer.model == "openai:judge"] == [None]


def _attempts(folder):
    if not (folder / "ledger.sqlite").exists():
        return 0
    try:
        with Ledger.open(folder, write=False) as ledger:
            return ledger.count_states().total()
    except Exception:  # it is just being made
        return 0
