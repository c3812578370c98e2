"""G4: does the stated arithmetic hold? Every `expression = number` is computed again."""

from __future__ import annotations

from ansatz.eval.verifier.finding import Finding, Mark, faulty
from ansatz.eval.verifier.working import Working
from ansatz.quantities.equalities import compared

_SLIP = 0.05  # a relative error below this is a slip, above it a mistake


def check(working: Working) -> Mark:
    """2: all right. 1: wrong by less than 5 %, or most right. 0: otherwise. None: no arithmetic is shown."""
    checked = compared(working.calculation)
    wrong = [found for found in checked if isinstance(found, Finding)]
    if not checked:
        return Mark(None, "no arithmetic is shown")
    if not wrong:
        return Mark(2, f"{len(checked)} of {len(checked)} equalities hold", error=False)
    slips = all(
        abs(each.stated - each.computed) <= _SLIP * abs(each.computed)
        for each in wrong
        if each.stated is not None and each.computed is not None
    )
    return faulty(1 if slips or 2 * len(wrong) < len(checked) else 0, wrong)
