"""A small fixed ThermoQA run: 24 questions of 12 families over three tiers, two models, three arms, three runs."""

from __future__ import annotations

from ansatz.eval import Problem
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore
from ansatz.eval.problem import NumberTarget, Tolerance
from tests.experiments.rows import Attempt, Cell, Rows

MODELS = ("steady", "shaky")
ARMS = ("text_only", "tools", "protocol")
REPEATS = 3
UNITS = {"h": "kJ/kg", "s": "kJ/(kg*K)", "v": "m^3/kg", "w": "kJ/kg", "q": "kJ/kg", "x": "kJ/kg", "e": "-"}
WEIGHTS = {"h": 1.0, "s": 1.0, "v": 1.0, "w": 3.0, "q": 3.0, "x": 2.0, "e": 5.0}


def lookup(number):
    return {"h": 2800.0 + 10 * number, "s": 6.5 + 0.01 * number, "v": 0.2 + 0.01 * number}


def turbine(number):
    states = {"h1": 3300.0 + 10 * number, "s1": 6.7, "h2s": 2300.0, "h2": 2400.0 + number, "s2": 7.0}
    return states | {
        "w_out": states["h1"] - states["h2"],
        "s_gen": 0.3,
        "x_dest": 298.15 * 0.3,
    }


def rankine(number):
    value = {"h1": 192.0, "h2": 200.0, "h3": 3400.0 + 10 * number, "h4": 2300.0 + 5 * number}
    value |= {"w_pump": 8.0, "q_in": value["h3"] - 200.0, "w_turb": value["h3"] - value["h4"]}
    value["w_net"] = value["w_turb"] - 8.0
    return value | {"eta_th": value["w_net"] / value["q_in"]}


MADE = {
    "1": (lookup, ("wet_steam", "supercritical"), ("given_P_x", "multi_property"), None),
    "2": (turbine, ("turbine", "turbine"), ("A", "C"), "Water"),
    "3": (rankine, ("RNK-I", "RNK-I"), ("A", "B"), "Water"),
}


def problems() -> dict[str, Problem]:
    found = {}
    for tier, (make, kinds, depths, fluid) in MADE.items():
        for number in range(8):
            tags = {"tier": tier, "difficulty": "easy", "category": kinds[number % 2]}
            tags |= {"subcategory": depths[number % 2]} | ({"fluid": fluid} if fluid else {})
            id = f"T{tier}-{number}"
            found[id] = Problem(
                id=id,
                family=f"T{tier}-family-{number // 2}",
                benchmark="thermoqa",
                question="Report the values.",
                targets=tuple(target(name, value, tier) for name, value in make(number).items()),
                tags=tags,
            )
    return found


def target(name, value, tier):
    tolerance = Tolerance(relative=0.02, absolute=0.02 if name.startswith("e") else 0.5)
    weight = 1.0 if tier == "1" else WEIGHTS[name[0]]
    return NumberTarget(name=name, unit=UNITS[name[0]], weight=weight, value=value, tolerance=tolerance)


def answer(problem, model, arm, repeat):
    """Wrong states without tools, wrong works without the protocol, and a gap where a model is shaky."""
    number = int(problem.id.rsplit("-", 1)[1])
    value = {each.name: each.value for each in problem.targets}
    if arm == "text_only" and (number + repeat) % 3:
        value |= {name: 1.05 * each for name, each in value.items() if name[0] in "hsv"}
        if "w_out" in value:  # the work still follows from its states
            value["w_out"] = value["h1"] - value["h2"]
    if arm != "protocol" and number % 4 == 0 and problem.tags["tier"] == "3":
        value["q_in"] *= 0.9
    if model == "shaky" and (number * 5 + repeat * 3) % 4 == 0:
        value.popitem()
    return "\n".join(f"{name} = {each:.6g}" for name, each in value.items())


def thermoqa_run(**changes) -> Rows:
    """One attempt has failed: the first question, in the second model's tools arm, in its last run."""
    asked = problems()
    attempts = []
    for problem in asked.values():
        for repeat in range(REPEATS):
            for model in MODELS:
                for arm in ARMS:
                    failed = (problem.id, model, arm, repeat) == ("T1-0", "shaky", "tools", 2)
                    text = None if failed else answer(problem, model, arm, repeat)
                    output = 0 if failed else 10 * len(text) + 7 * repeat
                    attempts.append(
                        Attempt(model, arm, problem.id, repeat, text, output, output + 300 * (not failed))
                    )
    data = {
        "title": "small thermoqa",
        "models": MODELS,
        "arms": ARMS,
        "baseline": "text_only",
        "dimensions": ("tokens",),
        "cells": tuple(cell(attempt, asked) for attempt in attempts),
        "planned": len(attempts),
        "tags": {id: problem.tags for id, problem in asked.items()},
        "resamples": 300,
        "problems": asked,
        "attempts": tuple(attempts),
        "scorers": (ThermoQAScore(),),
    }
    return Rows(**{**data, **changes})


def cell(attempt, asked):
    failed = attempt.answer is None
    return Cell(
        model=attempt.model,
        arm=attempt.arm,
        problem=attempt.problem,
        family=asked[attempt.problem].family,
        repeat=attempt.repeat,
        dimension="tokens",
        value=None if failed else float(attempt.tokens),
        state="error" if failed else "scored",
        reason="ModelUnavailable: 503" if failed else "",
    )


def table(data, name):
    """A table's rows by column name, as stored."""
    [chapter] = data.chapters
    [found] = [each for section in chapter.sections for each in section.tables if each.name == name]
    names = [column.name for column in found.columns]
    return [dict(zip(names, row, strict=True)) for row in found.rows]


def row(data, name, **where):
    [found] = [each for each in table(data, name) if all(each[key] == value for key, value in where.items())]
    return found
