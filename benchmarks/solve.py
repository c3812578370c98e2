"""Measure how `solve` answers everyday questions with the offline model: `python -m benchmarks.solve [FILE]`.

Without FILE, it measures twenty plain questions that were not used to improve it.

FILE has one JSON object per line: `question`, `value`, `unit` and `rel_tol` (0.02 if it is left out).
Each answer is right, wrong or refused; a refusal has the reason that `solve` reports. `--json` prints one object.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ansatz.experiments.solve import solve
from ansatz.experiments.solved import Solved
from ansatz.quantities.scales import convert_value
from ansatz.quantities.statements import find_statements

TOLERANCE = 0.02


@dataclass(frozen=True)
class Outcome:
    """What became of one question."""

    question: str
    expected: str
    verdict: str
    """ "right", "wrong" or "refused"."""
    found: str
    """The answer's value with its unit; for a refusal, the reasons."""
    sources: tuple[str, ...]
    """The ids of the equations that the answer uses."""
    seconds: float


def measure(row: Mapping[str, Any]) -> Outcome:
    """Answer one question and compare the answer with the expected value."""
    start = time.process_time()
    solved = solve(row["question"])
    seconds = time.process_time() - start
    expected, unit = float(row["value"]), str(row.get("unit") or "-")
    verdict, found = "refused", "; ".join(solved.uncertain)
    if solved.answer.strip():
        verdict, found = judge(solved, expected, unit, float(row.get("rel_tol") or TOLERANCE))
    sources = tuple(each["id"] for each in solved.equations)
    return Outcome(row["question"], f"{expected:g} {unit}", verdict, found, sources, seconds)


def judge(solved: Solved, expected: float, unit: str, tolerance: float) -> tuple[str, str]:
    """Return "right" or "wrong", and the answer's last value with its unit."""
    statements = find_statements(solved.answer)
    if not statements:
        return "wrong", "no value"
    last = statements[-1]
    if unit == "g" and convert_value(1.0, last.unit or "-", "g_0"):
        unit = "g_0"  # a multiple of gravity
    if "gauge" in last.unit:
        unit = f"{unit} gauge"
    value = convert_value(last.value, last.unit or "-", unit)
    is_right = value is not None and abs(value - expected) <= tolerance * abs(expected)
    return "right" if is_right else "wrong", f"{last.symbol} = {last.value:g} {last.unit}"


def main() -> None:
    """Measure the questions of a file and print the outcomes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    questions = Path(__file__).with_name("everyday_questions.jsonl")
    parser.add_argument("file", type=Path, nargs="?", default=questions)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    lines = options.file.read_text(encoding="utf-8").splitlines()
    outcomes = [measure(json.loads(line)) for line in lines if line.strip()]
    counts = Counter(each.verdict for each in outcomes)
    if options.json:
        print(json.dumps({"counts": counts, "outcomes": list(map(asdict, outcomes))}, indent=2))
        return
    for each in outcomes:
        print(f"{each.verdict:8}{each.question}")
        print(f"        expected {each.expected}; {each.found} [{', '.join(each.sources)}]")
    total = sum(each.seconds for each in outcomes)
    print(
        f"right {counts['right']}, wrong {counts['wrong']}, refused {counts['refused']} "
        f"of {len(outcomes)}, {total:.0f} s of processor time"
    )


if __name__ == "__main__":
    main()
