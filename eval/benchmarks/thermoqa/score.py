"""ThermoQA scores in two columns: the publisher's rule, and a strict one without its free points.

`published` passes a value within 2 % *or* within an absolute tolerance of 0.5 (0.03 or so for ratios), so
that every specific volume passes whatever is answered. `strict` reads units and converts them, compares
relatively, and keeps an absolute floor only where a value near zero makes a relative test meaningless.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ansatz.agents import Transcript
from ansatz.eval.benchmarks.thermoqa import published_reading
from ansatz.eval.benchmarks.thermoqa.published_reading import Value
from ansatz.eval.extract import Statement, pick, statements
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Target
from ansatz.eval.score import Score
from ansatz.knowledge_base.units import UnitError, quantity, same_dimension

_FLOORS = {
    "kJ/kg": 0.05,
    "kJ/(kg*K)": 0.0005,
    "kW": 0.5,
    "kW/K": 0.0005,
    "degC": 0.05,
    "-": 0.0005,
}
"""Absolute floors of the strict test in the target's unit: the last digit such tables print."""

_DEFAULT_RELATIVE = 0.02
_COMPONENT = re.compile(r"(\b[A-Za-z]+_[A-Za-z]+),([A-Za-z]\w*)(?=\s*[=≈:])")
"""s_gen,pump and its like, as the questions write them."""


@dataclass(frozen=True)
class ThermoQAScore:
    """Scores property, component and cycle questions by the publisher's rule and by the strict one."""

    relative: float = _DEFAULT_RELATIVE

    dimensions: ClassVar[tuple[str, ...]] = ("published", "strict")

    async def score(self, problem: Problem, transcript: Transcript) -> tuple[Score, ...]:
        unfit = _unfit(problem)
        if unfit:
            return tuple(Score(dimension=name, value=None, evidence=unfit) for name in self.dimensions)
        read = published_reading.read(transcript.answer, problem)
        return (
            _score("published", problem, published(problem, read)),
            _score("strict", problem, strict(problem, transcript.answer, self.relative)),
        )


@dataclass(frozen=True)
class Judged:
    """One target: whether it passed, and what was compared."""

    passed: bool
    evidence: str


def published(problem: Problem, values: Mapping[str, Value]) -> dict[str, Judged]:
    """The publisher's test of each target, given the values read from an answer."""
    recomputed = {name: energy_balance_error(name, values) for name in _BALANCES}
    return {
        target.name: _published(target, recomputed.get(target.name, values.get(target.name)))
        for target in problem.targets
    }


def strict(problem: Problem, answer: str, relative: float = _DEFAULT_RELATIVE) -> dict[str, Judged]:
    """The strict test of each target: last statement wins, units count, relative deviation only.

    A stated energy-balance error is left out: it is a claim about other targets, and 0 is free.
    """
    found = statements(_COMPONENT.sub(r"\1_\2", answer))
    judged = {}
    for target in problem.targets:
        if isinstance(target, LabelTarget):
            judged[target.name] = _strict_label(target, answer)
        elif isinstance(target, NumberTarget) and target.name not in _BALANCES:
            by_name = pick(found, target.name, description=target.description)
            stated = by_name or pick(found, _dotted(target.name))
            judged[target.name] = _strict_number(target, stated, relative)
    return judged


def question_score(problem: Problem, judged: Mapping[str, Judged]) -> float:
    """Passed weight over the weight judged: the plain mean in tier 1, the steps' weights in the others."""
    total = earned = 0.0
    for target in problem.targets:
        if target.name in judged:
            total += target.weight
            earned += target.weight if judged[target.name].passed else 0.0
    return earned / total


def energy_balance_error(name: str, values: Mapping[str, Value]) -> float | None:
    """The closure error a cycle's own values leave; a number the answer states for it is not used.

    None where a value is missing or the heat added is not positive, as the publisher has it.
    """
    known = {key: float(value) for key, value in values.items() if not isinstance(value, str)}
    try:
        left, heat = _BALANCES[name](known)
    except KeyError:
        return None
    return abs(left) / heat if heat > 0 else None


