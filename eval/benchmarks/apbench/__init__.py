"""Problem sets of astrodynamics in the form of APBench: a shared content, and questions that build on it.

Each set is a template, one YAML file `sets/<topic>/<name>.yaml`, and one family; its numbers are computed
from what the text states by the pure functions in `reference`. A public file of the paper's shape
loads by `path`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ansatz.eval.benchmarks.apbench.published import read_published
from ansatz.eval.benchmarks.apbench.set_problems import make_problems
from ansatz.eval.benchmarks.apbench.set_template import TOPICS, read_sets
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices
from ansatz.settings import Count


def load(
    instances: Count = 1,
    seed: int = 0,
    topics: Sequence[str] = (),
    sets: Sequence[str] = (),
    path: str | Path | None = None,
) -> tuple[Problem, ...]:
    """Every question of `instances` draws of each set, in order; of some topics or sets where named.

    With `path`, the questions of that JSON file instead. Raises InvalidData for faulty files and settings.
    """
    if path is not None:
        return read_published(Path(path))
    templates = read_sets()
    check_choices("topics", topics, TOPICS)
    check_choices("sets", sets, [template.name for template in templates])
    return tuple(
        problem
        for template in templates
        if (not topics or template.topic in topics) and (not sets or template.name in sets)
        for problem in make_problems(template, instances, seed)
    )
