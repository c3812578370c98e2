"""Score answers in words as APBench does: the mean of a judge's mark and the cosine of sentence vectors."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from ansatz.eval.judging.request import fenced
from ansatz.eval.problem import Problem

THRESHOLD = 0.6
"""A likeness above it is right (APBench, evaluation criteria)."""


@dataclass(frozen=True)
class Likeness:
    """How alike an answer and its key are: the cosine of their vectors in [0, 1], and a judge's mark there.

    `mark` is None where no judge was asked; the cosine then stands alone.
    """

    cosine: float
    mark: float | None = None
    reason: str = ""

    @property
    def value(self) -> float:
        return self.cosine if self.mark is None else 0.5 * (self.mark + self.cosine)

    @property
    def is_right(self) -> bool:
        return self.value > THRESHOLD

    @property
    def evidence(self) -> str:
        verdict = f"{'above' if self.is_right else 'not above'} {THRESHOLD:g}"
        if self.mark is None:
            return f"embedding alone, no judge: cosine {self.cosine:.3f}, {verdict}"
        return (
            f"0.5 (judge {self.mark:.1f} + cosine {self.cosine:.3f}) = {self.value:.3f}, {verdict}; "
            f"judge: {self.reason}"
        )


async def cosine(answer: str, key: str) -> float:
    """The cosine of the vectors of all-MiniLM-L6-v2, in a thread of its own; a negative one counts as 0."""
    return await asyncio.to_thread(_cosine, answer, key)


def _cosine(answer: str, key: str) -> float:
    from ansatz.knowledge_base.search import question_vector

    return min(1.0, max(0.0, float(question_vector(answer) @ question_vector(key))))


def parts(problem: Problem, answer: str, key: str) -> tuple[str, ...]:
    """What a judge of the rubric "apbench" is shown: the same for equal answers, whichever arm gave them."""
    return (
        f"# Question\n\n{problem.ask().text}",
        f"# Reference answer\n\n{key}",
        f"# Answer\n\n{fenced(answer, 'ANSWER')}",
    )
