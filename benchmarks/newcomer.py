"""A newcomer's path, timed: a new study, one problem edited, run, report, page. Commands and seconds.

python benchmarks/newcomer.py [FOLDER]
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROBLEM = {
    "id": "fan-power",
    "question": "A fan moves flow = 2 m^3/s against dp = 500 Pa at eta = 0.6. Shaft power?\n\nP = ___ kW",
    "targets": [{"name": "P", "value": 1.667, "unit": "kW"}],
}


def timed(command: str, folder: Path) -> float:
    """Run a command as typed and print what it took. Ends the script where it fails."""
    started = time.perf_counter()
    words = [sys.executable, "-m", "ansatz.cli", *shlex.split(command)[1:]]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr or done.stdout)
    taken = time.perf_counter() - started
    print(f"{taken:6.1f} s  {command}")
    return taken


def main(folder: Path) -> None:
    total = timed("ansatz new pumps", folder)
    with (folder / "pumps" / "problems.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(PROBLEM) + "\n")
    print("          (a line added to problems.jsonl)")
    for command in ("ansatz run study.yaml", "ansatz report runs/pumps", "ansatz view runs/pumps"):
        total += timed(command, folder / "pumps")
    print(f"{total:6.1f} s  in all, four commands")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made))
