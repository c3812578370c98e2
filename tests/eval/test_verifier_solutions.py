"""Good, medium and bad solutions of problems of several kinds, with the marks a reviewer would give."""

import math

import pytest

from ansatz.agents import Transcript
from ansatz.eval.problem import (
    Bound,
    Formulation,
    Given,
    NumberTarget,
    Problem,
    ReferenceSolution,
    SolutionStep,
)
from ansatz.eval.rubrics.verifier import review
from ansatz.knowledge_base.library import library
from ansatz.quantities.scales import convert
from ansatz.quantities.units import quantity


def make(text, givens, steps, targets, trap, **reference):
    """A problem whose steps (equation, inputs, result, unit) are evaluated with the knowledge base, in SI."""
    values = {
        name: float(quantity(value, unit).to_base_units().magnitude) for name, (value, unit) in givens.items()
    }
    taken = []
    for id, inputs, result, unit in steps:
        equation = library().get(id)
        values[result] = equation.value(**{symbol: values[source] for symbol, source in inputs.items()})
        formula = f"{result} = {equation.expr}"
        in_unit = convert(values[result], equation.symbols[equation.output].unit, unit)
        taken.append(SolutionStep(equation=id, symbol=result, expression=formula, value=in_unit, unit=unit))
    results = {step.symbol: step for step in taken}
    return Problem(
        id="p",
        family="f",
        benchmark="test",
        question=text,
        givens=tuple(Given(name=name, value=value, unit=unit) for name, (value, unit) in givens.items()),
        targets=tuple(
            NumberTarget(
                name=name,
                unit=results[name].unit,
                weight=1,
                value=results[name].value,
                description=description,
            )
            for name, description in targets.items()
        ),
        reference=ReferenceSolution(
            steps=tuple(taken),
            gold_equations=tuple(step.equation for step in taken),
            trap_equations=(trap,),
            **reference,
        ),
    )


THETA = math.radians(15.0)
PANEL = make(
    "A flat windward panel of a glider is inclined at theta = 15 deg to a Mach 18 stream of density rho = 2.0e-3 kg/m^3 "
    "and speed V = 5400 m/s. Find the dynamic pressure q_dyn and the pressure coefficient C_p on the panel.",
    {"theta": (THETA, "rad"), "rho": (2.0e-3, "kg/m^3"), "V": (5400.0, "m/s")},
    [
        ("newtonian.pressure.dynamic", {"rho": "rho", "V": "V"}, "q_dyn", "Pa"),
        ("newtonian.pressure.sine_squared", {"theta": "theta"}, "C_p", "-"),
    ],
    {"q_dyn": "free-stream dynamic pressure", "C_p": "pressure coefficient on the windward panel"},
    "newtonian.pressure.ackeret",
    formulation=Formulation(
        given="",
        find="",
        approach="Newtonian impact theory on an inclined windward surface.",
        assumptions="hypersonic limit, thin shock layer, windward surface",
    ),
    bounds=(Bound(target="C_p", low=0, high=2, reason="no more than the whole normal momentum can be lost"),),
)
TURBINE = make(
    "Steam enters an adiabatic turbine at h_1 = 3316 kJ/kg and leaves at h_2 = 2801 kJ/kg; an isentropic expansion would "
    "end at h_2s = 2610 kJ/kg. Find the specific work w_out and the isentropic efficiency eta_T.",
    {"h_1": (3316.0, "kJ/kg"), "h_2": (2801.0, "kJ/kg"), "h_2s": (2610.0, "kJ/kg")},
    [
        ("cycle.turbine_work", {"h1": "h_1", "h2": "h_2"}, "w_out", "kJ/kg"),
        ("cycle.turbine_efficiency", {"h1": "h_1", "h2a": "h_2", "h2s": "h_2s"}, "eta_T", "-"),
    ],
    {"w_out": "specific work output of the turbine", "eta_T": "isentropic efficiency of the turbine"},
    "cycle.compressor_efficiency",
    formulation=Formulation(
        given="",
        find="",
        approach="First law for an adiabatic turbine.",
        assumptions="adiabatic, steady, kinetic and potential energy neglected",
    ),
)

