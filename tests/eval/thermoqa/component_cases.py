"""Component questions as tests look at them: givens in SI units and the key, by symbol."""

from ansatz.eval.benchmarks.thermoqa.components import TIER
from ansatz.eval.benchmarks.thermoqa.generate import generate

KELVIN, T0 = 273.15, 298.15
CALLED = {"Water": "water", "R134a": "R134a", "Air": "air (constant cp)"}
PER_KIND = 6


class Case:
    """One question with SI givens by symbol and its key by symbol."""

    def __init__(self, question):
        self.question = question
        self.fluid = CALLED[question.fluid]
        self.key = {one.name: one.value for one in question.expected}
        self.given = {}
        for name, value in question.given.items():
            symbol, _, unit = name.rpartition("_")
            if unit == "C":
                self.given[symbol] = value + KELVIN
            elif unit in ("K", "MPa"):
                self.given[symbol] = value * (1e6 if unit == "MPa" else 1)
            else:
                self.given[name] = value

    def __getitem__(self, symbol):
        return self.key[symbol] if symbol in self.key else self.given[symbol]

    def celsius(self, symbol):
        """Of an asked temperature, which is in kelvin for air."""
        return self.key[symbol] - (KELVIN if self.question.fluid == "Air" else 0)

    def __repr__(self):
        return self.question.line()


def drawn_cases():
    """Some of every kind, those beyond the published set too."""
    made = generate((2,), seed=5, counts=[PER_KIND * len(TIER.order("even"))], mix="even")
    return [Case(one) for one in made]


def of(cases, *kinds, depth="ABC", fluid=None):
    found = [
        case
        for case in cases
        if case.question.kind in kinds
        and case.question.depth in depth
        and fluid in (None, case.question.fluid)
    ]
    assert found
    return found
