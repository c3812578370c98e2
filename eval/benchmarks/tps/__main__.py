"""Check templates, count the core set, and write items: `python -m ansatz.eval.benchmarks.tps --help`."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable

from ansatz.eval import problem_files
from ansatz.eval.benchmarks.tps import FOLDER, load
from ansatz.eval.benchmarks.tps.argument import argument_faults
from ansatz.eval.benchmarks.tps.check import describe, library_faults
from ansatz.eval.benchmarks.tps.command import add_check, tell_faults
from ansatz.eval.benchmarks.tps.instance import make_problems
from ansatz.eval.benchmarks.tps.reading import read_templates
from ansatz.eval.benchmarks.tps.template import LANGUAGES, Template
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import Library

_TABLES = ("level", "domain", "task_type")


def main(arguments: list[str] | None = None) -> int:
    """Carry out one command; 1 and a line for each fault where a template is at fault."""
    options = _parser().parse_args(arguments)
    if options.command == "check":
        return _check_all(options.prefix, options.instances, options.seed)
    try:
        if options.command == "core":
            _print_counts(load(seed=options.seed, set="core"), options.json)
            return 0
        chosen = [each for each in LANGUAGES if options.language in (each, "both")]
        made = [one for language in chosen for one in load(seed=options.seed, set="core", language=language)]
        problem_files.dump(made, options.file)
        print(f"{len(made)} items in {options.file}")
    except (InvalidData, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ansatz.eval.benchmarks.tps")
    commands = parser.add_subparsers(dest="command", required=True)
    check = add_check(commands)
    core = commands.add_parser("core", help="count the core set by level, domain and task type")
    core.add_argument("--json", action="store_true", help="print the counts as JSON")
    export = commands.add_parser("export", help="write the core set as JSONL, one item a line")
    export.add_argument("file", help="the file to write")
    export.add_argument("--language", choices=[*LANGUAGES, "both"], default="en")
    for command in (check, core, export):
        command.add_argument("--seed", type=int, default=0)
    return parser


def _print_counts(problems: Iterable[Problem], as_json: bool) -> None:
    """The margins, and how often a template is asked."""
    problems = list(problems)
    families = Counter(problem.family for problem in problems)
    shares = {tag: Counter(str(problem.tags[tag]) for problem in problems) for tag in _TABLES}
    shares["instances of a template"] = Counter(str(count) for count in families.values())
    if as_json:
        print(json.dumps({"items": len(problems), "templates": len(families), **shares}, indent=2))
        return
    print(f"{len(problems)} items from {len(families)} templates")
    for title, counted in shares.items():
        print(f"\n{title.replace('_', ' ')}")
        for name, count in sorted(counted.items()):
            print(f"  {name:20} {count:4}")


def _check_all(prefix: str, instances: int, seed: int) -> int:
    library = Library.read()
    templates, failures = read_templates(FOLDER, prefix)
    for template in templates:
        failures += _check(template, library, instances, seed)
    return tell_faults(len(templates), failures)


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
