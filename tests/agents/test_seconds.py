"""`seconds` is the provider's and the tools' working time, however many attempts are made at once."""

import asyncio
import multiprocessing
import statistics
import sys
import time
from dataclasses import dataclass
from typing import ClassVar

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool

from ansatz.agents import Limits, Question, Reply, Retry, run_agent
from ansatz.agents.models import connect
from ansatz.agents.plan import base_plan
from ansatz.interventions.calculator import make_python_tool
from ansatz.sandbox import Execution, Sandbox
from tests.agents.providers import SERVERS
from tests.fakes.behaviours import Answer

QUESTION = Question("How much?")
DELAY = 0.4


def serve(name, pipe):
    """Serve answers that state their own time, until a message comes through the pipe."""
    came = {}

    class Timed(SERVERS[name]):
        def _record(self, head, body):
            request = super()._record(head, body)
            came[request.number] = time.perf_counter()
            return request

    def script(request):
        return Answer(str(time.perf_counter() - came[request.number]))

    with Timed(script, latency=DELAY) as server:
        pipe.send(server.base_url)
        pipe.recv()


async def mean_times(client, concurrency, attempts):
    """Seconds as recorded, by the clock on the wall, and by the server's own; with so many attempts at once."""
    gate = asyncio.Semaphore(concurrency)

    async def attempt():
        async with gate:
            started = time.perf_counter()
            transcript = await run_agent(base_plan(), QUESTION, client)
            elapsed = time.perf_counter() - started
            time.sleep(0.01)  # scoring and the ledger: what keeps the event loop from the answers
            return transcript.seconds, elapsed, float(transcript.answer)

    found = await asyncio.gather(*(attempt() for _ in range(attempts)))
    await client.aclose()
    return [statistics.mean(times) for times in zip(*found, strict=True)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports when an answer arrived")
async def test_model_seconds_do_not_grow_with_parallel_attempts(name):
    """The comparison is with the server's own time, which is valid on a busy machine, too.

    The server is a separate process: in this one it would wait for the same lock as the attempts.
    """
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(name, there), daemon=True)
    server.start()
    client = connect(name, {"base_url": here.recv()})
    for concurrency, attempts in ((4, 12), (50, 150)):
        seconds, elapsed, served = await mean_times(client, concurrency, attempts)
        print(name, concurrency, seconds, elapsed, served)
        assert seconds == pytest.approx(served, abs=0.1 * DELAY)
    here.send("end")
    server.join()
    assert elapsed > seconds + 0.25 * DELAY  # elapsed time includes the wait for this process


@dataclass
class Client:
    """Asks for the calls of each round, then answers. Works `works` of the seconds that a reply takes."""

    rounds: tuple[list[dict[str, object]], ...] = ()
    works: float = 0.0
    takes: float = 0.0
    identity: ClassVar = {"model": "asks"}

    async def reply(self, messages, tools, context):
        await asyncio.sleep(self.takes)
        done = sum(message.type == "ai" for message in messages)
        asked = self.rounds[done] if done < len(self.rounds) else []
        calls = [{**call, "id": str(number)} for number, call in enumerate(asked)]
        waited = Retry(reason="429", waited=self.takes - self.works)
        return Reply(AIMessage("" if calls else "done", tool_calls=calls), self.works, (waited,))

    async def aclose(self):
        pass


@pytest.mark.parametrize(("works", "stop"), [(0.01, "answered"), (0.2, "seconds")])
async def test_waiting_between_tries_costs_no_time_limit(works, stop):
    plan = base_plan().set_limits(Limits(seconds=0.1))
    assert (await run_agent(plan, QUESTION, Client(works=works, takes=0.2))).stop == stop


async def test_waiting_for_a_worker_of_the_sandbox_is_no_work():
    nap = {"name": "run_python", "args": {"code": "import time\ntime.sleep(0.3)"}}
    async with Sandbox(1, preload=(), min_isolation="filter") as sandbox:  # its start, too, is waited for
        started = time.perf_counter()
        transcript = await run_agent(
            base_plan().equip(make_python_tool(sandbox)), QUESTION, Client(([nap] * 6,))
        )
        elapsed = time.perf_counter() - started
    assert [call.ok for call in transcript.tool_calls] == [True] * 6
    assert elapsed > 1.8
    assert all(0.3 <= call.seconds < 0.6 for call in transcript.tool_calls)
    assert transcript.seconds == pytest.approx(sum(call.seconds for call in transcript.tool_calls))


async def test_the_time_limit_leaves_out_the_wait_for_a_worker():
    class Busy:
        async def run(self, code):
            await asyncio.sleep(0.4)  # in a queue
            return Execution(status="ok", stdout="42\n", wall=0.01)

    plan = base_plan().equip(make_python_tool(Busy())).set_limits(Limits(seconds=0.6))
    client = Client(([{"name": "run_python", "args": {"code": "1"}}],) * 3)
    assert (await run_agent(plan, QUESTION, client)).stop == "answered"


async def test_waiting_for_a_thread_is_no_work_of_a_tool():
    def nap() -> str:
        """Sleep."""
        time.sleep(0.1)
        return "rested"

    plan = base_plan().equip(StructuredTool.from_function(nap)).set_limits(Limits(tool_calls=100))
    transcript = await run_agent(plan, QUESTION, Client(([{"name": "nap", "args": {}}] * 64,)))
    assert statistics.mean(call.seconds for call in transcript.tool_calls) == pytest.approx(0.1, rel=0.3)
