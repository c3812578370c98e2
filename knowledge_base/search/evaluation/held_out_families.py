"""What a learnt matrix does for entries it has not learnt: families of the base are held out.

A family is a topic of a domain. The matrix learns from the phrases of four fifths of the families. Each
phrase of the others then ranks all entries; these are told without their phrases, so that none is found by
its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ansatz.knowledge_base.search.learning import Lesson, learn, unit_rows, whole_lesson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.library import Library
    from ansatz.knowledge_base.search.learning import Array

_HELD_OUT = 0.2
_DEPTH = 5


@dataclass(frozen=True)
class HeldOut:
    """Shares of the held-out phrases whose entry is the first, and among the first five."""

    seed: int
    phrases: int
    first_before: float
    first_after: float
    five_before: float
    five_after: float


def held_out(library: Library, seed: int) -> HeldOut:
    """Learn without a fifth of the families, drawn by the seed, and test on their phrases."""
    lesson = whole_lesson(library)
    families = np.array([f"{each.domain}/{each.topic}" for each in library])
    names = np.random.default_rng(seed).permutation(np.unique(families))
    kept_out = np.isin(families, names[: int(_HELD_OUT * len(names))])
    test = kept_out[lesson.wanted]
    known = replace(
        lesson,
        asked=lesson.asked[~test],
        wanted=lesson.wanted[~test],
        confusable=[[place for place in each if not kept_out[place]] for each in lesson.confusable],
    )
    untrained: Array = np.eye(lesson.asked.shape[1], dtype=np.float32)
    before, after = (_ranks(each, lesson, test) for each in (untrained, learn(known, seed)))
    shares = [float((ranks < depth).mean()) for depth in (1, _DEPTH) for ranks in (before, after)]
    return HeldOut(seed, int(test.sum()), *shares)


def _ranks(matrix: Array, lesson: Lesson, test: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each test phrase how many entries are nearer than its own."""
    asked, wanted = unit_rows(lesson.asked[test] @ matrix.T), lesson.wanted[test]
    nearness = asked @ unit_rows(lesson.entries @ matrix.T).T
    return np.asarray((nearness > nearness[np.arange(len(wanted)), wanted][:, None]).sum(axis=1))
