"""A worked procedure as a solution: its steps, what it rests on, and a value for each symbol asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ansatz.agents.slide_rule.arithmetic import PRINTED_DIGITS, written
from ansatz.agents.slide_rule.chain import Found, Plan, Step
from ansatz.agents.slide_rule.execution import Worked
from ansatz.agents.slide_rule.formula import Formula, Symbol
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.procedures.assignment import Stated
from ansatz.agents.slide_rule.procedures.evaluation import Bench, Done
from ansatz.agents.slide_rule.procedures.kinds import WORKING_UNITS, kind_of_quantity, working_unit
from ansatz.agents.slide_rule.procedures.planning import Work
from ansatz.agents.slide_rule.procedures.procedure import Procedure
from ansatz.agents.slide_rule.prose import Solution
from ansatz.agents.slide_rule.reading import Reading, Target
from ansatz.agents.slide_rule.units import NONE, ONE

_TITLES = {
    "w": "work", "W": "power", "q": "heat", "Q": "heat rate", "h": "enthalpy", "T": "temperature",
    "P": "pressure", "s": "entropy", "eta": "efficiency", "COP": "coefficient of performance",
    "psi": "flow exergy", "Psi": "exergy rate", "m": "mass flow", "V": "velocity",
    "error": "closing error of the energy balance",
    "bwr": "back work ratio", "y": "ratio of mass flows", "v": "specific volume", "x": "quality",
    "s_gen": "entropy generation", "S_gen": "entropy generation", "ex_dest": "exergy destroyed",
    "Ex_dest": "exergy destroyed",
}  # fmt: skip


_LABELLED = re.compile(r"\b((?:[TPhsvuxVm]|psi|Psi)_|State )(\d)(s?)\b")


@dataclass(frozen=True)
class Account:
    """All that came of working a procedure through. `names` are its quantities for the targets."""

    procedure: Procedure
    given: Mapping[str, Stated]
    targets: tuple[Target, ...]
    names: tuple[str, ...]
    work: Work
    bench: Bench
    custom: Mapping[str, str]
    history: tuple[str, ...] = ()

    @property
    def imbalance(self) -> float:
        """Of the energy supplied, what the balance leaves unexplained; 0 where it was not drawn up."""
        return self.bench.values.get("error", 0.0)

    def numbered(self, text: str) -> str:
        """A text with the states numbered as the question numbers them."""
        stated = {own: label for label, own in self.custom.items()}
        return _LABELLED.sub(lambda name: f"{name[1]}{stated.get(name[2], name[2])}{name[3]}", text)

    def after(self, first: Account) -> Account:
        """This account as the correction of a first one."""
        share = written(100 * first.imbalance, 3)
        found = f"The energy balance left {share} % unexplained: a heat or a stream was missing."
        return replace(self, history=(found, "It is put right below."))


def account(worked: Account, with_states: bool) -> Solution:
    """The solution to write down; `with_states` adds a table of states and the closing check."""
    lines = [line for line in worked.bench.done if line.line.terms or line.line.numbers]
    lines = [line for line in lines if line.line.numbers or not line.line.expression.isidentifier()]
    place = {line.name: number for number, line in enumerate(lines)}
    steps = tuple(_step(line, worked, place) for line in lines)
    found = tuple(
        _found(target, name, worked, place) for target, name in zip(worked.targets, worked.names, strict=True)
    )
    remarks = [*_basis(worked), *worked.history]
    if with_states:
        remarks += [*_states(worked), *_closing(worked)]
    reading = Reading(
        "", tuple(_given(worked.numbered(name), each) for name, each in worked.given.items()), worked.targets
    )
    values, digits = tuple(line.value for line in lines), tuple(line.digits for line in lines)
    return Solution(reading, Plan(steps, found, remarks=tuple(remarks)), Worked(values, digits))


def _given(name: str, stated: Stated) -> Given:
    return Given(name, stated.mention.value, stated.mention.unit, stated.mention.text)


def _found(target: Target, name: str, worked: Account, place: Mapping[str, int]) -> Found:
    value = worked.bench.values.get(name) if name else None
    if value is None:
        return Found(target, None, (target.unit or ONE).to_si(1.0))
    if name in place:
        unitless = target.unit is None or not target.unit_text
        return Found(replace(target, unit=None) if unitless else target, place[name])
    unit = working_unit(kind_of_quantity(name))
    if target.unit is None or (target.unit.dimension == NONE and unit.dimension != NONE):
        target = replace(target, unit=unit, unit_text=WORKING_UNITS[kind_of_quantity(name)])
    return Found(target, None, unit.to_si(value), max(2, worked.bench.digits.get(name, PRINTED_DIGITS)))


def _step(line: Done, worked: Account, place: Mapping[str, int]) -> Step:
    """The arithmetic as a step of a plan, in working units and with the question's numbers of states."""
    kind = kind_of_quantity(line.name)
    unit_text = WORKING_UNITS[kind]
    name = worked.numbered(line.name)
    output = Symbol(name, working_unit(kind), unit_text, frozenset())
    formula = Formula(_title(line), output, worked.numbered(line.line.expression), (), table_unit=unit_text)
    values = worked.bench.values | dict(line.line.numbers)
    bound = {
        worked.numbered(term): Given(term, values[term], ONE, f"{values[term]:g}", step=place.get(term))
        for term in (*line.line.terms, *dict(line.line.numbers))
    }
    return Step(formula, bound, name, line.value)


def _title(line: Done) -> str:
    if line.line.numbers:
        return "linear interpolation in the remembered table"
    named = (title for stem, title in _TITLES.items() if "_" in stem and line.name.startswith(stem))
    return next(named, _TITLES.get(line.name.split("_")[0], "procedure"))


def _basis(worked: Account) -> list[str]:
    """What kind of question it is taken for, what was read, looked up, remembered and assumed."""
    read = worked.numbered(", ".join(f"{name} = {each.mention.text}" for name, each in worked.given.items()))
    lines = [f"Worked as a {worked.procedure.title}. Read: {read}.", *map(worked.numbered, worked.bench.read)]
    if worked.bench.recalled:
        states = ", ".join(f"State {label}" for label in dict.fromkeys(worked.bench.recalled))
        lines.append(f"From remembered tables, linear between points: {worked.numbered(states)}.")
    return lines + [f"Assumed: {words}." for _, words in worked.work.assumed]


def _states(worked: Account) -> list[str]:
    """One line a state: where it is and what is known of it."""
    lines = []
    for label in worked.procedure.labels:
        known = [
            f"{prop} = {written(value, 5)} {WORKING_UNITS[kind_of_quantity(prop)]}"
            for prop in ("P", "T", "h", "s")
            if (value := worked.bench.values.get(f"{prop}_{label}")) is not None
        ]
        if known:
            where = worked.procedure.described.get(label) or "ideal end state"
            lines.append(worked.numbered(f"State {label} ({where}): {', '.join(known)}"))
    return lines


def _closing(worked: Account) -> list[str]:
    if "error" not in worked.bench.values:
        return []
    share = written(100 * worked.imbalance, 3)
    return [f"Energy balance over all devices: {share} % of the energy supplied is unaccounted for."]