def _cycle(value: dict[str, float]) -> tuple[float, float]:
    if "q_in" not in value and "q_H" in value:  # a refrigerator
        return value["q_H"] - value["w_comp"] - value["q_L"], value["q_H"]
    leaving = value["h6"] if value.get("h6") else value["h4"]
    return value["q_in"] - value["w_net"] - abs(leaving - value["h1"]), value["q_in"]


def _gas_side(value: dict[str, float]) -> tuple[float, float]:
    work = value["w_gas_turb"] - value["w_comp"]
    return value["q_combustion"] - work - (value["h4"] - value["h5"]), value["q_combustion"]


def _steam_side(value: dict[str, float]) -> tuple[float, float]:
    heat = value["h8"] - value["h7"]
    return heat - (value["w_steam_turb"] - value["w_pump"]) - (value["h9"] - value["h6"]), heat


_BALANCES: dict[str, Callable[[dict[str, float]], tuple[float, float]]] = {
    "energy_balance_error": _cycle,
    "energy_balance_error_gas": _gas_side,
    "energy_balance_error_steam": _steam_side,
}


def _published(target: Target, value: Value | None) -> Judged:
    if value is None:
        return Judged(False, "not found")
    if isinstance(target, LabelTarget):
        accepted = {_spaced(spelling) for spelling in (target.value, *target.accepted)}
        return Judged(_spaced(str(value)) in accepted, str(value))
    if not isinstance(target, NumberTarget) or target.value is None or target.tolerance is None:
        raise TypeError(f"the published rule has no test for the target {target.name!r}")
    difference = abs(float(value) - target.value)
    # the publisher works in percent; the order of operations decides a tie, so it is kept
    percent = math.inf if target.value == 0 else abs((float(value) - target.value) / target.value) * 100
    passed = percent <= target.tolerance.relative * 100 or difference <= target.tolerance.absolute
    return Judged(passed, f"{value:.6g} for {target.value:.6g}")


def _spaced(phase: str) -> str:
    return phase.lower().strip().replace("_", " ")


def _dotted(name: str) -> str:
    """S_gen_dot by its other name, S_dot_gen."""
    return re.sub(r"^(\w)_(\w+)_dot$", r"\1_dot_\2", name)


def _strict_number(target: NumberTarget, stated: Statement | None, relative: float) -> Judged:
    if stated is None:
        return Judged(False, "not stated")
    assert target.value is not None
    try:
        value = _in_unit(stated, target.unit)
    except UnitError as problem:
        return Judged(False, str(problem))
    allowed = max(relative * abs(target.value), _FLOORS.get(target.unit, 0.0))
    shown = f"{value:.6g} for {target.value:.6g} {target.unit}"
    return Judged(abs(value - target.value) <= allowed * (1 + 1e-12), shown)


def _in_unit(stated: Statement, unit: str) -> float:
    """The stated value in the target's unit; a number without one is taken to be in the unit asked for."""
    if not stated.unit or (same_dimension(unit, "-") and stated.unit == "-"):
        return stated.value
    return float(quantity(quantity(stated.value, stated.unit), unit).magnitude)


def _strict_label(target: LabelTarget, answer: str) -> Judged:
    """The last line that says "phase" and names one decides; in it, what stands before any aside."""
    named = ""
    for rest in re.findall(rf"(?im)^.*?\b{target.name}\b(.*)$", answer.replace("_", " ")):
        parts = re.split(r"[(,;.]", rest)
        named = next(filter(None, map(published_reading.phase, parts)), named)
    return Judged(named == target.value, named or "not stated")


def _unfit(problem: Problem) -> str:
    """Why these rules cannot score a problem; empty where they can."""
    for target in problem.targets:
        if isinstance(target, LabelTarget) and target.name == "phase":
            continue
        if not isinstance(target, NumberTarget):
            return f"a {target.kind} target ({target.name}) has no ThermoQA rule"
        if target.value is None or target.tolerance is None:
            return f"the target {target.name} has no value or no tolerance"
    return ""


def _score(dimension: str, problem: Problem, judged: Mapping[str, Judged]) -> Score:
    evidence = "; ".join(
        f"{name}: {'pass' if one.passed else 'fail'} ({one.evidence})" for name, one in judged.items()
    )
    return Score(dimension=dimension, value=question_score(problem, judged), evidence=evidence)
