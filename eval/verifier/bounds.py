"""G5: are the values physically possible?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ansatz.eval.problem import NumberTarget
from ansatz.eval.verifier.finding import Finding, Mark, faulty
from ansatz.eval.verifier.working import Working
from ansatz.quantities.letters import letter
from ansatz.quantities.physical_bounds import impossible
from ansatz.quantities.scales import convert, scale

_SLACK = 0.01  # relative: a rounded value may touch its bound


@dataclass(frozen=True)
class Limits:
    """What a target may be, in its unit, and why."""

    low: float | None
    high: float | None
    reason: str


def check(working: Working) -> Mark:
    """2: every final value is within its bounds. 0: one is not, or a temperature is not above absolute zero.
    None: no final value is stated."""
    outside = [*_outside(working), *impossible(working.statements)]
    if outside:
        return faulty(0, outside)
    if not working.finals:
        return Mark(None, "no final value is stated")
    judged = sum(bool(list(limits(target, working))) for target in working.targets)
    return Mark(
        2, f"{len(working.finals)} values are possible; {judged} of them have known bounds", error=False
    )


def limits(target: NumberTarget, working: Working) -> Iterator[Limits]:
    """The problem's bounds for a target and those that hold for any quantity of its kind."""
    for bound in working.problem.reference.bounds:
        if bound.target == target.name:
            yield Limits(bound.low, bound.high, bound.reason)
    about = target.description.lower()
    if "efficiency" in about or target.name.startswith("eta"):
        yield _fraction(target, "an efficiency lies between 0 and 1")
    if re.search(r"\bquality|(?:mass|mole|volume) fraction|emissivity", about):
        yield _fraction(target, "a fraction lies between 0 and 1")
    known, kelvin = scale(target.unit), scale("K")
    if known and kelvin and known.dimension == kelvin.dimension and letter(target.name) == "T":
        yield Limits(convert(0.0, "K", target.unit), None, "no temperature is below absolute zero")


def _fraction(target: NumberTarget, reason: str) -> Limits:
    return Limits(convert(0.0, "-", target.unit), convert(1.0, "-", target.unit), reason)


def _outside(working: Working) -> Iterator[Finding]:
    for target in working.targets:
        final = working.finals.get(target.name)
        value = convert(final.value, final.unit or target.unit, target.unit) if final else None
        for limit in limits(target, working) if final and value is not None else ():
            assert final is not None and value is not None
            below = limit.low is not None and value < limit.low - _SLACK * abs(limit.low)
            if below or (limit.high is not None and value > limit.high + _SLACK * abs(limit.high)):
                end = limit.low if below else limit.high
                message = f"{target.name} = {value:.4g} {target.unit} is beyond {end:.4g}: {limit.reason}"
                yield Finding("bound", final.text, message, end, value)
