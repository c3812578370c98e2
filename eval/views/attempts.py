"""The attempts of a study in columns, and what names them: the system that answered, the problem's tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.problem import Problem

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
Mask = NDArray[np.bool_]
Findings = Mapping[str, tuple[str, Mapping[str, Any]]]
"""What is stored of an attempt's scores: evidence and details by dimension."""


class System(NamedTuple):
    """What answered: a model under an arm."""

    model: str
    arm: str


@dataclass(frozen=True, eq=False)
class Attempts:
    """One row an attempt, in columns of one length.

    `model`, `arm` and `problem` are places in the lists of `Results`. `values` are by dimension, NaN where an
    attempt has none: scores in [0, 1], amounts as they are. `error` says why an attempt failed, and is empty
    for one that came to an end, which `stop` then tells of (answered, truncated, refused, …).
    """

    model: Numbers
    arm: Numbers
    problem: Numbers
    repeat: Numbers
    error: Sequence[str]
    stop: Sequence[str]
    values: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.model)

    @cached_property
    def failed(self) -> Mask:
        return np.array([bool(each) for each in self.error], dtype=np.bool_)


def tag_values(problem: Problem, tag: str) -> tuple[str, ...]:
    """What a tag says of a problem: nothing, a word, or several."""
    value = problem.tags.get(tag, ())
    return (value,) if isinstance(value, str) else tuple(value)


def values_of_tag(problems: Iterable[Problem], tag: str) -> list[str]:
    """All values of a tag, in the order in which the problems come."""
    return list(dict.fromkeys(value for problem in problems for value in tag_values(problem, tag)))
