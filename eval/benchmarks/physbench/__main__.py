"""Check templates, count the set, and write it: `python -m ansatz.eval.benchmarks.physbench --help`."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from ansatz.eval import problem_files
from ansatz.eval.benchmarks.physbench import COUNT, FOLDER, load
from ansatz.eval.benchmarks.physbench.consistency import arithmetic_faults
from ansatz.eval.benchmarks.physbench.instance import make_problems
from ansatz.eval.benchmarks.physbench.reading import read_templates
from ansatz.eval.benchmarks.physbench.structure import solution_text
from ansatz.eval.benchmarks.physbench.template import Template
from ansatz.eval.benchmarks.tps.check import describe_solution, library_faults
from ansatz.eval.benchmarks.tps.command import add_check, tell_faults
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import Library

_TABLES = ("topic", "kind", "format", "cognitive", "knowledge")


def main(arguments: list[str] | None = None) -> int:
    """Carry out one command; 1 and a line for each fault where a template is at fault."""
    options = _parser().parse_args(arguments)
    if options.command == "check":
        return _check_all(options.prefix, options.instances, options.seed, options.solutions)
    try:
        made = load(count=options.count, seed=options.seed)
        if options.command == "count":
            _print_counts(made, options.json)
        else:
            problem_files.dump(made, options.file)
            print(f"{len(made)} questions in {options.file}")
    except (InvalidData, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ansatz.eval.benchmarks.physbench")
    commands = parser.add_subparsers(dest="command", required=True)
    check = add_check(commands)
    check.add_argument("--solutions", action="store_true", help="show the worked solutions as well")
    count = commands.add_parser("count", help="count the set by topic, kind, format and Bloom's taxonomy")
    count.add_argument("--json", action="store_true", help="print the counts as JSON")
    export = commands.add_parser("export", help="write the set as JSONL, one question a line")
    export.add_argument("file", help="the file to write")
    for command in (count, export):
        command.add_argument("--count", type=int, default=COUNT, help="how many questions")
    for command in (check, count, export):
        command.add_argument("--seed", type=int, default=0)
    return parser


def _print_counts(problems: Iterable[Problem], as_json: bool) -> None:
    problems = list(problems)
    families = {problem.family for problem in problems}
    shares = {tag: Counter(str(problem.tags[tag]) for problem in problems) for tag in _TABLES}
    if as_json:
        print(json.dumps({"questions": len(problems), "templates": len(families), **shares}, indent=2))
        return
    print(f"{len(problems)} questions from {len(families)} templates")
    for title, counted in shares.items():
        print(f"\n{title}")
        for name, number in counted.most_common():
            print(f"  {name:24} {number:4} {number / len(problems):6.1%}")


def _check_all(prefix: str, instances: int, seed: int, solutions: bool) -> int:
    library = Library.read()
    templates, failures = read_templates(FOLDER, prefix)
    for template in templates:
        try:
            found = list(library_faults(template, library))
            problems = [] if found else make_problems(template, instances, seed, library)
            failures += [*found, *_mixed_units(template, problems)]
        except InvalidData as error:
            failures += str(error).splitlines()
            continue
        for problem in problems:
            _show(template, problem, library, solutions)
    return tell_faults(len(templates), failures)


def _mixed_units(template: Template, problems: Iterable[Problem]) -> Iterator[str]:
    for problem in list(problems)[:1]:
        numbers = {given.name: given.value for given in problem.givens if isinstance(given.value, float)}
        numbers |= {step.symbol: step.value for step in problem.reference.steps}
        yield from (f"{template.id}: {fault}" for fault in arithmetic_faults(template, numbers))


def _show(template: Template, problem: Problem, library: Library, solutions: bool) -> None:
    print(f"{problem.id}  {template.kind}  {template.cognitive}  {template.knowledge}")
    print("\n".join(describe_solution(template, problem, library)))
    print(f"    answer: {problem.reference.final_answer}")
    if solutions:
        print("\n".join(f"    > {line}" for line in solution_text(problem).splitlines()))


if __name__ == "__main__":
    sys.exit(main())
