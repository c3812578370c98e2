"""The inner products of one vector with many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# From this many vectors on, all are compared in bfloat16 and the leading ones again in single precision:
# half the memory is read, and reading is what it takes.
_MANY = 8192
_AGAIN = 256


class Nearness:
    """Built from vectors of unit length, a row each."""

    def __init__(self, vectors: NDArray[np.float32]):
        self._vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self._rough = _Rough.of(self._vectors) if len(vectors) >= _MANY else None

    def __call__(self, vector: NDArray[np.float32]) -> NDArray[np.float64]:
        """The inner product of each row with a vector: of many rows, only those of the leading to more than
        two digits."""
        if self._rough is None:
            return (self._vectors @ vector).astype(float)
        found = self._rough(vector)
        leading = np.argpartition(found, -_AGAIN)[-_AGAIN:]
        found[leading] = self._vectors[leading] @ vector
        return found.astype(float)


class _Rough:
    """The same in bfloat16, on processors that multiply it."""

    def __init__(self, packed: Any):
        self._packed = packed

    @classmethod
    def of(cls, vectors: NDArray[np.float32]) -> _Rough | None:
        import torch

        from ansatz.knowledge_base.encoder import packed

        if not torch.cpu.get_capabilities().get("avx512_bf16"):
            return None
        weights = packed(torch.from_numpy(vectors).bfloat16())
        return None if weights is None else cls(weights)

    def __call__(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            row = torch.from_numpy(vector).bfloat16()[None]
            products = torch.ops.mkldnn._linear_pointwise(row, self._packed, None, "none", [], "")
            found: NDArray[np.float32] = products[0].float().numpy()
            return found
