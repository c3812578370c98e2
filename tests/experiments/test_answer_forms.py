"""The four forms of an answer over both providers' protocols: what is read from where, and what is paid for."""

import json
import re
from collections import Counter
from hashlib import sha256
from typing import get_args

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel

import ansatz as az
from ansatz.agents.answer_form import AnswerField, AnswerForm, submission_tool
from ansatz.agents.identity import canonical_text
from tests.agents.providers import SERVERS
from tests.experiments.records import payments_of, records_of
from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer

PROBLEMS = az.problems(
    [
        {
            "id": f"heat-{heat}",
            "question": f"Heat is {heat} kJ over 10 s: its power P, and is it high?\nP = ___ kW\nlevel = ___",
            "targets": [
                {"name": "P", "unit": "kW", "value": heat / 10},
                {"name": "level", "kind": "label", "value": "low"},
            ],
        }
        for heat in (20, 30)
    ]
)
RIGHT = {"P": {"value": 2.0, "unit": "kW"}, "level": "low"}  # of the first


def served(request):
    """Answers as the prompt asks: by a call, in JSON, in closing lines, or in a sentence."""
    power = int(re.search(r"Heat is (\d+) kJ", request.text)[1]) / 10
    stated = {"P": {"value": power, "unit": "kW"}, "level": "low"}
    if "submit_answer" in str(request.body.get("tools")):
        return Answer("10 s share the heat.", calls=(("submit_answer", stated),))
    if "one JSON object" in request.text:
        return Answer(f"10 s share $\\frac{{Q}}{{t}}$.\n```json\n{json.dumps(stated)}\n```")
    if "one line for each quantity" in request.text:
        return Answer(f"10 s share the heat.\n\n**P = {power} kW**\nlevel = low")
    return Answer(f"The power P is {power} kW, and the level is low.")


def study(form, model, url, **settings):
    asked = az.Model(model, settings={"base_url": url, "retry": {"tries": 1}})
    arms = {"placebo": az.Placebo()}
    return az.Study("forms", models=asked, problems=PROBLEMS, arms=arms, answer_form=form, **settings)


def read_from(folder):
    """By arm, from where the values of all answers were read."""
    found = {}
    for record in records_of(folder):
        outcome = next(each for each in record.scores if each.dimension == "outcome")
        targets = outcome.details["targets"].values()
        found.setdefault(record.arm, Counter()).update(str(each["read"]) for each in targets)
    return found


@pytest.mark.parametrize("model", SERVERS)
@pytest.mark.parametrize("form", get_args(AnswerForm))
def test_every_form_is_read_over_both_protocols(form, model, tmp_path):
    with SERVERS[model](served) as server:
        run = study(form, model, server.base_url, scorers=[az.Outcome()]).run(tmp_path)
        assert len(server.requests) == 4  # handing in ends the attempt
    frame = run.attempts()
    assert frame["outcome"].to_list() == frame["units"].to_list() == [1.0] * 4
    assert set(frame["stop"]) == {"answered"}
    wanted = Counter({"text" if form == "free" else "form": 4})
    assert read_from(tmp_path) == {"baseline": wanted, "placebo": wanted}


def test_forms_are_told_apart_and_the_default_is_what_it_was():
    keys = [
        {attempt.key for attempt in study(form, "openai:gpt-test", "http://127.0.0.1:1/v1").design.attempts}
        for form in get_args(AnswerForm)
    ]
    assert len(set.union(*keys)) == sum(map(len, keys))
    plan = study("block", "openai:gpt-test", "http://127.0.0.1:1/v1").arms["baseline"].plan
    digest = sha256(canonical_text(plan.describe()).encode()).hexdigest()
    assert digest.startswith("b9bf742508a716c1")  # runs of earlier releases can be resumed


