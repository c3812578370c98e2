"""Hints at one stage of a calculation, from the reference solution and without its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ansatz.eval import Problem

_FULL = 1 - 1e-9


def _hint_formulas(problem: Problem) -> str:
    if any(target.kind in ("symbolic", "callable") for target in problem.targets):
        return ""  # a formula or a program is the answer itself
    formulas = dict.fromkeys(step.general_formula or step.expression for step in problem.reference.steps)
    return f"the equations of the solution are {'; '.join(formulas)}." if formulas else ""


def _hint_values(problem: Problem) -> str:
    given = "; ".join(f"{each.name} = {each.value} {each.unit.strip('-')}".strip() for each in problem.givens)
    return f"these given values enter the calculation: {given}." if given else ""


def _hint_units(problem: Problem) -> str:
    steps = [step for step in problem.reference.steps if step.unit != "-"]
    units = dict.fromkeys(f"{step.symbol} in {step.unit}" for step in steps)
    return f"the units of the intermediate and final results are {', '.join(units)}." if units else ""


def _hint_arithmetic(problem: Problem) -> str:
    symbols = list(dict.fromkeys(step.symbol for step in problem.reference.steps))
    order = f" The results follow in the order {', '.join(symbols)}." if symbols else ""
    return f"calculate each step with at least five significant digits, and check it by its inverse.{order}"


STAGES: Mapping[str, Callable[[Problem], str]] = {
    "G1": _hint_formulas,
    "G2": _hint_values,
    "G3": _hint_units,
    "G4": _hint_arithmetic,
}
"""The dimensions of the verifier in the order of a calculation, each with its hint."""


def write_stage_hint(problem: Problem, scores: Mapping[str, float | None], placebo: bool) -> str:
    """Return the hint at the first failed stage; for a placebo, at the next stage that was passed.

    After the last stage comes the first. Without a failed stage, or a hint, the text is empty.

    Parameters
    ----------
    scores
        By dimension, the scores (0-1) of the answer that decides. A stage without a score is not failed.
    """
    stages = list(STAGES)
    failed = [stage for stage in stages if (score := scores.get(stage)) is not None and score < _FULL]
    if not failed:
        return ""
    if not placebo:
        return STAGES[failed[0]](problem)
    start = stages.index(failed[0])
    others = [stage for stage in (*stages[start:], *stages[:start]) if stage not in failed]
    hints = (STAGES[stage](problem) for stage in others)
    return next(filter(None, hints), "")
