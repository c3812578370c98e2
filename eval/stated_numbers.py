"""Which of the quantities that an answer states is the one that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.eval.extract import Statement, pick, spelled
from ansatz.eval.markup import plain
from ansatz.eval.problem import NumberTarget, Target
from ansatz.eval.quantities import scale


@dataclass(frozen=True)
class StatedNumbers:
    """The statements of one answer, of which each numeric target takes one or none.

    A target is met by its symbol, by the words of its name or description, or, if it is the only one, by
    "Answer: ..." or a box. Where the question left the form of its answer free (`givens` are then the symbols
    that it states), an answer with another symbol, `q_s` for `q_stag`, is read as well if there is no doubt:
    no other target has the dimension, and the last quantity of that dimension is neither a given nor another
    target. Pure numbers are too common to be read so.
    """

    found: Sequence[Statement]
    targets: Sequence[Target]
    givens: Sequence[str] | None = None

    def of(self, target: NumberTarget) -> Statement | None:
        words = target.description or (target.name if " " in target.name else "")
        named = pick(self.found, target.name, description=words)
        if named is None and len(self.targets) == 1:
            named = pick(self.found, "answer")
        if named is None and self.givens is not None:
            return self._last_of_its_dimension(target, self.givens)
        return named

    def _last_of_its_dimension(self, target: NumberTarget, givens: Sequence[str]) -> Statement | None:
        wanted = _dimension(target.unit)
        others = [each for each in self.targets if each.name != target.name]
        if not wanted or any(
            _dimension(each.unit) == wanted for each in others if isinstance(each, NumberTarget)
        ):
            return None
        taken = {spelled(plain(name)) for name in (*givens, *(each.name for each in others))}
        fitting = [each for each in self.found if each.unit and _dimension(each.unit) == wanted]
        last = fitting[-1] if fitting else None
        return last if last is not None and spelled(last.symbol) not in taken else None


def _dimension(unit: str) -> tuple[float, ...] | None:
    """Exponents of the base units; None for a pure number and for what cannot be read."""
    known = scale(unit)
    return known.dimension if known is not None and any(known.dimension) else None
