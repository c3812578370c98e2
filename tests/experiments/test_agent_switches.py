"""Checks, votes, critics, examples, settings and matched calls over both providers' protocols."""

import random
import re
from collections import Counter

import pytest

import ansatz as az
from ansatz.errors import ModelError
from ansatz.experiments.design.worked_examples import format_worked_examples
from tests.agents.providers import SERVERS
from tests.experiments.records import payments_of, records_of
from tests.experiments.served_study import command, essence, run_command, write_study
from tests.experiments.test_kill import kill_after
from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.behaviours import Answer, Tokens
from tests.fakes.openai_server import OpenAIServer

PROBLEMS = az.problems(
    [
        {
            "id": f"work-{force}",
            "question": f"A force F = {force} N acts over d = 7 m. Work?\n\nW = ___ J",
            "targets": [{"name": "W", "unit": "J", "value": force * 7}],
        }
        for force in (31, 43)
    ]
)


def served(request):
    """Wrong at first; right after a check or a critic finds the fault."""
    prompt = request.text
    tokens = Tokens(input=max(10, len(prompt) // 4), output=10)
    right = int(re.findall(r"F = (\d+) N", prompt)[-1]) * 7
    if "You review a colleague" in prompt:
        verdict = "sound" if prompt.count(str(right)) else "faulty"
        return Answer(f"The product.\nVERDICT: {verdict}", tokens=tokens)
    is_reviewed = "checked by computation" in prompt or "A colleague has reviewed" in prompt
    value = right if is_reviewed else right * 3
    return Answer(f"W = F*d = {right // 7}*7 = {value} J\n\nW = {value} J", tokens=tokens)


def study(model, server, arms, **settings):
    asked = az.Model(model, settings={"base_url": server.base_url, "retry": {"tries": 1}}, concurrency=1)
    scorers = [az.Outcome(), az.Reviews()]
    return az.Study("agents", models=asked, problems=PROBLEMS, arms=arms, scorers=scorers, **settings)


def transcripts(folder):
    return {(each.arm, each.problem): each.transcript for each in records_of(folder)}


@pytest.mark.parametrize("model", SERVERS)
def test_rounds_and_their_bill(model, tmp_path):
    arms = {
        "checked": az.Checked(),
        "critic": az.Critic(rounds=2),
        "matched": az.ComputeMatched("critic"),
        "both": [az.Checked(), az.Critic()],
    }
    with SERVERS[model](served) as server:
        run = study(model, server, arms).run(tmp_path)
        asked = len(server.requests)
        run = study(model, server, arms).run(tmp_path)
        assert len(server.requests) == asked  # all of it was remembered
    found, totals = transcripts(tmp_path), payments_of(tmp_path)
    nodes = {arm: [call.node for call in found[arm, "work-31"].model_calls] for arm in arms}
    assert nodes == {
        "checked": ["model", "model"],
        "critic": ["model", "critic", "model", "critic"],
        "matched": ["model"] * 4,
        "both": ["model", "model", "critic"],
    }
    verdicts = [each.details["verdict"] for each in found["critic", "work-31"].reviews]
    assert verdicts == ["faulty", "sound"]
    frame = run.attempts()
    means = {arm: frame.filter(arm=arm)["outcome"].mean() for arm in ("baseline", *arms)}
    assert means == {"baseline": 0.0, "checked": 1.0, "critic": 1.0, "matched": 0.0, "both": 1.0}
    assert frame.filter(arm="checked")["corrected"].to_list() == [1.0, 1.0]
    assert frame["spoiled"].sum() == 0
    # every request is billed once, to the arm that made it first; what arms share is paid for once
    assert sum(paid.requests for paid in totals.values()) == asked
    assert {payer.arm for payer in totals} <= {"baseline", *arms}
    wanted, spent = found["critic", "work-43"].tokens, found["matched", "work-43"].tokens
    assert spent == pytest.approx(wanted, rel=0.25)


@pytest.mark.parametrize("model", SERVERS)
@pytest.mark.parametrize("form", ["block", "json", "tool"])
def test_a_vote_is_taken_value_by_value(model, form, tmp_path):
    values = [217, 226, 217, 300, 2.17e2]

    def drawn(request):
        value = values[request.earlier % 5]
        if "submit_answer" in str(request.body.get("tools")):
            return Answer(calls=(("submit_answer", {"W": {"value": value, "unit": "J"}}),))
        stated = f'```json\n{{"W": {{"value": {value}, "unit": "J"}}}}\n```'
        return Answer(stated if form == "json" else f"W = {value} J")

    with SERVERS[model](drawn) as server:
        arms = {"vote": az.SelfConsistency()}
        run = study(model, server, arms, answer_form=form).only(problems=["work-31"]).run(tmp_path)
        assert len(server.requests) == 5  # the baseline's answer is the first of them
    found = transcripts(tmp_path)
    *drafts, last = found["vote", "work-31"].reviews
    assert len(drafts) == 4 and last.details["targets"]["W"]["share"] == pytest.approx(0.6)
    row = run.attempts("vote").row(0, named=True)
    assert (row["outcome"], row["agreement"]) == (1.0, pytest.approx(0.6))


def test_limits_end_a_review_like_any_other_call(tmp_path):
    with OpenAIServer(served) as server:
        limits = az.Limits(model_calls=2)
        arms = {"critic": az.Critic(), "vote": az.SelfConsistency()}
        study("openai:gpt-test", server, arms, limits=limits).run(tmp_path)
    found = transcripts(tmp_path)
    assert {found[arm, "work-31"].stop for arm in arms} == {"model_calls"}
    assert found["critic", "work-31"].answer.endswith("W = 651 J")


def test_another_model_criticises_and_is_billed_to_the_arm(tmp_path, monkeypatch):
    with OpenAIServer(served) as server, AnthropicServer(served) as critic:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", critic.base_url)
        arms = {"critic": az.Critic(model="anthropic:claude-test")}
        run = study("openai:gpt-test", server, arms).run(tmp_path)
        assert len(critic.requests) == 2
    assert payments_of(tmp_path)["anthropic:claude-test", "critic", False].requests == 2
    assert run.attempts("critic")["outcome"].to_list() == [1.0, 1.0]


def test_a_plan_has_a_row_for_a_model_that_a_step_asks(tmp_path, monkeypatch):
    """The critic's tokens are its own, by prompts and by a pilot, and priced at its price."""
    with OpenAIServer(served) as server, AnthropicServer(served) as critic:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", critic.base_url)
        arms = {"critic": az.Critic(model="anthropic:claude-test")}
        whole = study("openai:gpt-test", server, arms)
        guessed = whole.plan().costs
        pilot = whole.run(tmp_path)
        measured = whole.plan(pilot).costs
    for rows in (guessed, measured):
        *_, row = rows
        assert [(each.model, each.arm) for each in rows[:2]] == [
            ("openai:gpt-test", arm) for arm in whole.arms
        ]
        assert (row.model, row.arm, row.is_consulted) == ("anthropic:claude-test", "critic", True)
        assert (row.attempts, row.requests.likely) == (2, 2)
    assert guessed[2].input.likely > 2 * 800  # it reads an answer
    found = transcripts(tmp_path)
    calls = [call for problem in PROBLEMS for call in found["critic", problem.id].model_calls]
    for row, model in ((measured[1], None), (measured[2], "anthropic:claude-test")):
        inputs = [call.usage.input for call in calls if call.model == model]
        assert (row.requests.likely, row.input.likely) == (len(inputs), pytest.approx(sum(inputs)))


def test_settings_of_the_model_are_an_arm(tmp_path):
    with OpenAIServer(served) as server:
        arms = {"hot": az.WithModelSettings(temperature=1.5), "cold": az.WithModelSettings(temperature=0)}
        one = study("openai:gpt-test", server, arms)
        one.run(tmp_path)
        asked = Counter(request.body.get("temperature") for request in server.requests)
    assert asked == {None: 2, 1.5: 2, 0: 2}
    assert len({attempt.key for attempt in one.design.attempts}) == 6


@pytest.mark.parametrize(
    ("model", "arms", "fault"),
    [
        ("offline:slide-rule", {"hot": az.WithModelSettings(temperature=1)}, "takes no temperature"),
        ("offline:slide-rule", {"x": az.WithModelSettings(reasoning_effort="huge")}, "reasoning_effort"),
        ("openai:gpt-4o", {"x": az.WithModelSettings(reasoning_effort="high")}, "takes no reasoning_effort"),
        ("openai:gpt-5.2", {"x": az.WithModelSettings(extra={"reasonin": 1})}, "reasonin"),
        ("offline:slide-rule", {"x": az.ComputeMatched("chekced"), "checked": az.Checked()}, "did you mean"),
        ("offline:slide-rule", {"x": az.FewShot(source="tsp")}, "did you mean 'tps'"),
        ("offline:slide-rule", {"x": az.Critic(model="opnai:gpt")}, "did you mean 'openai'"),
    ],
)
def test_what_cannot_be_is_one_line_before_anything_is_asked(model, arms, fault, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with pytest.raises((az.StudyError, ModelError), match=fault) as failure:
        az.Study("x", models=model, problems=PROBLEMS, arms=arms)
    assert "\n" not in str(failure.value)


@pytest.mark.slow
def test_examples_of_other_families_do_not_reveal_the_key():
    problems = az.benchmark("tps", instances=1)
    for choose in ("fixed", "similar"):
        for problem in problems[::6]:
            shown = format_worked_examples(problem, az.FewShot(examples=3, choose=choose))
            assert shown.count("Worked answer:") == 3
            own = [each.question for each in problems if each.family == problem.family]
            assert not any(text.splitlines()[0] in shown for text in own)
            keys = {f"{each.value:.5g}" for each in problem.targets if isinstance(each.value, float)}
            assert not {key for key in keys if len(key) > 4} & set(shown.split())


@pytest.mark.slow
def test_a_run_killed_at_any_step_of_a_review_ends_alike(tmp_path):
    def reviewed(request):
        if "You review" in request.text:
            return Answer("VERDICT: faulty" if "78 J" in request.text else "VERDICT: sound")
        is_reviewed = "A colleague has reviewed" in request.text
        [value] = set(re.findall(r"state Q = (\d+) J", request.text))
        return Answer(f"1.5*2 = 4 J\nQ = {value} J" if not is_reviewed else f"Q = {value} J")

    with OpenAIServer(reviewed, latency=0.02) as server:
        file = write_study(tmp_path, server.base_url, problems=8)
        again = "{compute_matched: {arm: checked}}"
        arms = f"{{checked: checked, vote: [self_consistency, critic], again: {again}}}"
        file.write_text(file.read_text().replace("{placebo: placebo}", arms))
        assert run_command(file, tmp_path / "quiet").returncode == 0
        quiet = len(server.requests)
        choose = random.Random(3)
        for _ in range(3):
            kill_after(command(file, tmp_path / "killed"), server, choose)
        done = run_command(file, tmp_path / "killed")
        assert done.returncode == 0, done.stderr
        # Arms that begin with the same request share its reply, unless they ask for it at the same time.
        calls = sum(len(each.model_calls) for each in transcripts(tmp_path / "quiet").values())
        assert len(server.requests) - quiet <= calls + 3 * 4
    assert essence(tmp_path / "killed") == essence(tmp_path / "quiet")
    assert transcripts(tmp_path / "killed")["vote", "item-3"].reviews


@pytest.mark.parametrize("calls_tool", [False, True])
def test_notes_name_the_isolation_only_if_code_ran(calls_tool, tmp_path):
    """An arm with a calculator that no answer uses has no note on code."""

    def served(request):
        if calls_tool and "run_python" in str(request.body.get("tools")) and "1302" not in request.text:
            return Answer(calls=(("run_python", {"code": "print(1302)"}),))
        return Answer("W = 217 J")

    with OpenAIServer(served) as server:
        run = study("openai:gpt-test", server, {"calculator": az.Calculator()}).run(tmp_path)
    assert any("Code in answers ran" in note for note in run.notes) == calls_tool
    assert any("Code in answers ran" in note for note in run.results.notes) == calls_tool
