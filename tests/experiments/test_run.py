"""Every arm answers every problem once; failures are kept apart and tried again."""

import io

import pytest
from rich.console import Console

from ansatz.agents.models.traffic import Rates
from ansatz.errors import BadInput, InfrastructureError, ModelError, StudyError
from ansatz.experiments.design.models import Model
from ansatz.experiments.ledger.store import Ledger
from ansatz.experiments.running.progress import Progress
from ansatz.experiments.running.runner import normalize_failure, run
from ansatz.experiments.study import Study
from ansatz.experiments.view.show import losses
from ansatz.interventions.placebo import Placebo
from tests.experiments.records import records_of
from tests.experiments.studies import CountingClient, problem, study


async def done(prepared, folder):
    outcomes = []
    with Ledger.open(folder) as ledger:
        ledger.plan(prepared.attempts, prepared.problems.values())
        await run(prepared, ledger, outcomes.append)
    return outcomes, records_of(folder)


async def test_every_arm_answers_every_problem_and_repeat_once(tmp_path):
    client = CountingClient()
    outcomes, records = await done(study(client, problems=3, repeats=2), tmp_path)
    assert outcomes == [None] * 12
    assert len({(record.arm, record.problem, record.repeat) for record in records}) == 12
    assert len(client.requests) == 12
    assert {record.scores[0].value for record in records} == {1, 1 / 2, 1 / 3}


async def test_arms_are_interleaved_inside_each_problem_and_repeat(tmp_path):
    arms = ("baseline", "placebo", "calculation_protocol")
    attempts = study(CountingClient(), problems=4, repeats=2, arms=arms).attempts
    blocks = [attempts[start : start + 3] for start in range(0, 24, 3)]
    assert {(len({u.problem for u in block}), len({u.arm for u in block})) for block in blocks} == {(1, 3)}
    assert len({tuple(attempt.arm for attempt in block) for block in blocks}) > 1


async def test_an_infrastructure_failure_is_unscored_and_retried(tmp_path):
    faulty = CountingClient(faults={2: InfrastructureError("503"), 5: TimeoutError("slow")})
    outcomes, records = await done(study(faulty), tmp_path)
    assert sorted(filter(None, outcomes)) == ["InfrastructureError: 503", "TimeoutError: slow"]
    assert all((record.scores == ()) == (record.state == "error") for record in records)
    client = CountingClient()
    outcomes, records = await done(study(client), tmp_path)
    assert (outcomes, len(client.requests)) == ([None] * 2, 2)
    assert all(record.state == "scored" for record in records)


async def test_a_model_that_cannot_be_used_at_all_stops_the_run(tmp_path):
    unusable = CountingClient(faults={1: ModelError("check OPENAI_API_KEY")})
    with pytest.raises(ModelError, match="check OPENAI_API_KEY"):
        await done(study(unusable, concurrency=1), tmp_path)


async def test_a_run_scored_on_other_dimensions_is_scored_again(tmp_path):
    """As by an earlier version of the same scorer."""
    file = tmp_path / "study.yaml"
    file.write_text(
        "name: small\nmodels: [offline:slide-rule]\narms: {baseline: {}}\nscorers: [verifier]\n"
        "problems: [{benchmark: tps, settings: {instances: 1, domains: [radiation]}, limit: 1}]\n"
    )
    rounds = Rounds()
    await Study.from_yaml(file).arun(tmp_path / "out", progress=rounds)
    await Study.from_yaml(file).arun(tmp_path / "out", progress=rounds)
    assert rounds.begun == [(1, 0), (1, 1)]  # a run, and a resumption that finds nothing to do
    with Ledger.open(tmp_path / "out") as ledger:
        scored_by = ledger.about("scored_by")
        ledger.describe({"scored_by": {**scored_by, "dimensions": ["kpi", "kpi_capped"]}})
    await Study.from_yaml(file).arun(tmp_path / "out", progress=rounds)
    assert rounds.begun[2:] == [(1, 0), (1, 1)]  # scoring again, then nothing to run
    with Ledger.open(tmp_path / "out", write=False) as ledger:
        assert ledger.about("scored_by") == scored_by


