"""Property questions: tier 1 of the ThermoQA generator, with a formulation and limits for other scorers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ansatz.eval.benchmarks.thermoqa.generated import GeneratedQuestion
from ansatz.eval.benchmarks.thermoqa.lookups import FLUIDS, TIER, templates
from ansatz.eval.benchmarks.thermoqa.published_names import DESCRIPTIONS, describe, property_of
from ansatz.eval.problem import (
    Bound,
    Formulation,
    NumberTarget,
    Problem,
    ReferenceSolution,
    Target,
    Tolerance,
)
from ansatz.quantities.did_you_mean import nearest

BENCHMARK = "properties"
_TOLERANCE = Tolerance(relative=0.02)
_APPROACH = {
    "subcooled_liquid": "Check that P exceeds the saturation pressure at T, then read the compressed liquid"
    " at T and P; rho is 1/v.",
    "saturated_liquid": "Read the saturated-liquid line at {known}.",
    "wet_steam": "Read both saturated phases at the given T or P; the quality x weights every other property"
    " between them.",
    "saturated_vapor": "Read the saturated-vapour line at {known}.",
    "superheated_vapor": "Check that T exceeds the saturation temperature at P, then read the superheated"
    " state at T and P; rho is 1/v.",
    "supercritical": "Compare T and P with the critical values, then read the one-phase state; rho is 1/v.",
    "phase_determination": "Compare T and P with the critical point, then T with the saturation temperature"
    " at P to a tenth of a degree.",
    "inverse_lookups": "Find the phase by comparing with the saturated phases, then the state with the given"
    " {known}.",
}


def load(count: int = 40, seed: int = 0, fluids: Sequence[str] = ("water",)) -> tuple[Problem, ...]:
    """`count` questions: the eight categories in turn, each of every fluid, then their next templates.

    A smaller count gives the first of the same questions. Raises ValueError for a fluid without templates.
    """
    for fluid in fluids:
        if fluid not in FLUIDS:
            raise ValueError(f"there are no property questions on {fluid!r}{nearest(fluid, FLUIDS)}")
    lookups = replace(TIER, published=dict.fromkeys(_slots(fluids), 1), further=())
    return tuple(_problem(lookups.question(seed, number, "even"), seed, number) for number in range(count))


def _slots(fluids: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    names: dict[str, list[str]] = {}
    for category, name in templates():
        names.setdefault(category, []).append(name)
    return tuple(
        (category, name[turn], fluid)
        for turn in range(max(map(len, names.values())))
        for category, name in names.items()
        for fluid in fluids
        if turn < len(name)
    )


def _problem(question: GeneratedQuestion, seed: int, number: int) -> Problem:
    asked = question.problem()
    fluid, *givens = asked.givens
    described = tuple(given.model_copy(update={"description": describe(given.name)}) for given in givens)
    targets = tuple(_target(target, 1 / len(asked.targets)) for target in asked.targets)
    formulation = Formulation(
        given=f"{fluid.value}; "
        + "; ".join(f"{one.description} {one.name} = {one.value} {one.unit}" for one in described),
        find="; ".join(f"{target.description} {target.name}" for target in targets),
        approach=_APPROACH[question.kind].format(known=" and ".join(one.name for one in described)),
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
    strict = {"tolerance": _TOLERANCE} if isinstance(target, NumberTarget) else {}
    return target.model_copy(update={"weight": weight, **strict})


def _bounds(targets: Sequence[Target]) -> tuple[Bound, ...]:
    bounds = []
    for target in targets:
        name = property_of(target.name)
        if name == "x":
            reason = "a quality lies between 0 and 1"
            bounds.append(Bound(target=target.name, low=0.0, high=1.0, reason=reason))
        elif name in ("P", "v", "rho"):
            bounds.append(Bound(target=target.name, low=0.0, reason=f"a {DESCRIPTIONS[name]} is positive"))
    return tuple(bounds)
