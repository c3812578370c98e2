"""How answers fail: values missing or wrong, and errors that run from one step to the next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ansatz.eval.association import phi
from ansatz.eval.benchmarks.thermoqa.analysis import RULES, adjacent
from ansatz.eval.benchmarks.thermoqa.judgement import Status
from ansatz.experiments.report.section import (
    COEFFICIENT,
    COUNT,
    POINTS,
    Column,
    Entry,
    Estimate,
    Section,
    Table,
)
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.thermoqa.run import FIRST, ThermoQARun

_SHOWN = 12
_FEWEST = 10  # answers behind a φ
_FEWEST_FAILURES = 4  # of each step: below that φ hangs on a single question


_FATES: tuple[Status, ...] = ("pass", "missing", "out_of_tolerance")


def missing_or_wrong(run: ThermoQARun) -> Section:
    """Steps by their fate: under the strict rule in full, under the published one what differs."""
    columns = [
        *(Column("tier"), Column("system"), Column("steps", COUNT), Column("passed", POINTS)),
        *(Column("missing", POINTS), Column("out of tolerance", POINTS)),
        Column("missing among failed", POINTS),
        *(Column("published: passed", POINTS), Column("published: missing among failed", POINTS)),
    ]
    rows = [_fates(run, tier, system) for tier in run.tiers for system in run.systems]
    caption = f"Steps by their fate under the {FIRST} rule, in percent of those asked{run.simulated}."
    note = "Steps count alike here, whatever their weight. Missing means that no value could be read."
    return Section(title="Missing or wrong", tables=[Table("errors", caption, columns, rows)], notes=(note,))


def _fates(run: ThermoQARun, tier: str, system: System) -> list[Entry]:
    steps = [step for _, steps in run.answered(system, tier) for step in steps]
    counted = {rule: Counter(status for step in steps if (status := step.status(rule))) for rule in RULES}
    strict, published = counted["strict"], counted["published"]
    fates = [_ratio(strict[fate], strict.total()) for fate in _FATES]
    passed = _ratio(published["pass"], published.total())
    head: list[Entry] = [tier, run.label(system), strict.total()]
    return [*head, *fates, _missing_among_failed(strict), passed, _missing_among_failed(published)]


def _missing_among_failed(counted: Counter[Status]) -> float | None:
    return _ratio(counted["missing"], counted.total() - counted["pass"])


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def error_propagation(run: ThermoQARun) -> Section | None:
    """φ between steps that follow each other; None where no question has two."""
    rows = [row for tier in run.tiers for system in run.baselines() for row in _cascades(run, tier, system)]
    if not rows:
        return None
    rows.sort(key=_strongest_first)
    columns = [
        *(Column("tier"), Column("system"), Column("step"), Column("next step"), Column("answers", COUNT)),
        *(Column("φ", COEFFICIENT), Column("passed", POINTS), Column("next passed", POINTS)),
    ]
    caption = f"Neighbouring steps by how closely their errors go together, {FIRST} rule{run.simulated}."
    note = (
        f"φ is Pearson's r of two passes, over answers of the {run.data.baseline} arm to questions that "
        "ask both steps in a row, with an interval from leaving out one family at a time (none where φ is "
        f"1 or hangs on one family). Pairs with fewer than {_FEWEST} answers or fewer than "
        f"{_FEWEST_FAILURES} failures of a step are left out. A high φ says that the errors come together, "
        "by one causing the other or by both having the same cause."
    )
    return Section(
        title="Errors that propagate",
        tables=[Table("propagation", caption, columns, rows, shown=_SHOWN)],
        notes=(note,),
    )


def _cascades(run: ThermoQARun, tier: str, system: System) -> list[list[Entry]]:
    pairs: defaultdict[tuple[str, str], list[tuple[bool, bool, str]]] = defaultdict(list)
    for judged, steps in run.answered(system, tier):
        for one, other in adjacent(steps, FIRST):
            passed = (one.status(FIRST) == "pass", other.status(FIRST) == "pass")
            pairs[one.name, other.name].append((*passed, judged.problem.family))
    rows: list[list[Entry]] = []
    for (first, second), answers in pairs.items():
        before = [one for one, _, _ in answers]
        after = [other for _, other, _ in answers]
        families = [family for _, _, family in answers]
        found = phi(before, after, families, run.data.level)
        enough = len(answers) >= _FEWEST and min(map(_failures, (before, after))) >= _FEWEST_FAILURES
        if found.value is not None and enough:
            strength = Estimate(found.value, found.low, found.high)
            shares = (sum(passed) / len(answers) for passed in (before, after))
            rows.append([tier, run.label(system), first, second, len(answers), strength, *shares])
    return rows


def _failures(passed: Sequence[bool]) -> int:
    return sum(not each for each in passed)


def _strongest_first(row: list[Entry]) -> tuple[float, float, str, str]:
    """By φ, then by the number of answers behind it."""
    strength, answers = row[5], row[4]
    assert isinstance(strength, Estimate) and isinstance(answers, int)
    return -round(strength.value or 0.0, 9), -answers, str(row[0]), f"{row[2]} {row[3]}"
