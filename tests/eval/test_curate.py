"""Curation: source text to problem sets by a scripted model; reviewable, resumable, and paid once."""

import json

import pytest
from langchain_core.messages import AIMessage
from typer.testing import CliRunner

from ansatz.agents import ChatClient, InfrastructureError
from ansatz.cli import app
from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.curate import STAGES, Curator, curate, read_sources
from ansatz.eval.benchmarks.apbench.curate.pipeline import LONGEST
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.judging.recording import UnusableReply
from ansatz.eval.judging.reply import objects
from ansatz.eval.problem import MessageTarget, NumberTarget
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


def script(*, after=0, **replaced):
    """Replies in the order in which one worker asks; some stages with others."""
    replies = [
        AIMessage("", tool_calls=[{"name": f"record_{stage}", "args": each, "id": "1"}])
        if isinstance(each, dict)
        else AIMessage(each)
        for stage, many in {**REPLIES, **replaced}.items()
        for each in many
    ]
    return replies[after:]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "Notes 2.txt"
    path.write_text(SOURCE, encoding="utf-8")
    return path


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


async def curated(out, source, replies, until=LAST):
    """What came of it, and what the model was shown."""
    model = ScriptedModel(replies=replies)
    return await curate(
        Curator(ChatClient(model), out, concurrency=1), read_sources([source]), until
    ), model.seen


def edit(path, change):
    entries = json.loads(path.read_text())
    change(entries)
    path.write_text(json.dumps(entries))
    return entries


async def test_a_source_becomes_a_file_that_the_benchmark_loads(out, source):
    found, seen = await curated(out, source, script())
    assert (found.sets, found.faults, found.doubts) == (1, {}, [])
    assert [(each["read"], each["asked"], each["made"]) for each in found.stages] == [
        (1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 1, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2),
    ]  # fmt: skip
    first, second = load(path=out / "sets.json")
    assert first.context == CONTENT and first.question == "Find its speed in km/s."
    assert first.targets == (NumberTarget(name="answer", unit="km/s", weight=1.0, value=7.546),)
    assert second.follows == (first.id,) and isinstance(second.targets[0], MessageTarget)
    assert first.tags["source"] == "notes-2"
    assert "Exercise without" not in seen[1][-1].text  # the passage alone goes on
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted([*(stage.file_name for stage in STAGES), "sets.json", "doubts.json"])
    before = (out / "sets.json").read_bytes()
    again, seen = await curated(out, source, [])
    assert seen == [] and all(each["asked"] == 0 for each in again.stages)
    assert (out / "sets.json").read_bytes() == before


async def test_a_human_may_edit_between_stages(out, source):
    """What depends on the edit is asked again, the rest is not."""
    await curated(out, source, script())
    asked = "Does the speed grow or fall with the radius?"
    edit(out / "5-split.json", lambda entries: entries[1]["made"][0].update(question=asked))
    replies = script(format=[{"reason": "a word", "format": "message"}], answer=[{"answer": "It falls.", "question": asked}])  # fmt: skip
    found, seen = await curated(out, source, replies[-2:])
    assert len(seen) == 2 and found.faults == {}
    assert [each.question for each in load(path=out / "sets.json")] == ["Find its speed in km/s.", asked]


async def test_no_edit_is_lost_when_items_change_or_are_left_out(tmp_path, out, source):
    await curated(out, source, script(), STAGES[1])
    edited = edit(out / "2-problem.json", lambda entries: entries[0]["made"][0].update(problem="By hand."))
    other = tmp_path / "other.txt"
    other.write_text("Nothing here.", encoding="utf-8")
    await curated(out, other, script(examples=[{"items": []}]), STAGES[1])
    source.write_text(SOURCE.replace("Find its speed", "Find the speed"), encoding="utf-8")
    await curated(out, source, script(), STAGES[1])
    entries = json.loads((out / "2-problem.json").read_text())
    assert len(entries) == 2 and edited[0] in entries


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


async def test_a_run_stops_where_it_is_told(out, source):
    found, seen = await curated(out, source, script(), STAGES[2])
    assert found.sets is None and len(seen) == 3
    assert not (out / "4-questions.json").exists()


async def test_numbers_from_nowhere_are_doubted(out, source):
    answer = [
        {"answer": "7.564 km/s", "question": "Find its speed at 7100 km in km/s."},
        REPLIES["answer"][1],
    ]
    found, _ = await curated(out, source, script(answer=answer))
    assert [(doubt["field"], doubt["doubt"]) for doubt in found.doubts] == [
        ("question", "not in the source: 7100"),
        ("answer", "not in the solution: 7.564"),
    ]


def test_passages_do_not_overlap_and_keep_the_order_of_the_text():
    item = {"id": "a", "source": "a", "text": "one two three. one two four."}

    def cut(*ends):
        items = [{"title": "t", "begins": "one two", "ends": end} for end in ends]
        return [made["passage"] for made in STAGES[0].read(item, {"items": items})]

    assert cut("three.", "four.") == ["one two three.", "one two four."]
    with pytest.raises(UnusableReply, match="not after the passage before it"):
        cut("four.", "three.")


@pytest.mark.parametrize("answered", range(0, TOTAL, 3))
async def test_a_run_broken_off_at_any_reply_pays_for_none_again(out, source, answered):
    with pytest.raises(AssertionError, match="asked again"):
        await curated(out, source, script()[:answered])
    found, seen = await curated(out, source, script(after=answered))
    assert len(seen) == TOTAL - answered
    assert (found.sets, found.faults) == (1, {})


