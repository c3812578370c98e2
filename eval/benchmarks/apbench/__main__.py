"""Read problem sets over and write their questions: `python -m ansatz.eval.benchmarks.apbench --help`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.set_problems import make_problems
from ansatz.eval.benchmarks.apbench.set_template import FOLDER, read_set
from ansatz.eval.benchmarks.templates.command import Commands
from ansatz.eval.benchmarks.templates.story import final_answer
from ansatz.eval.benchmarks.templates.template_files import read_all
from ansatz.eval.benchmarks.validation import InvalidData


@dataclass(frozen=True)
class SetCheck:
    """The check of the sets in a folder, as topic/name.yaml."""

    folder: Path = FOLDER

    def __call__(self, prefix: str, instances: int, seed: int) -> list[str]:
        sets, faults = read_all(self.folder, prefix.replace("/", "."), lambda file, _: read_set(file))
        for one in sets:
            try:
                problems = make_problems(one, instances, seed)
            except InvalidData as error:
                faults += str(error).splitlines()
                continue
            print(f"{one.topic}.{one.name}  {len(one.questions)} questions: {one.title}")
            for problem in problems:
                answers = "; ".join(map(final_answer, problem.targets))
                print(f"\n{problem.id}\n{problem.ask().text}\n{problem.reference.text}\n-> {answers}\n")
        return faults


COMMANDS = Commands(
    benchmark="apbench",
    load=load,
    check=SetCheck(),
    options={"--instances": {"type": int, "default": 1}},
)

if __name__ == "__main__":
    sys.exit(COMMANDS.main())
