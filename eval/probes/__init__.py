"""Probes: variants of a problem with a recomputed key, which show whether a model understands or remembers.

A variant belongs to the family of its original. Its tag `probe` is the kind; `original_id` is the original.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points

from ansatz.errors import InvalidData
from ansatz.eval.probes.paraphrasing import PARAPHRASED, draft_paraphrase
from ansatz.eval.probes.renumbering import choose_other_instance, renumber_by_steps
from ansatz.eval.probes.rewriting import add_irrelevant_data, change_units, rename_symbols, reorder_givens
from ansatz.eval.problem import Problem
from ansatz.quantities.did_you_mean import nearest

GROUP = "ansatz.probes"
PROBE, ORIGINAL_ID, ORIGINAL = "probe", "original_id", "original"
RENUMBERED = "renumbered"

Vary = Callable[[Problem, random.Random], "Problem | str"]
"""Returns a variant, or the reason why the problem has none."""
Reload = Callable[[int], Sequence[Problem]]
"""Loads the problems of a generated set with another seed."""

KINDS: dict[str, Vary] = {
    RENUMBERED: renumber_by_steps,
    "renamed": rename_symbols,
    "other_units": change_units,
    "reordered": reorder_givens,
    "distracted": add_irrelevant_data,
    PARAPHRASED: draft_paraphrase,
}


@dataclass(frozen=True)
class Probed:
    """Problems with their variants, and why some have none."""

    problems: tuple[Problem, ...]
    """Each original, followed by its variants."""
    left_out: tuple[tuple[str, str, str], ...]
    """Id, kind and reason for each variant that could not be made."""

    def count_left_out(self) -> dict[str, Counter[str]]:
        """Count the reasons by kind."""
        counts: dict[str, Counter[str]] = {}
        for _, kind, reason in self.left_out:
            counts.setdefault(kind, Counter())[reason] += 1
        return counts


def list_kinds() -> list[str]:
    """Return the kinds of probes: those of this package, then those that benchmarks register."""
    return [*KINDS, *sorted(entry_points(group=GROUP).names)]


def add_probes(
    problems: Iterable[Problem], kinds: Sequence[str], seed: int = 0, reload: Reload | None = None
) -> Probed:
    """Add a variant of every kind to each problem for which it can be made.

    Parameters
    ----------
    problems
        The originals.
    kinds
        renumbered, renamed, other_units, reordered, distracted, paraphrased, or a kind that a benchmark
        registers. A `paraphrased` variant is a draft, which a study with a `paraphraser` has rewritten.
    seed
        Determines the variants, together with kind and problem.
    reload
        Loads the same set with another seed. Without it, `renumbered` evaluates the steps of the reference
        solution.

    Raises InvalidData for an unknown kind.

    Example: `add_probes(load("problems.jsonl"), ["renamed", "other_units"]).problems`.
    """
    makers = {kind: _find_kind(kind) for kind in dict.fromkeys(kinds)}
    others = list(reload(seed + 7919)) if reload and RENUMBERED in makers else []
    made: dict[str, list[Problem]] = {}
    left_out = []
    originals = tuple(problems)
    for problem in originals:
        made[problem.id] = [_tag(problem, problem, ORIGINAL)]
        for kind, vary in makers.items():
            # Questions with a shared context get the same draw.
            rng = random.Random(f"probes/{seed}/{kind}/{problem.context or problem.id}")
            found = choose_other_instance(problem, others) if kind == RENUMBERED and others else None
            variant = found or vary(problem, rng)
            if isinstance(variant, str):
                left_out.append((problem.id, kind, variant))
            else:
                made[problem.id].append(_tag(variant, problem, kind))
    known = {each.id for group in made.values() for each in group}
    return Probed(
        tuple(_follow_variants(each, known) for group in made.values() for each in group), tuple(left_out)
    )


def _find_kind(kind: str) -> Vary:
    if kind in KINDS:
        return KINDS[kind]
    for found in entry_points(group=GROUP, name=kind):
        vary: Vary = found.load()
        return vary
    raise InvalidData(f"probes: there is no {kind!r}{nearest(kind, list_kinds())}")


def _tag(variant: Problem, original: Problem, kind: str) -> Problem:
    tags = {**variant.tags, **original.tags, PROBE: kind, ORIGINAL_ID: original.id}
    id = original.id if kind == ORIGINAL else f"{original.id}@{kind}"
    update = {"id": id, "family": original.family, "follows": original.follows, "tags": tags}
    return variant.model_copy(update=update)


def _follow_variants(problem: Problem, known: set[str]) -> Problem:
    """Let a variant follow the variants of earlier questions."""
    kind = problem.tags[PROBE]
    if kind == ORIGINAL or not problem.follows:
        return problem
    follows = tuple(each for id in problem.follows if (each := f"{id}@{kind}") in known)
    return problem.model_copy(update={"follows": follows})
