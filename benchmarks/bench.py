"""Measure speed next to a peer in the same run. Compare ratios, not times, between machines.

make bench            or: .venv/bin/python benchmarks/bench.py [name ...]
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ansatz.eval.score import ScoringContext

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.experiments import served_study
from tests.fakes.behaviours import Behaviour, Failure, Request
from tests.fakes.openai_server import OpenAIServer

SAMPLES, CONCURRENCY, LATENCY = 1000, 100, 0.2
ANSATZ = [sys.executable, "-m", "ansatz.cli"]
PEER = Path(__file__).parent.parent / ".inspect/bin/python"


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the median time of a few runs."""
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def bench_start() -> None:
    """Compare `ansatz --help` with an empty interpreter."""
    own = seconds(
        lambda: subprocess.run(
            [sys.executable, "-m", "ansatz.cli", "--help"], capture_output=True, check=True
        )
    )
    bare = seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True))
    report("ansatz --help", f"{own:.2f} s", f"{own / bare:.1f} x an empty interpreter")


def bench_offline() -> None:
    """Measure the answers of the offline model per second in one process."""
    from langchain_core.messages import HumanMessage

    from ansatz.agents.slide_rule import SlideRule
    from ansatz.eval.benchmarks import tps

    model = SlideRule()
    questions = [[HumanMessage(problem.ask().text)] for problem in tps.load(instances=2)]
    taken = seconds(lambda: [model.reply(question, {}) for question in questions], repeats=3)
    report("offline model", f"{len(questions) / taken:.0f} answers/s", "text-only questions, one core")


def bench_retrieval() -> None:
    """Measure one search of the equation base, and the share of embedding the query."""
    from ansatz.eval.benchmarks import tps
    from ansatz.knowledge_base.search import Searcher

    questions = [problem.question for problem in tps.load(instances=1)][:60]
    hybrid, lexical = Searcher(), Searcher(ranker="bm25")
    hybrid.search("warm up")
    lexical.search("warm up")
    both = seconds(lambda: [hybrid.search(question) for question in questions], repeats=1) / len(questions)
    words = seconds(lambda: [lexical.search(question) for question in questions], repeats=1) / len(questions)
    report(
        "retrieval",
        f"{both * 1000:.1f} ms/question",
        f"{both / words:.1f} x words alone ({words * 1000:.1f} ms)",
    )


def bench_code() -> None:
    """Compare a trivial run of model-written code with a plain interpreter."""
    from ansatz.sandbox import Sandbox

    own = seconds(lambda: asyncio.run(Sandbox(min_isolation="none").run("print(6 * 7)")), repeats=9)
    plain = seconds(
        lambda: subprocess.run([sys.executable, "-I", "-c", "print(6 * 7)"], capture_output=True, check=True),
        repeats=9,
    )
    report("run_python", f"{own * 1000:.0f} ms", f"{own / plain:.1f} x a plain interpreter")


def bench_scoring() -> None:
    """Measure all scorers on answers of the offline model."""
    from ansatz.agents import run_agent
    from ansatz.agents.models import connect
    from ansatz.agents.plan import BASE_PLAN
    from ansatz.eval.benchmarks import tps
    from ansatz.eval.outcome import Outcome
    from ansatz.eval.verifier.verifier import Verifier

    model, problems = connect("offline:slide-rule"), tps.load(instances=1)

    async def answers() -> list[object]:
        return [await run_agent(BASE_PLAN, problem.ask(), model) for problem in problems]

    transcripts = asyncio.run(answers())

    async def score(scorer: object) -> None:
        for problem, transcript in zip(problems, transcripts, strict=True):
            await scorer.score(ScoringContext(problem, transcript))  # type: ignore[attr-defined]

    for scorer in (Outcome(), Verifier()):
        asyncio.run(score(scorer))
        taken = seconds(lambda scorer=scorer: asyncio.run(score(scorer)), repeats=3) / len(problems)  # type: ignore[misc]
        report(type(scorer).__name__.lower(), f"{taken * 1000:.2f} ms/answer", "deterministic")


def bench_runner() -> None:
    """Run a durable study, bare LangGraph and Inspect on the same server; then run the same study again."""
    with OpenAIServer(served_study.answer, latency=LATENCY) as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study = served_study.write_study(
            folder, server.base_url, problems=SAMPLES // 2, concurrency=CONCURRENCY
        )
        own = measured([*ANSATZ, *map(str, served_study.command(study, folder / "out"))])
        again = measured([*ANSATZ, *map(str, served_study.command(study, folder / "out"))])
        disk = sum(file.stat().st_size for file in (folder / "out").iterdir()) / SAMPLES
        bare = measured([sys.executable, __file__, "--bare", server.base_url])
        peer = [PEER, Path(__file__).with_name("inspect_task.py"), folder / "items.jsonl", server.base_url]
        inspect = (
            measured([*map(str, peer), str(folder / "logs"), str(CONCURRENCY)]) if PEER.exists() else None
        )
    report("durable run", own.rate, own.cost)
    report("bare LangGraph", bare.rate, f"{bare.cost}; Ansatz {bare.seconds / own.seconds:.2f} x")
    comparison = (
        f"{inspect.cost}; Ansatz {inspect.seconds / own.seconds:.2f} x" if inspect else "run `make bench`"
    )
    report("Inspect", inspect.rate if inspect else "not installed", comparison)
    report("the same run again", f"{again.seconds:.1f} s", f"{SAMPLES} samples, {again.cpu:.1f} s CPU")
    report("ledger", f"{disk / 1000:.1f} kB/sample", "everything in the run folder")


