"""The trained reader: what a sentence of an answer does, where the lists of words do not tell.

A multinomial logistic regression on `features`, fitted by `benchmarks/reader.py` to the labelled sentences in
tests/eval/reader; it reads English. Its vectors need torch, which is loaded when it is first asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ansatz.eval.rubrics.features import CUES, features, place_of
from ansatz.eval.rubrics.passages import Passage
from ansatz.eval.rubrics.prose import han
from ansatz.eval.rubrics.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ansatz.eval.rubrics.features import Matrix

Kind = Literal["assumption", "check", "meaning", "other", "reasoned", "working"]
KINDS: tuple[Kind, ...] = ("assumption", "check", "meaning", "other", "reasoned", "working")
"""An assumption alone, a check, a meaning of a result, talk, an assumption with its reason, working."""
FILE = Path(__file__).with_name("reader.npz")
_FEWEST_WORDS = 3
_WORD = re.compile("[A-Za-z]{2,}")

Reading = Mapping[Kind, float]
"""How probable each kind is for one sentence."""


@dataclass(frozen=True)
class Weights:
    """`scores = ((features - mean) / spread, place, 1) @ matrix`, one column for each kind."""

    mean: Matrix
    spread: Matrix
    matrix: Matrix

    def __call__(self, rows: Matrix, places: Matrix) -> Matrix:
        """The probability of each kind, a row for each sentence."""
        import numpy as np

        ones = np.ones((len(rows), 1))
        scores = np.concatenate([(rows - self.mean) / self.spread, places, ones], axis=1) @ self.matrix
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Matrix = scores / scores.sum(axis=1, keepdims=True)
        return shares


class WeightsError(RuntimeError):
    """The stored weights are for other features: run benchmarks/reader.py again."""


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights that come with the package."""
    import numpy as np

    with np.load(FILE) as kept:
        names = kept["cues"].tolist()
        if names != cue_names():
            raise WeightsError(f"{FILE.name} was fitted with other cues: run benchmarks/reader.py")
        mean, spread, matrix = (kept[name].astype(np.float64) for name in ("mean", "spread", "matrix"))
    return Weights(mean, spread, matrix)


def cue_names() -> list[str]:
    """The cues among the features, in order."""
    return [f"{module.__name__.rpartition('.')[2]}.{name}" for module, name in CUES]


class Readings:
    """What the sentences of one answer do, each read when it is first asked for.

    Nothing is said of Chinese sentences and of those of one or two words.
    """

    def __init__(self, passages: Sequence[Passage], subject: Subject, fitted: Weights | None = None):
        self._passages, self._subject, self._fitted = passages, subject, fitted
        self._found: dict[int, Reading] = {}

    def __getitem__(self, place: int) -> Reading:
        """The reading of the sentence at a place among the passages."""
        if place not in self._found:
            self._read([place])
        return self._found[place]

    def at_least_one(self, kind: Kind, counts: Callable[[Passage], bool]) -> tuple[float, float, str]:
        """How probable it is that any of the sentences that count is of a kind, were they independent; how
        probable the likeliest is alone, and its text."""
        counted = [place for place, passage in enumerate(self._passages) if counts(passage)]
        self._read([place for place in counted if place not in self._found])
        shares = {place: self._found[place][kind] for place in counted}
        if not shares:
            return 0.0, 0.0, ""
        likeliest = max(shares, key=lambda place: shares[place])
        any_of_them = 1.0 - math.prod(1.0 - share for share in shares.values())
        return any_of_them, shares[likeliest], self._passages[likeliest].text

    def _read(self, places: Sequence[int]) -> None:
        import numpy as np

        self._found |= {place: dict.fromkeys(KINDS, 0.0) for place in places}
        asked = [place for place in places if _is_readable(self._passages[place].text)]
        if asked:
            stands = np.array([place_of(self._passages[place], self._subject) for place in asked])
            rows = features([self._passages[place].text for place in asked])
            for place, shares in zip(asked, (self._fitted or weights())(rows, stands), strict=True):
                self._found[place] = dict(zip(KINDS, shares.tolist(), strict=True))


def _is_readable(text: str) -> bool:
    return len(_WORD.findall(text)) >= _FEWEST_WORDS and not han(text)
