"""The result of a search: equations to use, equations that yield their inputs, and excluded equations."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.knowledge_base.equation.equation import Equation


@dataclass(frozen=True)
class Hit:
    """An equation that no condition excludes."""

    equation: Equation
    score: float
    open: tuple[str, ...] = ()
    """Conditions that the question leaves open."""
    against: tuple[str, ...] = ()
    """Reasons for doubt, such as a preference that is not met or a failure mode."""


@dataclass(frozen=True)
class Prerequisite:
    """An equation that yields an input of another one, or a requested quantity that no hit yields."""

    equation: Equation
    symbol: str
    """The input or quantity."""
    needed_by: Equation | None = None
    """The equation with the input; None for a requested quantity."""


@dataclass(frozen=True)
class Excluded:
    """A similar equation with a condition that the question contradicts."""

    equation: Equation
    reason: str


@dataclass(frozen=True)
class Retrieved:
    """The result of one search, best first."""

    hits: tuple[Hit, ...]
    excluded: tuple[Excluded, ...] = ()
    prerequisites: tuple[Prerequisite, ...] = ()
    reason: str = ""
    """Why there are no hits."""

    def sheet(self) -> str:
        """Return a numbered reference sheet with conditions, and a line for each excluded equation."""
        if not self.hits:
            return f"No equation is shown: {self.reason}." if self.reason else ""
        numbers = {hit.equation.id: number for number, hit in enumerate(self.hits, 1)}
        blocks = [_format_hit(hit, numbers[hit.equation.id]) for hit in self.hits]
        for number, needed in enumerate(self.prerequisites, len(self.hits) + 1):
            numbers[needed.equation.id] = number
            block = needed.equation.sheet(number)
            use = f"for [E{numbers[needed.needed_by.id]}]" if needed.needed_by else "as asked"
            blocks.append(f"{block}\n    prerequisite: gives {needed.symbol} {use}")
        lines = [f"excluded: {out.equation.name} ({out.equation.id}) — {out.reason}" for out in self.excluded]
        return "\n\n".join([*blocks, *(["\n".join(lines)] if lines else [])])

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain data."""
        return {
            "hits": [
                {"id": hit.equation.id, "name": hit.equation.name, "score": hit.score, "open": list(hit.open)}
                for hit in self.hits
            ],
            "prerequisites": [
                {
                    "id": needed.equation.id,
                    "gives": needed.symbol,
                    "for": needed.needed_by and needed.needed_by.id,
                }
                for needed in self.prerequisites
            ],
            "excluded": [{"id": out.equation.id, "reason": out.reason} for out in self.excluded],
            **({"reason": self.reason} if self.reason else {}),
        }


def _format_hit(hit: Hit, number: int) -> str:
    lines = [hit.equation.sheet(number)]
    if hit.open:
        lines.append(f"    check: {'; '.join(hit.open)} (not settled by the question)")
    if hit.against:
        lines.append(f"    caution: {'; '.join(hit.against)}")
    return "\n".join(lines)
