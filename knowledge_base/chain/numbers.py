"""A way to a quantity put into numbers, with what its regime says of each step."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ansatz.knowledge_base.chain.evidence import Input, Step
from ansatz.knowledge_base.chain.index import Node
from ansatz.knowledge_base.equation import Equation, EvaluationError
from ansatz.knowledge_base.facts import Facts
from ansatz.knowledge_base.givens import affine
from ansatz.knowledge_base.regime import judge
from ansatz.knowledge_base.validity import violations


class Evaluation:
    """Puts numbers through a way to a quantity; a step outside its regime ends it."""

    def __init__(self, regime: Facts, trial: Mapping[str, float] | None = None):
        """`trial` has values of known quantities, by name, in place of their own."""
        self._regime, self._trial = regime, trial or {}
        self._steps: list[Step] = []

    def value(self, node: Node) -> float:
        """The value alone, in the entry's unit. Raises EvaluationError."""
        return self._value(node)[0]

    def steps(self, node: Node) -> list[Step]:
        """The steps in order, or none where one has no value or breaks its regime."""
        try:
            self._value(node)
        except EvaluationError:
            return []
        return self._steps

    def _value(self, node: Node) -> tuple[float, str, str]:
        if node.known:
            known = node.known
            return self._trial.get(known.name, known.value), known.unit, known.name
        equation = node.equation
        assert equation is not None
        inputs = []
        for name, source in node.inputs.items():
            value, unit, origin = self._value(source)
            own = equation.symbols[name].unit
            inputs.append(Input(name, converted(value, unit, own), own, origin))
        numbers = {each.symbol: each.value for each in inputs}
        if node.symbol == equation.output:
            value = equation.value(**numbers)
        else:
            value = equation.solve_for(node.symbol).value(**numbers)
        if not math.isfinite(value):
            raise EvaluationError(f"{equation.id}: {node.symbol} is not finite")
        if broken := violations(equation, {**numbers, node.symbol: value}):
            raise EvaluationError(f"{equation.id}: {broken[0]}")
        unit, description = equation.symbols[node.symbol].unit, equation.symbols[node.symbol].desc
        self._steps.append(
            Step(equation.id, node.symbol, description, tuple(inputs), value, unit, self._verdict(equation))
        )
        return value, unit, f"step {len(self._steps)}"

    def _verdict(self, equation: Equation) -> str:
        judged = [
            (predicate, judge(predicate, self._regime, equation)) for predicate in equation.regime.require
        ]
        unsettled = [predicate.words() for predicate, verdict in judged if verdict.holds is None]
        if unsettled:
            return f"not settled: {', '.join(unsettled)}"
        return "conditions hold" if judged else "no conditions"


def converted(value: float, unit: str, wanted: str) -> float:
    """A value in another unit. Raises EvaluationError where the units have different dimensions."""
    line = affine(unit, wanted)
    if line is None:
        raise EvaluationError(f"{unit} is not {wanted}")
    return line[0] + (line[1] - line[0]) * value
