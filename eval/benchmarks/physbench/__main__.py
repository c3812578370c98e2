"""Read templates over and write the set: `python -m ansatz.eval.benchmarks.physbench --help`."""

from __future__ import annotations

import sys

from ansatz.eval.benchmarks.physbench import COUNT, FOLDER, load
from ansatz.eval.benchmarks.physbench.physbench_template import PhysBenchTemplate
from ansatz.eval.benchmarks.templates.command import Commands, TemplateCheck

COMMANDS = Commands(
    benchmark="physbench",
    load=load,
    check=TemplateCheck(FOLDER, PhysBenchTemplate),
    options={"--count": {"type": int, "default": COUNT, "help": "how many questions"}},
)

if __name__ == "__main__":
    sys.exit(COMMANDS.main())
