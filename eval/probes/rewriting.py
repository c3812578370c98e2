"""Probes that change the text of a problem and leave its physics: units, order, symbols, irrelevant data."""

from __future__ import annotations

import random
import re

from ansatz.eval.probes.statements import (
    LocatedGiven,
    find_statements,
    number_targets,
    replace_given,
    replace_statement,
    rewrite_texts,
    split_answer_form,
    without_solution,
)
from ansatz.eval.problem import CallableTarget, Given, NumberTarget, Problem, SymbolicTarget
from ansatz.quantities.scales import is_difference
from ansatz.quantities.units import convert_number

OTHER_UNITS: dict[str, tuple[str, ...]] = {
    unit: tuple(others.split())
    for unit, others in (
        line.split(": ")
        for line in """
m: ft cm
cm: in mm
mm: in cm
km: mi m
um: mm
nm: um
kg: lb g
g: kg oz
t: kg lb
s: min ms
min: s h
h: min
day: h
year: day
m/s: km/h ft/s
km/s: m/s
km/h: m/s
deg: rad
rad: deg
Pa: kPa psi
kPa: bar psi
MPa: bar kPa
GPa: MPa
bar: kPa psi
N: lbf kN
kN: N
J: kJ
kJ: J
W: kW
kW: hp W
MW: kW
kg/m^3: g/cm^3 lb/ft^3
W/m^2: kW/m^2
kW/m^2: W/cm^2 W/m^2
MW/m^2: W/cm^2 kW/m^2
W/cm^2: kW/m^2
MJ/m^2: kJ/m^2
MJ/kg: kJ/kg
kJ/kg: J/kg Btu/lb
J/kg: kJ/kg
kJ/(kg*K): J/(kg*K)
J/(kg*K): kJ/(kg*K)
W/(m*K): kW/(m*K)
W/(m^2*K): kW/(m^2*K)
kg/s: kg/h lb/s
kg/h: g/s
kg/day: kg/h
m^2: ft^2 cm^2
cm^2: mm^2 in^2
mm^2: cm^2
m^3: L ft^3
L: m^3
m^3/s: L/s
L/s: m^3/h
m^3/h: L/s
Pa*s: mPa*s
mPa*s: Pa*s
uPa*s: Pa*s
kHz: Hz
Hz: kHz
W/K: kW/K
kW/K: W/K
nC: uC
K: degC degF
degC: K degF
""".strip().splitlines()
    )
}
"""Units of the same dimension, by unit. Differences and requested temperatures do not change theirs."""
_TEMPERATURES = ("K", "degC")
_DIGITS = 7
_SYMBOLS = ("b_1", "b_2", "z_3", "z_4", "y_5", "y_6", "w_7", "w_8", "u_1", "u_2", "j_3", "j_4")
_WORDS = frozenset(["a", "A", "I", "in", "at", "is", "to", "of", "as", "min"])
"""Symbols that are words of a sentence, too."""
_IRRELEVANT = (
    ("f_log", "Hz", (10, 500), "The data recorder samples at {}.", "sampling rate of the recorder"),
    ("t_rec", "min", (3, 55), "The recording on file is {} long.", "length of the recording"),
    ("m_box", "kg", (2, 40), "The measuring case on the shelf weighs {}.", "mass of a case"),
    ("P_mon", "W", (35, 180), "The monitor in the control room draws {}.", "power of a monitor"),
    ("d_cab", "mm", (4, 18), "The cable to the monitor has a diameter of {}.", "diameter of a cable"),
    ("l_tab", "m", (1.2, 4.5), "The desk of the control room is {} long.", "length of a desk"),
    ("V_sup", "V", (12, 48), "The monitor's power supply gives {}.", "voltage of a power supply"),
    ("T_prn", "h", (2, 30), "The report was printed {} after the test.", "time until the report"),
)


def change_units(problem: Problem, rng: random.Random) -> Problem | str:
    """State the givens, and request the results, in other units."""
    changed = problem
    for statement in find_statements(problem):
        if new := _other_unit(statement.given.name, statement.given.description, statement.given.unit, rng):
            value = _convert(statement, new)
            changed = replace_statement(
                changed, statement, f"{statement.given.name} = {_format(value)} {new}"
            )
            changed = replace_given(changed, statement.given.name, value=value, unit=new)
    targets = []
    for target in problem.targets:
        old = re.compile(rf"(?m)^({re.escape(target.name)} = ___) {re.escape(getattr(target, 'unit', ''))}$")
        if (
            isinstance(target, NumberTarget)
            and target.value is not None
            and target.unit not in _TEMPERATURES  # one percent of another scale is another tolerance
            and not (target.tolerance and target.tolerance.absolute)
            and target.published_tolerance is None
            and len(old.findall(changed.question)) == 1
            and (new := _other_unit(target.name, target.description, target.unit, rng))
        ):
            question = old.sub(rf"\1 {new}", changed.question)
            changed = changed.model_copy(update={"question": question})
            value = convert_number(target.value, target.unit, new, target.difference)
            target = target.model_copy(update={"value": value, "unit": new})
        targets.append(target)
    if changed is problem and tuple(targets) == problem.targets:
        return "no given or target has a unit that can be changed"
    reference = without_solution(changed.reference)
    return changed.model_copy(update={"targets": tuple(targets), "reference": reference})


