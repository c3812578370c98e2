"""One heating problem and answers to it, from good to mere show."""

from ansatz.agents import Transcript
from ansatz.eval.problem import (
    Formulation,
    Given,
    NumberTarget,
    Problem,
    ReferenceSolution,
    SolutionStep,
    TargetBound,
)
from ansatz.eval.verifier.verifier import review
from ansatz.eval.verifier.working import Working

HEATING = Problem(
    id="heating#0",
    family="heating",
    benchmark="test",
    question=(
        "A capsule of effective nose radius R_n = 0.6 m flies through air of density rho_inf = 3.1e-4 kg/m^3 at "
        "V_inf = 6800 m/s. The boundary layer is laminar and the wall is cold. Find the convective heat flux q_s at "
        "the stagnation point.\n\nReport your answers as:\nq_s = ___ W/m^2"
    ),
    givens=(
        Given(name="R_n", value=0.6, unit="m", description="effective nose radius"),
        Given(name="rho_inf", value=3.1e-4, unit="kg/m^3", description="free-stream density"),
        Given(name="V_inf", value=6800, unit="m/s", description="free-stream speed"),
    ),
    targets=(
        NumberTarget(
            name="q_s",
            unit="W/m^2",
            weight=1,
            value=1244673.487,
            description="stagnation-point convective heat flux",
        ),
    ),
    reference=ReferenceSolution(
        formulation=Formulation(
            given="effective nose radius R_n = 0.6 m",
            find="q_s",
            approach="Laminar cold-wall stagnation heating of a blunt body in air by an engineering correlation.",
            assumptions="continuum flow, laminar, cold wall, equilibrium air chemistry absorbed in the constant",
        ),
        steps=(
            SolutionStep(
                equation="heating.sutton_graves.earth",
                symbol="q_s",
                expression="q_s = 0.00017415*sqrt(rho_inf/R_n)*V_inf**3",
                value=1244673.487,
                unit="W/m^2",
            ),
        ),
        gold_equations=("heating.sutton_graves.earth",),
        trap_equations=("heating.bound.kinetic_energy_flux",),
        trap="the free-stream energy flux is a bound, not the heat flux",
        bounds=(
            TargetBound(
                target="q_s", low=0, high=48737.0 * 1e3, reason="cannot exceed the free-stream energy flux"
            ),
        ),
    ),
)

GOOD = """Given: R_n = 0.6 m, rho_inf = 3.1e-4 kg/m^3, V_inf = 6800 m/s.
Regime: we assume continuum flow and a laminar boundary layer with a cold wall, because the Knudsen number of a 0.6 m
nose at this density is about 0.0004, far below 0.01.
The Sutton-Graves correlation applies: q_s = k*sqrt(rho_inf/R_n)*V_inf^3 with k = 1.7415e-4 kg^0.5/m.
q_s = 1.7415e-4 * sqrt(3.1e-4/0.6) * 6800^3 = 1.2447e6 W/m^2
Check: q_s = 1.2447e6 W/m^2 is below the free-stream energy flux bound of 4.87e7 W/m^2.
The stagnation heat flux of about 1.2 MW/m^2 means that the nose of the capsule needs an ablative shield, since a
larger radius would lower it only as the square root.

q_s = 1.2447e6 W/m^2"""

LATEX = r"""**Givens:** $R_n = 0.6\,\mathrm{m}$, $\rho_\infty = 3.1\times10^{-4}\,\mathrm{kg/m^3}$, $V_\infty = 6800\,\mathrm{m/s}$.

Using the Sutton–Graves relation,
\[
\dot q_s = k\sqrt{\frac{\rho_\infty}{R_n}}\,V_\infty^3
= 1.7415\times 10^{-4}\sqrt{\frac{3.1\times 10^{-4}}{0.6}}\,(6800)^3 = 1.24\times 10^{6}\ \mathrm{W/m^2}
\]

**q_s = 1.24×10⁶ W/m²**"""

SLIP = """R_n = 0.6 m, rho_inf = 3.1e-4 kg/m^3, V_inf = 6800 m/s
q_s = k*sqrt(rho/Rn)*V^3 = 1.7415e-4*sqrt(3.1e-4/0.6)*6800^3 = 1.21e6 W/m^2
q_s = 1.21e6 W/m^2"""

BLUNDER = SLIP.replace("1.21e6", "3.4e6")

TRAPPED = """R_n = 0.6 m, rho_inf = 3.1e-4 kg/m^3, V_inf = 6800 m/s
q_s = 0.5*rho_inf*V_inf^3 = 0.5*3.1e-4*6800^3 = 4.874e7 W/m^2
q_s = 4.874e7 W/m^2"""


TERSE = "q_s = 1.2447e6 W/m^2"


def attempt(answer, *tool_calls, stop="answered"):
    return Transcript(answer=answer, stop=stop, messages=(), model_calls=(), tool_calls=tool_calls, seconds=0)


def reviewed(answer, problem=HEATING, tools=()):
    return review(Working.of(problem, attempt(answer, *tools)))


def marks(answer, problem=HEATING, tools=()):
    return {name: mark.points for name, mark in reviewed(answer, problem, tools).items()}
