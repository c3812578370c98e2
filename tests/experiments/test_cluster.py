"""A run on the workers of a Dask cluster ends like one of a single process, whatever is killed on the way."""

import gc
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from multiprocessing import forkserver

import numpy as np
import pytest
from aiohttp import ClientSession

from ansatz.errors import BudgetSpent, RunStopped
from ansatz.experiments.report import to_json
from ansatz.experiments.study import Study
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
from tests.fakes.behaviours import Slow
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.long

THREADS = 8
UNDER_WAY = 2  # requests that are let go and reach the server later than the next
PRICED = ["models.0.input_price=1", "models.0.output_price=1", "models.0.settings.max_tokens=100"]


@pytest.fixture(scope="module")
def client():
    """Two processes of eight threads, which a nanny replaces where one is killed.

    They are forked from the process that has done the imports for `begun`, which takes half their time.
    """
    size = {"n_workers": 2, "threads_per_worker": THREADS, "dashboard_address": ":0", "memory_limit": 0}
    settings = {
        "distributed.deploy.lost-worker-timeout": "5 minutes",  # a busy machine starts one in half of it
        "distributed.worker.multiprocessing-method": "forkserver",
    }
    forkserver.ensure_running()
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set(settings), LocalCluster(**size) as cluster, Client(cluster) as found:
        yield found


def open_sessions():
    return sum(isinstance(each, ClientSession) and not each.closed for each in gc.get_objects())


@contextmanager
def killing(server, kill, kills, every=60):
    """`kill` is called so many times, at random instants after some requests more each time."""
    choose, first, done = random.Random(kills), len(server.requests), threading.Event()

    def work():
        for number in range(kills):
            while len(server.requests) < first + 10 + every * number and not done.is_set():
                time.sleep(0.002)
            time.sleep(choose.uniform(0, 0.1))
            if done.is_set():
                return
            kill(choose)

    thread = threading.Thread(target=work)
    thread.start()
    yield
    done.set()
    thread.join()


@pytest.mark.parametrize("kills", [1, pytest.param(8, marks=pytest.mark.slow)])
def test_a_lost_worker_repeats_what_was_in_flight(tmp_path, client, kills):
    def kill(choose):
        client.wait_for_workers(2)
        os.kill(choose.choice([each.pid for each in client.cluster.workers.values()]), signal.SIGKILL)
        time.sleep(0.5)  # until that is noticed

    problems = 40 * kills
    with OpenAIServer(answer, latency=0.05) as server:
        study = Study.from_yaml(write_study(tmp_path, server.base_url, problems=problems, concurrency=16))
        study.run(tmp_path / "one", progress=False)
        before = len(server.requests)
        with killing(server, kill, kills):
            study.run(tmp_path / "two", progress=False, executor=client)
        paid = len(server.requests) - before
    assert essence(tmp_path / "two") == essence(tmp_path / "one")
    assert payments_of(tmp_path / "two") == payments_of(tmp_path / "one")
    assert 2 * problems <= paid <= 2 * problems + kills * THREADS
    assert set(client.run(open_sessions).values()) == {0}


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_with_its_cluster(tmp_path, client):
    """SIGKILL of the process that holds the ledger, at four random instants."""
    choose = random.Random(4)
    with OpenAIServer(answer, latency=0.05) as server:
        study = write_study(tmp_path, server.base_url, problems=60, concurrency=16)
        assert run_command(study, tmp_path / "one").returncode == 0
        before = len(server.requests)
        asked = *command(study, tmp_path / "two"), "-o", f"executor.dask={client.scheduler.address}"
        for _ in range(4):
            process, seen = start_command(*asked), len(server.requests)
            while len(server.requests) < seen + choose.randint(4, 20) and process.is_alive():
                time.sleep(0.002)
            process.kill()
            process.join()
        assert run_command(study, tmp_path / "two", *asked[-2:]).returncode == 0
        paid = len(server.requests) - before
    assert essence(tmp_path / "two") == essence(tmp_path / "one")
    assert 120 <= paid <= 120 + 4 * 16


