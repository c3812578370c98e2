"""ThermoQA questions and answers, made here or as published."""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

from ansatz.eval.benchmarks.thermoqa import load, published_reading
from ansatz.eval.benchmarks.thermoqa.score import published, strict
from ansatz.eval.benchmarks.thermoqa.stated_values import from_text, in_unit
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Tolerance

DATA = Path(__file__).parents[3] / "../shared/data/thermoqa"
PUBLISHED = pytest.mark.skipif(not DATA.is_dir(), reason="the published ThermoQA files are not here")

QUESTION = {
    "id": "Q-1",
    "tier": 1,
    "category": "wet_steam",
    "subcategory": "given_P_x",
    "difficulty": "easy",
    "question": "Steam at 100 kPa?\n\nReport your answers as:\nh_f = ___ kJ/kg\nPhase: ___",
    "given": {"fluid": "Water", "P_kPa": 100.0},
    "expected": {
        "h_f_kJ_kg": {"value": 417.5, "unit": "kJ/kg", "tolerance_pct": 2.0, "abs_tolerance": 0.5},
        "phase_name": {"value": "wet_steam", "type": "exact_match", "acceptable_aliases": ["two-phase"]},
    },
    "metadata": {"template_id": "WS-1"},
}


def number(name, value, unit="kJ/kg", absolute=0.5, weight=1.0):
    tolerance = Tolerance(relative=0.02, absolute=absolute)
    return NumberTarget(name=name, unit=unit, weight=weight, value=value, tolerance=tolerance)


def problem(*targets, tier="1", question="?", **tags):
    tags = {"tier": tier, **tags}
    return Problem(id="p", family="f", benchmark="thermoqa", question=question, targets=targets, tags=tags)


def strictly(asked, answer):
    """The strict judgement of each target."""
    return strict(asked, from_text(asked, answer))


def as_scored(asked, answer):
    """By rule, each target of an answer as the scorer judges it."""
    by_publisher = published(asked, published_reading.read(answer, asked))
    return {"published": by_publisher, "strict": strictly(asked, answer)}


def write(folder, *questions):
    file = folder / "tier1-questions.jsonl"
    file.write_text("\n".join(json.dumps(each) for each in questions), encoding="utf-8")
    return file


def changed(path, value):
    """QUESTION with the field at a dotted path replaced, or removed where value is None."""
    copy = json.loads(json.dumps(QUESTION))
    *parents, last = path.split(".")
    place = copy
    for parent in parents:
        place = place[parent]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return copy


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
        return from_text(self.asked, self.response["response_text"] or "")

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
    **{
        "s": "kJ/(kg*K)",
        "S": "kW/K",
        "Q": "kW",
        "W": "kW",
        "X": "kW",
        "m": "kg/s",
        "V": "m/s",
        "v": "m^3/kg",
    },
    **{"P": "kPa", "r": "kg/m^3", "e": "kJ/kg", "h": "kJ/kg", "u": "kJ/kg", "w": "kJ/kg", "q": "kJ/kg"},
    **{"T": "degC", "x_dest": "kJ/kg", "eta": "-", "COP": "-", "x": "-", "T2": "K", "T4": "K", "T5": "K"},
}


def unit_of(name):
    """The unit the published questions ask a symbol in: that of its longest known beginning."""
    return UNITS[max((start for start in UNITS if name.startswith(start)), key=len)]


def asking(*names):
    """A question for these targets, none of which has a key that matters."""
    phase = LabelTarget(name="phase", weight=1.0, value="wet_steam")
    targets = (phase if name == "phase" else number(name, 1.0, unit_of(name)) for name in names)
    return problem(*targets, tier="3")


def read_values(text, *names):
    """What an answer states for these targets, in the units that questions ask for; None for nothing."""
    asked = asking(*names)
    found = from_text(asked, text)
    return {
        each.name: None
        if each.name not in found
        else found[each.name].value
        if each.name == "phase"
        else in_unit(found[each.name], each)
        for each in asked.targets
    }
