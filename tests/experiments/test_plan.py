"""Estimates of cost and detectable differences before the first request."""

import json
import socket

import pytest

import ansatz as az
from ansatz.errors import ModelError, StudyError
from ansatz.eval import Problem
from ansatz.eval.problem import NumberTarget
from ansatz.experiments.ledger.record import canonical_json
from ansatz.experiments.planning.detection import estimate_detection, find_scatter
from ansatz.experiments.planning.stopping_forecast import forecast_stopping
from ansatz.experiments.study import Study
from tests.commands import ansatz
from tests.experiments.served_study import answer, write_study
from tests.fakes.behaviours import Answer, Tokens
from tests.fakes.openai_server import OpenAIServer

PRICES = "input_price: 100, output_price: 1000, concurrency:"


@pytest.fixture
def served(tmp_path):
    """A priced study whose answers are wrong for every third under the baseline, and always with placebo."""

    def some(request):
        right = answer(request)
        number = int(right.text.split()[2])
        text = right.text if len(request.text) > 1500 or number % 3 else "Q = 0 J"
        return Answer(text, tokens=Tokens(input=20 + number % 3, output=6))

    with OpenAIServer(some) as server:
        path = write_study(tmp_path, server.base_url, problems=24)
        path.write_text(path.read_text().replace("concurrency:", PRICES))
        yield path, server


def test_without_a_pilot_prompts_are_counted_and_nothing_is_asked(served):
    path, server = served
    plan = Study.from_yaml(path, ["repeats=2"]).plan()
    assert not server.requests
    baseline, placebo = plan.costs
    assert (baseline.attempts, baseline.requests.likely) == (48, 48)
    assert baseline.input.least < baseline.input.likely < baseline.input.most
    assert placebo.input.least > baseline.input.likely  # it adds as much as other arms do
    assert plan.dollars.likely == pytest.approx(
        sum(each.input.likely * 100 + each.output.likely * 1000 for each in plan.costs) / 1e6
    )
    assert "Without a pilot" in str(plan) and "outcome" in str(plan)
    few = str(Study.from_yaml(path).only(limit=2).plan())
    assert "none" in few.split("together")[1]  # two families cannot show a significant difference
    once, thrice = plan.detections[0].more[1, 2], plan.detections[0].more[1, 5]
    assert plan.detections[0].together == once > thrice


def test_a_pilot_tells_tokens_dollars_and_differences(served, tmp_path):
    path, server = served
    path.write_text(path.read_text() + "primary: outcome\nstop: {looks: 4, futility: {difference: 0.3}}\n")
    whole = Study.from_yaml(path)
    part = whole.only(limit=12)
    pilot = part.run(tmp_path / "pilot", progress=False)
    paid = len(server.requests)
    plan = whole.plan(pilot)
    tokens = sum(20 + int(problem.id.split("-")[1]) % 3 for problem in part.problems.values())
    assert plan.costs[0].input.likely == pytest.approx(tokens * 2)
    assert plan.costs[0].output.least == plan.costs[0].output.most == 6 * 24
    printed = json.loads(ansatz("plan", path, "--pilot", tmp_path / "pilot", "--json").stdout)
    assert printed == plan.to_json() | {"detectable": printed["detectable"]} and printed["by_pilot"]
    [outcome] = plan.detections
    low, high = outcome.together_range
    assert low < outcome.together < high and high / low > 1.5
    assert plan.to_json()["stopping"]["difference"] == 0.3 and "Interim analyses: power" in str(plan)
    assert outcome.largest and outcome.more[1, 3] is None  # no repeats
    assert outcome.more[4, 1] < outcome.more[2, 1] < outcome.together
    drawn = [ansatz("plan", path, "--plot", tmp_path / f"power.{kind}") for kind in ("svg", "doc")]
    assert [each.returncode for each in drawn] == [0, 2] and "has to end in one of" in drawn[1].stderr
    curve = plan.plot().axes[0].lines[0].get_xydata()
    assert [problems for problems, _ in curve] == [24, 48, 96] and (curve[:, 1] > 0).all()
    assert len(server.requests) == paid


def eight_arms(**settings):
    problems = [(f"How much is {n} m?", f"{n} m") for n in range(1, 401)]
    arms = {f"arm {n}": az.WithPrompt(str(n)) for n in range(8)}
    return az.Study("s", models="offline:slide-rule", problems=problems, arms=arms, **settings).design


