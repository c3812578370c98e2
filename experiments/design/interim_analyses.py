"""Interim analyses: run a study in parts, and decide after each part whether it may stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil
from typing import TYPE_CHECKING, Any

from ansatz.errors import StudyError
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.study_settings import Stopping
from ansatz.experiments.ledger import Ledger

if TYPE_CHECKING:
    from ansatz.experiments.results import Results


def _split_families(design: Design, stopping: Stopping) -> Iterator[tuple[float, Design]]:
    """Yield the share of families and the design up to each interim analysis; the last one is complete."""
    families = design.shuffled_families
    for number in range(1, stopping.looks + 1):
        included = set(families[: ceil(len(families) * number / stopping.looks)])
        chosen = [id for id, problem in design.problems.items() if problem.family in included]
        yield len(included) / len(families), design.restrict(problems=chosen)


def check_stopping(design: Design, stopping: Stopping | None) -> None:
    """Raise StudyError if the study cannot be run in parts."""
    if stopping and any(arm.builds_on for arm in design.arms.values()):
        raise StudyError("stop: an arm builds on earlier answers, which need all problems", ("stop",))
    if stopping and len(design.shuffled_families) < 2 * stopping.looks:
        found, least = len(design.shuffled_families), 2 * stopping.looks
        raise StudyError(f"stop: {stopping.looks} looks need {least} families, not {found}", ("stop",))


def plan_parts(
    design: Design, stopping: Stopping | None, ledger: Ledger, read: Callable[[], Results]
) -> Iterator[Design]:
    """Yield the parts to run, and store an interim analysis after each; stop when all arms are decided.

    `read` reads the results of the run. The ledger's plan has only the attempts of parts that have begun.
    """
    if stopping is None:
        yield design
        return
    looks: list[dict[str, Any]] = []
    for fraction, part in _split_families(design, stopping):
        ledger.plan(part.attempts, part.problems.values())
        yield part
        looks.append(_analyze(stopping, [*(look["fraction"] for look in looks), fraction], read()))
        ledger.describe({"looks": looks})
        if all(verdict != "open" for *_, verdict in looks[-1]["found"]):
            return


def _analyze(stopping: Stopping, fractions: list[float], data: Results) -> dict[str, Any]:
    """Analyze the results at the last of `fractions`, the shares of families at this and earlier analyses.

    Returns plain JSON for the ledger: the boundary of |z|, and for each model and arm z and its verdict.
    """
    from scipy.special import ndtri

    from ansatz.eval.statistics.sequential import boundaries, conditional_power

    now = fractions[-1]
    bound = boundaries(fractions, stopping.success)[-1]
    final = boundaries([*fractions, 1.0], stopping.success)[-1] if now < 1 else bound
    tested = data.primary or [each.name for each in data.with_role("quality") if not each.detail][:1]
    systems = [system for system in data.systems if system.arm != data.baseline]
    deltas = {(at, name): data.subset(at).delta(data.values(name)) for at in systems for name in tested}
    verdicts = data.adjust({place: delta for place, delta in deltas.items() if delta is not None}).verdicts
    found = []
    for system in systems:
        p_values = [verdicts[system, name].p_adjusted for name in tested if (system, name) in verdicts]
        z = float(-ndtri(min([*p_values, 1.0]) / 2))
        verdict = "success" if z > bound else "open"
        if verdict == "open" and stopping.futility is not None:
            verdict = "futile" if conditional_power(z, now, final) < stopping.futility else "open"
        found.append([system.model, system.arm, round(z, 4), verdict])
    families = len(set(data.family.tolist()))
    return {"fraction": now, "families": families, "boundary": bound, "found": found}
