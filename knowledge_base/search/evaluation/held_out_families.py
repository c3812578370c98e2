"""What a learnt matrix does for entries it has not learnt: families of the base are held out.

A family is a topic of a domain. The matrix learns from the phrases of four fifths of the families. Each
phrase of the others then ranks all entries; these are told without their phrases, so that none is found by
its own. Told by domain, this is the table of formula selection before and after fine-tuning that
TPS-CalcBench has (arXiv:2604.17966, table 18).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ansatz.knowledge_base.search.learning import Lesson, learn, unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.library import Library
    from ansatz.knowledge_base.search.learning import Array

_HELD_OUT = 0.2
_DEPTH = 5


def held_out(library: Library, lesson: Lesson, seeds: Iterable[int]) -> list[dict[str, object]]:
    """For each domain, and for all: held-out phrases whose entry is the first, or among five; shares.

    Each seed draws another fifth of the families; their phrases count together.
    """
    domains = np.array([each.domain for each in library])
    families = np.array([f"{each.domain}/{each.topic}" for each in library])
    untrained: Array = np.eye(lesson.asked.shape[1], dtype=np.float32)
    wanted: list[NDArray[np.intp]] = []
    ranks: list[NDArray[np.intp]] = []  # two rows: before and after
    for seed in seeds:
        names = np.random.default_rng(seed).permutation(np.unique(families))
        kept_out = np.isin(families, names[: int(_HELD_OUT * len(names))])
        test = kept_out[lesson.wanted]
        confusable = [[place for place in each if not kept_out[place]] for each in lesson.confusable]
        taught = replace(
            lesson, asked=lesson.asked[~test], wanted=lesson.wanted[~test], confusable=confusable
        )
        learnt = learn(taught, seed)
        wanted.append(lesson.wanted[test])
        ranks.append(np.array([_ranks(matrix, lesson, test) for matrix in (untrained, learnt)]))
    of_domain, all_ranks = domains[np.concatenate(wanted)], np.concatenate(ranks, axis=1)
    rows = [(name, all_ranks[:, of_domain == name]) for name in np.unique(of_domain)]
    return [_row(str(name), found) for name, found in (*rows, ("all", all_ranks))]


def _row(name: str, ranks: NDArray[np.intp]) -> dict[str, object]:
    row: dict[str, object] = {"domain": name, "phrases": ranks.shape[1]}
    for depth, share in ((1, "first right"), (_DEPTH, f"among {_DEPTH}")):
        before, after = (ranks < depth).mean(axis=1).tolist()
        row |= {f"{share}, before": f"{before:.3f}", f"{share}, after": f"{after:.3f}"}
    return row


def _ranks(matrix: Array, lesson: Lesson, test: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each test phrase how many entries are nearer than its own."""
    asked, wanted = unit_rows(lesson.asked[test] @ matrix.T), lesson.wanted[test]
    nearness = asked @ unit_rows(lesson.entries @ matrix.T).T
    return np.asarray((nearness > nearness[np.arange(len(wanted)), wanted][:, None]).sum(axis=1))
