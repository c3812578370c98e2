"""Problems in thermal protection engineering, made from templates.

A template is one YAML file, `templates/<domain>/<name>.yaml`, and one family. Its reference solution is a
chain of knowledge-base equations, which is executed for every instance. Items follow the schema of
TPS-CalcBench (arXiv:2604.17966).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.selection import select_by_tags
from ansatz.eval.benchmarks.templates import (
    LANGUAGES,
    Language,
    make_problems,
    read_templates,
)
from ansatz.eval.benchmarks.templates.recompute import recompute_targets
from ansatz.eval.benchmarks.tps.core import allocate
from ansatz.eval.benchmarks.tps.template import DOMAINS, LEVELS, TPSTemplate
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices
from ansatz.knowledge_base.equation import library
from ansatz.settings import Count

FOLDER = Path(__file__).parent / "templates"


def load(
    instances: Count = 2,
    seed: int = 0,
    domains: Sequence[str] = (),
    levels: Sequence[str] = (),
    language: Language = "en",
    set: Literal["core"] | None = None,
) -> tuple[Problem, ...]:
    """Return `instances` problems of every template, or of the templates of some domains and levels.

    `set="core"` is the set of 420 items with the published counts of levels and domains (see core.py). It
    ignores `instances`; domains and levels select from it. The numbers are the same in every language. Raises
    InvalidData if a template is invalid, does not fit the knowledge base, has no feasible instance, or has no
    statement in the language.
    """
    check_choices("domains", domains, DOMAINS)
    check_choices("levels", levels, LEVELS)
    check_choices("language", [language], LANGUAGES)
    check_choices("set", [set or "core"], ["core"])
    if set == "core":
        return select_by_tags(_core(seed, language), domain=domains, level=levels)
    chosen = [
        one
        for one in _templates()
        if one.domains[0] in (domains or DOMAINS) and one.level in (levels or LEVELS)
    ]
    return _problems(chosen, dict.fromkeys((one.id for one in chosen), instances), seed, language)


def recompute(problem: Problem, givens: Mapping[str, float]) -> dict[str, float]:
    """Return the number targets of a problem for other values of its givens. Raises InvalidData."""
    return recompute_targets({each.id: each for each in _templates()}, problem, givens)


def _templates() -> tuple[TPSTemplate, ...]:
    return read_templates(FOLDER, TPSTemplate)


@lru_cache(maxsize=4)
def _core(seed: int, language: Language) -> tuple[Problem, ...]:
    return _problems(_templates(), allocate(_templates(), seed), seed, language)


def _problems(
    templates: Sequence[TPSTemplate], counts: Mapping[str, int], seed: int, language: Language
) -> tuple[Problem, ...]:
    if language == "zh" and (missing := [each.id for each in templates if not each.statement_zh]):
        raise InvalidData("\n".join(f"{id}: has no statement_zh" for id in missing))
    return tuple(
        problem
        for template in templates
        for problem in _instances(template.id, counts[template.id], seed, language)
    )


@lru_cache(maxsize=1024)  # problems are frozen, so studies of one process can share them
def _instances(id: str, count: int, seed: int, language: Language) -> tuple[Problem, ...]:
    template = next(each for each in read_templates(FOLDER, TPSTemplate) if each.id == id)
    return tuple(make_problems(template, count, seed, library(), language))
