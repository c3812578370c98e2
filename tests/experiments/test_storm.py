"""Two hours' bad weather in seconds: whatever providers and machines do, the ledger ends like a quiet run's."""

import os
import random
import signal
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tests.commands import start_command
from tests.experiments.records import payments_of
from tests.experiments.served_study import answer, command, essence, run_command, write_study
from tests.fakes.behaviours import Dropped, Failure, Raw, Slow
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.long

SEED = 18
IMPATIENT = ", timeout: 2, retry: {tries: 12, max_total_wait: 60, initial_wait: 0.02, max_wait: 0.1}"
HTML = b"<html><head><title>502</title></head><body>Bad Gateway</body></html>"
EMPTY = (
    b'{"id": "x", "object": "chat.completion", "created": 1, "model": "fake", "choices": [], "usage": null}'
)


class Storm:
    """A third of all requests meet a fault, drawn by the seed; every answer costs what `answer` states."""

    def __init__(self, seed, share=0.33):
        self.choose, self.share, self.billed = random.Random(seed), share, 0
        self.met = dict.fromkeys(range(len(self.faults())), 0)

    def faults(self):
        soon = format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)
        return [
            *(Failure(429, headers=each) for each in ({"retry-after": "0.05"}, {"retry-after": soon}, {})),
            *(Failure(status) for status in (500, 502, 503, 529)),
            Dropped(),
            Dropped(midway=True),
            Slow(4.0),
            Raw(b'{"id": "chatcmpl-1", "choices": [{"mess'),
            Raw(EMPTY),
            Raw(HTML, "text/html"),
            Raw(b"\xff\xfe{\x00}\x00", "application/json; charset=utf-16"),
        ]

    def __call__(self, request):
        if self.choose.random() < self.share:
            weights = [4, 1, 4, 4, 4, 4, 4, 4, 4, 0.4, 4, 4, 4, 4]  # a date waits a second, a hang two
            [at] = self.choose.choices(range(len(weights)), weights)
            self.met[at] += 1
            return self.faults()[at]
        self.billed += 1
        right = answer(request)
        return Slow(0.15, right) if self.choose.random() < 0.02 else right


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("problems", "kills"), [(40, 1), pytest.param(150, 2, marks=SLOW), pytest.param(2500, 12, marks=SLOW)]
)
def test_a_storm_leaves_the_ledger_of_a_quiet_run(tmp_path, problems, kills):
    """SIGKILL and SIGSTOP of ourselves as well: what is paid twice is at most what was in flight at a kill."""
    choose, concurrency = random.Random(SEED), 16
    settings = {"problems": problems, "settings": IMPATIENT, "concurrency": concurrency}
    with OpenAIServer(answer) as quiet:
        calm = write_study(tmp_path, quiet.base_url, **settings)
        assert run_command(calm, tmp_path / "quiet").returncode == 0
    storm = Storm(SEED)
    with OpenAIServer(storm) as server:
        study = write_study(tmp_path, server.base_url, **settings)
        for kill in range(1, kills + 1):
            process = start_command(*command(study, tmp_path / "run"))
            while storm.billed < 2 * problems * kill / (kills + 1) and process.is_alive():
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(choose.uniform(0.1, 0.4))
            os.kill(process.pid, signal.SIGCONT)
            time.sleep(choose.uniform(0.0, 0.1))
            process.kill()
            process.join()
        for _ in range(3):  # a unit whose patience ended is tried again
            finished = run_command(study, tmp_path / "run")
            if finished.returncode == 0:
                break
    assert finished.returncode == 0, finished.stderr[-2000:]
    print(f"seed {SEED}: {len(server.requests)} requests, {storm.billed} billed, faults {storm.met}")
    assert essence(tmp_path / "run") == essence(tmp_path / "quiet")
    assert min(storm.met.values()) > 0 or problems < 100
    totals = payments_of(tmp_path / "run").values()
    paid, tokens = (sum(each.requests for each in totals), sum(each.usage.input for each in totals))
    assert paid * 20 == tokens and paid == 2 * problems  # each reply is booked once
    assert paid <= storm.billed <= 2 * problems + kills * concurrency
