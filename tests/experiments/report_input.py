"""A small fixed run: 24 problems of 12 families, two repeats, some attempts unscored and some failed."""

from tests.experiments.rows import Cell, Rows

EFFECTS = {
    "baseline": {},
    "calculator": {"outcome": 0.3, "G4": 0.5},
    "protocol": {"G6": 0.5, "outcome": -0.05},
}
BASES = {"outcome": 0.4, "kpi": 0.5, "G4": 0.25, "G6": 0.2}
SPENT = {"tokens": {"baseline": 900.0, "calculator": 2400.0, "protocol": 1500.0}}


def small_run(**changes) -> Rows:
    cells = tuple(
        cell
        for arm in EFFECTS
        for problem in range(24)
        for repeat in range(2)
        for cell in _attempt(arm, problem, repeat)
    )
    data = {
        "title": "small",
        "models": ("offline:slide-rule",),
        "arms": tuple(EFFECTS),
        "baseline": "baseline",
        "dimensions": (*BASES, *SPENT),
        "cells": cells,
        "tags": {f"p{n}": {"level": f"L{n % 2 + 1}", "domain": "heating"} for n in range(24)},
        "simulated": frozenset({"offline:slide-rule"}),
        "resamples": 500,
    }
    return Rows(**{**data, **changes})


def _attempt(arm, problem, repeat):
    failed = arm == "protocol" and problem == 3
    for at, dimension in enumerate((*BASES, *SPENT)):
        unscored = dimension == "G4" and problem == 5 and repeat == 1
        state = "error" if failed else "unscored" if unscored else "scored"
        reasons = {"error": "ModelUnavailable: 503 | try later", "unscored": "no sum is stated", "scored": ""}
        # Scatter that differs by arm, dimension, problem and repeat, and averages out.
        scatter = ((problem * 7 + repeat * 3 + at * 5 + list(EFFECTS).index(arm) * problem) % 11 - 5) / 50
        if dimension in SPENT:
            value = SPENT[dimension][arm] * (1 + scatter)
        else:
            value = BASES[dimension] + EFFECTS[arm].get(dimension, 0.0) + scatter
        yield Cell(
            model="offline:slide-rule",
            arm=arm,
            problem=f"p{problem}",
            family=f"f{problem // 2}",
            repeat=repeat,
            dimension=dimension,
            value=value if state == "scored" else None,
            state=state,
            reason=reasons[state],
        )
