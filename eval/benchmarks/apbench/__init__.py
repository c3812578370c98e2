"""Problem sets of astrodynamics in the form of APBench: a shared context, and questions that build on it.

A set is a template, one YAML file `sets/<topic>/<name>.yaml`, and one family. The functions in `reference`
compute its numbers from those in the text. A public file in the paper's format loads by `path`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ansatz.eval.benchmarks.apbench.problem_set import TOPICS, ProblemSet, formulas
from ansatz.eval.benchmarks.apbench.published import read_published
from ansatz.eval.benchmarks.templates import make_problems, read_templates
from ansatz.eval.benchmarks.templates.recompute import recompute_targets
from ansatz.eval.problem import Problem
from ansatz.eval.validation import check_choices
from ansatz.knowledge_base.equation import library
from ansatz.settings import Count

FOLDER = Path(__file__).parent / "sets"


def load(
    instances: Count = 1,
    seed: int = 0,
    topics: Sequence[str] = (),
    sets: Sequence[str] = (),
    path: str | Path | None = None,
) -> tuple[Problem, ...]:
    """Return every question of `instances` instances of each set, in order.

    `topics` and `sets` select from them; empty selects all. With `path`, the questions are those of that JSON
    file. Raises InvalidData for faulty files and settings.
    """
    if path is not None:
        return read_published(Path(path))
    check_choices("topics", topics, TOPICS)
    check_choices("sets", sets, [each.name for each in read_sets()])
    return tuple(
        problem
        for each in read_sets()
        if (not topics or each.topic in topics) and (not sets or each.name in sets)
        for problem in _questions(each, instances, seed)
    )


def recompute(problem: Problem, givens: Mapping[str, float]) -> dict[str, float]:
    """Return the number targets of a problem for other values of its givens. Raises InvalidData."""
    return recompute_targets({each.name: each for each in read_sets()}, problem, givens)


@cache
def read_sets() -> tuple[ProblemSet, ...]:
    """Return every set, by topic and name. Raises InvalidData with a line for each fault."""
    return tuple(sorted(read_templates(FOLDER, ProblemSet), key=lambda each: TOPICS.index(each.topic)))


def _questions(template: ProblemSet, instances: int, seed: int) -> Iterator[Problem]:
    """Yield the questions of each instance, with their position in the set and the formulas used."""
    for index, problem in enumerate(make_problems(template, instances, seed, library())):
        instance, at = divmod(index, len(template.questions))
        question = template.questions[at]
        name = f"{template.name}-{seed}.{instance}" if seed else f"{template.name}-{instance}"
        used = [formulas()[id] for id in question.formulas]
        sources = [f"{each.text} [{each.source}]" for each in used]
        kind = "message" if question.answer else "choice" if question.choice else "number"
        reference = {
            "gold_equations": tuple(dict.fromkeys(id for each in used for id in each.equations)),
            "text": "\n".join(filter(None, [*sources, problem.reference.text])),
        }
        tags = {
            "position": str(at + 1),
            "kind": "list" if len(problem.targets) > 1 else kind,
            "format": "message" if question.answer else "numeric",
            "level": question.level,
            "formulas": question.formulas,
        }
        yield problem.model_copy(
            update={
                "id": f"{name}-q{at + 1}",
                "family": template.name,
                "follows": tuple(f"{name}-q{earlier}" for earlier in range(1, at + 1)),
                "reference": problem.reference.model_copy(update=reference),
                "tags": problem.tags | tags,
            }
        )
