"""Generated components and cycles with their plants."""

from ansatz.eval.benchmarks.thermoqa.generate import make_numbered
from ansatz.eval.benchmarks.thermoqa.plant import Plant
from ansatz.eval.benchmarks.thermoqa.plant_questions import find_media
from ansatz.eval.benchmarks.thermoqa.plant_templates import plant_templates
from ansatz.eval.benchmarks.thermoqa.published_names import GivenValue

THOUSANDS = ("kJ/kg", "kJ/(kg*K)", "kW", "kW/K")


class Solved:
    """A question with its plant, made from its published givens alone; values of its key by symbol, in SI units."""

    def __init__(self, tier, kind, seed=0):
        self.kind, self.depth, self.fluid = kind
        self.question = make_numbered(tier, kind, seed, seed)
        template = plant_templates(tier)[self.kind]
        given = [GivenValue(*each) for each in self.question.given.items() if isinstance(each[1], float)]
        symbols = {each.symbol: each.si for each in given}
        self.plant = Plant(template, symbols, find_media(tier, template, self.fluid))
        self.key = {
            name: each.value * (1e3 if each.unit in THOUSANDS else 1) + 273.15 * (each.unit == "C")
            for name, each in self.question.expected.items()
        }

    def __getitem__(self, symbol):
        return self.key.get(symbol, self.plant[symbol])

    def __repr__(self):
        return self.question.line()