def bench_refusals() -> None:
    """Measure a durable study with 200 concurrent requests, a random share of which is refused (429).

    Retries wait for 0.2 s, so that the last one does not decide.
    """
    found, problems = {}, 2 * SAMPLES
    for share in (0.0, 0.01, 0.03):
        chance = random.Random(0)

        def answer(request: Request, share: float = share, chance: random.Random = chance) -> Behaviour:
            refused = Failure(429, "no", headers={"retry-after": "0.2"})
            return refused if chance.random() < share else served_study.answer(request)

        with OpenAIServer(answer, latency=LATENCY) as server, tempfile.TemporaryDirectory() as name:
            study = served_study.write_study(Path(name), server.base_url, problems=problems, concurrency=200)
            found[share] = measured([*ANSATZ, *map(str, served_study.command(study, Path(name) / "out"))])
        comparison = f"{found[share].seconds / found[0.0].seconds:.2f} x without refusals"
        report(f"{share:.0%} refused", f"{2 * problems / found[share].seconds:.0f} samples/s", comparison)


def bench_unit() -> None:
    """Measure one problem in one arm on the offline model from a shell; it should take at most 1.5 s."""
    with tempfile.TemporaryDirectory() as name:
        study = served_study.write_study(Path(name), "", problems=1)
        text = study.read_text(encoding="utf-8").splitlines()
        text[2] = "  - offline:slide-rule"
        study.write_text("\n".join(text), encoding="utf-8")
        runs = [
            measured(
                [*ANSATZ, *map(str, served_study.command(study, study.parent / each)), "--arm", "baseline"]
            )
            for each in ("first", "second", "third")
        ]
    best = min(runs, key=lambda each: each.seconds)
    report("one unit", f"{best.seconds:.2f} s", f"{best.cpu:.2f} s CPU, {best.megabytes:.0f} MB")


def bench_dask() -> None:
    """Compare a study on a local cluster of two processes with the same study in the run's process."""
    from distributed import Client, LocalCluster

    from ansatz.experiments.study import Study

    size = {"n_workers": 2, "threads_per_worker": CONCURRENCY // 2, "dashboard_address": ":0"}
    with (
        OpenAIServer(served_study.answer, latency=LATENCY) as server,
        tempfile.TemporaryDirectory() as name,
        LocalCluster(**size) as cluster,
        Client(cluster) as client,
    ):
        path = served_study.write_study(
            Path(name), server.base_url, problems=SAMPLES // 2, concurrency=CONCURRENCY
        )
        study = Study.from_yaml(path)
        study.only(limit=CONCURRENCY).run(Path(name) / "warm", executor=client)
        spread = seconds(lambda: study.run(Path(name) / "spread", executor=client), repeats=1)
        alone = seconds(lambda: study.run(Path(name) / "alone"), repeats=1)
    comparison = f"{alone / spread:.2f} x one process ({SAMPLES / alone:.0f} samples/s), processes warm"
    report("run through Dask", f"{SAMPLES / spread:.0f} samples/s", comparison)


@dataclass(frozen=True)
class Measured:
    """Measure a process from start to end."""

    seconds: float
    cpu: float
    megabytes: float

    @property
    def rate(self) -> str:
        return f"{SAMPLES / self.seconds:.0f} samples/s"

    @property
    def cost(self) -> str:
        return f"{self.cpu * 1000 / SAMPLES:.1f} ms CPU/sample, {self.megabytes:.0f} MB"


def measured(command: list[str]) -> Measured:
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)}: {errors[-2000:]}")
    return Measured(time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


async def bare_langgraph(base_url: str) -> None:
    """Run the same number of one-node graphs over ChatOpenAI with its default client, without storage."""
    from langchain_core.messages import HumanMessage
    from langchain_openai import ChatOpenAI
    from langgraph.graph import END, START, MessagesState, StateGraph

    model = ChatOpenAI(model="fake", base_url=base_url, api_key="none", max_retries=0)  # type: ignore[arg-type]
    graph = StateGraph(MessagesState)

    async def ask(state: MessagesState) -> dict[str, object]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    graph.add_node("model", ask)
    graph.add_edge(START, "model")
    graph.add_edge("model", END)
    compiled, gate = graph.compile(), asyncio.Semaphore(CONCURRENCY)

    async def one(number: int) -> None:
        async with gate:
            await compiled.ainvoke({"messages": [HumanMessage(str(served_study.item(number)["question"]))]})

    await asyncio.gather(*(one(number % (SAMPLES // 2)) for number in range(SAMPLES)))


def report(what: str, figure: str, comparison: str) -> None:
    print(f"{what:22} {figure:>18}   {comparison}", flush=True)


def main(names: list[str]) -> None:
    for name, work in list(globals().items()):
        if name.startswith("bench_") and (not names or name.removeprefix("bench_") in names):
            work()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--bare"]:
        asyncio.run(bare_langgraph(sys.argv[2]))
    else:
        main(sys.argv[1:])
