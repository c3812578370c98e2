"""Screening designs: pairs of settings, effects of switches, the chapter, and the comparison of designs."""

from dataclasses import dataclass, field

import pytest
from langchain_core.messages import AIMessage

import ansatz as az
from ansatz.agents import Reply
from ansatz.errors import BadInput, InvalidData, StudyError
from ansatz.eval import Problem, Score
from ansatz.eval.problem import NumberTarget
from ansatz.eval.score import Dimension
from tests.experiments.served_study import write_study

WORDS = {"alpha": 0.4, "beta": 0.2, "gamma": 0.0, "delta": 0.0}
"""The score that each word in a prompt adds."""


@dataclass
class AddingClient:
    """Answers with the sum of what the words in its prompt add; it counts its requests."""

    both: float = 0.0
    """What alpha and beta add together, in addition."""
    requests: list[str] = field(default_factory=list)

    @property
    def identity(self):
        return {"model": "adding", "both": self.both}

    async def reply(self, messages, tools, context=None):
        text = "\n".join(message.text for message in messages)
        self.requests.append(text)
        value = 0.2 + sum(added for word, added in WORDS.items() if word in text)
        value += self.both * ("alpha" in text and "beta" in text)
        return Reply(AIMessage(f"{value:.3f}"), seconds=0.0)

    async def aclose(self):
        pass


@dataclass(frozen=True)
class Stated:
    dimensions = (Dimension("stated"),)

    async def score(self, context):
        return (Score(dimension="stated", value=float(context.transcript.answer), evidence="stated"),)


def study(client, problems=24, **settings):
    target = NumberTarget(name="Q", unit="kJ", value=1.0)
    made = [
        Problem(id=f"p{n}", family=f"f{n // 2}", benchmark="own", question=f"{n}?", targets=(target,))
        for n in range(problems)
    ]
    switches = {word: az.WithPrompt(f"Think of {word}.") for word in WORDS}
    return az.Study(
        "words",
        models=az.Model(client, label="test:adding"),
        problems=made,
        arms=az.screening(**switches),
        scorers=Stated(),
        **settings,
    )


def test_each_problem_is_asked_with_switches_and_their_rest():
    pairs = study(AddingClient(), repeats=2).design.pairs
    assert len(pairs.arms) == 48 and pairs.switches == tuple(WORDS)
    for first, second in pairs.arms.values():
        assert pairs.on[first] ^ pairs.on[second] == set(WORDS) and pairs.on[first] != pairs.on[second]
    for a, b in (("alpha", "beta"), ("beta", "delta")):  # in the same state as often as not
        same = [(a in pairs.on[first]) == (b in pairs.on[first]) for first, _ in pairs.arms.values()]
        assert sum(same) == 24
    first = [pairs.arms[f"p{n}", 0] for n in range(24)]
    assert first != [pairs.arms[f"p{n}", 1] for n in range(24)]
    assert study(AddingClient(), repeats=2).design.pairs == pairs
    assert study(AddingClient(), repeats=2, seed=1).design.pairs != pairs


def test_effects_are_those_of_the_switches(tmp_path):
    client = AddingClient(both=0.2)
    run = study(client).run(tmp_path, progress=False)
    assert len(client.requests) == run.counts["scored"] == 48
    found = {row["arm"]: row for row in run.deltas().filter(dimension="stated").iter_rows(named=True)}
    assert list(found) == list(WORDS)
    for word, added in WORDS.items():
        averaged = added + (0.1 if added else 0.0)  # half of what both add
        assert found[word]["estimate"] == pytest.approx(averaged) and found[word]["pairs"] == 24
        assert found[word]["low_simultaneous"] <= averaged <= found[word]["high_simultaneous"]
    text = run.report().markdown.read_text()
    assert "Screening of 4 switches" in text and "averaged over the settings of the other switches" in text
    assert (tmp_path / "screening" / "effects.png").is_file() and "alpha" in str(run)
    line = next(line for line in text.splitlines() if line.startswith("| alpha × beta |"))
    assert "+20.0" in line and "lack of fit" in text
    with pytest.raises(BadInput):
        run.contrast("alpha", "baseline")


def test_a_part_and_a_resumed_run_have_the_same_pairs(tmp_path):
    client = AddingClient()
    whole = study(client)
    whole.only(limit=6).run(tmp_path, progress=False)
    assert len(client.requests) == 12
    whole.run(tmp_path, progress=False)
    assert len(client.requests) == 48
    with pytest.raises(StudyError):
        whole.only(arms=["alpha"])


SWITCHES = "interventions: [calculator, placebo, polya, simple_prompt]\n"


@pytest.fixture
def file(tmp_path):
    path = write_study(tmp_path, "http://localhost:1", problems=12)
    text = path.read_text()
    lines = [line for line in text.splitlines() if not line.startswith("arms:")]
    path.write_text("\n".join(lines) + f"\ndesign: screening\n{SWITCHES}")
    return path


def test_a_file_has_the_design_and_the_plan_compares_it(file):
    planned = az.Study.from_yaml(file).plan()
    assert planned.comparison.requests == {"screening": 24, "one_at_a_time": 60}
    assert set(planned.comparison.relative) == {"calculator", "placebo", "polya", "simple_prompt"}
    assert planned.to_json()["designs"]["switches"] == 4 and "Screening 4 switches" in str(planned)
    assert sum(each.attempts for each in planned.costs) == 24
    alone = az.Study.from_yaml(file, ["design=one_at_a_time"]).plan()
    assert alone.comparison == planned.comparison
    assert alone.detections[0].together < planned.detections[0].together
    assert az.Study.from_yaml(file, ["design=full_factorial"]).plan().comparison is None


@pytest.mark.parametrize(
    "more", ["stop.looks=2", "interventions=[calculator]", "arms={placebo: placebo}", "design=pairs"]
)
def test_designs_that_cannot_be_screened_are_refused(file, more):
    with pytest.raises((StudyError, InvalidData)) as raised:
        az.Study.from_yaml(file, [more])
    assert "screening" in str(raised.value) and "\n" not in str(raised.value)


def pump_power(flow: float, head: float) -> float:
    """Power of a pump in kW, from flow in L/s and head in m."""
    return 9.81 * flow * head / 1000


def test_the_funnel_pools_settings_with_a_tool(tmp_path):
    """Each of the settings has few attempts; those with the tool are one row under its switch."""
    question = "A pump lifts flow = 12 L/s of water by head = {} m.\n\nP = ___ kW"
    switches = {word: az.WithPrompt(f"Think of {word}.") for word in WORDS}
    run = az.Study(
        "pumps",
        models="offline:slide-rule",
        problems=[(question.format(head), f"{0.11772 * head:.4g} kW") for head in range(10, 18)],
        arms=az.screening(tool=az.WithTools(pump_power), **switches),
    ).run(tmp_path, progress=False)
    called = run.tool_use().filter(stage="called").to_dicts()
    assert [(row["arm"], row["offered"], row["attempts"]) for row in called] == [("tool", 8, 8)]
