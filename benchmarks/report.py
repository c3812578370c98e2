"""Measure time and memory of a report, a page, an export and a comparison of a generated ledger of 100,000 attempts.

    python benchmarks/report.py [--attempts 100000] [--dimensions 12] [--arms 5] [--families 400]

`--attempts 40000 --dimensions 4 --arms 2 --families 20000` is a study in which each problem is a family.

The ledger is written by the store itself; its scores are random, so the differences mean nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ansatz.agents import ModelCall, Transcript, Usage
from ansatz.eval import Dimension, Problem, Score
from ansatz.eval.problem import NumberTarget
from ansatz.experiments.ledger import Ledger, PlannedAttempt

ARMS = ("baseline", "a", "b", "c", "d", "e", "f", "g")


def write_ledger(
    folder: Path, attempts: int, dimensions: int, arms: Sequence[str] = ARMS[:5], families: int = 400
) -> None:
    """Write attempts of one model with random scores."""
    drawn = random.Random(0)
    names = [f"d{number}" for number in range(dimensions)]
    problems = [_problem(number, families) for number in range(attempts // len(arms))]
    attempts = [PlannedAttempt(f"{p.id}/{arm}", "m", arm, p.id, 0) for p in problems for arm in arms]
    model = {"title": "m", "name": "m", "simulated": False, "identity": {}}
    study = {
        "name": "made", "baseline": "baseline", "seed": 0, "repeats": 1, "judges": [], "scorers": [],
        "models": [{**model, "input_price": 1.0, "output_price": 5.0}],
        "arms": [{"name": arm, "switches": {} if arm == "baseline" else {arm: {}}, "builds_on": False} for arm in arms],
        "dimensions": [Dimension(name).to_json() for name in names],
    }  # fmt: skip
    with Ledger.open(folder) as ledger:
        ledger.describe({"study": study, "manifest": {}})
        ledger.plan(attempts, problems)
        for attempt in attempts:
            scores = [Score(dimension=name, value=drawn.random(), evidence="drawn") for name in names]
            ledger.record(attempt, transcript=_transcript(drawn.randrange(1000)), scores=scores)


def _problem(number: int, families: int) -> Problem:
    target = NumberTarget(name="Q", unit="J", weight=1.0, value=1.0)
    tags = {"level": f"L{number % 4 + 1}"}
    return Problem(
        id=f"p{number}",
        family=f"f{number % families}",
        benchmark="made",
        question="?",
        targets=(target,),
        tags=tags,
    )


def _transcript(tokens: int) -> Transcript:
    call = ModelCall(node="model", seconds=0.1, usage=Usage(input=100, output=tokens))
    return Transcript(
        answer="Q = 1 J", stop="answered", messages=(), model_calls=(call,), tool_calls=(), seconds=0.1
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--attempts", type=int, default=100_000)
    asked.add_argument("--dimensions", type=int, default=12)
    asked.add_argument("--arms", type=int, default=5, choices=range(2, len(ARMS) + 1))
    asked.add_argument("--families", type=int, default=400)
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        started = time.perf_counter()
        write_ledger(Path(name), chosen.attempts, chosen.dimensions, ARMS[: chosen.arms], chosen.families)
        written = time.perf_counter()
        size = (Path(name) / "ledger.sqlite").stat().st_size
        print(
            f"ledger   {written - started:6.1f} s to write, {size / 1e6:,.0f} MB, "
            f"{size / chosen.attempts:.0f} bytes an attempt"
        )
        for command in (
            ["report", name],
            ["view", name],
            ["export", name, "--to", "parquet"],
            [
                "compare",
                name,
                name,
                *(word for arm in ARMS[1 : chosen.arms] for word in ("--map", f"baseline={arm}")),
            ],
        ):
            print(f"{command[0]:8} {_measured(command)}", flush=True)


def _measured(arguments: list[str]) -> str:
    """Measure time and memory of a separate command."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "ansatz.cli", *arguments]
    done = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(done.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 3):  # 3: a comparison that cannot tell
        raise SystemExit(f"{arguments[0]} failed")
    taken = time.perf_counter() - started
    return f"{taken:6.1f} s, {used.ru_utime + used.ru_stime:.1f} s CPU, {used.ru_maxrss / 1e6:.2f} GB"


if __name__ == "__main__":
    main()