def test_what_is_handed_in_wrongly_is_handed_in_again(tmp_path):
    script = [Answer(calls=(("submit_answer", given),)) for given in ({"P": 2.0}, RIGHT)]
    with OpenAIServer(script) as server:
        one = study("tool", "openai:gpt-test", server.base_url, limits=az.Limits(tool_calls=1))
        run = one.only(problems=["heat-20"], arms=[]).run(tmp_path)
        message = server.requests[1].body["messages"][-1]
    assert message["role"] == "tool" and "P: " in message["content"] and "level: " in message["content"]
    [row] = run.attempts().iter_rows(named=True)
    assert (row["outcome"], row["answer"]) == (1.0, "P = 2.0 kW\nlevel = low")


def test_an_answer_without_the_call_is_read_and_counted(tmp_path):
    with OpenAIServer(lambda request: Answer("P is 2 kW, as P = 2.0 kW")) as server:
        one = study("tool", "openai:gpt-test", server.base_url).only(problems=["heat-20"], arms=[])
        one.run(tmp_path)
    assert read_from(tmp_path) == {"baseline": Counter({"text": 1, "None": 1})}


@pytest.fixture(scope="module")
def questions():
    return az.benchmark("tps", domains=["radiation"], level="L1", limit=6)


@pytest.mark.parametrize("form", get_args(AnswerForm))
def test_the_offline_model_is_read_whatever_the_form(form, questions, tmp_path):
    az.Study("x", models="offline:slide-rule", problems=questions, answer_form=form).run(tmp_path)
    found = read_from(tmp_path)["baseline"]
    assert found["form"] + found["text"] > 0
    assert form == "free" or not found["text"]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"answer_form": "tol"}, "did you mean 'tool'"),
        ({"answer_form": "tool", "models": FakeListChatModel(responses=["?"])}, "FakeListChatModel cannot call tools"),
    ],
)  # fmt: skip
def test_a_form_that_cannot_be_is_one_line(given, fault):
    with pytest.raises(az.StudyError, match=fault) as failure:
        az.Study(**{"name": "x", "models": "offline:slide-rule", "problems": PROBLEMS, **given})
    assert "\n" not in str(failure.value)


def test_names_that_no_provider_takes_become_keys():
    asked = [AnswerField("T_2'"), AnswerField("T_2"), AnswerField("η"), AnswerField("Why?", is_text=True)]
    schema = submission_tool(tuple(asked)).args_schema.model_json_schema()
    assert list(schema["properties"]) == ["T_2", "T_2_", "value", "Why"]
    assert next(each["description"] for each in schema["properties"].values()) == "the value of T_2'"


def test_a_model_reads_in_two_passes_through_the_ledger(tmp_path):
    """The rules read 1 kW, the model 2 kW; what it costs is billed apart, and paid once."""
    answer = "First P = 1.0 kW. No: doubled it comes to two, that is 2.0 kW; P = 1.0 kW was wrong. Level low."
    with (
        OpenAIServer(lambda _: Answer(answer)) as arms,
        AnthropicServer(lambda _: Answer(calls=(("record_values", RIGHT),))) as reader,
    ):
        settings = {"base_url": reader.base_url}
        asked = az.Model("openai:gpt-test", settings={"base_url": arms.base_url})
        reading = az.JudgeModel(name="anthropic:claude-test", settings=settings)
        one = az.Study(
            "r", models=asked, problems=PROBLEMS[:1], answer_reader=reading, scorers=[az.Outcome()]
        )
        run = one.run(tmp_path)
        assert len(reader.requests) == 2
        one.run(tmp_path)
        assert (len(arms.requests), len(reader.requests)) == (1, 2)
        assert "2.0 kW" in reader.requests[0].text and "first reading" in reader.requests[1].text
    judges = {who.model: paid.requests for who, paid in payments_of(tmp_path).items() if who.arm is None}
    assert judges == {"anthropic:claude-test": 2}
    score = next(each for each in records_of(tmp_path)[0].scores if each.dimension == "outcome")
    details = score.details
    assert (score.value, details["targets"]["P"]["value"]) == (1.0, 2.0)
    assert details["reading"] == {"status": "ok", "reason": "", "values": 2, "as_rules": 0}
    assert "A model read the answers: 0.0% of 2 values are those that rules read" in str(run.notes)
