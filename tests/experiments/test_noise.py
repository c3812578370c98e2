"""From the cells of a run to what noise did to it."""

import pytest

from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.views import System
from ansatz.eval.views.noise_shifts import noise_shifts
from tests.experiments.rows import Cell, Rows


def problem(id, family, kind, clean):
    targets = (NumberTarget(name="q", unit="-", weight=1, value=1.0),)
    tags = {"corruption": kind, "clean_id": clean}
    return Problem(
        id=id, family=family, benchmark="tps_noisy", question="Find q.", targets=targets, tags=tags
    )


def data(values):
    """A run of two arms over sound items and one damaged copy of each; `values` by arm and kind."""
    problems = {}
    for number in range(12):
        family = f"f{number // 2}"
        for id, kind in ((f"i{number}", "none"), (f"i{number}~", "unit_loss")):
            problems[id] = problem(id, family, kind, f"i{number}")
    cells = tuple(
        Cell(
            "m",
            arm,
            one.id,
            one.family,
            0,
            "kpi",
            values[arm][one.tags["corruption"]] + 0.01 * int(one.family[1]),
            "scored",
            "",
        )
        for arm in values
        for one in problems.values()
    )
    return Rows(
        title="noise",
        models=("m",),
        arms=tuple(values),
        baseline=next(iter(values)),
        dimensions=("kpi",),
        cells=cells,
        planned={},
        tags={id: one.tags for id, one in problems.items()},
        simulated=frozenset(),
        seed=0,
        problems=problems,
    )


def test_shifts_and_ranks_of_every_arm():
    made = data({"frail": {"none": 0.8, "unit_loss": 0.4}, "robust": {"none": 0.7, "unit_loss": 0.6}})
    (found,) = noise_shifts(made.results)
    frail, robust = System("m", "frail"), System("m", "robust")
    assert found.paired[frail].estimate == pytest.approx(0.4) and found.paired[
        robust
    ].estimate == pytest.approx(0.1)
    assert found.by_kind[frail]["unit_loss"].pairs == 12
    assert found.sets[frail].estimate == pytest.approx(0.2)
    assert [(shift.clean, shift.mixed) for shift in found.ranks.values()] == [(1, 2), (2, 1)]


def test_a_run_without_damage_has_no_shifts():
    made = data({"frail": {"none": 0.8, "unit_loss": 0.4}})
    sound = {id: one for id, one in made.problems.items() if not id.endswith("~")}
    from dataclasses import replace

    assert noise_shifts(replace(made, problems=sound).results) == ()
