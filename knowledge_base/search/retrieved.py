"""What a search finds: equations to use, equations that feed them, and traps with the reason."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.knowledge_base.equation.equation import Equation


@dataclass(frozen=True)
class Hit:
    """An equation that no condition excludes. `open` are the conditions the question does not settle,
    `against` the softer reasons to doubt it (a preference or a failure mode that speaks against it)."""

    equation: Equation
    score: float
    open: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prerequisite:
    """An equation that yields an input of another one, or (`needed_by` None) a quantity that is asked for
    and that no hit yields."""

    equation: Equation
    symbol: str
    needed_by: Equation | None = None


@dataclass(frozen=True)
class Excluded:
    """A tempting equation whose condition the question contradicts."""

    equation: Equation
    reason: str


@dataclass(frozen=True)
class Retrieved:
    """The result of one search, best first; where it has no hits, `reason` says why."""

    hits: tuple[Hit, ...]
    excluded: tuple[Excluded, ...] = ()
    prerequisites: tuple[Prerequisite, ...] = ()
    reason: str = ""

    def sheet(self) -> str:
        """A numbered reference sheet, each equation with its conditions, and a line for each trap."""
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
        """The result as plain data, for programs."""
        return {
            "hits": [
                {"id": hit.equation.id, "name": hit.equation.name, "score": hit.score, "open": list(hit.open)}
                for hit in self.hits
            ],
            "prerequisites": [
                {"id": each.equation.id, "gives": each.symbol, "for": each.needed_by and each.needed_by.id}
                for each in self.prerequisites
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
