"""A small fixed TPS run: 24 items of 12 families, two models, a 2^2 factorial and a placebo, two reviewers.

Model "steady" answers all; "silent" leaves every third item without a readable answer, so that it is not
ranked. One attempt has failed. Marks, answers and errors follow from the item's number and the arm.
"""

from __future__ import annotations

from ansatz.eval import Problem
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import NumberTarget
from ansatz.eval.verifier import kpi
from tests.experiments.rows import Attempt, Cell, Rows

MODELS = ("steady", "silent")
SWITCHES = {
    "zero-shot": frozenset(),
    "sheet": frozenset({"retrieval"}),
    "steps": frozenset({"protocol"}),
    "both": frozenset({"protocol", "retrieval"}),
    "placebo": frozenset({"placebo"}),
}
RUBRIC = tuple(kpi.WEIGHTS)
ERRORS = ("error.formula", "error.hallucination")
MARKED = (*RUBRIC, "kpi", "kpi_published")
DIMENSIONS = (*MARKED, *(f"judge.{name}" for name in MARKED), *ERRORS, "tokens")
FAILED = ("steady", "both", "item-7")
ITEMS = 24


def problems(noisy: bool = False) -> dict[str, Problem]:
    """The sound items; with `noisy`, a damaged copy of every other one as well."""
    found = {}
    for number in range(ITEMS):
        tags = {"level": f"L{number % 4 + 1}", "domain": ("heating", "shock")[number // 12]}
        marked = {**tags, "corruption": "none", "clean_id": f"item-{number}"} if noisy else tags
        found[f"item-{number}"] = item(number, f"item-{number}", marked)
        if noisy and number % 2:
            spoiled = {**tags, "corruption": "unit_loss", "clean_id": f"item-{number}"}
            found[f"item-{number}-noisy"] = item(number, f"item-{number}-noisy", spoiled)
    return found


def item(number, id, tags):
    return Problem(
        id=id,
        family=f"family-{number // 2}",
        benchmark="tps_noisy" if "corruption" in tags else "tps",
        question="Find q and T.",
        targets=(
            NumberTarget(name="q", unit="W/m^2", weight=0.75, value=1000.0 + number),
            NumberTarget(name="T", unit="K", weight=0.25, value=300.0 + number),
        ),
        tags=tags,
    )


def answer(number, model, on, noisy):
    """By number: exact with retrieval or where 4 divides it, else 5 %, 30 % or 80 % off; T has an unknown unit at 5."""
    if model == "silent" and number % 3 == 0:
        return "I cannot tell."
    off = 0.0 if ("retrieval" in on and not noisy) or number % 4 == 0 else (0.05, 0.3, 0.8)[number % 3]
    unit = "zorks" if number % 5 == 0 else "K"
    return f"q = {(1000 + number) * (1 + off):.6g} W/m^2\nT = {(300 + number) * (1 + off):.6g} {unit}"


def marks(number, on, noisy):
    """Stored marks by dimension, those of the judge half a point kinder on G6, which fails on one item of six."""
    right = "retrieval" in on and not noisy
    told = "protocol" in on
    verifier = {"G1": 1.0 if right else (number % 3) / 2, "G2": 0.5 if noisy else 1.0, "G3": 1.0}
    verifier["G4"] = 1.0 if number % 3 else 0.5
    verifier |= {"G5": 0.5, "G6": 0.5 if told else 0.0, "G7": 1.0 if told else 0.0, "G8": 1.0}
    judged = {f"judge.{name}": value for name, value in verifier.items()}
    judged["judge.G6"] = min(1.0, verifier["G6"] + 0.5)
    if number % 6 == 5:
        judged = dict.fromkeys(judged)
    if number % 6 == 4:
        verifier["G4"] = None
    scored = {**verifier, **sums(verifier), **judged, **sums(judged, "judge.")}
    scored["error.formula"] = float(verifier["G1"] == 0)
    scored["error.hallucination"] = (
        None if number % 8 == 7 else float(verifier["G1"] == 0 and number % 2 == 0)
    )
    return scored


def sums(marked, prefix=""):
    shares = {name.removeprefix(prefix): value for name, value in marked.items() if value is not None}
    return {f"{prefix}kpi": kpi.kpi(shares, None), f"{prefix}kpi_published": kpi.published(shares)}


def tps_run(noisy: bool = False, **changes) -> Rows:
    asked = problems(noisy)
    attempts, cells = [], []
    for id, problem in asked.items():
        number = int(id.split("-")[1])
        for model in MODELS:
            for arm, on in SWITCHES.items():
                failed = (model, arm, id) == FAILED
                text = None if failed else answer(number, model, on, id.endswith("noisy"))
                tokens = 0 if failed else 100 + 50 * len(on) + number
                tags = (
                    {"judge.": ("formula", "hallucination")[: 2 - number % 3]}
                    if number % 6 != 5 and not failed
                    else {}
                )
                attempts.append(Attempt(model, arm, id, 0, text, tokens, tokens, tags))
                scored = {**marks(number, on, id.endswith("noisy")), "tokens": float(tokens)}
                cells += [cell(attempts[-1], problem, name, scored[name]) for name in DIMENSIONS]
    data = {
        "title": "small tps",
        "models": MODELS,
        "arms": tuple(SWITCHES),
        "baseline": "zero-shot",
        "dimensions": DIMENSIONS,
        "cells": tuple(cells),
        "planned": len(attempts),
        "tags": {id: problem.tags for id, problem in asked.items()},
        "resamples": 200,
        "problems": asked,
        "attempts": tuple(attempts),
        "switches": SWITCHES,
        "scorers": (Outcome(),),
    }
    return Rows(**{**data, **changes})


def cell(attempt, problem, dimension, value):
    failed = attempt.answer is None
    return Cell(
        model=attempt.model,
        arm=attempt.arm,
        problem=problem.id,
        family=problem.family,
        repeat=0,
        dimension=dimension,
        value=None if failed else value,
        state="error" if failed else "unscored" if value is None else "scored",
        reason="ModelUnavailable: 503" if failed else "" if value is not None else "cannot tell",
    )


def tables(data, name):
    """A table's rows by column name, as stored."""
    [found] = [
        each
        for chapter in data.chapters
        for section in chapter.sections
        for each in section.tables
        if each.name == name
    ]
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def row(data, name, **where):
    [found] = [each for each in tables(data, name) if all(each[key] == value for key, value in where.items())]
    return found
