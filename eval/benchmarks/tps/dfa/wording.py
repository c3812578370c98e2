"""The question, the reasons and the answer of an example. Reasons are checked against the question."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.eval.benchmarks.templates.story import format_number, with_unit
from ansatz.eval.benchmarks.tps.dfa.pairs import Exclusion
from ansatz.eval.benchmarks.tps.dfa.scenario import Scenario
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.regime import find_facts, judge_condition


@cache
def _texts() -> Mapping[str, Any]:
    loaded: dict[str, Any] = yaml.load(
        Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
    return loaded


def can_be_stated(axis: str) -> bool:
    """Whether there is a sentence for a word on an axis of the regime."""
    return axis in _texts()["statements"]


def question_text(kind: str, exclusion: Exclusion, scenario: Scenario, rng: random.Random) -> str:
    """Return the question: an opening, the situation, the givens, the task and the form of the answer."""
    equation = exclusion.fallback
    output = equation.symbols[equation.output]
    names = {"output": output.desc, "symbol": equation.output, "primary": exclusion.primary.name}
    opening = rng.choice(_texts()["openings"][kind]).format(**names)
    situation = _sentence(list(_situation(scenario)))
    given = _sentence([f"given are {_givens(scenario)}"] if scenario.inputs else [])
    task = _texts()["tasks"][kind].format(**names)
    form = f"Report your answers as:\n{equation.output} = ___ {_shown(output.unit)}".removesuffix(" -")
    return f"{' '.join(filter(None, (opening, situation, given, task)))}\n\n{form}"


def rationale(exclusion: Exclusion, scenario: Scenario, question: str) -> str | None:
    """Return why one equation is valid and the other is not, judged only from the text of the question.

    None if the text contradicts a condition of the first or does not exclude the second, or if it states a
    number twice.
    """
    known = find_facts(question)
    fallback, primary, separator = exclusion.fallback, exclusion.primary, exclusion.separator
    met = [judge_condition(predicate, known, fallback) for predicate in fallback.regime.require]
    twice = any(len({each.low for each in known.on(one.symbol)}) > 1 for one in scenario.numbers)
    judged = judge_condition(separator.predicate, known, primary)
    if judged.holds is not separator.wanted or twice or any(each.holds is False for each in met):
        return None
    against = judged.reason.replace(" holds: ", ", as ")
    holding = [judgement.reason for judgement in met if judgement.holds]
    supports = f" Its conditions: {'; '.join(holding)}." if holding else ""
    assumes = f" It assumes {', '.join(fallback.assumptions)}." if fallback.assumptions else ""
    effect = f" (its error: {exclusion.effect})" if exclusion.effect else ""
    return (
        f"{primary.name} ({primary.id}) does not hold here: {against}{effect}. "
        f"{fallback.name} ({fallback.id}) does.{supports}{assumes}"
    )


def answer_text(kind: str, exclusion: Exclusion, scenario: Scenario, reasons: str, answer: float) -> str:
    """Return the response: the choice with its reason, the formula, the numbers, and the result."""
    equation = exclusion.fallback
    constants = ", ".join(
        f"{name} = {_number(constant.value, constant.unit)}" for name, constant in equation.constants.items()
    )
    flagged = (
        f"The proposed relation, {exclusion.primary.name}, is not applicable here; a fallback is needed."
    )
    in_degrees = any(each.unit == "deg" for each in (*scenario.numbers, *scenario.inputs))
    lines = [
        flagged if kind == "assumption_flagging" else "",
        f"Choice of formula: {reasons}",
        f"Formula: {formula(equation)}",
        f"Constants: {constants}" if constants else "",
        f"Given: {_givens(scenario)}" if scenario.inputs else "",
        "Angles enter the formula in radians." if in_degrees else "",
        f"{equation.output} = {with_unit(answer, _shown(equation.symbols[equation.output].unit), 5)}",
    ]
    return "\n".join(filter(None, lines))


def formula(equation: Equation) -> str:
    return f"{equation.output} = {equation.expr}" if equation.expr else f"0 = {equation.residual}"


def _shown(unit: str) -> str:
    """Format a unit for a text: kg/m^3."""
    return unit.replace("**", "^")


def _number(value: float, unit: str) -> str:
    return f"{format_number(value)} {_shown(unit)}".removesuffix(" -")


def _situation(scenario: Scenario) -> Iterator[str]:
    for axis, word in scenario.words.items():
        yield _texts()["statements"][axis].format(_texts()["words"].get(word, word.replace("_", " ")))
    for each in scenario.numbers:
        symbol = _texts()["symbols"].get(each.symbol, each.symbol)
        yield f"the {each.description} is {symbol} = {_number(each.value, each.unit)}"


def _givens(scenario: Scenario) -> str:
    return "; ".join(
        f"{each.description} {each.symbol} = {_number(each.value, each.unit)}" for each in scenario.inputs
    )


def _sentence(parts: Sequence[str]) -> str:
    text = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + "".join(parts[-1:])
    return f"{text[:1].upper()}{text[1:]}." if text else ""
