"""How many planted faults the verifier finds, and how often it finds fault where there is none.

.venv/bin/python benchmarks/verifier.py [--part development|held_out|fresh|...|fresh_fifth|blind] [--json]

The answers are those of tests/eval/faults: one planted fault each, or none. A fault is found where its
dimension loses the marks that it should cost; a false alarm is a mark below what a clean answer deserves.
Shares have 95 % intervals (Wilson). The second table, of every kind of fault, shows how many texts were
marked down on each dimension.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.eval.faults.confusion import Judged, answers, by_dimension, by_fault, judge
from tests.eval.faults.corpus import BLIND, DIMENSIONS, FRESH, PARTS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "--part", choices=(*PARTS, *FRESH, BLIND), help="one part of the answers; all by default"
    )
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    parser.add_argument("--misses", action="store_true", help="also list the answers judged wrongly")
    chosen = parser.parse_args()
    parts = [chosen.part] if chosen.part else [*PARTS, *FRESH, BLIND]
    judged = {part: judge(answers(part)) for part in parts}
    if chosen.json:
        print(json.dumps({part: _figures(each) for part, each in judged.items()}, indent=1))
        return
    console = Console(width=None if sys.stdout.isatty() else 120)
    for part, each in judged.items():
        console.print(_dimensions(part, each), _faults(part, each))
        if chosen.misses:
            _list_misses(console, each)


def _figures(judged: list[Judged]) -> dict[str, Any]:
    return {
        "answers": len(judged),
        "dimensions": [
            {**asdict(row), "detection": row.detection, "false_alarm": row.false_alarm}
            for row in by_dimension(judged)
        ],
        "faults": by_fault(judged),
    }


def _dimensions(part: str, judged: list[Judged]) -> Table:
    table = Table(title=f"{part}: {len(judged)} answers")
    for heading in ("dimension", "found / planted", "false alarms / clean", "clean but unjudged"):
        table.add_column(heading, justify="right")
    for row in by_dimension(judged):
        found = _share(row.found, row.planted, row.detection)
        alarms = _share(row.alarms, row.clean, row.false_alarm)
        table.add_row(row.dimension, found, alarms, str(row.unjudged))
    return table


def _share(count: int, trials: int, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{count} / {trials} ({count / max(trials, 1):.0%}; {low:.0%} to {high:.0%})"


def _faults(part: str, judged: list[Judged]) -> Table:
    table = Table(title=f"{part}: marked down / texts")
    table.add_column("fault")
    for name in DIMENSIONS:
        table.add_column(name, justify="right")
    for fault, row in by_fault(judged).items():
        table.add_row(fault, *(f"{below}/{total}" for below, total in row.values()))
    return table


def _list_misses(console: Console, judged: list[Judged]) -> None:
    for each in judged:
        answer = each.answer
        said = "" if each.detected() else f"missed {answer.fault}"
        said += f" alarms {', '.join(each.alarms())}" if each.alarms() else ""
        if said:
            console.print(
                f"{answer.template} ({answer.source}, {answer.style}, {answer.fault}): {said.strip()}"
            )


if __name__ == "__main__":
    main()
