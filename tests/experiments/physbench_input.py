"""A small fixed PhysBench run: 24 questions of 8 families, two models, four arms, marks by a simple rule."""

from __future__ import annotations

from ansatz.eval.benchmarks.physbench.physbench_template import COGNITIVE, KNOWLEDGE, TOPICS
from ansatz.eval.benchmarks.physbench.prefs_rubric import CRITERIA, criteria_of, dimensions_of
from tests.eval.prefs_cases import BRAKING, CHOICE
from tests.experiments.rows import Cell, Rows

MODELS = ("steady", "shaky")
SWITCHES = {
    "baseline": frozenset(),
    "answer_template": frozenset({"answer_template"}),
    "own": frozenset({"formulation(source=self)"}),
    "given": frozenset({"formulation(source=reference)"}),
}
PREFIX = "prefs."


def problems():
    found = {}
    for number in range(24):
        base = CHOICE if number % 4 == 3 else BRAKING
        tags = base.tags | {
            "topic": TOPICS[number % 7],
            "cognitive": COGNITIVE[number % 6],
            "knowledge": KNOWLEDGE[number % 3],
        }
        id = f"question-{number}"
        found[id] = base.model_copy(update={"id": id, "family": f"family-{number % 8}", "tags": tags})
    return found


def marks(problem, model, arm):
    """Full marks but for: modelling without a formulation, arithmetic of every third, finals of the shaky."""
    number = int(problem.id.rsplit("-", 1)[1])
    names = [each.name for each in criteria_of(problem)]
    lost = set()
    if arm in ("baseline", "answer_template") and number % 3 != 1:
        lost |= {"modeling", "setup"}
    if number % 3 == 0:
        lost |= {"calculation", "correctness"}
        if arm != "given":
            lost |= {"final"}
    if model == "shaky" and number % 2:
        lost |= {"final", "relevance", "concept"}
    return {name: 0.0 if name in lost else 1.0 for name in names}


def values(problem, model, arm):
    """Every stored value of an attempt by dimension."""
    given = marks(problem, model, arm)
    rubric = criteria_of(problem)
    found = {name: given.get(name) for name in CRITERIA}
    found["score"] = sum(each.points * given[each.name] for each in rubric) / sum(
        each.points for each in rubric
    )
    found["final_correct"] = given["final"]
    found["fully_correct"] = float(all(value == 1.0 for value in given.values()))
    found["template"] = float(arm == "answer_template" or int(problem.id[9:]) % 5 == 0)
    errors = {each.error: 1.0 - given[each.name] for each in rubric if each.error}
    return {
        dimension: (errors if dimension.startswith("error.") else found).get(
            dimension.removeprefix("error.").removeprefix(PREFIX)
        )
        for dimension in (each.name for each in dimensions_of(PREFIX))
    }


def report_data(**changes):
    made = problems()
    cells = tuple(
        Cell(
            model=model,
            arm=arm,
            problem=id,
            family=problem.family,
            repeat=0,
            dimension=dimension,
            value=value,
            state="unscored" if value is None else "scored",
        )
        for model in MODELS
        for arm in SWITCHES
        for id, problem in made.items()
        for dimension, value in values(problem, model, arm).items()
    )
    fields = {
        "title": "physbench",
        "models": MODELS,
        "arms": tuple(SWITCHES),
        "baseline": "baseline",
        "dimensions": dimensions_of(PREFIX),
        "cells": cells,
        "planned": 24 * 8,
        "problems": made,
        "tags": {id: each.tags for id, each in made.items()},
        "switches": SWITCHES,
        "resamples": 200,
    }
    return Rows(**(fields | changes))
