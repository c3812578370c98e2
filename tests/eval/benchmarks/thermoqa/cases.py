"""ThermoQA questions and answers, made here or as published."""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

from ansatz.eval.benchmarks.thermoqa import load
from ansatz.eval.benchmarks.thermoqa.reading import convert_to_unit, read_values
from ansatz.eval.benchmarks.thermoqa.score import judge_strict
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Tolerance

DATA = Path(__file__).parents[4] / "../shared/data/thermoqa"
PUBLISHED = pytest.mark.skipif(not DATA.is_dir(), reason="the published ThermoQA files are not here")


def number(name, value, unit="kJ/kg", absolute=0.5, weight=1.0):
    tolerance = Tolerance(relative=0.02, absolute=absolute)
    return NumberTarget(name=name, unit=unit, weight=weight, value=value, published_tolerance=tolerance)


def problem(*targets, tier="1", question="?", **tags):
    tags = {"tier": tier, **tags}
    return Problem(id="p", family="f", benchmark="thermoqa", question=question, targets=targets, tags=tags)


def strictly(asked, answer):
    """The strict judgement of each target."""
    return judge_strict(asked, read_values(asked, answer))


def objects(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").split("\n") if line]


@dataclass(frozen=True)
class PublishedAnswer:
    """An answer with its problem and the names of its targets by published key."""

    asked: Problem
    response: dict
    names: dict[str, str]

    @cached_property
    def readings(self):
        """By target name, how we read it."""
        return read_values(self.asked, self.response["response_text"] or "")

    @property
    def extracted(self):
        """By target name, what the publisher extracted."""
        stored = self.response["extracted"].items()
        return {self.names.get(key, key): value for key, value in stored if value is not None}

    @property
    def passed(self):
        """By target name, what the publisher let pass."""
        return {self.names[each["key"]]: each["passed"] for each in self.response["scores"]}


@cache
def published_run(tier, model="gpt-5.4"):
    """The answers of a model to the questions of a tier."""
    problems = {each.id: each for each in load(str(DATA / f"tier{tier}-questions.jsonl"))}
    keys = {each["id"]: list(each["expected"]) for each in objects(f"tier{tier}-questions.jsonl")}
    found = []
    for response in objects(f"tier{tier}-responses-{model}-run1.jsonl"):
        asked = problems[response["id"]]
        names = dict(zip(keys[asked.id], [target.name for target in asked.targets], strict=True))
        found.append(PublishedAnswer(asked, response, names))
    return found


UNITS = {
    **dict.fromkeys(("h", "u", "w", "q", "e", "x_dest"), "kJ/kg"),
    **dict.fromkeys(("Q", "W", "X"), "kW"),
    **dict.fromkeys(("eta", "COP", "x"), "-"),
    **dict.fromkeys(("T2", "T4", "T5"), "K"),
    **{"T": "degC", "P": "kPa", "V": "m/s", "m": "kg/s", "s": "kJ/(kg*K)", "S": "kW/K"},
    **{"v": "m^3/kg", "r": "kg/m^3"},
}
"""The units the published questions ask symbols in, by their longest known beginning."""


def asking(*names):
    """A question for these targets, none of which has a key that matters."""
    phase = LabelTarget(name="phase", weight=1.0, value="wet_steam")
    units = {name: UNITS[max(filter(name.startswith, UNITS), key=len, default="h")] for name in names}
    return problem(
        *(phase if name == "phase" else number(name, 1.0, units[name]) for name in names), tier="3"
    )


def read_answer(text, *names):
    """What an answer states for these targets, in the units that questions ask for; None for nothing."""
    asked = asking(*names)
    found = read_values(asked, text)
    values = {name: each.value for name, each in found.items()}
    numbers = (each for each in asked.targets if isinstance(each, NumberTarget) and each.name in found)
    return (
        dict.fromkeys(names)
        | values
        | {each.name: convert_to_unit(found[each.name], each) for each in numbers}
    )
