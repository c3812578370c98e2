"""A template and a knowledge base of the tests' own."""

import yaml

from ansatz.eval.benchmarks.templates import make_problems, read_template
from ansatz.eval.benchmarks.tps.tps_template import TPSTemplate
from ansatz.knowledge_base.equation import Equation, Library

TEMPLATE = """
id: heating.wall
level: L2
domains: [heating]
statement: >
  A plate of emissivity eps = {eps} takes a convective flux q_c = {q_c} kW/m^2 while its wall is held at
  T_w = {T_w} degC in air. Find the net flux q_n.
givens:
  eps: {unit: "-", between: [0.5, 0.95], digits: 2, description: emissivity}
  q_c: {unit: kW/m^2, between: [1e2, 9e2], digits: 3, sampled: log, description: convective flux}
  T_w: {unit: degC, among: [400, 600, 800], description: wall temperature}
  gas: {unit: "-", value: air, description: gas}
steps:
  - {equation: radiation.emission, with: {e: eps, T: T_w}, gives: q_r, unit: kW/m^2}
  - {expression: q_c - q_r, gives: q_n, unit: kW/m^2}
targets:
  q_n: {weight: 1, description: net flux into the wall}
formulation: {approach: balance of fluxes, assumptions: grey wall}
trap: {equations: [radiation.black], note: the wall is grey}
bounds:
  q_n: {low: 0, high: q_c, reason: emission only takes heat away}
require: [q_r > 0.05*q_c]
"""


def equation(id, expr, symbols, **more):
    described = {name: {"desc": name, **symbol} for name, symbol in symbols.items()}
    fields = {"kind": "law", "topic": "t", "latex": "none", "references": ["none"], "tests": []}
    fields |= {"name": id, "domain": id.split(".")[0], "output": next(iter(symbols)), "symbols": described}
    test = {"in": dict.fromkeys(list(symbols)[1:], 1.0), "out": 1.0, "source": "none"}
    return Equation.model_validate({**fields, "id": id, "expr": expr, "tests": [test], **more})


def sigma():
    return {"sigma": {"value": 5.67e-8, "unit": "W/m**2/K**4", "source": "CODATA"}}


FLUX = {"unit": "W/m**2"}
TEMPERATURE = {"unit": "K", "valid": {"between": [1, 1100], "source": "definition"}}
LIBRARY = Library(
    [
        equation(
            "radiation.emission",
            "e*sigma*T**4",
            {"q": FLUX, "e": {"unit": "-"}, "T": TEMPERATURE},
            constants=sigma(),
            regime={"require": [{"var": "gas", "in": ["air"]}]},
        ),
        equation("radiation.black", "sigma*T**4", {"q": FLUX, "T": TEMPERATURE}, constants=sigma()),
        equation(
            "radiation.balance",
            "h*(T0 - T)",
            {"q": FLUX, "h": {"unit": "W/m**2/K"}, "T0": {"unit": "K"}, "T": TEMPERATURE},
        ),
    ]
)


def template(tmp_path, text=TEMPLATE, **changes):
    fields = yaml.load(text, Loader=yaml.BaseLoader)
    fields |= changes
    file = tmp_path / "heating" / "wall.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump(fields, sort_keys=False), encoding="utf-8")
    return read_template(file, TPSTemplate, "heating.wall")


def make(template, instances=3, seed=0, language="en"):
    return make_problems(template, instances, seed, LIBRARY, language)


def numbers(problem):
    stated = {given.name: given.value for given in problem.givens if given.name != "gas"}
    return stated | {step.symbol: step.value for step in problem.reference.steps}


def given(problem, name):
    return next(each.value for each in problem.givens if each.name == name)


STEP = {"equation": "radiation.emission", "with": {"e": "eps", "T": "T_w"}, "gives": "q_r", "unit": "kW/m^2"}
