"""Replays on a loopback server: what is asked, what is not asked twice, and what a call was worth."""

import json
import re
import signal
import time

import pytest

import ansatz as az
from ansatz import Run
from ansatz.errors import BadInput
from benchmarks.replay import compare_placebo, simulate
from tests.commands import ansatz, start_command
from tests.experiments.records import records_of
from tests.fakes.behaviours import Answer, Failure, Request
from tests.fakes.openai_server import OpenAIServer

PROBLEMS = 8
TOOLS = '''
def lookup(name: str) -> str:
    """Look up the heat of an item."""
    return f"Q = {int(name) * 1000 + 234} J"


def clock() -> str:
    """The time of day."""
    return "11:58"
'''


def answer(request: Request) -> Answer:
    """Look up the value and the time, then repeat the value; without a result, state another one."""
    messages = request.body["messages"]
    tools = [tool["function"]["name"] for tool in request.body.get("tools", ())]
    done = [message["content"] for message in messages if message["role"] == "tool"]
    [item] = re.findall(r"item (\d+)", messages[1]["content"])
    if not done and "lookup" in tools:
        return Answer(calls=(("lookup", {"name": item}),))
    if not any(":" in each for each in done) and "clock" in tools:
        return Answer(calls=(("clock", {}),))
    values = [value for each in done for value in re.findall(r"Q = ([\d.]+) J", each)]
    return Answer(f"Q = {values[0] if values else 1} J")


