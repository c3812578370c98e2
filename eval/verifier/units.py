"""G3: are units kept? The units of results, the dimensions of stated equations, and conversions."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.eval.verifier.finding import Finding, Mark, faulty
from ansatz.eval.verifier.working import Working
from ansatz.quantities.scales import scale
from ansatz.quantities.terms import spelled
from ansatz.quantities.unit_consistency import unit_faults


def check(working: Working) -> Mark:
    """2: no unit is wrong. 1: a result lacks its unit, or an equation does not balance. 0: a result's unit is
    of another dimension. None: there is no unit to check."""
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
        return Mark(None, "no result with a unit is stated")
    bare = [name for name in stated if not _has_unit(name, working)]
    if bare:
        return Mark(1, f"without a unit: {', '.join(bare)}")
    return Mark(2, f"the units of {len(stated)} results are right", error=False)


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
