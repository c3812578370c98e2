"""Put the whole attack corpus to the sandbox at every level and to unprotected controls, and report who got out.

.venv/bin/python benchmarks/attacks.py [--json] [--runner sandbox:L3] [--user current] [--category files]

Exits 1 when an attack escapes that no weaker level is known to let out, when a key or an answer is found at any
level, or when an attack fails even against its unprotected control, since it then proves nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.sandbox.containment_corpus import Attack, load
from tests.sandbox.containment_judge import Judge, Verdict
from tests.sandbox.containment_known import lesson
from tests.sandbox.containment_machine import User, current_user, offered, ordinary_user
from tests.sandbox.containment_runners import refusal_of

RUNNERS = ("control", "limited", "sandbox:L1", "sandbox:L2", "sandbox:L3")
SECRETS = ("'key'", "'answer'")


class Cell:
    """One runner for one user, with a verdict for each attack that can be put to it."""

    def __init__(self, runner: str, user: User) -> None:
        self.runner, self.user, self.seconds = runner, user, 0.0
        self.verdicts: list[Verdict] = []
        self.left: list[str] = []

    @property
    def name(self) -> str:
        return f"{self.runner} {self.user.name}"

    def judge(self, attacks: list[Attack]) -> None:
        started = time.monotonic()
        for runner, chosen in self._by_runner(attacks).items():
            with Judge(runner, self.user) as judge:
                for attack in chosen:
                    self.verdicts.append(judge.judge(attack))
                    if sys.stderr.isatty():
                        print(f"\r{self.name}: {len(self.verdicts)} ", end="", file=sys.stderr, flush=True)
                self.left += judge.stop()
        self.seconds = time.monotonic() - started

    def _by_runner(self, attacks: list[Attack]) -> dict[str, list[Attack]]:
        """A control meets only the attacks that name it, and those that can succeed on this machine."""
        if self.runner != "control":
            return {self.runner: attacks}
        chosen = defaultdict(list)
        for attack in attacks:
            if attack.needs <= offered(self.user):
                chosen[attack.control].append(attack)
        return chosen

    def faults(self) -> Iterator[str]:
        """What must not be: an escape nobody knows of, a secret found, a leftover, a control that holds."""
        if self.left and self.runner.startswith("sandbox"):
            yield f"{self.name}: {', '.join(self.left)} lived on after the end"
        for verdict in self.verdicts:
            name = f"{self.name}: {verdict.attack.id}"
            if self.runner == "control" and verdict.contained:
                yield f"{name} fails even against no protection"
            if not self.runner.startswith("sandbox"):
                continue
            if not verdict.contained and not lesson(self.runner, verdict.attack.id):
                yield f"{name} escaped: {'; '.join(verdict.reasons)}"
            elif any(secret in reason for reason in verdict.reasons for secret in SECRETS):
                yield f"{name} found a key or an answer"

    def row(self, category: str) -> str:
        chosen = [v for v in self.verdicts if v.attack.category == category or category == "all"]
        return f"{sum(v.contained for v in chosen)}/{len(chosen)}"

    def as_json(self) -> dict[str, object]:
        return {
            "runner": self.runner,
            "user": self.user.name,
            "seconds": round(self.seconds, 1),
            "contained": sum(verdict.contained for verdict in self.verdicts),
            "attacks": len(self.verdicts),
            "secrets_found": sum(
                any(secret in reason for reason in verdict.reasons for secret in SECRETS)
                for verdict in self.verdicts
            ),
            "escapes": {
                verdict.attack.id: {
                    "reasons": verdict.reasons,
                    "known": lesson(self.runner, verdict.attack.id),
                }
                for verdict in self.verdicts
                if not verdict.contained
            },
        }


def users(wanted: str, folder: Path) -> Iterator[User]:
    if wanted in ("both", "current"):
        yield current_user()
    if wanted in ("both", "ordinary") and (ordinary := ordinary_user(folder)).switches:
        yield ordinary


def table(cells: list[Cell], attacks: list[Attack]) -> str:
    """Contained of all, by category and runner."""
    rows = [["contained", *(cell.name for cell in cells)]]
    for category in [*sorted({attack.category for attack in attacks}), "all"]:
        rows.append([category, *(cell.row(category) for cell in cells)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print the whole report as JSON")
    parser.add_argument("--runner", action="append", choices=RUNNERS, help="only these runners")
    parser.add_argument("--user", choices=("both", "current", "ordinary"), default="both")
    parser.add_argument("--category", help="only attacks of this category")
    chosen = parser.parse_args()
    attacks = [attack for attack in load() if chosen.category in (None, attack.category)]
    cells, skipped = [], []
    with tempfile.TemporaryDirectory() as folder:
        for user in users(chosen.user, Path(folder)):
            for runner in chosen.runner or RUNNERS:
                if runner.startswith("sandbox") and (refusal := refusal_of(runner[-2:])):
                    skipped.append(f"{runner} {user.name}: {refusal}")
                    continue
                cell = Cell(runner, user)
                cell.judge(attacks)
                cells.append(cell)
    faults = [fault for cell in cells for fault in cell.faults()]
    if chosen.json:
        print(
            json.dumps(
                {"cells": [cell.as_json() for cell in cells], "faults": faults, "skipped": skipped}, indent=1
            )
        )
    else:
        print(report(cells, attacks, faults, skipped))
    return 1 if faults else 0


def report(cells: list[Cell], attacks: list[Attack], faults: list[str], skipped: list[str]) -> str:
    lines = [table(cells, attacks), ""]
    for cell in cells:
        known = [verdict.attack.id for verdict in cell.verdicts if lesson(cell.runner, verdict.attack.id)]
        lines += [f"{cell.name}: {attack} is let out: {lesson(cell.runner, attack)}" for attack in known]
    lines += [f"not run: {reason}" for reason in skipped]
    lines += [f"FAULT {fault}" for fault in faults] or [
        "no fault: nothing else got out, and every control was defeated"
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
