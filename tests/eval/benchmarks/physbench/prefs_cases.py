"""Small physics problems with worked references, and answers to them, for tests of the P-REFS rubric."""

from ansatz.eval.problem import (
    ChoiceTarget,
    Formulation,
    Given,
    MessageTarget,
    NumberTarget,
    Problem,
    ReferenceSolution,
    SolutionStep,
)


def step(equation, symbol, formula, value, unit, substitution, **details):
    formula, substitution = f"{symbol} = {formula}", f"{symbol} = {substitution}"
    return SolutionStep(
        equation=f"physics.{equation}",
        symbol=symbol,
        expression=formula,
        value=value,
        unit=unit,
        general_formula=formula,
        substitution=substitution,
        **details,
    )


BRAKING = Problem(
    id="braking",
    family="braking",
    benchmark="physbench",
    question="A van of mass m = 2000 kg brakes from v_0 = 20 m/s with a = 5 m/s^2. Find the braking distance d "
    "and the net force F.\n\nReport your answers as:\nd = ___ m\nF = ___ N",
    givens=(
        Given(name="m", value=2000.0, unit="kg"),
        Given(name="v_0", value=20.0, unit="m/s"),
        Given(name="a", value=5.0, unit="m/s^2"),
    ),
    targets=(
        NumberTarget(name="d", unit="m", weight=0.5, value=40.0, description="braking distance"),
        NumberTarget(name="F", unit="N", weight=0.5, value=10000.0, description="net force"),
    ),
    reference=ReferenceSolution(
        formulation=Formulation(
            given="m = 2000 kg; v_0 = 20 m/s; a = 5 m/s^2",
            find="d [m]; F [N]",
            approach="Kinematics of constant acceleration, then Newton's second law.",
            assumptions="constant deceleration, straight and level road",
        ),
        steps=(
            step("kinematics.velocity_distance", "d", "v_0**2/(2*a)", 40.0, "m", "(20 m/s)**2/(2*(5 m/s^2))",
                 title="Find the distance", reasoning="The deceleration is constant."),
            step("dynamics.newton_second", "F", "m*a", 10000.0, "N", "(2000 kg)*(5 m/s^2)",
                 title="Find the force", reasoning="The net force accelerates the mass."),
        ),
        final_answer="d = 40 m; F = 10000 N",
    ),
    tags={"topic": "mechanics", "kind": "problem_solving"},
)  # fmt: skip

CHOICE = Problem(
    id="speed-doubled",
    family="speed-doubled",
    benchmark="physbench",
    question="The speed of a ball doubles. What happens to its kinetic energy?\n(A) it doubles\n(B) it quadruples",
    targets=(
        ChoiceTarget(name="answer", weight=1.0, value="B", options={"A": "it doubles", "B": "it quadruples"}),
    ),
    reference=ReferenceSolution(
        text="Kinetic energy grows with the square of the speed.",
        final_answer="(B) it quadruples",
    ),
    tags={"topic": "mechanics", "kind": "conceptual"},
)

ESSAY = CHOICE.model_copy(
    update={
        "id": "why-inertia",
        "question": "Why does a passenger lurch forward when a bus brakes?",
        "targets": (MessageTarget(name="answer", weight=1.0, value="Inertia keeps the passenger moving."),),
    }
)

WORKED = """**Problem Formulation**
Given: m = 2000 kg; v_0 = 20 m/s; a = 5 m/s^2
Find: d [m]; F [N]
Approach: constant acceleration, then Newton's second law
Assumptions: the deceleration is constant because the driver brakes evenly, and the road is level

**Step-by-step Solution**
Step 1: find d
Reasoning: the deceleration is constant
General Formula: d = v_0**2/(2*a)
Substitution: d = 20**2/(2*5)
Calculation: d = 20**2/(2*5) = 40 m
Result: d = 40 m
Step 2: find F
Reasoning: the net force accelerates the mass
General Formula: F = m*a
Substitution: F = 2000*5
Calculation: F = 2000*5 = 10000 N
Result: F = 10000 N

**Final Answer**
d = 40 m
F = 10000 N"""