@pytest.mark.slow
def test_a_run_without_a_scheduler_stops_and_goes_on_with_another(tmp_path, client):
    def started(*arguments):
        return subprocess.Popen([sys.executable, "-m", *arguments], stderr=subprocess.PIPE, text=True)

    scheduler = started(
        "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
    )
    address = next(found[0] for line in scheduler.stderr if (found := re.search(r"tcp://[\d.:]+", line)))
    worker = started(
        "distributed.cli.dask_worker", address, "--nthreads", "8", "--no-nanny", "--no-dashboard"
    )
    with OpenAIServer(answer, latency=0.05) as server:
        study = Study.from_yaml(write_study(tmp_path, server.base_url, problems=40, concurrency=16))
        study.run(tmp_path / "one", progress=False)
        before = len(server.requests)
        with killing(server, lambda _: scheduler.kill(), 1), pytest.raises(RunStopped, match="is lost"):
            study.run(tmp_path / "two", progress=False, executor=address)
        worker.kill()
        with pytest.raises(RunStopped, match="no Dask scheduler at"):
            study.run(tmp_path / "two", progress=False, executor=address)
        study.run(tmp_path / "two", progress=False, executor=client)
        paid = len(server.requests) - before
    for process in (scheduler, worker):
        process.communicate()
    assert essence(tmp_path / "two") == essence(tmp_path / "one")
    assert 80 <= paid <= 80 + 8


@pytest.mark.slow
def test_arms_are_stopped_on_a_cluster_as_in_one_process(tmp_path, client):
    with OpenAIServer(helped_by_placebo) as server:
        path = write_study(tmp_path, server.base_url, problems=24)
        path.write_text(path.read_text() + STOP)
        study = Study.from_yaml(path)
        one, two = (
            study.run(tmp_path / name, progress=False, executor=executor)
            for name, executor in (("one", None), ("two", client))
        )
    assert one.counts["scored"] == 24 and essence(tmp_path / "one") == essence(tmp_path / "two")
    assert to_json(one.results)["stopping"] == to_json(two.results)["stopping"]


@pytest.mark.slow
def test_a_budget_holds_across_workers(tmp_path, client):
    """A request may cost 0.0013 dollars at most, and costs 0.000026."""
    with OpenAIServer(answer) as server:
        path = write_study(tmp_path, server.base_url, problems=20, concurrency=16)
        poor = Study.from_yaml(path, [*PRICED, "budget.dollars=0.002"])
        with pytest.raises(BudgetSpent, match="go on with --max-cost"):
            poor.run(tmp_path / "two", progress=False, executor=client)
        assert 0 < len(server.requests) * 26e-6 <= 0.002
        Study.from_yaml(path, PRICED).run(tmp_path / "two", progress=False, executor=client)
        assert len(server.requests) == 40


@pytest.mark.slow
@pytest.mark.parametrize("rate", ["requests=600", f"tokens={26 * 600}"])
def test_a_rate_holds_for_all_workers_together(tmp_path, client, rate):
    """600 requests a minute, or the tokens that these take: 50 at once and 10 a second, as the server sees it."""
    arrived = []

    def noted(request):
        arrived.append(time.monotonic())
        return answer(request)

    with OpenAIServer(noted) as server:
        path = write_study(tmp_path, server.base_url, problems=80, concurrency=16)
        study = Study.from_yaml(path, [f"rates.openai.{rate}"])
        study.run(tmp_path / "run", progress=False, executor=client)
    waited = np.subtract.outer(arrived, arrived)
    after = np.subtract.outer(np.arange(160), np.arange(160))
    assert (after + 1 - 10 * waited)[after > 0].max() <= 50 + UNDER_WAY
    assert arrived[-1] - arrived[0] <= 1.5 * (160 - 50) / 10 + 5, "what the rate allows is used"


@pytest.mark.slow
def test_tools_and_scorers_run_on_the_workers(tmp_path, client):
    """The demo's arms, with sandboxes, a search and property tables, on some of its problems."""
    study = Study.from_yaml("experiments/configs/demo.yaml").only(limit=6)
    study.run(tmp_path / "one", progress=False)
    study.run(tmp_path / "two", progress=False, executor=client)
    one, two = ([row[:2] for row in essence(tmp_path / name)] for name in ("one", "two"))
    assert one == two


@pytest.mark.slow
def test_a_try_on_a_worker_that_timed_out_stays_in_the_budget(tmp_path, client):
    """Each of three tries may cost 0.0013 to 0.003 dollars, by the length of its prompt."""
    tries = ", timeout: 0.5, retry: {tries: 3, initial_wait: 0.001, max_wait: 0.001}"
    with OpenAIServer(lambda request: answer(request) if request.earlier == 2 else Slow(9.0)) as server:
        path = write_study(tmp_path, server.base_url, problems=2, settings=tries)
        run = Study.from_yaml(path, [*PRICED, "budget.dollars=1"])
        run.run(tmp_path / "run", progress=False, executor=client)
    totals = payments_of(tmp_path / "run").values()
    assert sum(each.requests for each in totals) == len(server.requests) == 12
    assert 8 * 0.0013 <= sum(each.promised for each in totals) <= 8 * 0.003
