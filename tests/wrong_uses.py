"""At least one wrong use of every public name. mypy checks this file (`make lint`); it is never run.

Strict mypy reports an unused `ignore`, so each of these comments asserts that mypy finds the error.
"""

# ruff: noqa
from typing import assert_type

import polars

import ansatz as az

problems = az.problems([("How much?", "1 kW")])
az.problems(3)  # type: ignore[arg-type]
az.load(3)  # type: ignore[arg-type]
az.add_probes(3, ["renamed"])  # type: ignore[arg-type]
az.benchmark(3)  # type: ignore[arg-type]
az.Study(
    "x", models=["offline:slide-rule"], problems=problems, arms={"a": az.Calculator()}, answer_form="tool"
)
az.Study("x", models=3, problems=problems)  # type: ignore[arg-type]
az.Study("x", models="m", problems=problems, arms={"a": 3})  # type: ignore[dict-item]
az.Study("x", models="m", problems=problems, scorers=[az.Calculator()])  # type: ignore[list-item]
az.Study("x", models="m", problems=problems, repeat=3)  # type: ignore[call-arg]
az.Study("x", models="m", problems=problems, answer_form="xml")  # type: ignore[arg-type]
az.Study("x", models="m", problems=problems, answer_reader=3)  # type: ignore[arg-type]
az.Model("m", concurrency="8")  # type: ignore[arg-type]
az.from_scores(3)  # type: ignore[arg-type]
az.Arm.of(3)  # type: ignore[arg-type]
az.Run(3)  # type: ignore[arg-type]
az.leave_one_out(3)  # type: ignore[arg-type]
az.replay(3, drop="a")  # type: ignore[arg-type]
az.one_at_a_time(3)  # type: ignore[arg-type]
az.full_factorial(3)  # type: ignore[arg-type]
az.screening(3)  # type: ignore[arg-type]
az.apply_all(az.AgentPlan(), [3])  # type: ignore[list-item]
az.Calculator(timeout="3")  # type: ignore[call-arg]
az.EquationRetrieval(tops=3)  # type: ignore[call-arg]
az.EquationTools(tops=3)  # type: ignore[call-arg]
az.FluidProperties(fluid="water")  # type: ignore[call-arg]
az.FormulaSheet(3)  # type: ignore[arg-type]
az.FormulationScaffold("teacher")  # type: ignore[arg-type]
az.AnswerTemplate(3)  # type: ignore[call-arg]
az.CalculationProtocol(3)  # type: ignore[call-arg]
az.CycleProtocol(3)  # type: ignore[call-arg]
az.Placebo(words="many")  # type: ignore[call-arg]
az.Polya(3)  # type: ignore[call-arg]
az.Progressive(show="half")  # type: ignore[arg-type]
az.SimplePrompt(3)  # type: ignore[call-arg]
az.SymbolicCheck(rounds="2")  # type: ignore[arg-type]
az.Checked(rounds="2")  # type: ignore[arg-type]
az.ComputeMatched(1)  # type: ignore[arg-type]
az.Critic(model=1)  # type: ignore[arg-type]
az.FewShot(choose="best")  # type: ignore[arg-type]
az.SelfConsistency(samples="5")  # type: ignore[arg-type]
az.Reviews(1)  # type: ignore[call-arg]
az.solve(1)  # type: ignore[arg-type]
az.Solved("a")  # type: ignore[call-arg]
az.WithModelSettings(temperature="hot")  # type: ignore[arg-type]
az.WithTools(3)  # type: ignore[arg-type]
az.WithMCP(3)  # type: ignore[arg-type]
az.WithRetriever(3)  # type: ignore[arg-type]
az.WithPrompt(3)  # type: ignore[arg-type]
az.WithAgent(3)  # type: ignore[arg-type]
az.ModelGraded(3)  # type: ignore[arg-type]
az.JudgeModel(label="no name")  # type: ignore[call-arg]
az.Outcome(bands=3)  # type: ignore[arg-type]
az.Verifier(3)  # type: ignore[call-arg]
az.ChoiceTarget(name="P", value="A")  # type: ignore[call-arg]
az.LabelTarget(name="P")  # type: ignore[call-arg]
az.NumberTarget(name="P", weight=1)  # type: ignore[call-arg]
az.Problem(id="a", question="b")  # type: ignore[call-arg]
az.Score(dimension="a", value=1)  # type: ignore[call-arg]
az.Dimension(3)  # type: ignore[arg-type]
az.Scale("points", "two")  # type: ignore[arg-type]
az.ScoringContext(problems[0])  # type: ignore[call-arg]
az.Limits(calls=3)  # type: ignore[call-arg]
az.Question(3)  # type: ignore[arg-type]
az.Transcript(answer="a")  # type: ignore[call-arg]
az.AgentPlan().instruct(3)  # type: ignore[arg-type]
az.build_graph(3)  # type: ignore[arg-type]
az.run_agent(az.AgentPlan(), "How much?", 3)  # type: ignore[arg-type, unused-coroutine]
switch: az.Intervention = az.Outcome()  # type: ignore[assignment]
scorer: az.Scorer = az.Calculator()  # type: ignore[assignment]
failures: list[az.AnsatzError] = [az.InfrastructureError("down"), az.StudyError("x"), ValueError()]  # type: ignore[list-item]
az.StudyError("x", path=3)  # type: ignore[arg-type]
az.InfrastructureError.nothing  # type: ignore[attr-defined]
az.__version__ + 3  # type: ignore[operator]
study = az.Study("x", models="m", problems=problems)
study.run(3)  # type: ignore[arg-type]
study.run().attempts(3)  # type: ignore[arg-type]
study.run().deltas().nothing  # type: ignore[attr-defined]
az.Studdy  # type: ignore[attr-defined]
assert_type(study.run().deltas(), polars.DataFrame)
