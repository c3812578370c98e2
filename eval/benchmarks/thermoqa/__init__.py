"""ThermoQA: thermodynamic properties, components and cycles, published or generated."""

from ansatz.eval.benchmarks.thermoqa.questions import BENCHMARK, load

__all__ = ["BENCHMARK", "load"]
