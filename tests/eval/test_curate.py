"""Curation: source text to problem sets by a scripted model; reviewable, resumable, and paid once."""

import json
import subprocess
import sys

import pytest
from langchain_core.messages import AIMessage
from typer.testing import CliRunner

from ansatz.agents import ChatClient, InfrastructureError
from ansatz.cli import data
from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.curate import STAGES, curate
from ansatz.eval.benchmarks.apbench.curate.files import LONGEST, read_sources
from ansatz.eval.benchmarks.apbench.curate.passages import passages
from ansatz.eval.benchmarks.apbench.curate.pipeline import Curator
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import MessageTarget, NumberTarget
from ansatz.eval.replies import objects
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.scripted_model import ScriptedModel

SOURCE = """Chapter 2. Orbits

Example 2.1. A satellite circles the Earth at r = 7000 km.
Find its speed and say how it changes with a larger radius. Take mu = 398600 km^3/s^2.
Solution. v = sqrt(398600/7000) = 7.546 km/s. A larger radius means a smaller speed.

Exercise without a solution: find the period.
"""
LAST = STAGES[-1]
PROBLEM = (
    "A satellite circles the Earth at r = 7000 km. Find its speed and say how it changes with a larger radius. "
    "Take mu = 398600 km^3/s^2."
)
SOLUTION = "v = sqrt(398600/7000) = 7.546 km/s. A larger radius means a smaller speed."
CONTENT = "A satellite circles the Earth at r = 7000 km. Take mu = 398600 km^3/s^2."
SPEED = {"question": "Find its speed.", "solution": "v = sqrt(398600/7000) = 7.546 km/s."}
CHANGE = {
    "question": "How does it change with a larger radius?",
    "solution": "A larger radius means a smaller speed.",
}

REPLIES = {
    "examples": [{"items": [{"title": "Circular speed", "begins": "Example 2.1. A satellite circles", "ends": "means a  smaller\nspeed."}]}],
    "problem": [{"problem": PROBLEM, "solution": SOLUTION}],
    "content": [{"content": CONTENT, "question": "Find its speed and say how it changes with a larger radius."}],
    "questions": [{"items": [SPEED, CHANGE]}],
    "split": [{"items": [SPEED]}, {"items": [CHANGE]}],
    "format": [{"reason": "one number", "format": "numeric"}, {"reason": "a sentence", "format": "message"}],
    "answer": [
        {"answer": "7.546 km/s", "question": "Find its speed in km/s."},
        {"answer": "A larger radius means a smaller speed.", "question": CHANGE["question"]},
    ],
}  # fmt: skip
TOTAL = sum(map(len, REPLIES.values()))


def call(stage, arguments):
    return AIMessage("", tool_calls=[{"name": f"record_{stage}", "args": arguments, "id": "1"}])


def script(*, after=0, **replaced):
    """Replies in the order in which one worker asks; some stages with others."""
    replies = [
        call(stage, each) if isinstance(each, dict) else AIMessage(each)
        for stage, many in {**REPLIES, **replaced}.items()
        for each in many
    ]
    return replies[after:]


def scripted(folder, replies):
    model = ScriptedModel(replies=replies)
    return model, Curator(ChatClient(model), folder, concurrency=1)


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "Notes 2.txt"
    path.write_text(SOURCE, encoding="utf-8")
    return path


async def test_a_source_becomes_a_file_that_the_benchmark_loads(tmp_path, source):
    model, curator = scripted(tmp_path / "out", script())
    curated = await curate(curator, read_sources([source]), LAST)
    assert (curated.sets, curated.faults, curated.doubts) == (1, {}, [])
    assert [(each.read, each.asked, each.made) for each in curated.stages] == [
        (1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 1, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2),
    ]  # fmt: skip
    first, second = load(path=tmp_path / "out" / "sets.json")
    assert first.context == CONTENT and first.question == "Find its speed in km/s."
    assert first.targets == (NumberTarget(name="answer", unit="km/s", weight=1.0, value=7.546),)
    assert second.follows == (first.id,)
    assert isinstance(second.targets[0], MessageTarget)
    assert first.tags["source"] == "notes-2"
    assert "Exercise without" not in model.seen[1][-1].text  # the passage alone goes on


