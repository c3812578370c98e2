"""Our own problems in thermal protection engineering: templates that make any number of items.

A template is one YAML file, `<domain>/<name>.yaml`, and one family; its reference solution is a chain of
knowledge-base equations that is executed for every instance, so no answer is typed in. Items follow the
schema of TPS-CalcBench (arXiv:2604.17966).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from ansatz.eval.benchmarks.tps.check import library_faults
from ansatz.eval.benchmarks.tps.core import allocate
from ansatz.eval.benchmarks.tps.instance import make_problems
from ansatz.eval.benchmarks.tps.reading import read_templates
from ansatz.eval.benchmarks.tps.template import DOMAINS, LANGUAGES, LEVELS, Template
from ansatz.eval.benchmarks.validation import InvalidData, check_choices
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.library import library

FOLDER = Path(__file__).parent


def load(
    instances: int = 2,
    seed: int = 0,
    domains: Sequence[str] = (),
    levels: Sequence[str] = (),
    language: Literal["en", "zh"] = "en",
    set: Literal["core"] | None = None,
) -> tuple[Problem, ...]:
    """`instances` problems of every template, or of those of some domains and levels.

    `set="core"` is the set of 420 items with the published counts of levels and domains (see core.py),
    whatever `instances`; domains and levels then choose within it. The numbers are the same in every
    language. Raises InvalidData for a template that is not valid, does not fit the knowledge base, has no
    feasible instance, or has no statement in the language.
    """
    check_choices("domains", domains, DOMAINS)
    check_choices("levels", levels, LEVELS)
    check_choices("language", [language], LANGUAGES)
    check_choices("set", [set or "core"], ["core"])
    templates, lines = read_templates(FOLDER)
    counts = allocate(templates, seed) if set == "core" and not lines else {}
    chosen = [
        template
        for template in templates
        if (not domains or template.domains[0] in domains) and (not levels or template.level in levels)
    ]
    lines += _unusable(chosen, language)
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(
        problem
        for template in chosen
        for problem in make_problems(template, counts.get(template.id, instances), seed, library(), language)
    )


def _unusable(templates: Sequence[Template], language: str) -> list[str]:
    """A line for each thing that keeps a template from being used."""
    lines = [line for template in templates for line in library_faults(template, library())]
    if language == "zh":
        lines += [
            f"{template.id}: has no statement_zh" for template in templates if not template.statement_zh
        ]
    return lines
