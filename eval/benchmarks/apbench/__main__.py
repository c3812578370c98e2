"""`python -m ansatz.eval.benchmarks.apbench`: list problem sets; exit 1 on faults."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from ansatz.eval.benchmarks.apbench.instance import make_problems
from ansatz.eval.benchmarks.apbench.reading import FOLDER, read_set
from ansatz.eval.benchmarks.apbench.set_template import SetTemplate
from ansatz.eval.benchmarks.templates.files import read_all
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import NumberTarget, Problem


def main(arguments: list[str] | None = None) -> int:
    """Make every set; print what it asks, by topic, then one line per fault."""
    parser = argparse.ArgumentParser(prog="python -m ansatz.eval.benchmarks.apbench")
    parser.add_argument("prefix", nargs="?", default="", help="only sets whose topic/name starts so")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files are, as topic/name.yaml")
    parser.add_argument("--instances", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="machine-readable")
    parser.add_argument("--problems", action="store_true", help="print every question with its answers")
    options = parser.parse_args(arguments)
    made: list[tuple[SetTemplate, list[Problem]]] = []
    prefix = options.prefix.replace("/", ".")
    templates, faults = read_all(options.folder, prefix, lambda file, _: read_set(file))
    for template in templates:
        try:
            made.append((template, make_problems(template, options.instances, options.seed)))
        except InvalidData as error:
            faults += str(error).splitlines()
    if not made and not faults:
        faults.append(f"{options.folder}: holds no sets that start with {options.prefix!r}")
    summary = _summary(made, faults)
    if options.json:
        print(json.dumps(summary, indent=2, ensure_ascii=False))
    else:
        _print(summary, [problem for _, problems in made for problem in problems if options.problems])
    return 1 if faults else 0


def _summary(made: list[tuple[SetTemplate, list[Problem]]], faults: list[str]) -> dict[str, Any]:
    kinds: dict[str, Counter[str]] = {}
    for template, problems in made:
        asked = problems[: len(template.questions)]
        kinds.setdefault(template.topic, Counter()).update(str(each.tags["kind"]) for each in asked)
    targets = [target for _, problems in made for problem in problems for target in problem.targets]
    return {
        "sets": [
            {
                "name": template.name,
                "topic": template.topic,
                "title": template.title,
                "questions": len(template.questions),
                "kinds": [problem.tags["kind"] for problem in problems[: len(template.questions)]],
                "levels": [question.level for question in template.questions],
            }
            for template, problems in made
        ],
        "topics": {topic: {"questions": count.total(), **count} for topic, count in kinds.items()},
        "questions": sum(len(template.questions) for template, _ in made),
        "problems": sum(len(problems) for _, problems in made),
        "numbers": sum(isinstance(target, NumberTarget) for target in targets),
        "faults": faults,
    }


def _print(summary: dict[str, Any], problems: list[Problem]) -> None:
    for problem in problems:
        print(f"{problem.id}\n{problem.ask().text}\n{problem.reference.text}\n-> {_answers(problem)}\n")
    for topic, counts in summary["topics"].items():
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items() if kind != "questions")
        print(f"{topic}: {counts['questions']} questions ({kinds})")
        for one in summary["sets"]:
            if one["topic"] == topic:
                print(f"  {one['name']:24} {one['questions']}  {one['title']}")
    for fault in summary["faults"]:
        print(f"FAIL {fault}")
    print(
        f"{len(summary['sets'])} sets, {summary['questions']} questions, {summary['problems']} problems, "
        f"{summary['numbers']} numbers, {len(summary['faults'])} faults"
    )


def _answers(problem: Problem) -> str:
    return "; ".join(
        f"{target.name} = {target.value} {target.unit if isinstance(target, NumberTarget) else ''}".rstrip()
        for target in problem.targets
    )


if __name__ == "__main__":
    sys.exit(main())