def test_a_forecast_counts_primary_dimensions_and_stopping():
    """Fewer comparisons need less; eight arms of which two work need three quarters of the requests."""
    primary = {"primary": "outcome"}
    whole, [first] = (estimate_detection(each, None) for each in (eight_arms(), eight_arms(**primary)))
    assert first.together < next(each.together for each in whole if each.dimension == "outcome")
    stop = {"futility": {"difference": first.together}}
    for only, most in ((None, 0.75), ("better", 0.65)):
        design = eight_arms(**primary, stop=stop | {"only": only})
        found = forecast_stopping(design, find_scatter(design, None))
        assert found.power_without == pytest.approx(0.8, abs=0.01)
        assert 0.7 < found.power < found.power_without
        assert found.problems_without == pytest.approx(400, abs=4)
        assert found.problems == pytest.approx(400 * found.more_problems, rel=0.01)
        none, some, every = (each.share * found.more_problems for each in found.requests)
        assert none < some < most < every < 1


def test_a_pilot_of_other_arms_is_refused(served, tmp_path):
    path, _ = served
    pilot = Study.from_yaml(path).only(limit=4).run(tmp_path / "pilot", progress=False)
    other = tmp_path / "other.yaml"
    other.write_text(path.read_text().replace("{placebo: placebo}", "{nothing: placebo}"))
    with pytest.raises(StudyError, match="the pilot shares no arm with the study: it has placebo"):
        Study.from_yaml(other).plan(pilot)


def test_prompts_are_priced_as_a_run_sends_them(tmp_path):
    with OpenAIServer(answer) as server:
        path = write_study(tmp_path, server.base_url, problems=4)
        arms = "{shown: {few_shot: {source: tps}}, same: {compute_matched: {arm: shown}}}"
        path.write_text(path.read_text().replace("{placebo: placebo}", arms))
        study = Study.from_yaml(path)
        baseline, shown, same = study.plan().costs
        study.run(tmp_path / "run", progress=False)
    sent = [len(canonical_json([each.body["messages"], []])) for each in server.requests]
    with_examples = [
        size for size, each in zip(sent, server.requests, strict=True) if "Example 1" in each.text
    ]
    assert len(with_examples) == 4
    assert shown.input.likely * 4 == pytest.approx(sum(with_examples), rel=0.05)
    assert baseline.input.likely * 4 == pytest.approx(sum(sorted(sent)[:4]), rel=0.05)
    assert same.input.likely == shown.input.likely and same.requests == shown.requests


def test_earlier_answers_count_where_an_arm_is_shown_them():
    """The third question has two earlier ones and replies of 800 tokens."""
    target = NumberTarget(name="Q", unit="J", weight=1.0, value=1.0)
    made = [
        Problem(id=f"p{n}", family="f", benchmark="own", question="Heat?", targets=(target,), follows=follows)
        for n, follows in enumerate([(), ("p0",), ("p1",)])
    ]
    arms = {"on": az.Progressive(judged_by="outcome")}
    study = az.Study("set", models="offline:slide-rule", problems=made, arms=arms, scorers=az.Outcome())
    baseline, shown = study.plan().costs
    assert shown.input.likely - baseline.input.likely == pytest.approx(3 * 800, rel=0.15)


async def test_a_plan_works_in_a_running_event_loop():
    pairs = [("What is 2 * 21 m?", "42 m")]
    assert az.Study("s", models="offline:slide-rule", problems=pairs).plan().costs


def test_a_run_without_its_key_leaves_an_earlier_run_as_it_was(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    pairs = [("What is 2 * 21 m?", "42 m")]
    before = az.Study("s", models="offline:slide-rule", problems=pairs).run(tmp_path, progress=False)
    manifest = (tmp_path / "manifest.json").read_text()
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        az.Study("s", models="openai:gpt-4o", problems=pairs).run(tmp_path, progress=False)
    assert az.Run(tmp_path).counts == before.counts
    assert (tmp_path / "manifest.json").read_text() == manifest


def test_a_plan_needs_neither_network_nor_key(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "empty"))
    looked_up = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *place, **_: looked_up.append(place) or [])
    pairs = [("What is 2 * 21 m?", "42 m")]
    study = az.Study("s", models="openai:gpt-4o", problems=pairs)
    assert study.plan().dollars and not looked_up
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        study.run(tmp_path / "run", progress=False)
    assert not looked_up
    path = write_study(tmp_path, "http://localhost:1", problems=2)
    path.write_text(path.read_text().replace(", settings: {base_url: 'http://localhost:1'}", ""))
    for command in (["plan", path], ["run", path, "--dry-run"]):
        assert ansatz(*command).returncode == 0
