"""Measure the tool funnel: the share of planted attempts that it classifies right, and its speed.

    python -m benchmarks.funnel [--attempts 10000]

The attempts are those of `tests/experiments/planted_transcripts.py`, 200 for each seed. A run folder is written,
then its funnel is read and counted. Times are processor times of one core.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path

from ansatz.experiments.attribution.frames import call_records
from ansatz.experiments.attribution.funnel import read_tool_use
from ansatz.experiments.ledger.stored_results import read_results
from tests.experiments.planted_run import write_planted_run
from tests.experiments.planted_transcripts import plant


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--attempts", type=int, default=10_000)
    seeds = max(asked.parse_args().attempts // 200, 1)
    planted = [each for seed in range(seeds) for each in plant(seed)]
    with tempfile.TemporaryDirectory() as folder:
        write_planted_run(Path(folder), planted)
        data = read_results(Path(folder))
        started = time.process_time()
        found = read_tool_use(data)
        traced = time.process_time() - started
        found.rows()
        counted = time.process_time() - started
        calls = {(row["problem"], row["number"]): row for row in call_records(found)}
    wrong: Counter[str] = Counter()
    for number, each in enumerate(planted):
        wrong[each.kind] += any(
            calls[f"p{number}", call][name] != value
            for call, expected in each.expected.items()
            for name, value in expected.items()
        )
    print(f"{len(planted):,} attempts: {1 - wrong.total() / len(planted):.2%} classified right")
    print(f"funnel: {counted:.1f} s, of which {traced:.1f} s to read and trace the conversations")
    print({kind: count for kind, count in wrong.items() if count})


if __name__ == "__main__":
    main()
