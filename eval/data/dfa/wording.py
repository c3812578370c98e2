"""How an example asks, reasons and answers. Every reason is checked against what its question states."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from ansatz.eval.benchmarks.templates.story import format_number
from ansatz.eval.data.dfa.exclusions import Exclusion
from ansatz.eval.data.dfa.scenario import Scenario
from ansatz.knowledge_base.equation import NUMBERS, Equation
from ansatz.knowledge_base.regime import Facts, facts, judge

_SAID = {
    "gas": "the gas is {}",
    "geometry": "the body is a {}",
    "dimensionality": "the flow is {}",
    "surface": "the {} side is meant",
    "bl_state": "the boundary layer is {}",
    "flow": "the flow is {}",
    "shock": "the shock is {}",
    "wall": "the wall is {}",
    "chemistry": "the gas is {}",
    "optical": "the gas is optically {}",
    "radiator": "the radiator is {}",
    "process": "the process is {}",
    "phase": "the fluid is a {}",
    "device": "the device is a {}",
    "cycle": "the cycle is a {} cycle",
    "system": "the system is {}",
    "time": "the conditions are {}",
    "thrust": "the thrust is {}",
    "orbit": "the orbit is {}",
    "entry": "it is a {} entry",
    "perturbation": "the perturbation is {}",
}
_WORDS = {
    "catalytic_full": "fully catalytic",
    "catalytic_partial": "partially catalytic",
    "radiative_eq": "in radiative equilibrium",
    "equilibrium": "in chemical equilibrium",
    "frozen": "chemically frozen",
    "finite_rate": "in chemical nonequilibrium with finite-rate chemistry",
    "two_temperature": "in thermal nonequilibrium with two temperatures",
    "ionized": "ionized",
    "gray": "gray",
    "no_slip": "without slip",
    "isothermal": "isothermal",
}
_SYMBOLS = {
    "mach": "M",
    "kn": "Kn",
    "prandtl": "Pr",
    "speed": "V",
    "fourier": "Fo",
    "biot": "Bi",
    "theta": "theta",
}
_OPENINGS = {
    "regime_shift": (
        "The case is moved to another regime.",
        "The same configuration is now met at other conditions.",
        "Conditions have changed since the last estimate.",
    ),
    "formula_swap": (
        "At first sight this is a routine estimate of the {output}.",
        "The quantity wanted is the {output}.",
        "A preliminary design needs the {output}.",
    ),
    "assumption_flagging": (
        "A draft report finds the {output} from the relation known as “{primary}”.",
        "A colleague proposes “{primary}” for the {output}.",
        "The design handbook at hand offers “{primary}” for the {output}.",
    ),
}


def question_text(kind: str, exclusion: Exclusion, scenario: Scenario, rng: random.Random) -> str:
    """The question: an opening, the situation, the givens, the task and the form of the answer."""
    fallback = exclusion.fallback
    output = fallback.symbols[fallback.output]
    opening = rng.choice(_OPENINGS[kind]).format(output=output.desc, primary=exclusion.primary.name)
    situation = _sentence(list(_situation(exclusion, scenario)))
    given = _sentence([f"given are {'; '.join(_stated(fallback, scenario))}"] if scenario.inputs else [])
    task = f"Find the {output.desc} {fallback.output}."
    if kind == "assumption_flagging":
        task = (
            "Say whether its assumptions hold here. If they do not, name a relation whose assumptions do, "
            f"and find the {output.desc} {fallback.output} with it."
        )
    form = f"Report your answers as:\n{fallback.output} = ___ {shown(output.unit)}".removesuffix(" -")
    return f"{' '.join(filter(None, (opening, situation, given, task)))}\n\n{form}"


def rationale(exclusion: Exclusion, scenario: Scenario, question: str) -> str | None:
    """Why the one equation holds and the other does not, judged from the text of the question alone.

    None where the text does not bear it out: a condition of the one is contradicted, the other is not
    excluded, or a number of the situation is stated twice.
    """
    known = facts(question)
    fallback, primary = exclusion.fallback, exclusion.primary
    met = [judge(predicate, known, fallback) for predicate in fallback.regime.require]
    if any(judgement.holds is False for judgement in met) or _is_ambiguous(scenario, known):
        return None
    against = _against(exclusion, question)
    if against is None:
        return None
    holding = [judgement.reason for judgement in met if judgement.holds]
    supports = f" Its conditions: {'; '.join(holding)}." if holding else ""
    assumes = f" It assumes {', '.join(fallback.assumptions)}." if fallback.assumptions else ""
    effect = f" (its error: {exclusion.effect})" if exclusion.effect else ""
    return (
        f"{primary.name} ({primary.id}) does not hold here: {against}{effect}. "
        f"{fallback.name} ({fallback.id}) does.{supports}{assumes}"
    )


def answer_text(kind: str, exclusion: Exclusion, scenario: Scenario, reasons: str, answer: float) -> str:
    """The response: the choice with its reason, formula and numbers, and the result as the question asks."""
    fallback = exclusion.fallback
    unit = shown(fallback.symbols[fallback.output].unit)
    formula = f"{fallback.output} = {fallback.expr}" if fallback.expr else f"0 = {fallback.residual}"
    constants = [
        f"{name} = {format_number(constant.value)} {shown(constant.unit)}".removesuffix(" -")
        for name, constant in fallback.constants.items()
    ]
    flagged = (
        f"The proposed relation, {exclusion.primary.name}, is not applicable here; a fallback is needed.\n"
        if kind == "assumption_flagging"
        else ""
    )
    lines = [
        f"{flagged}Choice of formula: {reasons}",
        f"Formula: {formula}",
        *([f"Constants: {', '.join(constants)}"] if constants else []),
        *([f"Given: {'; '.join(_stated(fallback, scenario))}"] if scenario.inputs else []),
        *(["Angles enter the formula in radians."] if "deg" in scenario.units.values() else []),
        f"{fallback.output} = {format_number(float(f'{answer:.5g}'))} {unit}".removesuffix(" -"),
    ]
    return "\n".join(lines)


def shown(unit: str) -> str:
    """A unit as a text has it: kg/m^3."""
    return unit.replace("**", "^")


def _situation(exclusion: Exclusion, scenario: Scenario) -> Iterator[str]:
    for axis, word in scenario.words.items():
        yield _SAID[axis].format(_WORDS.get(word, word.replace("_", " ")))
    if exclusion.basis == "prose":
        yield exclusion.words
    for axis, number in scenario.numbers.items():
        unit = shown(scenario.units[axis])
        symbol = _SYMBOLS.get(axis, axis)
        yield f"the {NUMBERS[axis].meaning} is {symbol} = {format_number(number)} {unit}".removesuffix(" -")


def _stated(equation: Equation, scenario: Scenario) -> list[str]:
    stated = []
    for symbol, value in scenario.inputs.items():
        number = f"{format_number(value)} {shown(scenario.units[symbol])}".removesuffix(" -")
        stated.append(f"{equation.symbols[symbol].desc} {symbol} = {number}")
    return stated


def _sentence(parts: Sequence[str]) -> str:
    text = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + "".join(parts[-1:])
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _against(exclusion: Exclusion, question: str) -> str | None:
    """What excludes the primary, as the question's text has it."""
    if exclusion.predicate is None:
        return exclusion.words
    judgement = judge(exclusion.predicate, facts(question), exclusion.primary)
    if exclusion.basis == "failure":
        return judgement.reason.replace(" holds: ", ", as ") if judgement.holds else None
    return judgement.reason if judgement.holds is False else None


def _is_ambiguous(scenario: Scenario, known: Facts) -> bool:
    """Whether the text states an axis of the situation with more than one number."""
    return any(len({number.low for number in known.numbers.get(axis, ())}) > 1 for axis in scenario.numbers)
