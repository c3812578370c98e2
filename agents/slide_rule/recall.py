"""Property questions answered from memory: straight lines between remembered rows."""

from __future__ import annotations

from functools import cache

from ansatz.agents.slide_rule import tables
from ansatz.agents.slide_rule.arithmetic import SLIDE_RULE_DIGITS, NotCalculable, evaluate
from ansatz.agents.slide_rule.chain import Found, Plan, Step
from ansatz.agents.slide_rule.formula import Formula, Symbol
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.locating import Bracket, locate, phase_of
from ansatz.agents.slide_rule.properties import TABLE_UNITS, PropertyQuestion, Wanted, phase_as_asked, unit

_FORMULAS = {
    "interpolation": ("linear interpolation", "y1 + (y2 - y1)*(z - z1)/(z2 - z1)"),
    "difference": ("difference of saturated values", "y2 - y1"),
    "reciprocal": ("density", "1/v"),
}


def recall(question: PropertyQuestion) -> Plan:
    """A plan of straight-line interpolations in remembered tables, one per property asked for."""
    bracket = locate(question)
    recalled = _Recall(question)
    labels: list[tuple[str, str]] = []
    for want in question.wanted:
        here = _saturated(question, want) if want.at else bracket
        if want.name == "phase":
            phase = phase_of(question.fluid, bracket) if bracket else "unknown"
            labels.append((want.target.symbol, phase_as_asked(phase, question.body)))
        else:
            recalled.add(want, here)
    source = "perfect-gas air"
    if question.fluid != "air":
        reference = tables.FLUIDS[question.fluid].reference
        source = f"a remembered {question.fluid} table ({reference})"
    remark = f"State from {source}, linear between points."
    return Plan(tuple(recalled.steps), tuple(recalled.found), (), tuple(labels), (remark,))


def _saturated(question: PropertyQuestion, want: Wanted) -> Bracket | None:
    """Between saturated liquid and vapour, at the end that is asked for."""
    if question.fluid == "air":
        return None
    key = "T" if "T" in question.state else "P"
    ends = tables.saturation(question.fluid, key, question.state.get(key, -1.0))
    return Bracket(*ends, "x", 1.0 if want.at == "g" else 0.0) if ends else None


class _Recall:
    """Collects one step or known value per property."""

    def __init__(self, question: PropertyQuestion) -> None:
        self.question = question
        self.steps: list[Step] = []
        self.found: list[Found] = []

    def add(self, want: Wanted, bracket: Bracket | None) -> None:
        if bracket is None:
            self.found.append(Found(want.target, None, (want.target.unit or unit(want.name)).to_si(1.0)))
            return
        name = "v" if want.name == "rho" else want.name
        one, other = bracket.low[name], bracket.high[name]
        if want.at == "fg":
            self._step("difference", name, want, {"y2": other, "y1": one})
        elif one == other:
            self._known(want, one)
            return
        else:
            ends = {"z": bracket.value, "z1": bracket.low[bracket.key], "z2": bracket.high[bracket.key]}
            self._step("interpolation", name, want, {"y1": one, "y2": other, **ends})
        if want.name == "rho":
            self._step("reciprocal", "rho", want, {"v": self.steps[-1].value}, follows=True)
        self.found.append(Found(want.target, len(self.steps) - 1))

    def _known(self, want: Wanted, value: float) -> None:
        """A value that needs no calculation: given, or the same in both rows."""
        stated = self.question.state.get(want.name)
        digits = SLIDE_RULE_DIGITS if stated is None else 6
        si = unit(want.name).to_si(value if stated is None else stated)
        self.found.append(Found(want.target, None, si, digits))

    def _step(
        self, kind: str, name: str, want: Wanted, operands: dict[str, float], follows: bool = False
    ) -> None:
        formula = _table_formula(kind, name)
        earlier = len(self.steps) - 1 if follows else None
        bound = {
            key: Given(key, value, unit("x"), f"{value:g}", step=earlier) for key, value in operands.items()
        }
        try:
            value = evaluate(formula.expression, operands)
        except NotCalculable:
            value = operands.get("y1", 1.0)
        self.steps.append(Step(formula, bound, want.target.symbol, value))


@cache
def _table_formula(kind: str, name: str) -> Formula:
    title, expression = _FORMULAS[kind]
    symbol = Symbol(name, unit(name), TABLE_UNITS[name], frozenset())
    return Formula(title, symbol, expression, (), table_unit=TABLE_UNITS[name])
