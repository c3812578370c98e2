"""Whether a fine-tuning set holds anything of the test split: by family and by the text of its questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.eval.data.dfa.examples import Example
from ansatz.eval.data.duplicates import THRESHOLD, jaccard, tokens
from ansatz.eval.problem import Problem


@dataclass(frozen=True)
class Leakage:
    """Families of held-out items that seeded an example, and how like a held-out question any example is.

    `similar` lists example and item of each pair of near-duplicates; `nearest` is the highest Jaccard
    similarity found, 0 without a pair.
    """

    families: tuple[str, ...]
    similar: tuple[tuple[str, str], ...]
    nearest: float

    @property
    def clean(self) -> bool:
        return not self.families and not self.similar


def leakage(examples: Sequence[Example], held_out: Sequence[Problem]) -> Leakage:
    """What the examples share with the items held out."""
    families = {problem.family for problem in held_out}
    leaked = sorted({example.seed_family for example in examples} & families)
    asked = [(problem.id, tokens(problem.question)) for problem in held_out]
    similar, nearest = [], 0.0
    for example in examples:
        words = tokens(example.question)
        for id, other in asked:
            likeness = jaccard(words, other)
            nearest = max(nearest, likeness)
            if likeness >= THRESHOLD:
                similar.append((example.id, id))
    return Leakage(tuple(leaked), tuple(similar), nearest)
