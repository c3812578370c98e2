"""Measure time and memory with a broken provider, for every case of `tests/agents/test_broken_*.py`.

    python -m benchmarks.broken_provider [--workers 4]

Prints the number of cases, their time, the longest block of the event loop and the most memory of a process.
Ends with status 1 if a case fails or one of these is above its limit. Run it on an idle machine: blocks are processor time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

LIMITS = {"seconds": 60.0, "longest_block_s": 0.5, "most_memory_mb": 400.0}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=4)
    workers = parser.parse_args().workers
    files = sorted(map(str, Path("tests/agents").glob("test_broken_*.py")))
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "cases.xml"
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", str(workers), f"--junitxml={record}", *files]
        )
        suite = next(ElementTree.parse(record).iter("testsuite"))
    measured = {"seconds": float(suite.get("time", "nan"))}
    for name in ("longest_block_s", "most_memory_mb"):
        cases = [
            (float(found.get("value", "nan")), f"{case.get('classname')}::{case.get('name')}")
            for case in suite.iter("testcase")
            for found in case.iter("property")
            if found.get("name") == name
        ]
        measured[name], at = max(cases)
        print(f"{name}: most in {at}")
    print(
        f"{suite.get('tests')} cases; "
        + ", ".join(f"{name} {value:g} (limit {LIMITS[name]:g})" for name, value in measured.items())
    )
    return run.returncode or int(any(value > LIMITS[name] for name, value in measured.items()))


if __name__ == "__main__":
    sys.exit(main())