def write_study(folder, base_url, settings="temperature: 0.0"):
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    items = [
        {
            "id": f"item-{n}",
            "question": f"What is the heat of item {n}? Q = ___ J",
            "Q": f"{n * 1000 + 234} J",
        }
        for n in range(1, PROBLEMS + 1)
    ]
    lines = [
        {
            **{"id": each["id"], "question": each["question"]},
            "targets": [{"name": "Q", "unit": "J", "value": float(each["Q"].split()[0])}],
        }
        for each in items
    ]
    path = folder / "items.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    study = folder / "study.yaml"
    study.write_text(
        f"name: looked up\nmodels:\n  - name: 'openai:fake'\n    concurrency: 1\n"
        f"    settings: {{base_url: '{base_url}', {settings}}}\n"
        f"problems: [{{benchmark: file, settings: {{path: items.jsonl}}}}]\n"
        "arms: {tools: {with_tools: {tools: ['tools.py:lookup', 'tools.py:clock']}}}\nscorers: [outcome]\n",
        encoding="utf-8",
    )
    return study


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A finished run, its server, and the number of requests that it took."""
    folder = tmp_path_factory.mktemp("served")
    with OpenAIServer(answer) as server:
        done = ansatz("run", write_study(folder, server.base_url), "--out", folder / "run")
        assert done.returncode == 0, done.stderr
        yield folder / "run", server


def replay(run, *options):
    done = ansatz("replay", run, *options, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["effects"]
    return {(row["tool"], row["change"].split()[0]): row for row in rows if row["dimension"] == "exact"}


@pytest.mark.slow
def test_decisive_tool_is_told_from_a_useless_one(served, tmp_path):
    run, server = served
    before = len(server.requests)
    out = ("--out", tmp_path / "replays", "--draws", 2)
    lookup = replay(run, "--drop", "tool=lookup", "--noop", *out)
    asked = len(server.requests) - before
    clock = replay(run, "--drop", "tool=clock", *out)["clock", "without"]
    worth = lookup["lookup", "without"]
    assert (worth["effect"], worth["control"]) == (1.0, "placebo")
    assert worth["low"] > 0
    assert lookup["lookup", "unchanged"]["effect"] == clock["effect"] == 0.0
    assert clock["low"] <= 0 <= clock["high"]
    assert asked <= 2 * PROBLEMS * 2 * 3  # two kinds of replay, two draws, three calls after the cut


def test_replay_continues_the_stored_conversation(served, tmp_path):
    """The placebo sends the same messages again, and a change is in the result of the call alone."""
    run, server = served
    before = len(server.requests)
    original = [each.body["messages"] for each in server.requests]
    replay(run, "--noop", "--tool", "clock", "--out", tmp_path / "noop")
    sent = [each.body["messages"] for each in server.requests[before:]]
    assert len(sent) == PROBLEMS
    assert all(each in original for each in sent)
    whole = [[call.name for call in each.transcript.tool_calls] for each in records_of(tmp_path / "noop")]
    assert whole == [["lookup", "clock"]] * PROBLEMS  # scorers see the calls before the cut, too
    before = len(server.requests)
    hidden = replay(run, "--hide-result", 1, "--tool", "lookup", "--out", tmp_path / "hidden")
    changed = [each.body["messages"] for each in server.requests[before:]]
    assert {each[3]["content"] for each in changed} == {"The result of this call is not available."}
    assert all(each[:3] in [one[:3] for one in original] for each in changed)
    assert hidden["lookup", "result"]["effect"] == 1.0
    before = len(server.requests)
    again = ansatz("replay", run, "--hide-result", 1, "--tool", "lookup", "--out", tmp_path / "hidden")
    assert len(server.requests) == before and "+100.0 [" in again.stdout


def test_a_run_is_replayed_from_python(served, tmp_path):
    run, _ = served
    found = az.replay(run, drop="lookup", out=tmp_path / "replays", arms=["tools"], limit=6)
    exact = found.effects().filter(dimension="exact")
    assert exact["effect"].to_list() == [1.0]
    assert exact["attempts"].to_list() == [6]
    with pytest.raises(BadInput):
        az.replay(run, out=tmp_path / "replays")


def test_perturbed_numbers_reach_the_answer(served, tmp_path):
    run, server = served
    before = len(server.requests)
    found = replay(run, "--perturb", "result=±5%", "--tool", "lookup", "--out", tmp_path / "perturbed")
    assert found["lookup", "result"]["effect"] == 1.0
    told = [each.body["messages"][3]["content"] for each in server.requests[before:]]
    values = [float(re.search(r"Q = ([\d.]+) J", each)[1]) for each in told]
    right = [number * 1000 + 234 for number in range(1, PROBLEMS + 1)]
    shares = {round(min((value / each - 1 for each in right), key=abs), 2) for value in values}
    assert shares <= {0.05, -0.05}


def test_finished_replays_are_not_asked_again(served, tmp_path):
    run, server = served
    first = replay(run, "--drop", "tool=lookup", "--out", tmp_path / "replays")
    before = len(server.requests)
    again = replay(run, "--drop", "tool=lookup", "--out", tmp_path / "replays")
    assert len(server.requests) == before
    assert again == first
    more = replay(run, "--noop", "--tool", "clock", "--out", tmp_path / "replays")
    assert len(server.requests) == before + PROBLEMS
    assert {change for _, change in more} == {"without", "unchanged"}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--drop", "tool=look"), "lookup"),
        (("--drop", "lookup"), "tool=NAME"),
        (("--perturb", "5"), "result=±5%"),
        (("--noop", "--arm", "tool"), "tools"),
        ((), "--noop"),
        (("--hide-result", "9"), "valid: 1 to 2"),
        (("--noop", "--arm", "baseline"), "valid: tools"),
    ],
)
def test_wrong_changes_are_refused_in_one_line(served, options, field):
    done = ansatz("replay", served[0], *options)
    assert done.returncode == 2
    assert field in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_sampled_answers_need_three_draws(tmp_path):
    with OpenAIServer(answer) as server:
        study = write_study(tmp_path, server.base_url, settings="temperature: 0.7")
        assert ansatz("run", study, "--out", tmp_path / "run").returncode == 0
        done = ansatz("replay", tmp_path / "run", "--noop", "--draws", 2)
        assert (done.returncode, "at least 3" in done.stderr) == (2, True)
        before = len(server.requests)
        found = replay(tmp_path / "run", "--noop", "--tool", "clock")
        assert found["clock", "unchanged"]["draws"] == 3
        assert len(server.requests) - before == 3 * PROBLEMS
    assert Run(tmp_path / "run" / "replays").counts["scored"] == 3 * PROBLEMS


def test_stopped_replays_ask_nothing_twice(tmp_path):
    """A key that is revoked ends the command; the next one goes on where it ended."""
    refused = set()

    def answer_until_refused(request):
        return Failure(401, "revoked", "invalid_api_key") if request.number in refused else answer(request)

    with OpenAIServer(answer_until_refused) as server:
        assert (
            ansatz("run", write_study(tmp_path, server.base_url), "--out", tmp_path / "run").returncode == 0
        )
        before = len(server.requests)
        for _ in range(2):
            refused.add(len(server.requests) + 5)
            done = ansatz("replay", tmp_path / "run", "--drop", "tool=lookup")
            assert (done.returncode, len(server.requests) - 1 in refused) == (2, True)
        found = replay(tmp_path / "run", "--drop", "tool=lookup")
        assert found["lookup", "without"]["attempts"] == PROBLEMS
        assert len(server.requests) - before == 2 * PROBLEMS + len(refused)


@pytest.mark.slow
def test_placebo_differs_no_more_than_fresh_attempts():
    """A model with known noise: a replay without a change is another draw of the same answer."""
    found = compare_placebo(100)
    assert found.replayed <= found.fresh + found.slack
    assert abs(found.replayed - found.expected) <= found.slack
    assert found.low <= 0 <= found.high


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "clear"), [(0.0, (0.0, 0.07)), (0.4, (0.99, 1.0))])
def test_intervals_of_replays_cover_the_effect(effect, clear):
    """Over 500 simulated studies: coverage, and the share of intervals without zero."""
    studies = [simulate(effect, 30, 3, number) for number in range(500)]
    covered, excluded = (sum(each) / len(studies) for each in zip(*studies, strict=True))
    assert covered >= 0.93
    assert clear[0] <= excluded <= clear[1]


@pytest.mark.slow
def test_killed_replays_ask_nothing_twice(tmp_path):
    """Beyond the one request that was in flight at each of two kills."""
    with OpenAIServer(answer, latency=0.02) as server:
        assert (
            ansatz("run", write_study(tmp_path, server.base_url), "--out", tmp_path / "run").returncode == 0
        )
        before = len(server.requests)
        command = ("replay", tmp_path / "run", "--drop", "tool=lookup")
        for _ in range(2):
            seen = len(server.requests)
            process = start_command(*command)
            deadline = time.monotonic() + 60
            while len(server.requests) < seen + 3 and process.is_alive() and time.monotonic() < deadline:
                time.sleep(0.001)
            process.kill()
            process.join()
            assert process.exitcode == -signal.SIGKILL
        found = replay(tmp_path / "run", "--drop", "tool=lookup")
        assert found["lookup", "without"]["attempts"] == PROBLEMS
        assert len(server.requests) - before <= 2 * PROBLEMS + 2
