"""Corruptions planted by rule in the generator's own variants: what is one number or unit off is seen.

The edits know nothing of the check: they change digits, places, units, exponents and givens wherever the text has
them.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator

from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench.variants.generator import vary
from ansatz.eval.benchmarks.physbench.variants.invariance import check
from ansatz.eval.benchmarks.physbench.variants.packs import REGIONS, pack
from ansatz.eval.problem import Problem

_GIVEN = re.compile(
    r"\b(?P<name>[A-Za-z]\w*) = (?P<number>-?\d+(?:\.\d+)?(?:e-?\d+)?)(?P<unit> [A-Za-z][\w/^*()-]*)?"
)
_UNIT = re.compile(r"[kMGmcn]?(?:m|g|s|N|J|W|V|A|Pa|Hz|ohm|C|T|K|mol|eV)(?:[/^*(].*)?")
Edit = Callable[[str, random.Random], str | None]


def _another_digit(text: str, rng: random.Random) -> str | None:
    found = rng.choice([*_GIVEN.finditer(text)] or [None])
    if found is None:
        return None
    places = [place for place in range(*found.span("number")) if text[place] in "123456789"]
    place = rng.choice(places) if places else None
    if place is None:
        return None
    return text[:place] + str(int(text[place]) % 9 + 1) + text[place + 1 :]


def _digits_swapped(text: str, rng: random.Random) -> str | None:
    places = [
        place
        for found in _GIVEN.finditer(text)
        for place in range(found.start("number"), found.end("number") - 1)
        if text[place : place + 2].isdigit() and text[place] != text[place + 1] != "0" != text[place]
    ]
    place = rng.choice(places) if places else None
    if place is None:
        return None
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def _numbers_exchanged(text: str, rng: random.Random) -> str | None:
    found = list(_GIVEN.finditer(text))
    pairs = [
        (one, other)
        for one in found
        for other in found
        if one.start() < other.start() and float(one["number"]) != float(other["number"])
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return (
        text[: one.start("number")]
        + other["number"]
        + text[one.end("number") : other.start("number")]
        + one["number"]
        + text[other.end("number") :]
    )


def _another_unit(text: str, rng: random.Random) -> str | None:
    units = [each for each in _GIVEN.finditer(text) if each["unit"] and _UNIT.fullmatch(each["unit"].strip())]
    found = rng.choice(units or [None])
    if found is None:
        return None
    unit = found["unit"].strip()
    other = (
        unit[1:]
        if unit[0] in "kmM" and unit[1:2].isalpha() and unit[:3] not in ("min", "mol")
        else f"k{unit}"
    )
    return text[: found.start("unit")] + f" {other}" + text[found.end("unit") :]


def _another_exponent(text: str, rng: random.Random) -> str | None:
    found = rng.choice([*re.finditer(r"(?<=\w)\^(\d)", text)] or [None])
    return found and text[: found.start(1)] + str(int(found[1]) + 1) + text[found.end(1) :]


def _given_left_out(text: str, rng: random.Random) -> str | None:
    found = rng.choice([*_GIVEN.finditer(text)] or [None])
    return found and text[: found.start()] + text[found.end() :]


EDITS: dict[str, Edit] = {
    "another digit": _another_digit,
    "digits swapped": _digits_swapped,
    "numbers exchanged": _numbers_exchanged,
    "another unit": _another_unit,
    "another exponent": _another_exponent,
    "given left out": _given_left_out,
}


def variants(seed: int) -> Iterator[tuple[Problem, Problem]]:
    """Each problem of the set with its variant for one region, in turn."""
    for place, problem in enumerate(physbench.load(seed=seed)):
        variant = vary(problem, pack(REGIONS[place % len(REGIONS)]), seed).problem
        if variant is not None:
            yield problem, variant


def test_of_corruptions_planted_by_rule_all_are_caught_and_their_variants_accepted() -> None:
    rng = random.Random(20)
    planted, missed, rejected, told = Counter[str](), [], 0, 0
    for original, variant in variants(seed=20):
        told += 1
        rejected += bool(check(original, variant))
        for kind in sorted(EDITS, key=lambda each: (planted[each], each)):
            spoiled = EDITS[kind](variant.question, rng)
            if spoiled and spoiled != variant.question:
                planted[kind] += 1
                if not check(original, variant.model_copy(update={"question": spoiled})):
                    missed.append((kind, spoiled))
                break
    assert told >= 200 and planted.total() >= 200 and min(planted.values()) >= 10
    assert rejected == 0
    assert missed == []
