"""One matrix on the frozen encoder that draws a question nearer to its entry than to those like it.

The loss is that of Henderson et al., arXiv:1705.00652: the entries of a batch are choices, and the right one
is to stand out. The entries that are easily confused with them join the choices as hard negatives. Steps are
Adam's (Kingma & Ba, ICLR 2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ansatz.knowledge_base.search.embedding import asking_vector, base_parts, vectors_for
from ansatz.knowledge_base.search.tokenizing import entry_parts, entry_phrases

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.library import Library
    from ansatz.knowledge_base.search.evaluation.labelled_questions import Pair

    Array = NDArray[np.float32]

_TEMPERATURE, _DROP_OUT, _RATE, _BATCH = 0.05, 0.1, 3e-4, 256
EPOCHS = 8
FILE = Path(__file__).with_name("learned.npz")


@dataclass(frozen=True)
class Lesson:
    """What is learnt from: a row of `asked` for each question, the row of `entries` it asks for in `wanted`.

    `confusable` holds for each entry the rows of those that it is easily confused with.
    """

    asked: Array
    wanted: NDArray[np.intp]
    entries: Array
    confusable: Sequence[Sequence[int]]


def whole_lesson(library: Library) -> Lesson:
    """Every phrase of a base with its entry, the entries told without their phrases.

    An entry's stored vector is the mean of its parts, so that without its phrase it needs no encoder.
    """
    equations, places = library.entries, library.places
    counts = [len(entry_phrases(equation)) for equation in equations]
    vectors = vectors_for(base_parts(library))
    entries, phrases = vectors[: len(counts)], vectors[len(counts) :]
    parts = [entry_parts(equation) for equation in equations]
    whole = np.array([sum(each.values()) for each in parts], dtype=np.float32)
    told = [
        each.get(one.asked[0], 0.0) if one.asked else 0.0 for each, one in zip(parts, equations, strict=True)
    ]
    first = np.array(told, dtype=np.float32)
    alone = entries * whole[:, None] - first[:, None] * phrases[np.cumsum([0, *counts])[:-1]]
    return Lesson(
        phrases,
        np.repeat(np.arange(len(counts)), counts),
        np.asarray(alone / (whole - first)[:, None]),
        [[places[id] for id in each.confusable_with if id in places] for each in equations],
    )


def with_pairs(lesson: Lesson, library: Library, pairs: Iterable[Pair]) -> Lesson:
    """A lesson with further questions.

    What each might seem to call for joins those that its entry is confused with. Raises UnknownEquation.
    """
    places = library.places
    confusable, wanted, asked = [list(each) for each in lesson.confusable], [], []
    for pair in pairs:
        wanted.append(places[library.get(pair.gold_equation).id])
        asked.append(asking_vector(pair.question))
        if wrong := pair.rejected_equation:
            confusable[wanted[-1]].append(places[library.get(wrong).id])
    return Lesson(
        np.concatenate([lesson.asked, unit_rows(np.stack(asked))]),
        np.concatenate([lesson.wanted, wanted]),
        lesson.entries,
        confusable,
    )


def store(matrix: Array, file: Path = FILE) -> None:
    """Keep a matrix as half floats: 0.3 MB."""
    np.savez_compressed(file, matrix=matrix.astype(np.float16))


@cache
def learned(file: Path = FILE) -> Array:
    """The matrix of a file; the shipped one by default."""
    with np.load(file) as kept:
        return np.asarray(kept["matrix"], dtype=np.float32)


def learn(lesson: Lesson, seed: int, epochs: int = EPOCHS) -> Array:
    """The matrix, as wide as the vectors; the same lesson and seed give the same one."""
    rng = np.random.default_rng(seed)
    width = lesson.asked.shape[1]
    matrix: Array = np.eye(width, dtype=np.float32)
    mean, square = np.zeros_like(matrix), np.zeros_like(matrix)
    step = 0
    for _ in range(epochs):
        order = rng.permutation(len(lesson.asked))
        for rows in np.array_split(order, max(1, len(order) // _BATCH)):
            step += 1
            kept = (rng.random((len(rows), width)) >= _DROP_OUT) / (1 - _DROP_OUT)
            slope = _slope(matrix, lesson, rows, kept.astype(np.float32))
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope * slope
            unbiased = np.sqrt(square / (1 - 0.999**step)) + 1e-8
            matrix = matrix - np.float32(_RATE) * (mean / (1 - 0.9**step)) / unbiased
    return np.asarray(matrix, dtype=np.float32)


def _slope(matrix: Array, lesson: Lesson, rows: NDArray[np.intp], kept: Array) -> Array:
    """How the loss of a batch changes with the matrix."""
    wanted = lesson.wanted[rows]
    beside = [place for row in wanted.tolist() for place in lesson.confusable[row]]
    choices = np.unique(np.concatenate([wanted, np.array(beside, dtype=np.intp)]))
    asked, entries = lesson.asked[rows] * kept, lesson.entries[choices]
    mapped = np.asarray(asked @ matrix.T, dtype=np.float32)
    placed = np.asarray(entries @ matrix.T, dtype=np.float32)
    u, v = unit_rows(mapped), unit_rows(placed)
    nearness = u @ v.T / _TEMPERATURE
    share = np.exp(nearness - nearness.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    share[np.arange(len(rows)), np.searchsorted(choices, wanted)] -= 1
    share /= len(rows) * _TEMPERATURE
    of_asked = _across(share @ v, u) / np.linalg.norm(mapped, axis=1, keepdims=True)
    of_entries = _across(share.T @ u, v) / np.linalg.norm(placed, axis=1, keepdims=True)
    return np.asarray(of_asked.T @ asked + of_entries.T @ entries, dtype=np.float32)


def unit_rows(vectors: Array) -> Array:
    """The same directions, of length one."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _across(slope: Array, unit: Array) -> Array:
    """The part of a slope across a unit vector: along it, only the length would change."""
    return np.asarray(slope - unit * (slope * unit).sum(axis=1, keepdims=True))
