"""Curation when something fails: replies that cannot be used, runs broken off, files edited badly."""

import json

import pytest

from ansatz.agents import ChatClient, InfrastructureError
from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.curate import curate
from ansatz.eval.benchmarks.apbench.curate.pipeline import Curator
from ansatz.eval.benchmarks.apbench.curate.stage_files import LONGEST, read_sources
from ansatz.eval.benchmarks.validation import InvalidData
from tests.eval.curated_source import LAST, PROBLEM, REPLIES, SOURCE, TOTAL, call, script, scripted
from tests.fakes.scripted_model import ScriptedModel


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "Notes 2.txt"
    path.write_text(SOURCE, encoding="utf-8")
    return path


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


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "5-split.json:1: not JSON"),
        ("{}", "must be a list, not {}"),
        ('[{"id": "a"}]', "[0].of: is missing"),
        ('[{"id": "a", "of": "b"}]', "[0]: needs `made`, a list of items, or a `fault`"),
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
    wanted = ["pdftotext", "is empty", "cut it up", "No such file", "rename one", "rename one"]
    assert len(lines) == 6 and all(word in line for word, line in zip(wanted, lines, strict=True))


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
