"""School physics in the form of PhysBench: worked problems and conceptual questions with Bloom tags.

A template is one YAML file, `templates/<topic>/<name>.yaml`, and one family. Chains of knowledge-base
equations compute all numbers. Every question has a worked solution in the parts of the paper's answer
template. Stories, questions and answers were written for Ansatz.

Topics: introduction, mechanics, electricity_magnetism, thermodynamics, waves_acoustics, optics, modern.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.physbench.allocation import allocate
from ansatz.eval.benchmarks.physbench.template import KINDS, TOPICS, PhysBenchTemplate
from ansatz.eval.benchmarks.selection import select_by_tags
from ansatz.eval.benchmarks.templates import make_problems, read_templates
from ansatz.eval.benchmarks.templates.recompute import recompute_targets
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices
from ansatz.knowledge_base.equation import library
from ansatz.settings import Count

FOLDER = Path(__file__).parent / "templates"
COUNT = 316
"""A tenth of the 3162 questions of the paper."""


def load(
    count: int = COUNT,
    instances: Count | None = None,
    seed: int = 0,
    topics: Sequence[str] = (),
    kinds: Sequence[str] = (),
) -> tuple[Problem, ...]:
    """Return `count` questions with the paper's shares of topics and kinds, or `instances` of every template.

    `topics` and `kinds` select from these questions. A template with fewer possible values gives fewer
    instances. Raises InvalidData with a line for each fault of a template or setting.
    """
    check_choices("topics", topics, TOPICS)
    check_choices("kinds", kinds, KINDS)
    return select_by_tags(_make_set(count, instances, seed), topic=topics, kind=kinds)


def recompute(problem: Problem, givens: Mapping[str, float]) -> dict[str, float]:
    """Return the number targets of a problem for other values of its givens. Raises InvalidData."""
    return recompute_targets({each.id: each for each in templates()}, problem, givens)


def templates() -> tuple[PhysBenchTemplate, ...]:
    """Return every template, read once. Raises InvalidData with a line for each fault."""
    return read_templates(FOLDER, PhysBenchTemplate)


@lru_cache(maxsize=4)  # problems are frozen, so a study, its tests and its exports can share them
def _make_set(count: int, instances: int | None, seed: int) -> tuple[Problem, ...]:
    counts = allocate(templates(), count, seed) if instances is None else {}
    problems: list[Problem] = []
    for template in templates():
        wanted = instances or counts.get(template.id, 0)
        made = make_problems(template, wanted, seed, library(), or_fewer=True)
        if instances is None and len(made) < wanted:
            raise InvalidData(f"count: {template.id} gives only {len(made)} of the {wanted} questions needed")
        problems += made
    return tuple(problems)
