"""Run studies against a loopback provider that refuses or breaks a share of the requests.

    python -m benchmarks.load refusals [--problems 1000]    # no 429, then 1 % of random 429
    python -m benchmarks.load faults [--problems 20000]     # 5 % faults of six kinds

Both make two attempts per problem at concurrency 200. `faults` ends with status 1 if an attempt is lost, wrong or answered
twice. The provider runs in a separate process. The output is attempts per second, processor time, memory and machine load.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from ansatz.agents.models.traffic import Traffic
from ansatz.experiments.study import Study
from tests.experiments.records import payments_of
from tests.experiments.served_study import answer, write_study
from tests.fakes.behaviours import Answer, Behaviour, Dropped, Failure, Raw, Request
from tests.fakes.openai_server import OpenAIServer

CONCURRENCY = 200
FAULTS: dict[str, Behaviour] = {
    "429": Failure(429),
    "500": Failure(500),
    "closed before the answer": Dropped(),
    "closed within the answer": Dropped(midway=True),
    "half of JSON": Raw(b'{"id": "chatcmpl-1", "choices": [{"mess'),
    "a page of a gateway": Raw(b"<html>Bad Gateway</html>", "text/html", 502),
}


class Provider(OpenAIServer):
    """Draws faults for a share of the requests, and counts the answers per prompt and the active requests."""

    def __init__(self, share: float, kinds: list[str], latency: float) -> None:
        super().__init__(self._drawn, latency=latency)
        self.choose, self.share, self.kinds = Random(7), share, kinds
        self.answers: Counter[int] = Counter()
        self.met: Counter[str] = Counter()
        self.busy, self.busy_seconds, self._since = 0, 0.0, time.perf_counter()

    def _drawn(self, request: Request) -> Behaviour:
        self._change(-1)
        if self.choose.random() < self.share:
            kind = self.choose.choice(self.kinds)
            self.met[kind] += 1
            return FAULTS[kind]
        self.answers[hash(request.text)] += 1
        found: Answer = answer(request)
        return found

    def _record(self, head: bytes, body: bytes) -> Request:
        self._change(1)
        request = super()._record(head, body)
        self.requests.clear()
        self._bodies.clear()
        return request

    def _change(self, by: int) -> None:
        now = time.perf_counter()
        self.busy_seconds += self.busy * (now - self._since)
        self.busy, self._since = self.busy + by, now


def serve(pipe: Connection, share: float, kinds: list[str], latency: float) -> None:
    """Serve until the run ends, then send the counts."""
    with Provider(share, kinds, latency) as server:
        pipe.send(server.base_url)
        pipe.recv()
        pipe.send((server.answers, server.met, server.busy_seconds))


def watch_concurrency() -> list[float]:
    """Return a list with the lowest concurrency of any `Traffic` in this process from now on."""
    lowest, count = [float(CONCURRENCY)], Traffic._count

    def counted(traffic: Traffic, *about: Any, **more: Any) -> None:
        count(traffic, *about, **more)
        lowest[0] = min(lowest[0], traffic.concurrency)

    Traffic._count = counted  # type: ignore[method-assign]
    return lowest


def measure(problems: int, share: float, kinds: list[str], latency: float) -> bool:
    """Run a study, print its cost, and return whether every attempt has one answer and a right score."""
    here, there = multiprocessing.Pipe()
    arguments = (there, share, kinds, latency)
    server = multiprocessing.get_context("spawn").Process(target=serve, args=arguments, daemon=True)
    server.start()
    lowest = watch_concurrency()
    with tempfile.TemporaryDirectory() as folder:
        path = write_study(Path(folder), here.recv(), problems=problems, concurrency=CONCURRENCY)
        study = Study.from_yaml(path)
        started, worked = time.perf_counter(), time.process_time()
        run = asyncio.run(study.arun(Path(folder) / "run", progress=False))
        elapsed, worked = time.perf_counter() - started, time.process_time() - worked
        here.send("end")
        answers, met, busy_seconds = here.recv()
        server.join()
        counts: Any = run.counts
        paid = sum(each.requests for each in payments_of(run.folder).values())
        right = sum(value == 1 for value in run.attempts()["outcome"])
    attempts = 2 * problems
    twice = sum(answers.values()) - len(answers)
    print(
        f"{share:.0%} faults ({met.total():,}): {attempts:,} attempts in {elapsed:.0f} s = {attempts / elapsed:.0f}/s, "
        f"{busy_seconds / elapsed:.0f} requests at the provider on average, concurrency never below {lowest[0]:.0f}, {1e3 * worked / attempts:.1f} ms of processor time an attempt, "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, load {os.getloadavg()[0]:.1f}"
    )
    print(
        f"  {attempts - counts['scored']} lost, {counts['scored'] - right} wrong, {twice} answered twice, "
        f"{paid - attempts} paid too many; {dict(met)}"
    )
    return bool(counts["scored"] == right == paid == attempts and not twice)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["refusals", "faults"])
    parser.add_argument("--problems", type=int)
    chosen = parser.parse_args()
    if chosen.what == "refusals":
        shares, kinds, latency, problems = [0.0, 0.01], ["429"], 1.0, chosen.problems or 1000
    else:
        shares, kinds, latency, problems = [0.05], list(FAULTS), 0.2, chosen.problems or 20_000
    sound = [measure(problems, share, kinds, latency) for share in shares]
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
