"""G5: are the values physically possible, and was that checked?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ansatz.eval.problem import NumberTarget
from ansatz.eval.rubrics import result_cues
from ansatz.eval.rubrics.assumption import is_assumption
from ansatz.eval.rubrics.comparison import Comparison, comparisons
from ansatz.eval.rubrics.equivalence import letter
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.passages import Passage
from ansatz.eval.rubrics.prose import is_prose, words
from ansatz.eval.rubrics.subject import Subject, has_number
from ansatz.eval.rubrics.working import Working, close, si
from ansatz.quantities.scales import convert, scale
from ansatz.quantities.terms import spelled

_SLACK = 0.01  # relative: a rounded value may touch its bound
_LIKELY = 0.7  # probability that a sentence checks a result
_LONG = 8  # words from which a sentence says enough to be tied to the problem by one of them
_BOUND_CUE = re.compile(
    r"[<>]|\b(?:bounds?|limit\w*|maximum|minimum|cannot|must|ceiling|upper|lower|range|physical\w*|plausib\w*|possible"
    r"|reasonable|black(?:body| body)?|expected|typical\w*|check\w*|Carnot|energy|exceeds?|available|order)\b"
)


@dataclass(frozen=True)
class Limits:
    """What a target may be, in its unit, and why."""

    low: float | None
    high: float | None
    reason: str


def check(working: Working) -> Mark:
    """2: every final value is within its bounds and a true comparison or another check of one is stated.
    1: within bounds, unchecked. 0: out of bounds, a false check, or no final value to judge."""
    if not working.targets:
        return Mark(None, "no target is a number")
    if not working.finals:
        return Mark(0, "no final value is stated")
    outside = [*_outside(working), *_impossible(working)]
    if outside:
        return Mark(0, "; ".join(outside[:5]), error=True)
    made = [each for each in comparisons(working) if _concerns_a_result(each, working)]
    false = [each for each in made if not each.holds and not result_cues.HEDGED.search(each.text)]
    if false:
        return Mark(0, f"a stated check is false: {false[0].text}", error=True)
    true = [each for each in made if each.holds]
    told = true[0].text if true else _told_check(working)
    if told:
        return Mark(2, f"within bounds; checked: {told}")
    subject = Subject.of(working)
    share, _, text = working.readings.at_least_one("check", lambda passage: _may_check(passage, subject))
    if share >= _LIKELY:
        return Mark(2, f"within bounds; read as a check (trained reader, {share:.2f}): {text[:160]}")
    return Mark(1, "within bounds; no value is compared with a limit", error=False)


def _told_check(working: Working) -> str:
    """A check in words: against what is usual or known, a limiting case, the units, a balance, a second way.

    It must be one of a result and hold a number or things of this problem; "" for none.
    """
    subject = Subject.of(working)
    for passage in working.passages:
        cued = passage.topic == "check" or result_cues.CHECKS.search(passage.text)
        if cued and _may_check(passage, subject):
            return passage.text[:160]
    return ""


def _may_check(passage: Passage, subject: Subject) -> bool:
    """Whether a sentence speaks of a result, of things of this problem, and assumes nothing."""
    text, labelled = passage.text, passage.topic == "check"
    if passage.topic == "assumptions" or not (is_prose(text) or labelled):
        return False
    late = passage.end > subject.reached and not subject.is_about_a_given(passage)
    target = subject.mentioned(passage)
    if not (labelled or late or target) or is_assumption(passage, subject):
        return False
    tied = (words(text) & subject.setting) - (words(target.description) if target else set())
    return len(tied) >= (1 if len(text.split()) >= _LONG else 2) or has_number(text)


def limits(target: NumberTarget, working: Working) -> Iterator[Limits]:
    """The problem's bounds for a target and those that hold for any quantity of its kind."""
    for bound in working.problem.reference.bounds:
        if bound.target == target.name:
            yield Limits(bound.low, bound.high, bound.reason)
    about = target.description.lower()
    if "efficiency" in about or target.name.startswith("eta"):
        yield _in_unit(0.0, 1.0, target, "an efficiency lies between 0 and 1")
        carnot = _carnot(working)
        if carnot is not None and "isentropic" not in about:
            yield _in_unit(0.0, carnot, target, "no engine beats Carnot's")
    if re.search(r"\bquality|(?:mass|mole|volume) fraction|emissivity", about):
        yield _in_unit(0.0, 1.0, target, "a fraction lies between 0 and 1")
    flux = _energy_flux(working)
    if flux is not None and "flux" in about and "heat" in about:
        high = convert(flux, "W/m^2", target.unit)
        yield Limits(None, high, "no more heat than the stream's energy flux 0.5*rho*V**3")


