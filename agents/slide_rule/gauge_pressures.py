"""Gauge pressures and vacuums of a plainly worded question that states the pressure of the atmosphere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ansatz.agents.slide_rule.asked_quantities import Sought
from ansatz.agents.slide_rule.formulas import load_process_formulas
from ansatz.agents.slide_rule.plain_question import Located
from ansatz.agents.slide_rule.quantity_names import stem_words
from ansatz.agents.slide_rule.question import KnownQuantity, ParsedQuestion, Symbol, find_kind
from ansatz.agents.slide_rule.solution_path import FormulaUse, SolutionPath
from ansatz.quantities.scales import convert_value

_ATMOSPHERE = stem_words("atmosphere atmospheric barometer barometric ambient")
_VACUUM = re.compile(r"\bvacuum\b", re.IGNORECASE)
_PASCAL = find_kind("Pa")


@dataclass(frozen=True)
class GaugeReading:
    """A question whose gauge pressures and vacuums are absolute pressures."""

    located: tuple[Located, ...]
    sought: Sought
    atmosphere: KnownQuantity
    readings: tuple[tuple[str, KnownQuantity, KnownQuantity], ...]
    """The formula, the stated reading and the absolute pressure of each."""
    asks_gauge: bool


def read_gauges(body: str, sought: Sought, located: Sequence[Located]) -> GaugeReading | None:
    """Convert gauge pressures and vacuums; None if the question states no atmosphere or no gauge pressure."""
    stated = [
        given for given, start in located if given.kind == _PASCAL and _is_atmosphere(body, given, start)
    ]
    if len(stated) != 1 or is_gauge_unit(stated[0].unit):
        return None
    atmosphere = stated[0]
    changed: list[Located] = []
    readings: list[tuple[str, KnownQuantity, KnownQuantity]] = []
    for given, start in located:
        if given is atmosphere:
            continue
        known = "absolute_from_gauge" if is_gauge_unit(given.unit) else ""
        if not known and given.kind == _PASCAL and _names_vacuum(body, given, start):
            known = "absolute_from_vacuum"
        if known:
            reading = _as_difference(given)
            sign = -1 if known == "absolute_from_vacuum" else 1
            pascals = atmosphere.convert_to("Pa") + sign * reading.convert_to("Pa")
            value = convert_value(pascals, "Pa", reading.unit)
            assert value is not None
            pressure = KnownQuantity("", value, reading.unit, re.sub(r"\bvacuum\b", "", given.about))
            readings.append((known, reading, pressure))
            given = pressure
        changed.append((given, start))
    asks_gauge = is_gauge_unit(sought.unit)
    if not readings and not asks_gauge:
        return None
    unit = re.sub(r" gauge$", "", sought.unit)
    return GaugeReading(tuple(changed), replace(sought, unit=unit), atmosphere, tuple(readings), asks_gauge)


def read_net_pressures(sought: Sought, located: Sequence[Located]) -> list[Located]:
    """Read gauge pressures as differences if a force is asked for: the atmosphere acts on the other side."""
    if find_kind(sought.unit or "-") != find_kind("N") and not sought.head & stem_words("force"):
        return list(located)
    return [
        (_as_difference(given) if is_gauge_unit(given.unit) else given, start) for given, start in located
    ]


def is_gauge_unit(unit: str) -> bool:
    """Whether a unit counts pressures above the atmosphere, such as bar gauge and psig."""
    zero = convert_value(0.0, unit, "Pa")
    return zero is not None and zero > 0


def _as_difference(given: KnownQuantity) -> KnownQuantity:
    """Return the reading of a gauge as a pressure difference, in the unit without "gauge"."""
    unit = re.sub(r" ?\(?(?:gauge|g)\)?$", "", given.unit)
    return replace(given, unit=unit)


def _names_vacuum(body: str, given: KnownQuantity, start: int) -> bool:
    """Whether a pressure is a reading below the atmosphere: "0.9 bar vacuum", "a vacuum of 0.9 bar"."""
    return bool(_VACUUM.search(given.about)) or bool(
        re.search(r"\bvacuum (?:gauge reads|of|is) $", body[:start])
    )


def _is_atmosphere(body: str, given: KnownQuantity, start: int) -> bool:
    """Whether a pressure is that of the atmosphere: "taking atmospheric pressure as 1 bar"."""
    clause = re.split(r"\d[\d.,]*|[.;]\s", body[:start])[-1]
    return bool((given.words | stem_words(clause)) & _ATMOSPHERE)


def answer_absolute(reading: GaugeReading) -> tuple[ParsedQuestion, SolutionPath] | None:
    """Answer a question for the absolute pressure that a gauge shows; None for any other question."""
    if len(reading.readings) != 1 or len(reading.located) != 1 or reading.asks_gauge:
        return None
    if not stem_words("pressure") <= reading.sought.head:
        return None
    known, given, _ = reading.readings[0]
    formula = load_process_formulas()[known]
    symbols = [each.name for each in formula.inputs]
    step = FormulaUse(formula, dict(zip(symbols, (reading.atmosphere, given), strict=True)), "p")
    result = KnownQuantity("p", 0.0, "Pa", "absolute pressure", 0)
    return _finish(reading, (given, reading.atmosphere), (step,), result, ())


def restore_gauge(
    reading: GaugeReading, answered: tuple[ParsedQuestion, SolutionPath]
) -> tuple[ParsedQuestion, SolutionPath]:
    """Add how gauge pressures were read, and subtract the atmosphere from a gauge pressure asked for."""
    question, path = answered
    remarks = (
        *(
            f"With the atmosphere at {reading.atmosphere.text}, the reading of {given.text} is an absolute "
            f"pressure of {pressure.text}."
            for _, given, pressure in reading.readings
        ),
        *path.remarks,
    )
    ((target, result),) = path.answers
    if not reading.asks_gauge or not isinstance(result, KnownQuantity) or result.kind != _PASCAL:
        return question, replace(path, remarks=remarks)
    step = FormulaUse(
        load_process_formulas()["gauge_from_absolute"], {"p": result, "p_atm": reading.atmosphere}, "p_g"
    )
    found = KnownQuantity("p_g", 0.0, "Pa", "gauge pressure", len(path.steps))
    return _finish(reading, question.givens, (*path.steps, step), found, remarks, target.unit)


def _finish(
    reading: GaugeReading,
    givens: Sequence[KnownQuantity],
    steps: tuple[FormulaUse, ...],
    result: KnownQuantity,
    remarks: tuple[str, ...],
    unit: str = "",
) -> tuple[ParsedQuestion, SolutionPath]:
    unit = unit or reading.sought.unit or reading.atmosphere.unit
    target = Symbol(result.symbol, unit, result.words, result.kind)
    question = ParsedQuestion(reading.sought.text, tuple(givens), (target,), frozenset(), False)
    return question, SolutionPath(steps, ((target, result),), remarks)