async def test_every_stage_has_a_file_to_review(tmp_path, source):
    _, curator = scripted(tmp_path / "out", script())
    await curate(curator, read_sources([source]), LAST)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == sorted(
        [*(stage.file_name for stage in STAGES), "replies.jsonl", "sets.json", "doubts.json"]
    )
    entries = json.loads((tmp_path / "out" / "4-questions.json").read_text())
    assert [made["question"] for made in entries[0]["made"]] == [SPEED["question"], CHANGE["question"]]


async def test_a_finished_folder_asks_nothing(tmp_path, source):
    await curate(scripted(tmp_path / "out", script())[1], read_sources([source]), LAST)
    before = (tmp_path / "out" / "sets.json").read_bytes()
    model, curator = scripted(tmp_path / "out", [])
    curated = await curate(curator, read_sources([source]), LAST)
    assert model.seen == [] and all(each.asked == 0 for each in curated.stages)
    assert (tmp_path / "out" / "sets.json").read_bytes() == before


async def test_a_human_may_edit_between_stages(tmp_path, source):
    """What depends on the edit is asked again, the rest is not."""
    out = tmp_path / "out"
    await curate(scripted(out, script())[1], read_sources([source]), LAST)
    path = out / "5-split.json"
    entries = json.loads(path.read_text())
    entries[1]["made"][0]["question"] = "Does the speed grow or fall with the radius?"
    path.write_text(json.dumps(entries))
    replies = [
        call("format", {"reason": "a word", "format": "message"}),
        call("answer", {"answer": "It falls.", "question": "Does the speed grow or fall with the radius?"}),
    ]
    model, curator = scripted(out, replies)
    curated = await curate(curator, read_sources([source]), LAST)
    assert len(model.seen) == 2 and curated.faults == {}
    assert [each.question for each in load(path=out / "sets.json")] == [
        "Find its speed in km/s.",
        "Does the speed grow or fall with the radius?",
    ]


async def test_no_edit_is_lost_when_items_change_or_are_left_out(tmp_path, source):
    out = tmp_path / "out"
    await curate(scripted(out, script())[1], read_sources([source]), STAGES[1])
    path = out / "2-problem.json"
    entries = json.loads(path.read_text())
    entries[0]["made"][0]["problem"] = "By hand."
    path.write_text(json.dumps(entries))
    other = tmp_path / "other.txt"
    other.write_text("Nothing here.", encoding="utf-8")
    await curate(scripted(out, [call("examples", {"items": []})])[1], read_sources([other]), STAGES[1])
    assert json.loads(path.read_text()) == entries
    source.write_text(SOURCE.replace("Find its speed", "Find the speed"), encoding="utf-8")
    await curate(scripted(out, script()[:2])[1], read_sources([source]), STAGES[1])
    replaced = [json.loads(line) for line in (out / "replaced.jsonl").read_text().splitlines()]
    assert [each["stage"] for each in replaced] == ["1-examples.json", "2-problem.json"]
    assert replaced[1]["made"][0]["problem"] == "By hand."


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r'{"a": "\\mu"}', r"\mu"),
        (r'{"a": "\mu"}', r"\mu"),
        (r'{"a": "\frac12 \beta"}', r"\frac12 \beta"),
        (r'say {x} then ```{"a": "b\nc"}```', "b\nc"),
        (r'{"a": "\"q\""}', '"q"'),
        ('{"a": "two\nlines"}', "two\nlines"),
    ],
)
def test_json_in_text_is_read_with_its_formulas(text, read):
    assert [each["a"] for each in objects(text)] == [read]


async def test_a_run_stops_where_it_is_told(tmp_path, source):
    model, curator = scripted(tmp_path / "out", script())
    curated = await curate(curator, read_sources([source]), STAGES[2])
    assert curated.sets is None and len(model.seen) == 3
    assert not (tmp_path / "out" / "4-questions.json").exists()


@pytest.mark.parametrize("answered", range(TOTAL))
async def test_a_run_broken_off_at_any_reply_pays_for_none_again(tmp_path, source, answered):
    out = tmp_path / "out"
    dying, curator = scripted(out, script()[:answered])
    with pytest.raises(AssertionError, match="asked again"):
        await curate(curator, read_sources([source]), LAST)
    model, curator = scripted(out, script(after=answered))
    curated = await curate(curator, read_sources([source]), LAST)
    assert len(dying.seen) + len(model.seen) == TOTAL
    assert (curated.sets, curated.faults) == (1, {})


