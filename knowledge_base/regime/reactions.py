"""Read chemical reactions such as "NO + N2 -> N + O + N2" from a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SPECIES = r"(?:[1-9] ?)?(?:[A-Z][A-Za-z0-9]{0,5}(?:\+(?!\w)|[⁺⁻])?|e(?:-|⁻)?)"
_SIDE = rf"{_SPECIES}(?:\s*\+\s*{_SPECIES}){{0,5}}"
_REACTION = re.compile(rf"(?<![\w+])({_SIDE})\s*(<?[-=]{{1,2}}>|→|⇌|⟶|=)\s*({_SIDE})")
_PLUS = re.compile(r"\s\+\s|(?<=[\w+])\+(?=\w)|(?<=\w)\s\+(?=\w)")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁺", "0123456789+")


def find_reactions(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each reaction in its standard form, with start and end.

    At least one side has two particles; with a sign of equality, both do.
    """
    for found in _REACTION.finditer(text.translate(_SUBSCRIPTS)):
        reactants, products = _list_particles(found[1]), _list_particles(found[3])
        fewer, more = sorted((len(reactants), len(products)))
        if (fewer if found[2] == "=" else more) > 1:
            yield format_reaction(reactants, products), found.start(), found.end()


def format_reaction(reactants: list[str], products: list[str]) -> str:
    """Format a reaction with sorted particles, each as often as it takes part: "N2 + NO -> N + N2 + O"."""
    return " -> ".join(" + ".join(sorted(side)) for side in (reactants, products))


def _list_particles(side: str) -> list[str]:
    """Return the particles of one side, each as often as it takes part."""
    particles: list[str] = []
    for part in _PLUS.split(side):
        count, name = re.fullmatch(r"\s*([1-9]?)\s*(.*?)\s*", part).groups()  # type: ignore[union-attr]
        particles += [name.rstrip("-⁻")] * int(count or 1)
    return particles
