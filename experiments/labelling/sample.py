"""Draw the answers to label, with known probabilities.

Answers are sorted by model, arm and family, and drawn systematically: a random start, then equal steps of the
cumulated probabilities. So each arm and family is drawn in proportion, and every answer has the stated
probability (W. G. Madow, Ann. Math. Stat. 20, 1949, 333-354).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ansatz.errors import InvalidData

Floats = NDArray[np.float64]
Pick = Literal["random", "doubtful"]
FOLDER, FILE = "labels", "sample.json"
_FORMAT = 1
_RANDOM_SHARE = 0.5  # of a doubtful draw: every answer keeps half of its probability in a random draw


@dataclass(frozen=True)
class Draw:
    """One draw of answers."""

    seed: int
    pick: Pick
    number: int
    """How many answers were drawn."""
    total: int
    """The number of answers that it was drawn from."""
    rubric: str
    """Hash of the criteria."""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    """By answer, the probability to be drawn; empty if it is equal for all."""

    def probability(self, id: str) -> float:
        """Return the probability that the answer is drawn."""
        return self.probabilities.get(id, 0.0) if self.probabilities else self.number / self.total


@dataclass(frozen=True)
class Sample:
    """All draws from the answers of a run."""

    draws: tuple[Draw, ...] = ()

    def probability(self, id: str) -> float | None:
        """Return the probability that one of the draws contains the answer; None without a draw."""
        if not self.draws:
            return None
        missed = float(np.prod([1 - draw.probability(id) for draw in self.draws]))
        return 1 - missed


def draw_sample(
    ids: Sequence[str], strata: Sequence[tuple[Any, ...]], number: int, seed: int, sizes: Floats | None = None
) -> tuple[list[str], dict[str, float]]:
    """Draw answers, and return them in random order with the probabilities of all answers.

    Parameters
    ----------
    ids
        The answers to draw from.
    strata
        For each answer what it is sorted by, such as model, arm and family.
    number
        The number to draw, at most all.
    seed
        The same seed gives the same draw.
    sizes
        What the probabilities are proportional to, limited to 1; equal by default.
    """
    generator = np.random.default_rng([11, seed])
    chances = _limit_chances(np.ones(len(ids)) if sizes is None else sizes, min(number, len(ids)))
    random = generator.random(len(ids))
    order = sorted(range(len(ids)), key=lambda at: (strata[at], random[at]))
    ends = np.cumsum(chances[order])
    start = generator.random()
    hits = np.floor(ends - start + 1e-9) - np.floor(np.r_[0.0, ends[:-1]] - start + 1e-9)
    drawn = [ids[order[place]] for place in np.flatnonzero(hits > 0).tolist()]
    generator.shuffle(drawn)
    return drawn, dict(zip(ids, chances.tolist(), strict=True))


def _limit_chances(sizes: Floats, number: int) -> Floats:
    """Return probabilities proportional to sizes with the sum `number`; what exceeds 1 goes to the others."""
    certain = np.zeros(len(sizes), dtype=bool)
    while True:
        rest = number - certain.sum()
        share = sizes[~certain].sum()
        chances = np.where(certain, 1.0, sizes * (rest / share if share else 0.0))
        above = (chances > 1.0) & ~certain
        if not above.any():
            return np.asarray(chances, dtype=np.float64)
        certain |= above


def weigh_doubt(columns: Sequence[Floats]) -> Floats:
    """Return sizes for a doubtful draw: half of each equal, half by disagreement or doubt of the scores.

    Parameters
    ----------
    columns
        By dimension an array (answers, scorers) of stored values in [0, 1], NaN where there is none.
    """
    doubt = np.zeros(len(columns[0]) if columns else 0)
    for values in columns:
        unknown = np.isnan(values).any(axis=1)
        spread = values.max(axis=1) - values.min(axis=1)
        partial = ((values > 0) & (values < 1)).any(axis=1) * 0.5
        doubt += np.where(unknown, 1.0, np.maximum(spread, partial))
    mean = doubt.mean() if len(doubt) else 0.0
    return _RANDOM_SHARE + (1 - _RANDOM_SHARE) * (doubt / mean if mean else np.ones(len(doubt)))


def read_sample(run: Path) -> Sample:
    """Return the draws of a run; none if nothing was drawn.

    Raises
    ------
    InvalidData
        If the file is damaged or a newer version wrote it.
    """
    file = run / FOLDER / FILE
    if not file.exists():
        return Sample()
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            raise InvalidData(f"{file}: format {content['format']}; this version reads {_FORMAT}")
        return Sample(tuple(Draw(**draw) for draw in content["draws"]))
    except (ValueError, KeyError, TypeError) as failure:
        raise InvalidData(f"{file}: damaged ({failure})") from None


def add_draw(run: Path, draw: Draw) -> None:
    """Store a draw next to the earlier ones, atomically."""
    earlier = read_sample(run)
    draws = [each.__dict__ for each in (*earlier.draws, draw)]
    file = run / FOLDER / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    pending = file.with_suffix(".tmp")
    pending.write_text(json.dumps({"format": _FORMAT, "draws": draws}) + "\n", encoding="utf-8")
    os.replace(pending, file)