class Rounds(Progress):
    """What was begun: how much there is of it, and how much was done already."""

    def __init__(self):
        super().__init__()
        self.begun = []

    def begin(self, total, done):
        self.begun.append((total, done))
        return super().begin(total, done)


def test_a_run_shows_the_plan_of_its_last_start(tmp_path):
    whole = Study("x", models="offline:slide-rule", problems=[problem(1), problem(2)], arms={"p": Placebo()})
    run = whole.only(problems=["heat#1"]).run(tmp_path)
    assert run.attempts().select("arm", "problem").rows() == [("baseline", "heat#1"), ("p", "heat#1")]
    whole.only(problems=["heat#2"], arms=[]).run(tmp_path)
    assert run.results.planned == 1
    assert run.attempts().select("arm", "problem").rows() == [("baseline", "heat#2")]
    assert None not in run.attempts()["messages"].to_list()


def test_a_part_of_a_study_may_leave_a_provider_with_rates_out():
    rates = {"openai": Rates(requests=60)}
    models = ["offline:slide-rule", Model("openai:m", settings={"base_url": "http://127.0.0.1:9"})]
    whole = Study("x", models=models, problems=[problem(1)], rates=rates)
    assert list(whole.only(models=["offline:slide-rule"]).models) == ["offline:slide-rule"]
    with pytest.raises(StudyError, match="rates: the study has no model of 'openai'"):
        Study("x", models="offline:slide-rule", problems=[problem(1)], rates=rates)


def test_a_run_without_quality_dimensions_reports_resources(tmp_path):
    model = Model(CountingClient(), "counting", input_price=1, output_price=2)
    problems = [problem(number) for number in range(1, 4)]
    done = Study("x", models=model, problems=problems, arms={"p": Placebo()}, scorers=[]).run(tmp_path)
    assert "tokens per attempt" in done.report().markdown.read_text(encoding="utf-8")
    titles = [axes.get_title("left").split()[0] for axes in done.plot().axes]
    assert titles == ["tokens", "seconds", "dollars"]
    with pytest.raises(BadInput, match="no quality dimension"):
        losses(done.results, "p")


@pytest.mark.parametrize(
    ("failure", "other", "are_alike"),
    [
        ("m:gpt-5 gave no answer in 3 tries: 429: wait 2.5 s", "m:gpt-5 gave no answer in 2 tries: 429: wait 3 s", True),
        ("m:gpt-5 failed: 500: request req_011CSHoEeqs5C35K2UUqR7Fy", "m:gpt-5 failed: 500: request req_92Xa0jqPeqs5C35KaBcdE1Gz", True),
        ("m:gpt-5.1 gave no answer in 3 tries: 429: no", "m:gpt-5.2 gave no answer in 3 tries: 429: no", False),
        ("m:gpt-5 gave no answer in 3 tries: 429: no", "m:gpt-5 gave no answer in 3 tries: 503: no", False),
    ],
)  # fmt: skip
def test_failures_of_one_kind_differ_only_in_counts_and_ids(failure, other, are_alike):
    assert (normalize_failure(failure) == normalize_failure(other)) == are_alike


def test_failures_are_summed_up_as_they_came():
    """With status codes and names of models, which no sign of which is read as an emoji."""
    written = io.StringIO()
    progress = Progress(Console(file=written, width=200), "study")
    with progress.begin(2, 0):
        for tries in (3, 4):
            progress.advance(f"openai:x: gave no answer in {tries} tries: 429: Rate limit reached")
    assert written.getvalue().splitlines()[-1] == (
        "study: 2 × openai:x: gave no answer in 3 tries: 429: Rate limit reached"
    )