async def test_a_reply_cut_off_on_disk_is_asked_for_again(tmp_path, source):
    out = tmp_path / "out"
    await curate(scripted(out, script())[1], read_sources([source]), STAGES[1])
    (out / "2-problem.json").unlink()
    kept = (out / "replies.jsonl").read_bytes()
    (out / "replies.jsonl").write_bytes(kept[:-40])
    model, curator = scripted(out, script()[1:2])
    await curate(curator, read_sources([source]), STAGES[1])
    assert len(model.seen) == 1
    assert len((out / "replies.jsonl").read_text().splitlines()) == 3


UNUSABLE = {
    "no call": ("problem", "I would rather not", "neither the call"),
    "an empty text": ("problem", {"problem": PROBLEM, "solution": " "}, "`solution` must be a text"),
    "words that are not there": ("examples", {"items": [{"title": "x", "begins": "Example 9.9", "ends": "speed."}]}, "'Example 9.9' are not in the text"),
    "no question": ("questions", {"items": []}, "at least one question"),
    "another format": ("format", {"reason": "x", "format": "vector"}, "numeric or message, not 'vector'"),
    "a number without digits": ("answer", {"answer": "seven", "question": "How fast?"}, "must hold a number"),
}  # fmt: skip


@pytest.mark.parametrize(("stage", "reply", "why"), UNUSABLE.values(), ids=UNUSABLE)
async def test_an_unusable_reply_is_told_and_asked_again(tmp_path, source, stage, reply, why):
    model, curator = scripted(tmp_path / "out", script(**{stage: [reply, *REPLIES[stage]]}))
    curated = await curate(curator, read_sources([source]), LAST)
    assert curated.sets == 1 and curated.faults == {}
    assert any(why in messages[-1].text for messages in model.seen)


async def test_an_item_that_cannot_be_treated_is_a_fault_and_the_others_go_on(tmp_path, source):
    bad = {"reason": "x", "format": "vector"}
    replies = script(format=[bad, bad, REPLIES["format"][1]], answer=REPLIES["answer"][1:])
    _, curator = scripted(tmp_path / "out", replies)
    curated = await curate(curator, read_sources([source]), LAST)
    assert curated.faults == {"notes-2.1.1.1": "`format` must be numeric or message, not 'vector'"}
    assert len(load(path=tmp_path / "out" / "sets.json")) == 1
    model, curator = scripted(tmp_path / "out", [call("answer", REPLIES["answer"][0])])
    entries = json.loads((tmp_path / "out" / "6-format.json").read_text())
    entries[0] = {
        **entries[0],
        "fault": "",
        "made": [{**made_by_hand(tmp_path), "reason": "by hand", "format": "numeric"}],
    }
    (tmp_path / "out" / "6-format.json").write_text(json.dumps(entries))
    curated = await curate(curator, read_sources([source]), LAST)
    assert (curated.faults, curated.sets, len(model.seen)) == ({}, 1, 1)


def made_by_hand(folder):
    return json.loads((folder / "out" / "5-split.json").read_text())[0]["made"][0]


async def test_numbers_from_nowhere_are_doubted(tmp_path, source):
    answer = [
        {"answer": "7.564 km/s", "question": "Find its speed at 7100 km in km/s."},
        REPLIES["answer"][1],
    ]
    _, curator = scripted(tmp_path / "out", script(answer=answer))
    curated = await curate(curator, read_sources([source]), LAST)
    assert [(doubt["field"], doubt["doubt"]) for doubt in curated.doubts] == [
        ("question", "not in the source: 7100"),
        ("answer", "not in the solution: 7.564"),
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "5-split.json:1: not JSON"),
        ("{}", "must be a list"),
        ('[{"id": "a"}]', "[0]: must be an object with `id` and `of`"),
        ('[{"id": "a", "of": "b"}]', "[0].made: must be a list"),
        (
            '[{"id": "a", "of": "b", "made": [{"id": "a", "source": "s", "title": "t", "content": "c", "question": 3}]}]',
            "[0].made[0].question: must be text",
        ),
    ],
)
async def test_a_stage_file_that_was_edited_badly_is_one_clear_line(tmp_path, source, content, complaint):
    await curate(scripted(tmp_path / "out", script())[1], read_sources([source]), LAST)
    (tmp_path / "out" / "5-split.json").write_text(content)
    with pytest.raises(InvalidData) as caught:
        await curate(scripted(tmp_path / "out", [])[1], read_sources([source]), LAST)
    assert complaint in str(caught.value) and "\n" not in str(caught.value)