UNUSABLE = {
    "no call": ("problem", "I would rather not", "neither the call"),
    "an empty text": ("problem", {"problem": PROBLEM, "solution": " "}, "solution: string should have at least 1"),
    "words that are not there": ("examples", {"items": [{"title": "x", "begins": "Example 9.9", "ends": "speed."}]}, "'Example 9.9' are not in the text"),
    "no question": ("questions", {"items": []}, "items: must have at least 1 entry"),
    "another format": ("format", {"reason": "x", "format": "vector"}, "format: 'vector' is not valid"),
    "a number without digits": ("answer", {"answer": "seven", "question": "How fast?"}, "must hold a number"),
}  # fmt: skip


@pytest.mark.parametrize(("stage", "reply", "why"), UNUSABLE.values(), ids=UNUSABLE)
async def test_an_unusable_reply_is_told_and_asked_again(out, source, stage, reply, why):
    found, seen = await curated(out, source, script(**{stage: [reply, *REPLIES[stage]]}))
    assert found.sets == 1 and found.faults == {}
    assert any(why in messages[-1].text for messages in seen)


async def test_an_item_at_fault_is_told_made_by_hand_or_asked_about_anew(out, source):
    bad = {"reason": "x", "format": "vector"}
    replies = script(format=[bad, bad, REPLIES["format"][1]], answer=REPLIES["answer"][1:])
    found, _ = await curated(out, source, replies)
    assert (
        list(found.faults) == ["notes-2.1.1.1"] and "'vector' is not valid" in found.faults["notes-2.1.1.1"]
    )
    assert len(load(path=out / "sets.json")) == 1
    item = json.loads((out / "5-split.json").read_text())[0]["made"][0]
    edit(out / "6-format.json", lambda entries: entries[0].update(fault="", made=[{**item, "reason": "by hand", "format": "numeric"}]))  # fmt: skip
    found, seen = await curated(out, source, script(after=TOTAL - 2))
    assert (found.faults, found.sets, len(seen)) == ({}, 1, 1)
    edit(out / "6-format.json", lambda entries: entries[0].update(fault="again", made=None))
    found, seen = await curated(out, source, script(after=TOTAL - 4)[::2])
    assert (found.faults, found.sets, len(seen)) == ({}, 1, 2)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "5-split.json:1: not JSON"),
        ("{}", "must be a list, not {}"),
        ('[{"id": "a"}]', "[0].of: is missing"),
        ('[{"id": "a", "of": "b"}]', "[0]: needs `made`, a list of items, or a `fault`"),
        ('[{"id": "a", "of": "b", "made": [{"id": "a", "source": "s", "title": "t", "content": "c", "question": "q"}]}]', "[0].made[0].solution: is missing"),
        ('[{"id": "a", "of": "b", "made": [{"question": 3}]}]', "[0].made[0].question: must be text"),
    ],
)  # fmt: skip
async def test_a_stage_file_that_was_edited_badly_is_one_clear_line(out, source, content, complaint):
    await curated(out, source, script())
    (out / "5-split.json").write_text(content)
    with pytest.raises(InvalidData) as caught:
        await curated(out, source, [])
    assert complaint in str(caught.value) and "\n" not in str(caught.value)


def test_bad_sources_are_named_each_in_a_line(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(b"%PDF\xff\xfe\x00")
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "long.txt").write_text("x" * (LONGEST + 1))
    (tmp_path / "a b.txt").write_text("x")
    (tmp_path / "a-b.md").write_text("x")
    names = ("scan.pdf", "empty.txt", "long.txt", "none.txt", "a b.txt", "a-b.md")
    with pytest.raises(InvalidData) as caught:
        read_sources([tmp_path / name for name in names])
    wanted = ["pdftotext", "not 1 to", "cut it up", "No such file", "rename one", "rename one"]
    assert all(word in line for word, line in zip(wanted, str(caught.value).splitlines(), strict=True))


async def test_a_model_that_cannot_be_reached_stops_the_run_and_keeps_what_is_done(out, source):
    class Gone(ChatClient):
        async def reply(self, messages, tools):
            if tools[0].name == "record_content":
                raise InfrastructureError("503")
            return await super().reply(messages, tools)

    model = ScriptedModel(replies=script())
    with pytest.raises(InfrastructureError, match="503"):
        await curate(Curator(Gone(model), out, concurrency=1), read_sources([source]), LAST)
    assert len(model.seen) == 2
    found, seen = await curated(out, source, script(after=2))
    assert (found.sets, len(seen)) == (1, TOTAL - 2)


def served(request):
    """What a provider says: the scripted replies, by the tool that is offered and the material."""
    stage = request.body["tools"][0]["function"]["name"].removeprefix("record_")
    replies = REPLIES[stage]
    second = len(replies) > 1 and CHANGE["solution"] in request.text and SPEED["solution"] not in request.text
    return Answer(calls=((f"record_{stage}", replies[second]),))


def test_the_command_curates_over_the_wire(out, source, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    def command(*more):
        return CliRunner().invoke(app, ["data", "curate", str(source), "--model", "openai:fake", "--out", str(out), *more])  # fmt: skip

    with OpenAIServer(served) as server:
        done = command("--base-url", server.base_url, "--json")
        assert done.exit_code == 0, done.stderr
        assert len(server.requests) == TOTAL
        assert json.loads(done.stdout)["sets"] == 1
        assert len(load(path=out / "sets.json")) == 2
        again = command("--base-url", server.base_url)
        assert again.stdout.endswith("sets.json\n") and len(server.requests) == TOTAL
    wrong = command("--until", "formats")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)
    assert "did you mean 'format'?" in wrong.stderr
