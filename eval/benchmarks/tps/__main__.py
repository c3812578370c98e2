"""`python -m ansatz.eval.benchmarks.tps check [prefix]`: make every template once and show what it gives."""

from __future__ import annotations

import argparse
import sys

from ansatz.eval.benchmarks.tps import FOLDER
from ansatz.eval.benchmarks.tps.argument import argument_faults
from ansatz.eval.benchmarks.tps.check import describe, library_faults
from ansatz.eval.benchmarks.tps.instance import make_problems
from ansatz.eval.benchmarks.tps.reading import read_templates
from ansatz.eval.benchmarks.tps.template import Template
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.knowledge_base.library import Library


def main(arguments: list[str] | None = None) -> int:
    """Print every instance, then one line per failure; 1 if there was any."""
    parser = argparse.ArgumentParser(prog="python -m ansatz.eval.benchmarks.tps")
    parser.add_argument("command", choices=["check"])
    parser.add_argument("prefix", nargs="?", default="", help="only templates whose id starts so")
    parser.add_argument("--instances", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    library = Library.read()
    templates, failures = read_templates(FOLDER, options.prefix)
    for template in templates:
        failures += _check(template, library, options.instances, options.seed)
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"{len(templates)} templates, {len(failures)} failures")
    return 1 if failures else 0


def _check(template: Template, library: Library, instances: int, seed: int) -> list[str]:
    if found := [*library_faults(template, library), *argument_faults(template)]:
        return found
    try:
        problems = make_problems(template, instances, seed, library)
    except InvalidData as error:
        return str(error).splitlines()
    for problem in problems:
        print("\n".join(describe(template, problem, library)))
    for problem in make_problems(template, instances, seed, library, "zh") if template.statement_zh else ():
        print("\n".join(f"    | {line}" for line in problem.question.splitlines() if line))
    return []


if __name__ == "__main__":
    sys.exit(main())
