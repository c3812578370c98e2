"""Looks at a study before its end: whether it may stop, and what that leaves of the 5 %."""

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


def shares(design: Design, stopping: Stopping) -> Iterator[tuple[float, Design]]:
    """What is to be done before each look, and the share of families that it has; the last is all."""
    families = design.shuffled_families
    for look in range(1, stopping.looks + 1):
        held = set(families[: ceil(len(families) * look / stopping.looks)])
        chosen = [id for id, problem in design.problems.items() if problem.family in held]
        yield len(held) / len(families), design.narrowed(problems=chosen)


def check_stopping(design: Design, stopping: Stopping | None) -> None:
    """Raises StudyError where a study cannot be done in parts."""
    if stopping and any(arm.builds_on for arm in design.arms.values()):
        raise StudyError("stop: an arm builds on earlier answers: all problems must be asked", ("stop",))
    if stopping and len(design.shuffled_families) < 2 * stopping.looks:
        found, least = len(design.shuffled_families), 2 * stopping.looks
        raise StudyError(f"stop: {stopping.looks} looks need {least} families, not {found}", ("stop",))


def parts(
    design: Design, stopping: Stopping | None, ledger: Ledger, read: Callable[[], Results]
) -> Iterator[Design]:
    """What is to be run, one part after another; the ledger plans no more than was begun when it ends."""
    if stopping is None:
        yield design
        return
    looks: list[dict[str, Any]] = []
    for fraction, part in shares(design, stopping):
        ledger.plan(part.attempts, part.problems.values())
        yield part
        looks.append(_look(stopping, [*(look["fraction"] for look in looks), fraction], read()))
        ledger.describe({"looks": looks})
        if all(verdict != "open" for *_, verdict in looks[-1]["found"]):
            return


def _look(stopping: Stopping, fractions: list[float], data: Results) -> dict[str, Any]:
    """The look at the end of `fractions`, the shares of families at this and the looks before.

    As the ledger has it: the boundary of |z|, and found by model and arm z and what follows.
    """
    from scipy.special import ndtri

    from ansatz.eval.statistics.sequential import boundaries, conditional_power

    now = fractions[-1]
    bound = boundaries(fractions, stopping.success)[-1]
    final = boundaries([*fractions, 1.0], stopping.success)[-1] if now < 1 else bound
    tested = data.primary or [each.name for each in data.with_role("quality") if not each.detail][:1]
    systems = [system for system in data.systems if system.arm != data.baseline]
    deltas = {(at, name): data.subset(at).delta(data.values(name)) for at in systems for name in tested}
    judged = data.adjust({place: delta for place, delta in deltas.items() if delta is not None}).verdicts
    found = []
    for system in systems:
        own = [judged[system, name].p_adjusted for name in tested if (system, name) in judged]
        z = float(-ndtri(min([*own, 1.0]) / 2))
        verdict = "success" if z > bound else "open"
        if verdict == "open" and stopping.futility is not None:
            verdict = "futile" if conditional_power(z, now, final) < stopping.futility else "open"
        found.append([system.model, system.arm, round(z, 4), verdict])
    families = len(set(data.family.tolist()))
    return {"fraction": now, "families": families, "boundary": bound, "found": found}