def test_bad_sources_are_named_each_in_a_line(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(b"%PDF\xff\xfe\x00")
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "long.txt").write_text("x" * (LONGEST + 1))
    (tmp_path / "a b.txt").write_text("x")
    (tmp_path / "a-b.md").write_text("x")
    with pytest.raises(InvalidData) as caught:
        read_sources(
            [
                tmp_path / name
                for name in ("scan.pdf", "empty.txt", "long.txt", "none.txt", "a b.txt", "a-b.md")
            ]
        )
    lines = str(caught.value).splitlines()
    wanted = ["pdftotext", "is empty", "cut it up", "no such file", "rename one", "rename one"]
    assert len(lines) == 6 and all(word in line for word, line in zip(wanted, lines, strict=True))


def test_passages_do_not_overlap_and_keep_the_order_of_the_text():
    text = "one two three. one two four."
    assert passages(text, [("one two", "three."), ("one two", "four.")]) == [
        "one two three.",
        "one two four.",
    ]
    with pytest.raises(ValueError, match="not after the passage before it"):
        passages(text, [("one two", "four."), ("one two", "three.")])


def served(request):
    """What a provider says: the scripted replies, by the tool that is offered and the material."""
    stage = request.body["tools"][0]["function"]["name"].removeprefix("record_")
    replies = REPLIES[stage]
    second = len(replies) > 1 and CHANGE["solution"] in request.text and SPEED["solution"] not in request.text
    return Answer(calls=((f"record_{stage}", replies[second]),))


def run_command(source, out, server, *more):
    arguments = [
        "data",
        "curate",
        str(source),
        "--model",
        "openai:fake",
        "--base-url",
        server.base_url,
        "--out",
        str(out),
        *more,
    ]
    return subprocess.run(
        [sys.executable, "-m", "ansatz.cli", *arguments], capture_output=True, text=True, timeout=60
    )


def test_the_command_curates_over_the_wire(tmp_path, source, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with OpenAIServer(served) as server:
        done = run_command(source, tmp_path / "out", server, "--json")
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == TOTAL
        assert json.loads(done.stdout)["sets"] == 1
        assert len(load(path=tmp_path / "out" / "sets.json")) == 2
        again = run_command(source, tmp_path / "out", server)
        assert again.stdout.endswith("sets.json\n") and len(server.requests) == TOTAL


def test_an_unknown_stage_is_one_line_with_the_nearest(source, tmp_path):
    arguments = [
        "curate",
        str(source),
        "--model",
        "openai:fake",
        "--out",
        str(tmp_path / "out"),
        "--until",
        "formats",
    ]
    wrong = CliRunner().invoke(data.app, arguments)
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)
    assert "did you mean 'format'?" in wrong.stderr


async def test_an_item_at_fault_is_asked_about_anew_by_the_next_run(tmp_path, source):
    bad = {"problem": PROBLEM, "solution": ""}
    _, curator = scripted(tmp_path / "out", script(problem=[bad, bad])[:3])
    curated = await curate(curator, read_sources([source]), LAST)
    assert list(curated.faults) == ["notes-2.1"] and curated.sets == 0
    model, curator = scripted(tmp_path / "out", script(after=1))
    curated = await curate(curator, read_sources([source]), LAST)
    assert (curated.faults, curated.sets, len(model.seen)) == ({}, 1, TOTAL - 1)


async def test_a_model_that_cannot_be_reached_stops_the_run_and_keeps_what_is_done(tmp_path, source):
    class Gone(ChatClient):
        async def reply(self, messages, tools):
            if tools[0].name == "record_content":
                raise InfrastructureError("503")
            return await super().reply(messages, tools)

    model = ScriptedModel(replies=script())
    with pytest.raises(InfrastructureError, match="503"):
        await curate(Curator(Gone(model), tmp_path / "out", concurrency=1), read_sources([source]), LAST)
    assert len(model.seen) == 2
    rest, curator = scripted(tmp_path / "out", script(after=2))
    assert (await curate(curator, read_sources([source]), LAST)).sets == 1
    assert len(rest.seen) == TOTAL - 2
