"""The noise control: the sound core set of `tps` and damaged copies of it, with the same key.

TPS-CalcBench compares its 420 gated items with 810 that hold 390 unrepaired ones (arXiv:2604.17966,
section V.5). Here each damaged item has its sound original beside it, so the comparison is paired. The kinds
of damage follow what it reports of unrepaired candidates (section III.4): incomplete givens, misread symbols
and digits, lost units, and misplaced digits or decimal points.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks import tps
from ansatz.eval.benchmarks.templates import Language
from ansatz.eval.problem import Problem

NOISY = 390
CLEAN = "none"
CLEAN_ID = "clean_id"
KIND = "corruption"
_NUMBER = r"[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_DIGITS = {"0": "O", "1": "l", "5": "S", "8": "B", "2": "Z", "6": "b", "9": "g"}
_SYMBOLS = {
    **{"alpha": "a", "beta": "3", "gamma": "y", "theta": "0", "kappa": "K", "rho": "p", "tau": "r"},
    **{"phi": "o", "mu": "u", "eps": "e", "sigma": "o", "lambda": "X"},
}


def load(
    seed: int = 0, noisy: Annotated[int, Field(ge=0)] = NOISY, language: Language = "en"
) -> tuple[Problem, ...]:
    """The core set, then `noisy` of its items damaged in one of the ways of `KINDS`.

    The tag `corruption` holds the kind ("none" for sound items) and `clean_id` the sound original. Raises
    InvalidData where so many cannot be made.
    """
    clean = [
        each.model_copy(
            update={"benchmark": "tps_noisy", "tags": {**each.tags, KIND: CLEAN, CLEAN_ID: each.id}}
        )
        for each in tps.load(set="core", seed=seed, language=language)
    ]
    return (*clean, *corrupt_some(clean, noisy, seed))


@dataclass(frozen=True)
class StatedGiven:
    """One given as a text states it, `name = number unit`, with the unit as declared ("" for none)."""

    name: str
    number: str
    unit: str

    def replaced(self, text: str, damaged: StatedGiven) -> str:
        """The text with each such statement as a damaged one has it: without number, the name alone."""
        behind = rf"\s+{re.escape(self.unit)}(?![\w^])" if self.unit else "(?!)"
        stated = (
            rf"(?<!\w){re.escape(self.name)}\s*=\s*{re.escape(self.number)}(?![\w.]*\d)(?P<unit>{behind})?"
        )
        written = f"{damaged.name} = {damaged.number}" if damaged.number else damaged.name
        keeps_unit = damaged.unit == self.unit
        return re.sub(stated, lambda found: written + (found["unit"] or "") * keeps_unit, text)


Damaged = Mapping[StatedGiven, StatedGiven]
"""What stands in place of some statements."""


def corrupt(problem: Problem, kind: str, key: str) -> Problem | None:
    """The problem with its text damaged in one way, or None where it has nothing of the kind.

    The question and the formulation that an arm may disclose are damaged alike; givens, targets, values and
    steps are not touched. The draw depends on `key` alone.
    """
    stated = _statements(problem)
    damaged = KINDS[kind](stated, random.Random(key)) if stated else {}
    question = _rewritten(problem.question, damaged)
    if question == problem.question:
        return None
    reference = problem.reference
    if told := reference.formulation:
        told = told.model_copy(update={"given": _rewritten(told.given, damaged)})
        reference = reference.model_copy(update={"formulation": told})
    tags = {**problem.tags, KIND: kind, CLEAN_ID: problem.id}
    return problem.model_copy(
        update={"id": f"{problem.id}~{kind}", "question": question, "reference": reference, "tags": tags}
    )


def _rewritten(text: str, damaged: Damaged) -> str:
    for sound, other in damaged.items():
        text = sound.replaced(text, other)
    return text


def corrupt_some(problems: Sequence[Problem], count: int, seed: int) -> list[Problem]:
    """`count` of the problems, each damaged once, with the kinds as evenly used as the problems allow.

    Raises InvalidData where fewer problems can be damaged.
    """
    order = sorted(problems, key=lambda problem: problem.id)
    random.Random(f"noise/{seed}").shuffle(order)
    used = dict.fromkeys(KINDS, 0)
    made: list[Problem] = []
    for problem in order:
        if len(made) == count:
            break
        for kind in sorted(KINDS, key=lambda kind: used[kind]):
            if damaged := corrupt(problem, kind, f"{seed}/{problem.id}/{kind}"):
                made.append(damaged)
                used[kind] += 1
                break
    if len(made) < count:
        raise InvalidData(f"noisy: only {len(made)} of {len(problems)} problems can be damaged, not {count}")
    place = {problem.id: index for index, problem in enumerate(problems)}
    return sorted(made, key=lambda problem: place[str(problem.tags[CLEAN_ID])])


def _statements(problem: Problem) -> list[StatedGiven]:
    """The givens that the question states as `name = number`."""
    found = []
    for given in problem.givens:
        if isinstance(given.value, str):
            continue
        stated = re.search(rf"(?<!\w){re.escape(given.name)}\s*=\s*({_NUMBER})(?![\w.]*\d)", problem.question)
        if stated:
            found.append(StatedGiven(given.name, stated[1], "" if given.unit == "-" else given.unit))
    return found


def _drop(stated: Sequence[StatedGiven], rng: random.Random) -> Damaged:
    """The value of one given is gone; its name is left."""
    chosen = rng.choice(stated)
    return {chosen: replace(chosen, number="", unit="")}


def _misread(stated: Sequence[StatedGiven], rng: random.Random) -> Damaged:
    """One number is misread in up to two of its digits, and one symbol where there is one to misread."""
    damaged: dict[StatedGiven, StatedGiven] = {}
    if readable := [each for each in stated if set(each.number) & _DIGITS.keys()]:
        chosen = rng.choice(readable)
        places = [place for place, digit in enumerate(chosen.number) if digit in _DIGITS]
        number = list(chosen.number)
        for place in rng.sample(places, min(2, len(places))):
            number[place] = _DIGITS[number[place]]
        damaged[chosen] = replace(chosen, number="".join(number))
    stems = {each: each.name.partition("_") for each in stated}
    if greek := [each for each in stated if stems[each][0] in _SYMBOLS and each not in damaged]:
        symbol = rng.choice(greek)
        stem, underscore, rest = stems[symbol]
        damaged[symbol] = replace(symbol, name=f"{_SYMBOLS[stem]}{underscore}{rest}")
    return damaged


def _lose_units(stated: Sequence[StatedGiven], rng: random.Random) -> Damaged:
    """Up to two givens lose their unit."""
    with_unit = [each for each in stated if each.unit]
    return {each: replace(each, unit="") for each in rng.sample(with_unit, min(2, len(with_unit)))}


def _misplace(stated: Sequence[StatedGiven], rng: random.Random) -> Damaged:
    """One number has its decimal point a place off, or two neighbouring digits exchanged."""
    chosen = rng.choice(stated)
    number = chosen.number.replace("−", "-")
    mantissa, exponential, exponent = number.partition("e")
    moved = [f"{Decimal(mantissa).scaleb(places).normalize():f}" for places in (1, -1)]
    moved += [
        f"{mantissa[:place]}{mantissa[place + 1]}{mantissa[place]}{mantissa[place + 2 :]}"
        for place in range(len(mantissa) - 1)
        if mantissa[place : place + 2].isdigit() and mantissa[place] != mantissa[place + 1]
    ]
    other = [f"{each}{exponential}{exponent}" for each in moved if float(each) != float(mantissa)]
    return {chosen: replace(chosen, number=rng.choice(other))} if other else {}


KINDS: Mapping[str, Callable[[Sequence[StatedGiven], random.Random], Damaged]] = {
    "dropped_given": _drop,
    "ocr_damage": _misread,
    "unit_loss": _lose_units,
    "misplaced_digit": _misplace,
}
