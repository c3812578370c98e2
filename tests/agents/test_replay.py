"""Exchanges that are recorded from one model and answered from without it."""

import json

import pytest
from langchain_core.messages import HumanMessage

import ansatz as az
from ansatz.agents.models import connect
from ansatz.experiments.design.models import use_batches
from tests.experiments.studies import problem
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer


def double(x: float) -> float:
    """Twice x."""
    return 2 * x


def study(model):
    arms = {"tool": double}
    return az.Study("doubling", models=model, problems=[problem(4)], arms=arms, scorers=[az.Outcome()])


def doubling(request):
    """Calls a tool where it has one, and guesses otherwise."""
    if "tools" not in request.body:
        return Answer("Q = 3 kJ")
    has_result = request.body["messages"][-1]["role"] == "tool"
    return Answer("Q = 4 kJ") if has_result else Answer(calls=(("double", {"x": 2}),))


def test_what_is_recorded_replays_to_the_same_run(tmp_path):
    file = tmp_path / "exchanges.jsonl"
    with OpenAIServer(doubling) as server:
        model = az.Model("openai:m", settings={"base_url": server.base_url}, record=file)
        first = study(model).run(tmp_path / "first").attempts()
    assert len(file.read_text().splitlines()) == 3
    second = study(f"replay:{file}").run(tmp_path / "second").attempts()
    outcomes = dict(zip(first["arm"], first["outcome"], strict=True))
    assert outcomes["baseline"] < outcomes["tool"] == 1.0
    assert second.drop("model", "seconds").equals(first.drop("model", "seconds"))


def exchanges(folder, *lines):
    path = folder / "by_hand.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_exchanges_written_by_hand_show_the_effect_of_a_tool(tmp_path):
    asked = problem(4).question
    called = {"id": "1", "type": "function", "function": {"name": "double", "arguments": '{"x": 2}'}}
    path = exchanges(
        tmp_path,
        {"asked": asked, "tools": [], "reply": "Q = 3 kJ"},
        {"asked": asked, "tools": ["double"], "reply": {"tool_calls": [called]}},
        {"asked": "4.0", "reply": "Q = 4 kJ"},
    )
    run = study(f"replay:{path}").run(tmp_path / "run")
    [row] = run.deltas().filter(dimension="outcome").to_dicts()
    assert row["estimate"] > 0.5
    assert not run.results.simulated


def test_a_model_that_is_recorded_is_else_as_it_was(tmp_path):
    recorded = tmp_path / "recorded.jsonl"
    assert az.Model("offline:slide-rule", record=recorded).is_simulated
    batched = az.Model("openai:m", settings={"base_url": "http://h/v1"}, record=recorded).client
    use_batches(batched, "m", store=None)
    with pytest.raises(az.StudyError, match="slide-rule has no batch interface"):
        use_batches(az.Model("offline:slide-rule", record=recorded).client, "slide-rule", store=None)


def test_an_unknown_request_names_the_file(tmp_path):
    path = exchanges(tmp_path, {"asked": problem(4).question, "tools": ["other"], "reply": "Q = 3 kJ"})
    errors = study(f"replay:{path}").run(tmp_path / "run").errors
    assert len(errors) == 2
    assert f"{path} has no reply to this request, which ends 'State 9999'" in errors["error"][0]
    assert "recorded with other messages or tools" in errors["error"][0]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"asked": "x"}', ":1: reply: Field required"),
        ('{"reply": "x", "tool": []}', ":1: tool: Extra inputs"),
        ("nonsense", ":1: "),
        ('{"asked": "x", "reply": {"tool_calls": 3}}', ":1: reply: "),
    ],
)
def test_a_faulty_line_is_named(tmp_path, line, expected):
    (tmp_path / "faulty.jsonl").write_text(line)
    with pytest.raises(az.AnsatzError, match=expected) as failure:
        connect(f"replay:{tmp_path / 'faulty.jsonl'}")
    assert "\n" not in str(failure.value)
    with pytest.raises(az.AnsatzError, match=r"nowhere\.jsonl: No such file"):
        connect(f"replay:{tmp_path / 'nowhere.jsonl'}")


async def test_equal_requests_are_answered_in_the_order_of_the_file(tmp_path):
    path = exchanges(tmp_path, {"reply": "a", "asked": "x"}, {"reply": "b", "asked": "x"})
    client = connect(f"replay:{path}")
    answers = [(await client.reply([HumanMessage("x")], [])).message.text for _ in range(3)]
    assert answers == ["a", "b", "a"]
