"""Check templates, count the core set, and write items: `python -m ansatz.eval.benchmarks.tps --help`."""

from __future__ import annotations

import sys

from ansatz.eval.benchmarks.templates import LANGUAGES
from ansatz.eval.benchmarks.templates.command import Commands, TemplateCheck
from ansatz.eval.benchmarks.tps import FOLDER, load
from ansatz.eval.benchmarks.tps.tps_template import TPSTemplate
from ansatz.eval.problem import Problem


def _made(seed: int, language: str) -> list[Problem]:
    chosen = [each for each in LANGUAGES if language in (each, "both")]
    return [one for each in chosen for one in load(seed=seed, set="core", language=each)]


COMMANDS = Commands(
    benchmark="tps",
    items="items",
    made=_made,
    tags=("level", "domain", "task_type"),
    check=TemplateCheck(FOLDER, TPSTemplate, ("level", "task_type")),
    counts_as="core",
    options={"--language": {"choices": [*LANGUAGES, "both"], "default": "en"}},
)

if __name__ == "__main__":
    sys.exit(COMMANDS.main())
