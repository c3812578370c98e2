"""Leave-one-out designs: which attempts are asked, the chapter, resuming and the price."""

from dataclasses import dataclass

import pytest
from langchain_core.messages import AIMessage

import ansatz as az
from ansatz.agents import Reply
from ansatz.errors import InvalidData, StudyError
from ansatz.eval import Problem, Score
from ansatz.eval.problem import NumberTarget
from ansatz.eval.score import Dimension
from ansatz.experiments.report.leave_one_out_chapter import chapter
from tests.experiments.served_study import write_study

WORTH = {"alpha": 0.3, "beta": 0.2, "gamma": 0.0, "delta": 0.1}


@dataclass
class AddingClient:
    """Answers with the sum of what the words of its prompt add; beta and delta do the same work."""

    @property
    def identity(self):
        return {"model": "adding"}

    async def reply(self, messages, tools, context=None):
        text = "\n".join(message.text for message in messages)
        value = 0.2 + sum(worth for word, worth in WORTH.items() if word in text)
        value -= 0.1 * ("beta" in text and "delta" in text)
        return Reply(AIMessage(f"{value:.3f}"), seconds=0.0)

    async def aclose(self):
        pass


@dataclass(frozen=True)
class Stated:
    dimensions = (Dimension("stated"),)

    async def score(self, context):
        return (Score(dimension="stated", value=float(context.transcript.answer), evidence="stated"),)


def study(families=24, **settings):
    target = NumberTarget(name="Q", unit="kJ", value=1.0)
    problems = [
        Problem(id=f"p{n}", family=f"f{n}", benchmark="own", question=f"{n}?", targets=(target,))
        for n in range(families)
    ]
    switches = {word: az.WithPrompt(f"Think of {word}.") for word in WORTH}
    return az.Study(
        "words",
        models=az.Model(AddingClient(), label="test:adding"),
        problems=problems,
        arms=az.leave_one_out(**switches),
        scorers=Stated(),
        **settings,
    )


def test_each_problem_has_twice_as_many_attempts_as_switches():
    asked = {}
    for attempt in study().design.attempts:
        asked.setdefault(attempt.problem, set()).add(attempt.arm)
    always = {"baseline", "all", *(f"without {word}" for word in WORTH)}
    assert all(len(arms) == 8 and always <= arms for arms in asked.values())
    assert len({frozenset(arms - always) for arms in asked.values()}) > 4


def test_chapter_divides_the_gain_among_the_switches(tmp_path):
    run = study().run(tmp_path / "run", progress=False)
    lost, worth = chapter(run.results).sections
    losses = {row[0]: row[1].value for row in lost.tables[0].rows}
    values = {row[0]: row[1] for row in worth.tables[0].rows}
    assert losses == pytest.approx({"alpha": 0.3, "beta": 0.1, "gamma": 0.0, "delta": 0.0}, abs=1e-9)
    found = {name: values[name].value for name in WORTH}
    assert sum(found.values()) == pytest.approx(values["all together"].value) == pytest.approx(0.5)
    assert found["alpha"] == pytest.approx(0.3)
    for name, true in {"beta": 0.15, "delta": 0.05}.items():  # they share the 0.1 that both can do
        assert values[name].low <= true <= values[name].high
    assert values["beta"].low < values["beta"].high  # the sampling error of the orders
    assert set(run.deltas()["arm"]) == {"all", *(f"without {word}" for word in WORTH)}
    assert run.results.is_complete


def test_plan_prices_the_attempts_that_are_asked():
    planned = study().plan()
    assert sum(each.attempts for each in planned.costs) == 24 * 8


def test_study_files_resume_with_the_same_orders(tmp_path):
    path = write_study(tmp_path, "http://127.0.0.1:1/v1", problems=4)
    text = path.read_text("utf-8").replace("arms: {placebo: placebo}", "design: leave_one_out")
    text = text.replace("openai:fake", "offline:slide-rule").replace(
        "concurrency: 4, settings: {base_url: 'http://127.0.0.1:1/v1'}", "concurrency: 4"
    )
    path.write_text(text + "interventions: {placebo: , polya: , simple_prompt: }\n", encoding="utf-8")
    first = az.Study.from_yaml(path)
    first.run(tmp_path / "run", progress=False)
    again = az.Study.from_run(tmp_path / "run")
    assert {each.key for each in again.design.attempts} == {each.key for each in first.design.attempts}
    path.write_text(text + "interventions: {polya: }\n", encoding="utf-8")
    with pytest.raises((InvalidData, StudyError), match="2 to 12"):
        az.Study.from_yaml(path)