PANEL_GOOD = r"""**Given**: $\theta = 15^\circ = 0.2618$ rad, $\rho = 2.0\times10^{-3}$ kg/m³, $V = 5400$ m/s.

We treat the panel by Newtonian theory, since at Mach 18 the shock layer on a windward surface is thin.

$$q_{dyn} = \tfrac{1}{2}\rho V^2 = 0.5 \times 2.0\times10^{-3} \times 5400^2 = 29160\ \text{Pa}$$

$$C_p = 2\sin^2\theta = 2\sin^2(15^\circ) = 0.13397$$

The pressure coefficient C_p = 0.134 is far below the Newtonian limit of 2. The pressure coefficient on the panel means
that the glider carries only a small fraction of the stream momentum there, about 7 % of what a normal surface would.

q_dyn = 29160 Pa
C_p = 0.13397"""
PANEL_MEDIUM = """q_dyn = 0.5*rho*V^2 = 0.5*2.0e-3*5400^2 = 29160 Pa
C_p = 0.134

q_dyn = 29160 Pa
C_p = 0.134"""
PANEL_BAD = """Linearized supersonic theory applies: C_p = 2*theta/sqrt(M^2 - 1) = 2*0.2618/sqrt(18^2 - 1) = 0.02913
q_dyn = rho*V^2 = 2.0e-3*5400^2 = 48320 Pa

q_dyn = 48320 Pa
C_p = 0.02913"""

TURBINE_GOOD = """h_1 = 3316 kJ/kg, h_2 = 2801 kJ/kg, h_2s = 2610 kJ/kg
We neglect kinetic and potential energy and assume an adiabatic, steady turbine, because no heat loss is given for h_2.
w_out = h_1 - h_2 = 3316 - 2801 = 515 kJ/kg
eta_T = (h_1 - h_2)/(h_1 - h_2s) = 515/706 = 0.7295
The efficiency eta_T = 0.7295 lies between 0 and 1, the range that the second law allows.
The specific work means that each kilogram of steam gives 515 kJ, so the turbine delivers 73 % of the isentropic work.

w_out = 515 kJ/kg
eta_T = 0.7295"""
TURBINE_MEDIUM = """w_out = 3316 - 2801 = 525 kJ/kg
eta_T = 525/706 = 0.7436
w_out = 525 kJ/kg
eta_T = 0.7436"""
TURBINE_BAD = """eta_T = (h_2s - h_1)/(h_2 - h_1) = 1.371
w_out = 3316 K"""


def marks(problem, answer):
    transcript = Transcript(
        answer=answer, stop="answered", messages=(), model_calls=(), tool_calls=(), seconds=0
    )
    return review(problem, transcript)


@pytest.mark.parametrize(
    ("problem", "answer", "expected"),
    [
        (PANEL, PANEL_GOOD, "22222222"),
        (PANEL, PANEL_MEDIUM, "11221002"),
        (PANEL, PANEL_BAD, "02201002"),
        (TURBINE, TURBINE_GOOD, "22222222"),
        (TURBINE, TURBINE_MEDIUM, "11211001"),
        (TURBINE, TURBINE_BAD, "000-0001"),
    ],
    ids=["panel-good", "panel-medium", "panel-bad", "turbine-good", "turbine-medium", "turbine-bad"],
)
def test_marks(problem, answer, expected):
    found = marks(problem, answer)
    points = "".join("-" if mark.points is None else str(mark.points) for mark in found.values())
    assert points == expected, "\n".join(
        f"{name} {mark.points}: {mark.evidence}" for name, mark in found.items()
    )


def test_better_solutions_score_higher_on_every_problem():
    for problem, *answers in [
        (PANEL, PANEL_GOOD, PANEL_MEDIUM, PANEL_BAD),
        (TURBINE, TURBINE_GOOD, TURBINE_MEDIUM, TURBINE_BAD),
    ]:
        totals = [sum(mark.points or 0 for mark in marks(problem, answer).values()) for answer in answers]
        assert totals == sorted(totals, reverse=True)
        assert len(set(totals)) == 3


def test_copying_a_formula_sheet_is_not_choosing():
    sheet = "\n".join(
        f"[E{n}] {equation.name}\n    {equation.output} = {equation.expr}"
        for n, equation in enumerate((e for e in library() if e.domain == "newtonian" and e.expr), 1)
    )
    assert marks(PANEL, f"{sheet}\nq_dyn = 29160 Pa\nC_p = 0.134")["G1"].points < 2
