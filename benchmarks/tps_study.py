"""Measure time and CPU time of the TPS factorial study: the run, killed once and resumed, and its report.

.venv/bin/python benchmarks/tps_study.py [--study experiments/configs/tps_factorial.yaml] [--limit N] [--kill-after 60]
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
_ANSATZ = (sys.executable, "-m", "ansatz.cli")


def timed(arguments: list[str], kill_after: float | None = None) -> tuple[str, float, float]:
    """Return a command's output, its seconds, and the CPU seconds of it and its children."""
    before, start = os.times(), time.perf_counter()
    process = subprocess.Popen(
        [*_ANSATZ, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        output, errors = process.communicate(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        output, errors = process.communicate()
    else:
        if process.returncode:
            sys.exit(f"ansatz {' '.join(arguments)}: exit status {process.returncode}\n{errors[-2000:]}")
    after = os.times()
    busy = after.children_user - before.children_user + after.children_system - before.children_system
    return output, time.perf_counter() - start, busy


def main() -> None:
    parser = argparse.ArgumentParser(description="Time of a study, its resumption and its report.")
    parser.add_argument("--study", default="experiments/configs/tps_factorial.yaml")
    parser.add_argument("--limit", help="only the first N problems")
    parser.add_argument(
        "--kill-after", type=float, default=60.0, help="seconds until the first start is killed"
    )
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = ["run", chosen.study, "--out", folder, *(["--limit", chosen.limit] if chosen.limit else [])]
        _, killed_wall, killed_cpu = timed(run, chosen.kill_after)
        output, wall, cpu = timed(run)
        print(re.sub(r"^\S+: ", "", output.strip()))
        print(
            f"killed after {killed_wall:6.1f} s (CPU {killed_cpu:6.1f} s), then finished in {wall:6.1f} s (CPU {cpu:6.1f} s)"
        )
        print(f"run          {killed_wall + wall:6.1f} s, CPU {killed_cpu + cpu:6.1f} s, target 600 s")
        _, wall, cpu = timed(run)
        print(f"nothing left {wall:6.1f} s, CPU {cpu:6.1f} s")
        _, wall, cpu = timed(["report", folder])
        print(f"report       {wall:6.1f} s, CPU {cpu:6.1f} s, target 60 s")
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        print(f"run folder   {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
