"""Curation: source text to problem sets by a scripted model; reviewable, resumable, and paid once."""

import json

import pytest
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.curate import STAGES, curate
from ansatz.eval.benchmarks.apbench.curate.stage_files import read_sources
from ansatz.eval.benchmarks.apbench.curate.stages import UnusableReply
from ansatz.eval.judging.reply import objects
from ansatz.eval.problem import MessageTarget, NumberTarget
from tests.eval.curated_source import (
    CHANGE,
    CONTENT,
    LAST,
    REPLIES,
    SOURCE,
    SPEED,
    TOTAL,
    call,
    script,
    scripted,
)
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer


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
    assert names == sorted([*(stage.file_name for stage in STAGES), "sets.json", "doubts.json"])
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


def test_passages_do_not_overlap_and_keep_the_order_of_the_text():
    item = {"id": "a", "source": "a", "text": "one two three. one two four."}

    def cut(*ends):
        items = [{"title": "t", "begins": "one two", "ends": end} for end in ends]
        return [made["passage"] for made in STAGES[0].read(item, {"items": items})]

    assert cut("three.", "four.") == ["one two three.", "one two four."]
    with pytest.raises(UnusableReply, match="not after the passage before it"):
        cut("four.", "three.")


def served(request):
    """What a provider says: the scripted replies, by the tool that is offered and the material."""
    stage = request.body["tools"][0]["function"]["name"].removeprefix("record_")
    replies = REPLIES[stage]
    second = len(replies) > 1 and CHANGE["solution"] in request.text and SPEED["solution"] not in request.text
    return Answer(calls=((f"record_{stage}", replies[second]),))


def run_command(source, out, *more):
    arguments = ["data", "curate", str(source), "--model", "openai:fake", "--out", str(out), *more]
    return CliRunner().invoke(app, arguments)


def test_the_command_curates_over_the_wire(tmp_path, source, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with OpenAIServer(served) as server:
        done = run_command(source, tmp_path / "out", "--base-url", server.base_url, "--json")
        assert done.exit_code == 0, done.stderr
        assert len(server.requests) == TOTAL
        assert json.loads(done.stdout)["sets"] == 1
        assert len(load(path=tmp_path / "out" / "sets.json")) == 2
        again = run_command(source, tmp_path / "out", "--base-url", server.base_url)
        assert again.stdout.endswith("sets.json\n") and len(server.requests) == TOTAL


def test_an_unknown_stage_is_one_line_with_the_nearest(source, tmp_path):
    wrong = run_command(source, tmp_path / "out", "--until", "formats")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)
    assert "did you mean 'format'?" in wrong.stderr
