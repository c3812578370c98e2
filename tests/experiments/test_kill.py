"""A run that is killed at any moment and started again ends like one that was left alone."""

import random
import signal
import time

import pytest

from tests.commands import start_command
from tests.experiments.served_study import answer, command, essence, run_command, write_study
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("kills", "problems", "concurrency"), [(4, 60, 4), pytest.param(20, 500, 50, marks=pytest.mark.slow)]
)
def test_killed_runs_end_like_an_undisturbed_one(tmp_path, kills, problems, concurrency):
    """Nothing is lost, and nothing is paid twice beyond what was in flight at a kill."""
    choose = random.Random(kills)
    with OpenAIServer(answer, latency=0.03) as server:
        study = write_study(tmp_path, server.base_url, problems=problems, concurrency=concurrency)
        assert run_command(study, tmp_path / "quiet").returncode == 0
        before = len(server.requests)
        assert before == 2 * problems
        for _ in range(kills):
            kill_after(command(study, tmp_path / "killed"), server, choose, most=2 * problems // kills)
        finished = run_command(study, tmp_path / "killed")
        assert finished.returncode == 0, finished.stderr
        paid = len(server.requests) - before
    assert essence(tmp_path / "killed") == essence(tmp_path / "quiet")
    assert len(essence(tmp_path / "killed")) == 2 * problems
    assert 2 * problems <= paid <= 2 * problems + kills * concurrency


def kill_after(arguments, server, choose, endings=(0,), most=8):
    """Start the run and end it with SIGKILL: during start-up, or a random instant after up to `most` requests.

    It may have ended by itself before, with one of these statuses.
    """
    seen = len(server.requests)
    process = start_command(*arguments)
    if choose.random() < 0.15:
        time.sleep(choose.uniform(0.0, 2.0))
    else:
        wanted = seen + choose.randint(1, most)
        deadline = time.monotonic() + 60
        while len(server.requests) < wanted and process.is_alive() and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(choose.uniform(0.0, 0.06))
    process.kill()
    process.join()
    assert process.exitcode in (*endings, -signal.SIGKILL)
