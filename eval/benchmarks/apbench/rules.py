"""The two rules for numbers and choices: the published adaptive margin, and a strict one that reads units.

APBench's margin: an answer is right within 0.1 + 0.01·ln|key| of the key, relatively. The paper and the
published code differ where that is below 0 or above 1: the paper falls back to 0.1, the code takes the
absolute value. The logarithm is natural and the deviation relative in the code; the paper leaves both open.
Faults that both share, and the reason for a strict rule beside it:

- The margin depends on the unit: 7000 km may be off by 18.9 %, the same length in metres by 25.8 %.
- It grows with the key: an energy of 1e9 J may be off by 30.7 %.
- It vanishes at e⁻¹⁰ = 4.54e-5, so that near it nothing but the key itself is right; a little below, the
  paper's margin jumps to 10 %.
- It is undefined at 0, where the code ends with an error.
- The code counts an answer of 0 as no answer, and neither looks at units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from ansatz.eval.outcome import judge_targets as judge_labels
from ansatz.eval.problem import ChoiceTarget, LabelTarget, NumberTarget, Problem, Tolerance
from ansatz.eval.reading.stated_numbers import read_numbers
from ansatz.quantities.scales import convert_value
from ansatz.quantities.statements import Statement, find_statements

MarginRule = Literal["paper", "code"]
FALLBACK = 0.1
ErrorClass = Literal[
    "not stated",
    "unit",
    "sign",
    "power of ten",
    "degrees or radians",
    "factor of two",
    "within 10 %",
    "within 50 %",
    "beyond 50 %",
    "option",
]
CLASSES: tuple[ErrorClass, ...] = get_args(ErrorClass)
_DEGREES = 180 / math.pi
_ROUNDING = 1 + 1e-12  # a deviation of exactly the tolerance passes
_TURN = {"deg": 360.0, "rad": math.tau}


@dataclass(frozen=True)
class Judged:
    """One target: what was read for it, and whether it is right; None where the rule has no verdict.

    `stated` is the value as written, in `unit`; `error` is how it is wrong by the strict rule.
    """

    name: str
    right: bool | None
    evidence: str
    stated: float | str | None = None
    unit: str = ""
    error: ErrorClass | None = None

    def details(self) -> dict[str, Any]:
        return {"right": self.right, "value": self.stated, "unit": self.unit, "error": self.error}


def margin(key: float, rule: MarginRule = "paper") -> float:
    """The relative deviation that is accepted. Raises ValueError for a key of 0 or one that is not finite."""
    if key == 0 or not math.isfinite(key):
        raise ValueError(f"the adaptive margin is undefined for a key of {key:g}")
    adaptive = 0.1 + 0.01 * math.log(abs(key))
    if rule == "code":
        return abs(adaptive)
    return adaptive if 0 <= adaptive <= 1 else FALLBACK


def is_right(stated: float, key: float, rule: MarginRule = "paper") -> bool:
    """Whether a bare number is within the margin of the key. Raises ValueError as `margin` does."""
    accepted = margin(key, rule)
    if rule == "code" and stated == 0:
        return False
    return stated == key or abs(stated - key) / abs(key) < accepted


def published(problem: Problem, answer: str, rule: MarginRule = "paper") -> list[Judged]:
    """The published rule on every target but messages: bare numbers, whatever unit they are given in."""

    def within_margin(target: NumberTarget, key: float, stated: Statement | None) -> Judged:
        if key == 0:
            return Judged(target.name, None, "the adaptive margin is undefined for a key of 0")
        if stated is None:
            return Judged(target.name, False, "not stated")
        evidence = f"{stated.value:.6g} for {key:.6g} within {margin(key, rule):.1%}"
        return Judged(target.name, is_right(stated.value, key, rule), evidence)

    return list(_judged(problem, answer, within_margin))


def strict(problem: Problem, answer: str, relative: float = 0.01) -> list[Judged]:
    """The strict rule on every target but messages.

    A number in another unit of the right dimension is converted, one without a unit is taken in the unit
    asked for, and one in a unit of another dimension is wrong. A target's own tolerance takes the place of
    `relative`; an expected zero without one is met by zero alone. Angles within one turn are compared the
    short way round.
    """

    def in_unit(target: NumberTarget, key: float, stated: Statement | None) -> Judged:
        if stated is None:
            return Judged(target.name, False, "not stated", error="not stated")
        value = convert_value(stated.value, stated.unit, target.unit) if stated.unit else stated.value
        if value is None:
            evidence = f"{stated.value:.6g} {stated.unit} is no {target.unit}"
            return Judged(target.name, False, evidence, error="unit")
        own = target.tolerance or Tolerance(relative=relative)
        allowed = max(own.relative * abs(key), own.absolute)
        right = deviation(value, key, target.unit) <= allowed * _ROUNDING
        evidence = f"{value:.6g} for {key:.6g} {target.unit} within {own.text(target.unit)}"
        return Judged(target.name, right, evidence, error=None if right else _slip(value, key, relative))

    return list(_judged(problem, answer, in_unit))


def _judged(
    problem: Problem, answer: str, rule: Callable[[NumberTarget, float, Statement | None], Judged]
) -> Iterator[Judged]:
    """Every target but messages; numbers with a key by the rule."""
    read = readings(problem, answer)
    for target in problem.targets:
        if isinstance(target, ChoiceTarget | LabelTarget):
            [verdict] = judge_labels([target], answer)
            error: ErrorClass | None = None if verdict.exact else "option"
            yield Judged(target.name, verdict.exact, verdict.evidence, verdict.stated, error=error)
        elif isinstance(target, NumberTarget):
            stated = read[target.name]
            if target.value is None:
                judged = Judged(target.name, None, "no key")
            else:
                judged = rule(target, target.value, stated)
            yield replace(judged, stated=stated.value, unit=stated.unit) if stated else judged


def readings(problem: Problem, answer: str) -> dict[str, Statement | None]:
    """What an answer states last for each number asked for.

    Where a question gives its numbers no symbols (they are called answer, or answer_1, answer_2, ...), the
    last numbers stated are taken in order.
    """
    found = {name: each.statement for name, each in read_numbers(answer, problem.targets).items()}
    if not any(found.values()) and all(name.startswith("answer") for name in found):
        last = find_statements(answer)[-len(found) :]
        return dict(zip(found, last, strict=True)) if len(last) == len(found) else found
    return found


def deviation(value: float, key: float, unit: str) -> float:
    """|value − key|; the short way round for two angles within one turn."""
    turn = _TURN.get(unit)
    apart = abs(value - key)
    if turn is None or max(abs(value), abs(key)) > turn:
        return apart
    return min(apart, abs(turn - apart))


def _slip(value: float, key: float, relative: float) -> ErrorClass:
    """How a wrong number is wrong: the kinds of slips that orbit calculations invite, the first that fits.

    A power of ten is a key times 10, 100, ... or their inverses; all factors are met within `relative`.
    """
    ratio = value / key if key else math.inf
    power = 10.0 ** round(math.log10(ratio)) if 0 < ratio < math.inf else 1.0
    slips: dict[ErrorClass, tuple[float, ...]] = {
        "sign": (-1.0,),
        "power of ten": (power,) if power != 1 else (),
        "degrees or radians": (_DEGREES, 1 / _DEGREES),
        "factor of two": (2.0, 0.5),
    }
    for name, factors in slips.items():
        if any(abs(ratio / factor - 1) <= relative for factor in factors):
            return name
    apart = abs(ratio - 1)
    return "within 10 %" if apart <= 0.1 else "within 50 %" if apart <= 0.5 else "beyond 50 %"
