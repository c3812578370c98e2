"""G3 to G5: are units kept, does the stated arithmetic hold, and are the values physically possible?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ansatz.eval.problem import NumberTarget, TargetBound
from ansatz.eval.verifier.finding import Finding, RuleMark, faulty
from ansatz.eval.verifier.working import Working
from ansatz.quantities.equalities import compared
from ansatz.quantities.letters import letter
from ansatz.quantities.physical_bounds import impossible
from ansatz.quantities.scales import convert, scale
from ansatz.quantities.terms import spelled
from ansatz.quantities.unit_consistency import unit_faults

_SLACK = 0.01  # relative: a rounded value may touch its bound
_SLIP = 0.05  # a relative error below this is a slip, above it a mistake


def unit_consistency(working: Working) -> RuleMark:
    """G3. 2: no unit is wrong. 1: a result lacks its unit, or an equation does not balance.
    0: a result's unit is of another dimension. None: there is no unit to check."""
    results = list(_wrong_results(working))
    if results:
        return faulty(0, results)
    units = {spelled(target.name): target.unit for target in working.targets}
    others = unit_faults(working.calculation, units)
    if others:
        return faulty(1, others)
    asked = [target for target in working.targets if _is_dimensional(target.unit)]
    stated = [target.name for target in asked if target.name in working.finals]
    if not stated:
        return RuleMark(None, "no result with a unit is stated")
    bare = [name for name in stated if not _has_unit(name, working)]
    if bare:
        return RuleMark(1, f"without a unit: {', '.join(bare)}")
    return RuleMark(2, f"the units of {len(stated)} results are right", error=False)


def _wrong_results(working: Working) -> Iterator[Finding]:
    for target in working.targets:
        final = working.finals.get(target.name)
        last = working.answer.number(target).statement if final is None else final
        wanted, have = scale(target.unit), scale(last.unit) if last and last.unit else None
        if last and wanted and have and any(wanted.dimension) and have.dimension != wanted.dimension:
            message = f"{target.name} is asked for in {target.unit}, stated in {last.unit}"
            yield Finding("unit", last.text, message)


def _has_unit(name: str, working: Working) -> bool:
    """Whether a unit stands with a result, where it is stated last or elsewhere."""
    return any(each.unit for each in (working.finals[name], *working.stated.get(spelled(name), ())))


def _is_dimensional(unit: str) -> bool:
    known = scale(unit)
    return known is not None and any(known.dimension)


def calculation_accuracy(working: Working) -> RuleMark:
    """G4. 2: all that is stated is right. 1: wrong by less than 5 %, or most right. 0: otherwise.
    None: no arithmetic is shown."""
    checked = compared(working.calculation)
    wrong = [found for found in checked if isinstance(found, Finding)]
    if not checked:
        return RuleMark(None, "no arithmetic is shown")
    if not wrong:
        return RuleMark(2, f"{len(checked)} of {len(checked)} equalities hold", error=False)
    slips = all(
        abs(each.stated - each.computed) <= _SLIP * abs(each.computed)
        for each in wrong
        if each.stated is not None and each.computed is not None
    )
    return faulty(1 if slips or 2 * len(wrong) < len(checked) else 0, wrong)


def physical_plausibility(working: Working) -> RuleMark:
    """G5. 2: every final value is within its bounds. 0: one is not, or is below absolute zero.
    None: no final value is stated."""
    outside = [*_outside(working), *impossible(working.statements)]
    if outside:
        return faulty(0, outside)
    if not working.finals:
        return RuleMark(None, "no final value is stated")
    judged = sum(bool(list(limits(target, working))) for target in working.targets)
    return RuleMark(
        2, f"{len(working.finals)} values are possible; {judged} of them have known bounds", error=False
    )


def limits(target: NumberTarget, working: Working) -> Iterator[TargetBound]:
    """The problem's bounds for a target and those that hold for any quantity of its kind."""
    yield from (bound for bound in working.problem.reference.bounds if bound.target == target.name)
    about = target.description.lower()
    if "efficiency" in about or target.name.startswith("eta"):
        yield _fraction(target, "an efficiency lies between 0 and 1")
    if re.search(r"\bquality|(?:mass|mole|volume) fraction|emissivity", about):
        yield _fraction(target, "a fraction lies between 0 and 1")
    known, kelvin = scale(target.unit), scale("K")
    if known and kelvin and known.dimension == kelvin.dimension and letter(target.name) == "T":
        zero = convert(0.0, "K", target.unit)
        yield TargetBound(target=target.name, low=zero, reason="no temperature is below absolute zero")


def _fraction(target: NumberTarget, reason: str) -> TargetBound:
    low, high = (convert(end, "-", target.unit) for end in (0.0, 1.0))
    return TargetBound(target=target.name, low=low, high=high, reason=reason)


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
