"""Does an answer agree with itself? Wrong values that were inherited, and those that went wrong in place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from ansatz.eval.benchmarks.thermoqa.analysis_identities import RELATIVE, ROUNDING, Check, check
from ansatz.eval.benchmarks.thermoqa.judgement import Status
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.thermoqa.run import FIRST, ThermoQARun

_SHOWN = 12

Fate = tuple[bool, bool]  # whether the value is right, and whether its identity holds

_COUNTS = (
    *(Column("checks", COUNT), Column("hold", POINTS), Column("wrong values", COUNT)),
    *(Column("inherited", POINTS), Column("made in place", POINTS)),
)


def self_consistency(run: ThermoQARun) -> Section | None:
    """Identities checked with each answer's own numbers; None where none applies."""
    by_system: dict[tuple[str, System], Counter[Fate]] = {}
    by_identity: defaultdict[tuple[str, str], Counter[Fate]] = defaultdict(Counter)
    for tier in run.tiers:
        for system in run.systems:
            counted: Counter[Fate] = Counter()
            for one, status in _checks(run, system, tier):
                counted[status == "pass", one.holds] += 1
                by_identity[tier, one.identity][status == "pass", one.holds] += 1
            if counted:
                by_system[tier, system] = counted
    if not by_system:
        return None
    systems: list[list[Entry]] = [
        [tier, run.label(system), *_counts(each)] for (tier, system), each in by_system.items()
    ]
    identities: list[list[Entry]] = [[*place, *_counts(each)] for place, each in by_identity.items()]
    identities.sort(key=_broken_first)
    columns, detail = [Column("tier"), Column("system")], [Column("tier"), Column("identity")]
    tables = [
        Table(
            "consistency",
            f"Answers checked with their own numbers{run.simulated}.",
            [*columns, *_COUNTS],
            systems,
        ),
        Table(
            "identities",
            f"By identity, all systems, most broken first{run.simulated}.",
            [*detail, *_COUNTS],
            identities,
            shown=_SHOWN,
        ),
    ]
    return Section(title="Consistency of an answer with itself", tables=tables, notes=(_note(),))


def _checks(run: ThermoQARun, system: System, tier: str) -> Iterator[tuple[Check, Status]]:
    """Every identity that an answer's values allow, with the fate of the value it is about."""
    for judged, steps in run.answered(system, tier):
        values = {step.name: step.value for step in steps if step.value is not None}
        fates = {step.name: step.status(FIRST) for step in steps}
        for one in check(judged.problem, values):
            status = fates[one.symbol]
            if status is not None:
                yield one, status


def _counts(counted: Counter[Fate]) -> list[Entry]:
    total = counted.total()
    holding = counted[True, True] + counted[False, True]
    wrong = counted[False, True] + counted[False, False]
    shares = (counted[False, True] / wrong, counted[False, False] / wrong) if wrong else (None, None)
    return [total, holding / total, wrong, *shares]


def _broken_first(row: list[Entry]) -> tuple[float, str, str]:
    total, holding = row[2], row[3]
    assert isinstance(total, int) and isinstance(holding, float)
    return -round(total * (1 - holding), 6), str(row[0]), str(row[1])


def _note() -> str:
    return (
        "An identity such as w = h1 − h2 is put to the numbers that the answer itself states; the key "
        f"plays no part. It holds within {RELATIVE:.0%} of the stated value, or {ROUNDING:.2%} of the "
        "largest term, which is what rounding can hide. A wrong value whose identity holds was inherited "
        "from earlier values; one whose identity is broken went wrong in place."
    )
