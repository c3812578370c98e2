"""The noise control: the core set of `tps`, and damaged copies of its items with the same key.

TPS-CalcBench compares its 420 gated items with 810 items that include 390 unrepaired ones (arXiv:2604.17966,
section V.5). Here each damaged item is paired with its sound original. The kinds of damage are those that the
paper reports for unrepaired candidates (section III.4): incomplete givens, misread symbols and digits, lost
units, and misplaced digits or decimal points.
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
    """Return the core set, and `noisy` of its items with one kind of damage each (see `KINDS`).

    The tag `corruption` is the kind of damage ("none" for sound items), and `clean_id` the id of the sound
    original. Raises InvalidData if fewer items can be damaged.
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
    """One given in a text, `name = number unit`, with its declared unit ("" for none)."""

    name: str
    number: str
    unit: str

    def replace_in(self, text: str, damaged: StatedGiven) -> str:
        """Replace each such statement by a damaged one; without a number, only the name remains."""
        behind = rf"\s+{re.escape(self.unit)}(?![\w^])" if self.unit else "(?!)"
        stated = (
            rf"(?<!\w){re.escape(self.name)}\s*=\s*{re.escape(self.number)}(?![\w.]*\d)(?P<unit>{behind})?"
        )
        written = f"{damaged.name} = {damaged.number}" if damaged.number else damaged.name
        keeps_unit = damaged.unit == self.unit
        return re.sub(stated, lambda found: written + (found["unit"] or "") * keeps_unit, text)


Damaged = Mapping[StatedGiven, StatedGiven]
"""The damaged statement by the sound one."""


def corrupt(problem: Problem, kind: str, key: str) -> Problem | None:
    """Return the problem with one kind of damage in its text, or None if this kind does not apply.

    The question and the reference formulation get the same damage. Givens, targets, values and steps do not
    change. The draw depends only on `key`.
    """
    stated = _statements(problem)
    damaged = KINDS[kind](stated, random.Random(key)) if stated else {}
    question = _apply_damage(problem.question, damaged)
    if question == problem.question:
        return None
    reference = problem.reference
    if formulation := reference.formulation:
        given = _apply_damage(formulation.given, damaged)
        formulation = formulation.model_copy(update={"given": given})
        reference = reference.model_copy(update={"formulation": formulation})
    tags = {**problem.tags, KIND: kind, CLEAN_ID: problem.id}
    return problem.model_copy(
        update={"id": f"{problem.id}~{kind}", "question": question, "reference": reference, "tags": tags}
    )


def _apply_damage(text: str, damaged: Damaged) -> str:
    for sound, other in damaged.items():
        text = sound.replace_in(text, other)
    return text


def corrupt_some(problems: Sequence[Problem], count: int, seed: int) -> list[Problem]:
    """Damage `count` of the problems once each, using the kinds as evenly as the problems allow.

    Raises InvalidData if fewer problems can be damaged.
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
    """Return the givens that the question states as `name = number`."""
    found = []
    for given in problem.givens:
        if isinstance(given.value, str):
            continue
        stated = re.search(rf"(?<!\w){re.escape(given.name)}\s*=\s*({_NUMBER})(?![\w.]*\d)", problem.question)
        if stated:
            found.append(StatedGiven(given.name, stated[1], "" if given.unit == "-" else given.unit))
    return found


def _drop(stated: Sequence[StatedGiven], rng: random.Random) -> Damaged:
    """Remove the value of one given; its name remains."""
    chosen = rng.choice(stated)
    return {chosen: replace(chosen, number="", unit="")}


def _misread(stated: Sequence[StatedGiven], rng: random.Random) -> Damaged:
    """Misread one number in up to two digits, and one Greek symbol if there is any."""
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
    """Remove the units of up to two givens."""
    with_unit = [each for each in stated if each.unit]
    return {each: replace(each, unit="") for each in rng.sample(with_unit, min(2, len(with_unit)))}


def _misplace(stated: Sequence[StatedGiven], rng: random.Random) -> Damaged:
    """Move the decimal point of one number by one place, or exchange two neighbouring digits."""
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
