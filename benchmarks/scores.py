"""Time and memory of importing a large table of scores, and of its report.

    python -m benchmarks.scores [--rows 1000000] [--problems 10000] [--form csv]

The table has ten models under five arms. The output is the time since the start, and the peak memory, of each step.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import polars

from ansatz.eval.score_tables import read_scores
from ansatz.experiments.imported_scores import write_scores

MODELS, ARMS = 10, 5


def write_table(path: Path, rows: int, problems: int) -> None:
    """Write random verdicts: problems differ in difficulty, and one arm helps."""
    draw = np.random.default_rng(1)
    repeats = max(1, rows // (MODELS * ARMS * problems))
    number = np.arange(MODELS * ARMS * problems * repeats)
    problem, rest = number % problems, number // problems
    arm, rest = rest % ARMS, rest // ARMS
    chance = draw.beta(2, 2, problems)[problem] + 0.05 * (arm == 1)
    frame = polars.DataFrame(
        {
            "model": [f"model-{each}" for each in rest % MODELS],
            "arm": [f"arm-{each}" for each in arm],
            "problem": [f"problem-{each}" for each in problem],
            "family": [f"family-{each // 4}" for each in problem],
            "repeat": rest // MODELS,
            "value": (draw.random(len(number)) < chance).astype(int),
            "tokens": draw.integers(100, 5000, len(number)),
        }
    )
    frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_csv(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--problems", type=int, default=10_000)
    parser.add_argument("--form", choices=("csv", "parquet"), default="csv")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / f"scores.{chosen.form}"
        write_table(table, chosen.rows, chosen.problems)
        print(f"table: {table.stat().st_size / 1e6:.0f} MB")
        started, started_cpu = time.perf_counter(), time.process_time()

        def show(step: str) -> None:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
            busy = time.process_time() - started_cpu
            print(
                f"{step}: {time.perf_counter() - started:.0f} s, CPU {busy:.0f} s, peak {peak:.2f} GB",
                flush=True,
            )

        show("start")
        scores = read_scores(table)
        show("read")
        run = write_scores(scores, Path(folder) / "run")
        show("imported")
        print(run.counts)
        del scores
        run.report()
        show("reported")
        print(f"ledger: {(run.folder / 'ledger.sqlite').stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
