"""The inner products of one vector with many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# From this many vectors on, all are compared in eight bits and the leading ones again in single precision:
# a quarter of the memory is read, and reading is what it takes.
_MANY = 8192
_AGAIN = 160
_LARGEST = 127
# From this many groups on, only those whose mean vector is among the nearest are looked into.
_MANY_GROUPS = 4096
_LOOKED_INTO = 128


class VectorIndex:
    """Built from vectors, a row each."""

    def __init__(self, vectors: NDArray[np.float32]):
        self._vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self._rough = _Rough(self._vectors) if len(vectors) >= _MANY else None

    def __call__(self, vector: NDArray[np.float32]) -> NDArray[np.float64]:
        """The inner product of each row with a vector; of many rows, those of the leading exactly."""
        if self._rough is None:
            return (self._vectors @ vector).astype(float)
        found = self._rough(vector)
        leading = np.argpartition(found, -_AGAIN)[-_AGAIN:]
        found[leading] = self._vectors[leading] @ vector
        return found.astype(float)


class GroupedVectorIndex:
    """For groups of vectors that follow one another: the greatest inner product in each.

    `first` are the places at which the groups begin. Of many groups those with the nearest means are looked
    into; the others count as near as their mean, which is no nearer than the nearest of them.
    """

    def __init__(self, vectors: NDArray[np.float32], first: NDArray[np.intp]):
        self._first = first
        self._counts = np.diff([*first, len(vectors)])
        self._means = None
        if len(first) >= _MANY_GROUPS:
            self._vectors = np.ascontiguousarray(vectors, dtype=np.float32)
            sums = np.add.reduceat(self._vectors, first)
            self._means = VectorIndex((sums / self._counts[:, None]).astype(np.float32))
        else:
            self._each = VectorIndex(vectors)

    def __call__(self, vector: NDArray[np.float32]) -> NDArray[np.float64]:
        if self._means is None:
            return np.maximum.reduceat(self._each(vector), self._first)
        found = self._means(vector)
        leading = np.argpartition(found, -_LOOKED_INTO)[-_LOOKED_INTO:]
        counts = self._counts[leading]
        starts = np.cumsum(counts) - counts
        rows = np.repeat(self._first[leading] - starts, counts) + np.arange(counts.sum())
        found[leading] = np.maximum.reduceat(self._vectors[rows] @ vector, starts)
        return found


class _Rough:
    """The same with each row in whole numbers up to 127 of a unit of its own."""

    def __init__(self, vectors: NDArray[np.float32]):
        import torch

        largest = np.abs(vectors).max(axis=1, initial=np.finfo(np.float32).tiny)
        self._units = torch.from_numpy(largest / _LARGEST).bfloat16()
        whole = np.rint(vectors / self._units.float().numpy()[:, None])
        self._rows = torch.from_numpy(np.clip(whole, -_LARGEST, _LARGEST).astype(np.int8))

    def __call__(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            row = torch.from_numpy(vector).bfloat16()[None]
            products = torch._weight_int8pack_mm(row, self._rows, self._units)
            found: NDArray[np.float32] = products[0].float().numpy()
            return found
