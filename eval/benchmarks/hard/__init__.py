"""Problems with headroom for strong models, made from templates.

No law is named and the regime has to be inferred: rarefied or continuum, laminar or turbulent, frozen or in
equilibrium, thin or thick, choked or not. Many solutions search a root, need the properties of a real fluid,
or depend on a constraint that may bind. The reference of every problem has the wrong values of its traps.

A template is one YAML file, `templates/<domain>/<name>.yaml`, and one family.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from ansatz.eval.benchmarks.hard.template import DOMAINS, KINDS, HardTemplate
from ansatz.eval.benchmarks.templates import make_problems, read_templates
from ansatz.eval.benchmarks.templates.recompute import recompute_targets
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices
from ansatz.knowledge_base.equation import library
from ansatz.settings import Count

FOLDER = Path(__file__).parent / "templates"


def load(
    instances: Count = 4, seed: int = 0, domains: Sequence[str] = (), kinds: Sequence[str] = ()
) -> tuple[Problem, ...]:
    """Return `instances` problems of every template of some domains and kinds; empty selects all.

    Domains: thermal_protection, cycles, flow, orbits. Kinds: regime, inverse, property, constraint. Raises
    InvalidData for a faulty template or setting.
    """
    check_choices("domains", domains, DOMAINS)
    check_choices("kinds", kinds, KINDS)
    return tuple(
        problem
        for template in templates()
        if template.domain in (domains or DOMAINS) and {*template.kinds} & {*(kinds or KINDS)}
        for problem in _problems(template.id, instances, seed)
    )


def recompute(problem: Problem, givens: Mapping[str, float]) -> dict[str, float]:
    """Return the number targets of a problem for other values of its givens. Raises InvalidData."""
    return recompute_targets({each.id: each for each in templates()}, problem, givens)


def templates() -> tuple[HardTemplate, ...]:
    """Return every template, read once. Raises InvalidData with a line for each fault."""
    return read_templates(FOLDER, HardTemplate)


@lru_cache(maxsize=256)  # problems are frozen, so a study and its tests can share them
def _problems(id: str, instances: int, seed: int) -> tuple[Problem, ...]:
    template = next(each for each in templates() if each.id == id)
    return tuple(_add_sources(template, make_problems(template, instances, seed, library())))


def _add_sources(template: HardTemplate, problems: Sequence[Problem]) -> Iterator[Problem]:
    for problem in problems:
        reference = {"gold_equations": template.equations, "text": template.sources}
        yield problem.model_copy(update={"reference": problem.reference.model_copy(update=reference)})
