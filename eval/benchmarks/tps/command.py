"""What the commands of this set and of those made like it share: `check`, and how its faults are told."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any


def add_check(commands: Any) -> argparse.ArgumentParser:
    """The command that makes every template and lists what is wrong with them."""
    check: argparse.ArgumentParser = commands.add_parser(
        "check", help="make every template, show what it gives, and list its faults"
    )
    check.add_argument("prefix", nargs="?", default="", help="only templates whose id starts so")
    check.add_argument("--instances", type=int, default=2)
    return check


def tell_faults(templates: int, failures: Sequence[str]) -> int:
    """Print each fault and their number; the exit status."""
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"{templates} templates, {len(failures)} failures")
    return 1 if failures else 0
