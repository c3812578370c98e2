"""How long a cold process takes to load the whole base, with the user's cache and without.

.venv/bin/python benchmarks/load.py [--runs 7]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

_LOAD = (
    "import time; t = time.perf_counter(); from ansatz.knowledge_base.equation import library; "
    "n = len(library()); print(n, time.perf_counter() - t, time.process_time())"
)


def timed(folder: str) -> tuple[int, float, float]:
    """Entries, seconds from the first import to the last entry, and CPU seconds of the whole process."""
    environment = {**os.environ, "ANSATZ_CACHE": folder}
    output = subprocess.run(
        [sys.executable, "-c", _LOAD], env=environment, capture_output=True, text=True, check=True
    )
    count, seconds, busy = output.stdout.split()
    return int(count), float(seconds), float(busy)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time to load the base in a new process.")
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        rows = {"from YAML": [timed(os.devnull) for _ in range(runs)]}
        timed(folder)
        rows["from the cache"] = [timed(folder) for _ in range(runs)]
    for name, found in rows.items():
        seconds, busy = ([row[column] for row in found] for column in (1, 2))
        print(
            f"{found[0][0]} entries {name:15} {statistics.median(seconds):.3f} s "
            f"(least {min(seconds):.3f}), CPU {statistics.median(busy):.3f} s"
        )


if __name__ == "__main__":
    main()
