"""Check templates, count the set, and write it: `python -m ansatz.eval.benchmarks.physbench --help`."""

from __future__ import annotations

import sys

from ansatz.eval.benchmarks.physbench import COUNT, FOLDER, load
from ansatz.eval.benchmarks.physbench.physbench_template import PhysBenchTemplate
from ansatz.eval.benchmarks.templates.command import Commands, TemplateCheck

COMMANDS = Commands(
    benchmark="physbench",
    items="questions",
    made=load,
    tags=("topic", "kind", "format", "cognitive", "knowledge"),
    check=TemplateCheck(FOLDER, PhysBenchTemplate, ("kind", "cognitive", "knowledge")),
    options={"--count": {"type": int, "default": COUNT, "help": "how many questions"}},
)

if __name__ == "__main__":
    sys.exit(COMMANDS.main())