def _in_unit(low: float, high: float, target: NumberTarget, reason: str) -> Limits:
    return Limits(convert(low, "-", target.unit), convert(high, "-", target.unit), reason)


def _outside(working: Working) -> Iterator[str]:
    for target in working.targets:
        stated = working.finals.get(target.name)
        if stated is None:
            continue
        value = convert(stated.value, stated.unit, target.unit) if stated.unit else stated.value
        value = stated.value if value is None else value
        for limit in limits(target, working):
            low, high = limit.low, limit.high
            below = low is not None and value < low - _SLACK * abs(low)
            if below or (high is not None and value > high + _SLACK * abs(high)):
                yield f"{target.name} = {value:.4g} breaks {low} to {high}: {limit.reason}"


def _impossible(working: Working) -> Iterator[str]:
    """Absolute temperatures at or below zero, wherever they are stated."""
    kelvin = scale("K")
    for statement in working.statements:
        unit = scale(statement.unit) if statement.unit else None
        if unit is None or kelvin is None or unit.dimension != kelvin.dimension:
            continue
        value = si(statement.value, statement.unit)
        if letter(statement.symbol) == "T" and value is not None and value <= 0:
            yield f"{statement.symbol} = {statement.value:g} {statement.unit} is not above absolute zero"


def _concerns_a_result(found: Comparison, working: Working) -> bool:
    """A comparison of a result with something else than zero or itself, said to be a limit.

    The limit may be a result too: no pressure on a body exceeds that at its stagnation point.
    """
    results = {spelled(target.name) for target in working.targets}
    results |= {spelled(step.symbol) for step in working.problem.reference.steps}
    values = [final.value for final in working.finals.values()]
    sides = [
        spelled(side.symbol) in results or any(close(side.value, value, 0.01) for value in values)
        for side in (found.left, found.right)
    ]
    limit = found.right if sides[0] else found.left
    same = close(found.left.value, found.right.value, 0.01)
    return any(sides) and not same and limit.value != 0 and bool(_BOUND_CUE.search(found.text))


def _carnot(working: Working) -> float | None:
    hot = [working.known[name] for name in ("TH", "Thot", "Tmax", "T3") if name in working.known]
    cold = [working.known[name] for name in ("TL", "TC", "Tcold", "Tmin", "T1") if name in working.known]
    return 1.0 - cold[0] / hot[0] if hot and cold and hot[0] > cold[0] > 0 else None


def _energy_flux(working: Working) -> float | None:
    """0.5 rho V^3 of the stream, in W/m^2, where the problem gives exactly one density and one speed."""
    density, speed = scale("kg/m^3"), scale("m/s")
    found: dict[str, list[float]] = {"rho": [], "V": []}
    for given in working.problem.givens:
        unit = scale(given.unit)
        if isinstance(given.value, str) or unit is None or density is None or speed is None:
            continue
        for name, wanted in (("rho", density), ("V", speed)):
            if letter(given.name) == name and unit.dimension == wanted.dimension:
                found[name].append(given.value * unit.factor)
    if len(found["rho"]) != 1 or len(found["V"]) != 1:
        return None
    return float(0.5 * found["rho"][0] * found["V"][0] ** 3)
