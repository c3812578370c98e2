"""A user's file with one wrong use or more of every public name: read by a type checker, and never run."""

# ruff: noqa
import ansatz as az

problems = az.problems([("How much?", "1 kW")])
az.problems(3)  # error
az.load(3)  # error
az.benchmark(3)  # error
az.Study("x", models=["offline:slide-rule"], problems=problems, arms={"a": az.Calculator()}, answer="tool")
az.Study("x", models=3, problems=problems)  # error
az.Study("x", models="m", problems=problems, arms={"a": 3})  # error
az.Study("x", models="m", problems=problems, scorers=[az.Calculator()])  # error
az.Study("x", models="m", problems=problems, repeat=3)  # error
az.Study("x", models="m", problems=problems, answer="xml")  # error
az.Study("x", models="m", problems=problems, reading=3)  # error
az.Model("m", concurrency="8")  # error
az.Arm.of(3)  # error
az.Run(3)  # error
az.one_at_a_time(3)  # error
az.full_factorial(3)  # error
az.apply_all(az.AgentPlan(), [3])  # error
az.Calculator(timeout="3")  # error
az.EquationRetrieval(tops=3)  # error
az.EquationTools(tops=3)  # error
az.FluidProperties(fluid="water")  # error
az.FormulaSheet(3)  # error
az.FormulationScaffold("teacher")  # error
az.AnswerTemplate(3)  # error
az.CalculationProtocol(3)  # error
az.CycleProtocol(3)  # error
az.Placebo(words="many")  # error
az.Polya(3)  # error
az.Progressive(show="half")  # error
az.SimplePrompt(3)  # error
az.SymbolicCheck(rounds="2")  # error
az.Checked(rounds="2")  # error
az.ComputeMatched(1)  # error
az.Critic(model=1)  # error
az.FewShot(choose="best")  # error
az.SelfConsistency(samples="5")  # error
az.Reviews(1)  # error
az.solve(1)  # error
az.Solved("a")  # error
az.WithModelSettings(temperature="hot")  # error
az.WithTools(3)  # error
az.WithMCP(3)  # error
az.WithRetriever(3)  # error
az.WithPrompt(3)  # error
az.WithAgent(3)  # error
az.ModelGraded(3)  # error
az.JudgeModel(label="no name")  # error
az.Outcome(3)  # error
az.Verifier(3)  # error
az.ChoiceTarget(name="P", value="A")  # error
az.LabelTarget(name="P")  # error
az.NumberTarget(name="P", weight=1)  # error
az.Problem(id="a", question="b")  # error
az.Score(dimension="a", value=1)  # error
az.Dimension(3)  # error
az.Scale("points", "two")  # error
az.ScoringContext(problems[0])  # error
az.Limits(calls=3)  # error
az.Question(3)  # error
az.Transcript(answer="a")  # error
az.AgentPlan().instruct(3)  # error
az.build_graph(3)  # error
az.run_agent(az.AgentPlan(), "How much?", 3)  # error
switch: az.Intervention = az.Outcome()  # error
scorer: az.Scorer = az.Calculator()  # error
failures: list[az.AnsatzError] = [az.InfrastructureError("down"), az.StudyError("x"), ValueError()]  # error
az.StudyError("x", path=3)  # error
az.InfrastructureError.nothing  # error
az.__version__ + 3  # error
study = az.Study("x", models="m", problems=problems)
study.run(3)  # error
study.run().attempts(3)  # error
study.run().deltas().nothing  # error
az.Studdy  # error
reveal_type(study.run().deltas())
