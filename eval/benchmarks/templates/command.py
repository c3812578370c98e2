"""The commands of a benchmark made from templates: show what its files make, and write its set."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ansatz.eval import problem_files
from ansatz.eval.benchmarks.templates.problems import make_at_most
from ansatz.eval.benchmarks.templates.template import Template
from ansatz.eval.benchmarks.templates.template_files import read_templates
from ansatz.eval.benchmarks.templates.traps import trap_error
from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import library


@dataclass(frozen=True)
class Commands:
    """`check` and `export` for one benchmark.

    `load` gives the set for --seed and the settings of `options`. `check` takes a prefix of ids, how many
    instances, and a seed; it prints what the files make, and returns a line for each fault.
    """

    benchmark: str
    load: Callable[..., Sequence[Problem]]
    check: Callable[[str, int, int], list[str]]
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def main(self, arguments: list[str] | None = None) -> int:
        """Carry out one command; 1 and a line for each fault where a template or setting is at fault."""
        settings = vars(self._parser().parse_args(arguments))
        if settings.pop("command") == "check":
            faults = self.check(settings["prefix"], settings["instances"], settings["seed"])
            print("\n".join(faults), file=sys.stderr)
            return int(bool(faults))
        file = settings.pop("file")
        try:
            problems = self.load(**settings)
            problem_files.dump(problems, file)
        except (InvalidData, OSError) as error:
            print(error, file=sys.stderr)
            return 1
        print(f"{len(problems)} problems in {file}")
        return 0

    def _parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(prog=f"python -m ansatz.eval.benchmarks.{self.benchmark}")
        commands = parser.add_subparsers(dest="command", required=True)
        check = commands.add_parser("check", help="make problems of every file, show them, list faults")
        check.add_argument("prefix", nargs="?", default="", help="only files whose id starts so")
        check.add_argument("--instances", type=int, default=2)
        export = commands.add_parser("export", help="write the set as JSONL, a problem a line")
        export.add_argument("file", help="the file to write")
        for name, settings in self.options.items():
            export.add_argument(name, **settings)
        for command in (check, export):
            command.add_argument("--seed", type=int, default=0)
        return parser


@dataclass(frozen=True)
class TemplateCheck:
    """The check of templates whose steps are equations of the knowledge base."""

    folder: Path
    model: type[Template]

    def __call__(self, prefix: str, instances: int, seed: int) -> list[str]:
        templates, faults = read_templates(self.folder, self.model, prefix)
        for template in templates:
            try:
                for problem in make_at_most(template, instances, seed, library()):
                    print("\n".join(_described(template, problem)))
            except InvalidData as error:
                faults += str(error).splitlines()
        return faults


def _described(template: Template, problem: Problem) -> Iterator[str]:
    """One instance to be read over: question, solution, bounds, and what the traps would have given."""
    yield f"\n{problem.id}\n{problem.question}\n\n{solution_text(problem)}"
    for bound in problem.reference.bounds:
        yield f"{bound.target} in [{bound.low}, {bound.high}]: {bound.reason}"
    numbers = {given.name: given.value for given in problem.givens if isinstance(given.value, float)}
    numbers |= {step.symbol: step.value for step in problem.reference.steps}
    for id in template.trap.equations:
        error = trap_error(template, numbers, library().get(id))
        yield f"trap {id}: {'cannot be evaluated here' if error is None else f'off by {error:+.1%}'}"
