"""Read templates over and write items: `python -m ansatz.eval.benchmarks.tps --help`."""

from __future__ import annotations

import sys
from functools import partial

from ansatz.eval.benchmarks.templates import LANGUAGES
from ansatz.eval.benchmarks.templates.command import Commands, TemplateCheck
from ansatz.eval.benchmarks.tps import FOLDER, load
from ansatz.eval.benchmarks.tps.tps_template import TPSTemplate

COMMANDS = Commands(
    benchmark="tps",
    load=partial(load, set="core"),
    check=TemplateCheck(FOLDER, TPSTemplate),
    options={"--language": {"choices": LANGUAGES, "default": "en"}},
)

if __name__ == "__main__":
    sys.exit(COMMANDS.main())
