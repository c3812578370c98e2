"""`seconds` is the provider's and the tools' working time, however many attempts are made at once."""

import asyncio
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool

from ansatz.agents import Limits, Question, Reply, run_agent
from ansatz.agents.models import connect
from ansatz.agents.plan import BASE_PLAN
from ansatz.interventions.calculator import python_tool
from ansatz.sandbox import Execution, Sandbox

QUESTION = Question("How much?")
DELAY = 0.4
SERVER = f"""
import sys, time
from tests.fakes.{{module}} import {{name}}
from tests.fakes.behaviours import Answer
class Timed({{name}}):
    came = {{{{}}}}
    def _record(self, head, body):
        request = super()._record(head, body)
        self.came[request.number] = time.perf_counter()
        return request
def script(request):
    return Answer(str(time.perf_counter() - Timed.came[request.number]))
with Timed(script, latency={DELAY}) as server:
    print(server.base_url, flush=True)
    sys.stdin.read()
"""


@contextmanager
def server(provider):
    """In a process of its own: in ours it would wait for the very lock that the attempts wait for."""
    module, name = {
        "openai": ("openai_server", "OpenAIServer"),
        "anthropic": ("anthropic_server", "AnthropicServer"),
    }[provider]
    code = SERVER.format(module=module, name=name)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()


async def mean_times(base_url, provider, concurrency, attempts):
    """Seconds as recorded, by the clock on the wall, and by the server's own; with so many attempts at once."""
    client = connect(f"{provider}:fake", {"base_url": base_url})
    gate = asyncio.Semaphore(concurrency)

    async def attempt():
        async with gate:
            started = time.perf_counter()
            transcript = await run_agent(BASE_PLAN, QUESTION, client)
            elapsed = time.perf_counter() - started
            time.sleep(0.01)  # scoring and the ledger: what keeps the event loop from the answers
            return transcript.seconds, elapsed, float(transcript.answer)

    found = await asyncio.gather(*(attempt() for _ in range(attempts)))
    await client.aclose()
    return [statistics.mean(times) for times in zip(*found, strict=True)]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells when an answer came")
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
async def test_a_models_seconds_do_not_grow_with_the_number_of_attempts_at_once(provider):
    """The server's own time is what is left to compare with where the machine is busy with other things."""
    with server(provider) as base_url:
        for concurrency, attempts in ((4, 12), (50, 150)):
            seconds, elapsed, served = await mean_times(base_url, provider, concurrency, attempts)
            print(provider, concurrency, seconds, elapsed, served)
            assert seconds == pytest.approx(served, abs=0.1 * DELAY)
    assert elapsed > seconds + 0.25 * DELAY  # a clock on the wall would have counted the wait for our process


@dataclass
class AsksForTools:
    """Asks for `calls` at once, then answers. Works no time at all."""

    calls: list[dict[str, object]]
    identity: ClassVar = {"model": "asks"}

    async def reply(self, messages, tools):
        done = any(message.type == "tool" for message in messages)
        calls = [] if done else [{**call, "id": str(number)} for number, call in enumerate(self.calls)]
        return Reply(AIMessage("done" if done else "", tool_calls=calls), seconds=0.0)

    async def aclose(self):
        pass


async def test_waiting_for_a_worker_of_the_sandbox_is_no_work_and_costs_no_time_limit():
    nap = {"name": "run_python", "args": {"code": "import time\ntime.sleep(0.3)"}}
    async with Sandbox(1, preload=(), min_isolation="L1") as sandbox:  # its start, too, is waited for
        plan = BASE_PLAN.equip(python_tool(sandbox)).limited(Limits(seconds=60.0))
        started = time.perf_counter()
        transcript = await run_agent(plan, QUESTION, AsksForTools([nap] * 6))
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

    plan = BASE_PLAN.equip(python_tool(Busy())).limited(Limits(seconds=0.6))

    class Twice(AsksForTools):
        async def reply(self, messages, tools):
            done = sum(message.type == "tool" for message in messages)
            calls = [{"name": "run_python", "args": {"code": "1"}, "id": str(done)}] if done < 3 else []
            return Reply(AIMessage("" if calls else "done", tool_calls=calls), seconds=0.0)

    transcript = await run_agent(plan, QUESTION, Twice([]))
    assert (transcript.stop, len(transcript.tool_calls)) == ("answered", 3)
    assert transcript.seconds == pytest.approx(0.03)


async def test_waiting_for_a_thread_is_no_work_of_a_tool():
    def nap() -> str:
        """Sleep."""
        time.sleep(0.1)
        return "rested"

    plan = BASE_PLAN.equip(StructuredTool.from_function(nap)).limited(Limits(tool_calls=100))
    transcript = await run_agent(plan, QUESTION, AsksForTools([{"name": "nap", "args": {}}] * 64))
    assert statistics.mean(call.seconds for call in transcript.tool_calls) == pytest.approx(0.1, rel=0.3)
