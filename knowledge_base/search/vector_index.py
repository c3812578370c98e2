"""Find near vectors with FAISS: exactly up to 100,000 vectors, beyond that with inverted lists of bytes.

`Flat` compares a question with every vector. `IVF1024,SQ8` sorts the vectors into 1024 lists around
centres, stores a byte for each number, and compares a question with the 32 nearest lists only
(https://github.com/facebookresearch/faiss/wiki/Guidelines-to-choose-an-index).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Keys = NDArray[np.int64]

VECTORS, SAMPLE = "vectors.faiss", "sample.faiss"
EXACT = 100_000
"""The largest number of vectors that are all compared."""
LISTS, PROBES = 1024, 32
_TRAINING, _SAMPLE = 64, 2000  # vectors for each centre, and for the mean similarity


class VectorIndex:
    """Unit vectors with integer keys; similarity is their inner product.

    Parameters:
        dimensions: The numbers of a vector.
        exact: Whether to compare all vectors, however many.

    >>> index = VectorIndex(2)
    >>> index.add(np.array([7, 9]), np.eye(2, dtype=np.float32))
    >>> index.search(np.array([0, 1], dtype=np.float32), 1)
    (array([9]), array([1.], dtype=float32))
    """

    def __init__(self, dimensions: int, exact: bool = False):
        import faiss

        self.dimensions = dimensions
        self._most_exact = math.inf if exact else EXACT
        self._index: Any = faiss.IndexIDMap2(faiss.IndexFlatIP(dimensions))
        self._sample: Any = None

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def is_exact(self) -> bool:
        """Whether a search compares all vectors."""
        return self._sample is None

    def add(self, keys: Keys, vectors: Vectors) -> None:
        """Add vectors under new keys."""
        for start in range(0, len(keys), EXACT):
            part = slice(start, start + EXACT)
            if self.is_exact and len(self) + len(keys[part]) > self._most_exact:
                self._train(vectors[part])
            self._index.add_with_ids(np.ascontiguousarray(vectors[part], dtype=np.float32), keys[part])

    def remove(self, keys: Keys) -> None:
        """Remove the vectors with these keys."""
        import faiss

        # The map from keys to places accepts an array only, which is slow without the map.
        choose = faiss.IDSelectorBatch if self.is_exact else faiss.IDSelectorArray
        if len(keys):
            self._index.remove_ids(choose(np.ascontiguousarray(keys)))

    def search(self, vector: Vectors, count: int) -> tuple[Keys, Vectors]:
        """Return the keys of the `count` most similar vectors, best first, with their similarities."""
        similarities, keys = self._index.search(vector[None], min(count, len(self)))
        found = keys[0] >= 0  # -1 if the lists have fewer
        return keys[0][found], similarities[0][found]

    def compare_all(self, vector: Vectors) -> tuple[Keys, Vectors]:
        """Return the key and the similarity of every vector of an exact index, in the order of addition."""
        _, similarities, keys = self._index.range_search(vector[None], -np.inf)
        return keys, similarities

    def compare(self, vector: Vectors, keys: Keys) -> Vectors:
        """Return the similarity to the vector of each of these keys, as stored."""
        if not len(keys):
            return np.zeros(0, dtype=np.float32)
        similarities: Vectors = self._index.reconstruct_batch(keys) @ vector
        return similarities

    def compare_sample(self, vector: Vectors) -> Vectors:
        """Return the similarity to each vector of a sample; only an index that is not exact has one."""
        similarities: Vectors = self._sample.range_search(vector[None], -np.inf)[1]
        return similarities

    def save(self, folder: Path) -> None:
        """Write the files of this index into a folder."""
        import faiss

        for name, part in ((VECTORS, self._index), (SAMPLE, self._sample)):
            if part is not None:
                with (folder / name).open("wb") as file:  # FAISS ignores errors when it closes a file itself
                    faiss.write_index(part, faiss.PyCallbackIOWriter(file.write))

    @classmethod
    def load(cls, folder: Path) -> VectorIndex:
        """Read the files that `save` wrote."""
        import faiss

        index = faiss.read_index(str(folder / VECTORS))
        loaded = cls(index.d)
        loaded._index = index
        if (sample := folder / SAMPLE).exists():
            loaded._sample = faiss.read_index(str(sample))
            _map_keys(index)
        return loaded

    def _train(self, added: Vectors) -> None:
        """Replace the exact index by lists around centres, which the present and the added vectors train."""
        import faiss

        inner = faiss.downcast_index(self._index.index)
        vectors = np.concatenate([inner.reconstruct_n(0, len(self)), added])
        keys = faiss.vector_to_array(self._index.id_map)
        chosen = np.random.default_rng(0).permutation(len(vectors))[: LISTS * _TRAINING]
        trained = faiss.index_factory(self.dimensions, f"IVF{LISTS},SQ8", faiss.METRIC_INNER_PRODUCT)
        trained.train(vectors[chosen])
        trained.nprobe = PROBES
        _map_keys(trained)
        trained.add_with_ids(vectors[: len(keys)], keys)
        self._sample = faiss.IndexFlatIP(self.dimensions)
        self._sample.add(vectors[chosen[:_SAMPLE]])
        self._index = trained


def _map_keys(lists: Any) -> None:
    """Let inverted lists find the vector of a key without a pass over all of them."""
    import faiss

    lists.set_direct_map_type(faiss.DirectMap.Hashtable)
