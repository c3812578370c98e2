"""The commands of a benchmark made from templates: check its files, count its set, write it."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ansatz.eval import problem_files
from ansatz.eval.benchmarks.templates.consistency import arithmetic_faults
from ansatz.eval.benchmarks.templates.derivation import argument_faults
from ansatz.eval.benchmarks.templates.library_check import describe, library_faults, numbers_of
from ansatz.eval.benchmarks.templates.problems import make_at_most, make_problems
from ansatz.eval.benchmarks.templates.template import Template
from ansatz.eval.benchmarks.templates.template_files import read_templates
from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import Library


@dataclass(frozen=True)
class Commands:
    """`check`, `count` (as `counts_as`) and `export` for one benchmark.

    `made` gives the set for the settings of `options`, which are the command line's own beside --seed;
    `tags` are counted. `check` prints what templates make and returns a line for each fault, and how many
    templates there are.
    """

    benchmark: str
    items: str
    made: Callable[..., Sequence[Problem]]
    tags: Sequence[str]
    check: Callable[[str, int, int, bool], tuple[list[str], int]]
    counts_as: str = "count"
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def main(self, arguments: list[str] | None = None) -> int:
        """Carry out one command; 1 and a line for each fault where a template or setting is at fault."""
        options = vars(self._parser().parse_args(arguments))
        command = options.pop("command")
        if command == "check":
            return self._check(**options)
        file, as_json = options.pop("file", None), options.pop("json", False)
        try:
            problems = self.made(**options)
            if command == "export":
                problem_files.dump(problems, file)
                print(f"{len(problems)} {self.items} in {file}")
            else:
                self._print_counts(problems, as_json)
        except (InvalidData, OSError) as error:
            print(error, file=sys.stderr)
            return 1
        return 0

    def _parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(prog=f"python -m ansatz.eval.benchmarks.{self.benchmark}")
        commands = parser.add_subparsers(dest="command", required=True)
        check = commands.add_parser("check", help="make every template, show what it gives, list its faults")
        check.add_argument("prefix", nargs="?", default="", help="only templates whose id starts so")
        check.add_argument("--instances", type=int, default=2)
        check.add_argument("--solutions", action="store_true", help="show the worked solutions as well")
        count = commands.add_parser(self.counts_as, help="count the set by its tags")
        count.add_argument("--json", action="store_true", help="print the counts as JSON")
        export = commands.add_parser("export", help=f"write the set as JSONL, one of its {self.items} a line")
        export.add_argument("file", help="the file to write")
        for name, settings in self.options.items():
            for command in (count, export):
                command.add_argument(name, **settings)
        for command in (check, count, export):
            command.add_argument("--seed", type=int, default=0)
        return parser

    def _print_counts(self, problems: Sequence[Problem], as_json: bool) -> None:
        families = Counter(problem.family for problem in problems)
        counts = {tag: Counter(str(problem.tags[tag]) for problem in problems) for tag in self.tags}
        counts["instances of a template"] = Counter(str(count) for count in families.values())
        if as_json:
            print(json.dumps({self.items: len(problems), "templates": len(families), **counts}, indent=2))
            return
        print(f"{len(problems)} {self.items} from {len(families)} templates")
        for title, counted in counts.items():
            print(f"\n{title.replace('_', ' ')}")
            for name, number in sorted(counted.items()):
                print(f"  {name:24} {number:4} {number / counted.total():6.1%}")

    def _check(self, prefix: str, instances: int, seed: int, solutions: bool) -> int:
        failures, templates = self.check(prefix, instances, seed, solutions)
        for failure in failures:
            print(f"FAIL {failure}")
        print(f"{templates} templates, {len(failures)} failures")
        return 1 if failures else 0


@dataclass(frozen=True)
class TemplateCheck:
    """The check of templates whose steps are equations of the knowledge base.

    The tags `shown` are printed beside the id of each problem.
    """

    folder: Path
    model: type[Template]
    shown: Sequence[str]

    def __call__(self, prefix: str, instances: int, seed: int, solutions: bool) -> tuple[list[str], int]:
        library = Library.read()
        templates, failures = read_templates(self.folder, self.model, prefix)
        for template in templates:
            try:
                found = [*library_faults(template, library), *argument_faults(template)]
                problems = [] if found else make_at_most(template, instances, seed, library)
                asked = len(problems) if template.statement_zh else 0
                chinese = make_problems(template, asked, seed, library, "zh")
            except InvalidData as error:
                failures += str(error).splitlines()
                continue
            failures += found
            for problem in problems[:1]:
                mixed = arithmetic_faults(template, numbers_of(problem)) if template.is_worked else ()
                failures += [f"{template.id}: {fault}" for fault in mixed]
            for problem in problems:
                print("\n".join(self._described(template, problem, library, solutions)))
            for problem in chinese:
                print("\n".join(f"    | {line}" for line in problem.question.splitlines() if line))
        return failures, len(templates)

    def _described(
        self, template: Template, problem: Problem, library: Library, solutions: bool
    ) -> Iterator[str]:
        yield "  ".join([problem.id, *(str(problem.tags[tag]) for tag in self.shown)])
        yield from describe(template, problem, library)
        if template.is_worked:
            yield f"    answer: {problem.reference.final_answer}"
        if solutions:
            yield from (f"    > {line}" for line in solution_text(problem).splitlines())
