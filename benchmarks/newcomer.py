"""Time the path of a new user: a new study, a problem, a tool, a run, a report and a page.

    python benchmarks/newcomer.py [FOLDER]

Prints the seconds of each command and the effect of each arm. Ends with status 1 if the new tool does not solve the new problem.
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
    "answer": "1.667 kW",
}
TOOL = '''

def fan_power(flow: float, dp: float, eta: float) -> float:
    """Shaft power of a fan in kW, from flow in m^3/s, pressure rise dp in Pa and efficiency eta from 0 to 1."""
    return flow * dp / eta / 1000
'''


def timed(command: str, folder: Path, shown: bool = True) -> str:
    """Run a command, print its time, and return its output. Ends the script if the command fails."""
    started = time.perf_counter()
    words = [sys.executable, "-m", "ansatz.cli", *shlex.split(command)[1:]]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr or done.stdout)
    if shown:
        print(f"{time.perf_counter() - started:6.1f} s  {command}")
    return done.stdout


def main(folder: Path) -> int:
    started = time.perf_counter()
    timed("ansatz new pumps", folder)
    study = folder / "pumps"
    with (study / "problems.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(PROBLEM) + "\n")
    with (study / "tool.py").open("a", encoding="utf-8") as file:
        file.write(TOOL)
    text = (study / "study.yaml").read_text(encoding="utf-8")
    arm = '  fan_tool: {with_tools: {tools: ["tool.py:fan_power"]}}\n'
    (study / "study.yaml").write_text(text.replace("  reminder:", arm + "  reminder:"), encoding="utf-8")
    print("          (one problem, one tool and one arm added)")
    for command in ("ansatz run study.yaml", "ansatz report runs/pumps", "ansatz view runs/pumps"):
        timed(command, study)
    print(f"{time.perf_counter() - started:6.1f} s  in all, four commands")
    shown = json.loads(timed("ansatz show runs/pumps --problem fan-power --json", study, shown=False))
    scores = {each["arm"]: each["scores"]["outcome"]["value"] for each in shown}
    print("fan-power:", ", ".join(f"{arm} {100 * value:.0f}" for arm, value in scores.items()))
    return int(scores["fan_tool"] < 1)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as made:
        sys.exit(main(Path(made)))