def _other_unit(name: str, description: str, unit: str, rng: random.Random) -> str | None:
    """Return another unit; None for a difference of temperatures and a unit without an alternative."""
    if unit in _TEMPERATURES and is_difference(name, description, unit):
        return None
    return rng.choice(OTHER_UNITS[unit]) if unit in OTHER_UNITS else None


def _convert(statement: LocatedGiven, unit: str) -> float:
    return float(_format(convert_number(float(statement.given.value), statement.given.unit, unit)))


def _format(value: float) -> str:
    return f"{value:.{_DIGITS}g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")


def reorder_givens(problem: Problem, rng: random.Random) -> Problem | str:
    """Take the values out of the sentences and list them in another order at their end."""
    found = find_statements(problem)
    if len(found) < 2:
        return "fewer than two givens are stated as symbol = number unit"
    changed = problem
    for statement in found:
        changed = replace_statement(changed, statement, statement.given.name)
    rng.shuffle(found)
    values = (f"{each.given.name} = {each.number} {each.unit}".rstrip() for each in found)
    text, form = split_answer_form(changed.question)
    reference = changed.reference.model_copy(update={"formulation": problem.reference.formulation})
    return changed.model_copy(
        update={"question": f"{text}\n\nData: {'; '.join(values)}.{form}", "reference": reference}
    )


def rename_symbols(problem: Problem, rng: random.Random) -> Problem | str:
    """Give other symbols to the givens and results whose symbols are nothing else in the text."""
    if any(isinstance(target, SymbolicTarget | CallableTarget) for target in problem.targets):
        return "the answer is an expression in the symbols"
    text = f"{problem.context}\n{problem.question}"
    names = [each.given.name for each in find_statements(problem)]
    names += [each.name for each in number_targets(problem) if f"{each.name} = ___" in problem.question]
    written = [*(each.unit for each in problem.givens), *(each.unit for each in number_targets(problem))]
    units = {part for unit in written for part in re.findall(r"\w+", unit)}
    safe = [name for name in dict.fromkeys(names) if name not in units | _WORDS and name.isidentifier()]
    free = [symbol for symbol in _SYMBOLS if not re.search(rf"(?<!\w){symbol}(?!\w)", text)]
    if not safe:
        return "every symbol is also a word or a unit"
    rng.shuffle(free)
    new = dict(zip(safe, free, strict=False))
    pattern = re.compile(
        rf"(?<![\w\\])(?:{'|'.join(map(re.escape, sorted(new, key=len, reverse=True)))})(?!\w)"
    )

    def rewrite(old: str) -> str:
        return pattern.sub(lambda found: new[found[0]], old)

    changed = rewrite_texts(problem, rewrite)
    return changed.model_copy(
        update={
            "givens": tuple(
                each.model_copy(update={"name": new.get(each.name, each.name)}) for each in problem.givens
            ),
            "targets": tuple(
                each.model_copy(update={"name": new.get(each.name, each.name)}) for each in problem.targets
            ),
            "reference": without_solution(changed.reference),
            "entities": {},
        }
    )


def add_irrelevant_data(problem: Problem, rng: random.Random) -> Problem | str:
    """Add two sentences with irrelevant quantities before the last sentence."""
    known = {each.name for each in (*problem.givens, *problem.targets)}
    free = [each for each in _IRRELEVANT if each[0] not in known]
    sentences, givens = [], list(problem.givens)
    for symbol, unit, (low, high), sentence, described in rng.sample(free, 2):
        value = float(f"{rng.uniform(low, high):.3g}")
        sentences.append(sentence.format(f"{symbol} = {_format(value)} {unit}"))
        givens.append(Given(name=symbol, value=value, unit=unit, description=described))
    text, form = split_answer_form(problem.question)
    head, separator, request = text.rpartition(". ")
    added = " ".join(sentences)
    question = f"{head}. {added} {request}{form}" if separator else f"{added} {text}{form}"
    return problem.model_copy(update={"question": question, "givens": tuple(givens)})
