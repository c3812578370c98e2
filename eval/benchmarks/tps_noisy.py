"""The noise control: the sound core set of `tps` and damaged copies of it, with the same key.

TPS-CalcBench compares its 420 gated items with 810 that hold 390 unrepaired ones (arXiv:2604.17966,
section V.5). Here each damaged item has its sound original beside it, so the comparison is paired.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ansatz.eval.benchmarks import tps
from ansatz.eval.benchmarks.templates import Language
from ansatz.eval.benchmarks.tps.noise import CLEAN, CLEAN_ID, KIND, corrupt_some
from ansatz.eval.problem import Problem
from ansatz.eval.validation import InvalidData

NOISY = 390


def load(
    seed: int = 0, noisy: Annotated[int, Field(ge=0)] = NOISY, language: Language = "en"
) -> tuple[Problem, ...]:
    """The core set, then `noisy` of its items damaged in one of the ways of noise.py.

    The tag `corruption` holds the kind ("none" for sound items) and `clean_id` the sound original. Raises
    InvalidData where so many cannot be made.
    """
    clean = [_marked(problem) for problem in tps.load(set="core", seed=seed, language=language)]
    try:
        return (*clean, *corrupt_some(clean, noisy, seed))
    except ValueError as error:
        raise InvalidData(f"noisy: {error}") from None


def _marked(problem: Problem) -> Problem:
    tags = {**problem.tags, KIND: CLEAN, CLEAN_ID: problem.id}
    return problem.model_copy(update={"benchmark": "tps_noisy", "tags": tags})
