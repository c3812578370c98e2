"""Property questions: tier 1 of the ThermoQA generator, with a formulation and limits for other scorers."""

from __future__ import annotations

from collections.abc import Sequence

from ansatz.eval.benchmarks.thermoqa.generate import question
from ansatz.eval.benchmarks.thermoqa.generated import Slot
from ansatz.eval.benchmarks.thermoqa.lookups import APPROACHES, FLUIDS, LOOKUPS
from ansatz.eval.benchmarks.thermoqa.published_names import describe, property_of
from ansatz.eval.benchmarks.thermoqa.questions import PublishedQuestion
from ansatz.eval.problem import (
    Formulation,
    NumberTarget,
    Problem,
    ReferenceSolution,
    Target,
    TargetBound,
    Tolerance,
)
from ansatz.eval.validation import check_choices
from ansatz.settings import Count

BENCHMARK = "properties"
_TOLERANCE = Tolerance(relative=0.02)


def load(count: Count = 40, seed: int = 0, fluids: Sequence[str] = ("water",)) -> tuple[Problem, ...]:
    """`count` questions: the eight categories in turn, each of every fluid, then their next templates.

    A smaller count gives the first of the same questions; none named is every fluid. Raises InvalidData for
    a fluid without templates.
    """
    check_choices("fluids", fluids, list(FLUIDS))
    order = _slots(tuple(dict.fromkeys(fluids or FLUIDS)))
    made = (question(1, order[number % len(order)], seed, number) for number in range(count))
    return tuple(_problem(each, seed, number) for number, each in enumerate(made))


def _slots(fluids: Sequence[str]) -> tuple[Slot, ...]:
    names: dict[str, list[str]] = {}
    for category, name in LOOKUPS:
        names.setdefault(category, []).append(name)
    return tuple(
        (category, name[turn], fluid)
        for turn in range(max(map(len, names.values())))
        for category, name in names.items()
        for fluid in fluids
        if turn < len(name)
    )


def _problem(question: PublishedQuestion, seed: int, number: int) -> Problem:
    asked = question.problem()
    fluid, *givens = asked.givens
    described = tuple(given.model_copy(update={"description": describe(given.name)}) for given in givens)
    targets = tuple(_target(target, 1 / len(asked.targets)) for target in asked.targets)
    formulation = Formulation(
        given=f"{fluid.value}; "
        + "; ".join(f"{one.description} {one.name} = {one.value} {one.unit}" for one in described),
        find="; ".join(f"{target.description} {target.name}" for target in targets),
        approach=APPROACHES[question.kind].format(known=" and ".join(one.name for one in described)),
        assumptions="pure substance in thermodynamic equilibrium",
    )
    return asked.model_copy(
        update={
            "id": f"{BENCHMARK}.{seed}.{number:04d}",
            "family": f"{BENCHMARK}.{question.kind}.{question.depth}",
            "benchmark": BENCHMARK,
            "givens": (fluid, *described),
            "targets": targets,
            "reference": ReferenceSolution(formulation=formulation, bounds=_bounds(targets)),
            "tags": {**asked.tags, "domain": BENCHMARK},
        }
    )


def _target(target: Target, weight: float) -> Target:
    """The published absolute tolerances (0.5 of any unit, so of m3/kg too) would accept 0 for a volume."""
    strict = {"published_tolerance": _TOLERANCE} if isinstance(target, NumberTarget) else {}
    return target.model_copy(update={"weight": weight, **strict})


def _bounds(targets: Sequence[Target]) -> tuple[TargetBound, ...]:
    bounds = []
    for target in targets:
        name = property_of(target.name)
        if name == "x":
            reason = "a quality lies between 0 and 1"
            bounds.append(TargetBound(target=target.name, low=0.0, high=1.0, reason=reason))
        elif name in ("P", "v", "rho"):
            bounds.append(TargetBound(target=target.name, low=0.0, reason=f"a {describe(name)} is positive"))
    return tuple(bounds)
