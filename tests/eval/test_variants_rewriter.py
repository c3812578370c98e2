"""A model writes candidates; only those that are the same physics and plausible count, and the best is kept."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from langchain_core.messages import AIMessage
from typer.testing import CliRunner

from ansatz.agents import ChatClient
from ansatz.agents.models import connect
from ansatz.cli import app
from ansatz.eval import problem_files
from ansatz.eval.benchmarks.physbench.variants import pack
from ansatz.eval.benchmarks.physbench.variants.rewriter import Rewrite
from ansatz.eval.benchmarks.physbench.variants.rewriter import rewrite as rewritten
from ansatz.eval.concurrency import each_of
from ansatz.eval.problem import ChoiceTarget, Entity, Given, NumberTarget, Problem
from tests.fakes.behaviours import Answer, Failure
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.scripted_model import ScriptedModel

ASKED = Problem(
    id="ride#0",
    family="ride",
    benchmark="physbench",
    question="Tom rides a motorcycle along Ridge Road at v = 15 m/s. How far does it go in t = 10 s?\n\nReport your answers as:\nd = ___ m",
    givens=(Given(name="v", value=15.0, unit="m/s"), Given(name="t", value=10.0, unit="s")),
    targets=(NumberTarget(name="d", weight=1, unit="m", value=150.0),),
    entities={
        "person": Entity(text="Tom", kind="person"),
        "place": Entity(text="Ridge Road", kind="road"),
        "object": Entity(text="motorcycle", kind="motorcycle", quantities={"speed": "v"}),
    },
)
ALL = {"Tom": "Okello", "Ridge Road": "the ring road of Jinja", "motorcycle": "boda-boda"}


def candidate(text: str, **replaced: str) -> dict[str, Any]:
    words = {old.replace("_", " "): new for old, new in replaced.items()}
    return {"question": text, "replaced": [{"old": old, "new": new} for old, new in words.items()]}


FAITHFUL = candidate(
    "At v = 15 m/s, Okello rides a boda-boda along the ring road of Jinja. How far does it go in t = 10 s?",
    **{old.replace(" ", "_"): new for old, new in ALL.items()},
)
NAME_ONLY = candidate(
    "Kofi rides a motorcycle along Ridge Road at v = 15 m/s. How far does it go in t = 10 s?", Tom="Kofi"
)
CHANGED = candidate(
    "Kofi rides a motorcycle along Ridge Road at v = 16 m/s. How far does it go in t = 10 s?", Tom="Kofi"
)
MATATU = candidate(
    "Tom rides a spaceship along Ridge Road at v = 15 m/s. How far does it go in t = 10 s?",
    motorcycle="spaceship",
)
IDLE = candidate("Tom rides a motorcycle along Ridge Road at v = 15 m/s. How far does it go in t = 10 s?")


def reply(*candidates: dict[str, Any]) -> AIMessage:
    return AIMessage(
        "", tool_calls=[{"name": "record_candidates", "args": {"candidates": list(candidates)}, "id": "1"}]
    )


def opinion(*changes: str) -> AIMessage:
    return AIMessage(
        "", tool_calls=[{"name": "record_changes", "args": {"changes": list(changes)}, "id": "2"}]
    )


def rewrite(
    message: AIMessage, problem: Problem = ASKED, opinions: tuple[AIMessage, ...] = (opinion(),)
) -> Rewrite:
    model = ScriptedModel(replies=[message, *opinions])
    return asyncio.run(rewritten(ChatClient(model), pack("africa"), problem))


def test_of_the_faithful_candidates_the_one_that_exchanges_most_is_kept() -> None:
    found = rewrite(reply(NAME_ONLY, CHANGED, FAITHFUL, MATATU, IDLE))
    assert [bool(each.reasons) for each in found.candidates] == [False, True, False, True, True]
    assert found.problem
    assert found.problem.question.startswith("At v = 15 m/s, Okello rides a boda-boda")
    assert found.problem.question.endswith("Report your answers as:\nd = ___ m")
    assert (found.problem.id, found.problem.family) == ("ride#0@africa", "ride")
    assert found.problem.entities["object"].text == "boda-boda"
    assert found.problem.targets == ASKED.targets


@pytest.mark.parametrize(
    ("spoiled", "reason"),
    [
        (CHANGED, "number: v = 15 m/s is missing"),
        (MATATU, "spaceship: the pack knows no limits of it"),
        (IDLE, "nothing was exchanged"),
        (candidate(IDLE["question"], Tom="Kofi"), "'Kofi' is not in the candidate"),
    ],
)
def test_where_every_candidate_is_rejected_the_original_stays_and_says_why(
    spoiled: dict[str, Any], reason: str
) -> None:
    found = rewrite(reply(spoiled))
    assert found.problem is None
    assert "every candidate was rejected" in found.reason
    assert any(reason in each for each in found.candidates[0].reasons)


def test_what_the_second_opinion_rejects_makes_way_for_the_next_best() -> None:
    found = rewrite(reply(FAITHFUL, NAME_ONLY), opinions=(opinion("'goes' became 'comes'"), opinion()))
    assert found.candidates[0].reasons == ("opinion: 'goes' became 'comes'",)
    assert found.problem and found.problem.question.startswith("Kofi rides a motorcycle")
    silent = rewrite(reply(FAITHFUL), opinions=(AIMessage("It is fine."),))
    assert silent.problem is None and "no call of record_changes" in silent.reason


def test_options_are_kept_and_told_in_the_same_words() -> None:
    options = {"A": "The motorcycle stops.", "B": "The motorcycle speeds up."}
    lines = "\n".join(f"({letter}) {text}" for letter, text in options.items())
    asked = ASKED.model_copy(
        update={
            "question": f"Tom brakes the motorcycle. What happens?\n\n{lines}\n\nReport your answer as the letter of the option:\nanswer = ___",
            "givens": (),
            "targets": (ChoiceTarget(name="answer", weight=1, value="A", options=options),),
            "entities": {
                "person": ASKED.entities["person"],
                "object": Entity(text="motorcycle", kind="motorcycle"),
            },
        }
    )
    found = rewrite(
        reply(candidate("Okello brakes the boda-boda. What happens?", Tom="Okello", motorcycle="boda-boda")),
        asked,
    )
    assert found.problem, found.reason
    target = found.problem.targets[0]
    assert isinstance(target, ChoiceTarget)
    assert target.options == {"A": "The boda-boda stops.", "B": "The boda-boda speeds up."}
    assert "(B) The boda-boda speeds up." in found.problem.question


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (AIMessage('{"candidates": [{"question": }]}'), "no call of record_candidates and no JSON object"),
        (reply(), "candidates"),
        (reply({"question": "x"}), "candidates.0.replaced"),
        (AIMessage("", response_metadata={"finish_reason": "content_filter"}), "declined"),
    ],
)
def test_a_reply_that_is_not_as_asked_keeps_the_original(message: AIMessage, reason: str) -> None:
    found = rewrite(message)
    assert found.problem is None and reason in found.reason


def test_the_model_sees_the_statement_and_the_region_but_no_key() -> None:
    model = ScriptedModel(replies=[reply(FAITHFUL), opinion()])
    asyncio.run(rewritten(ChatClient(model), pack("africa"), ASKED))
    seen = "".join(message.text for message in model.seen[0])
    assert "Ridge Road at v = 15 m/s" in seen and "boda-boda" in seen
    assert "150" not in seen and "d = ___" not in seen
    read = "".join(message.text for message in model.seen[1])
    assert "Okello rides a boda-boda" in read and "Tom rides" in read and "150" not in read
    assert model.tools == ["record_changes"]


def test_over_the_wire_the_failure_of_one_question_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    script = [
        Answer(calls=(("record_candidates", {"candidates": [FAITHFUL, CHANGED]}),)),
        Failure(400, "bad request"),
        Answer(calls=(("record_changes", {"changes": []}),)),
    ]
    done: list[int] = []
    with OpenAIServer(script) as server:

        async def ask() -> list[Rewrite]:
            client = connect("openai:gpt-test", {"base_url": server.base_url, "retry": {"tries": 1}})
            try:
                return await each_of(
                    [ASKED, ASKED], lambda one: rewritten(client, pack("africa"), one), done.append
                )
            finally:
                await client.aclose()

        found = asyncio.run(ask())
        sent = json.dumps(server.requests[0].body)
    assert sorted(each.problem is not None for each in found) == [False, True]
    assert done == [1, 2]
    assert all(each.problem or "bad request" in each.reason for each in found)
    assert "record_candidates" in sent and "replaced" in sent


@pytest.fixture
def originals(tmp_path: Path) -> Path:
    file = tmp_path / "originals.jsonl"
    problem_files.dump([ASKED], str(file))
    return file


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["benchmark", "physbench", *map(str, words)])


def test_the_command_rewrites_a_file(originals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    out = originals.with_name("out.jsonl")
    script = [
        Answer(calls=(("record_candidates", {"candidates": [FAITHFUL]}),)),
        Answer(calls=(("record_changes", {"changes": []}),)),
        Answer(calls=(("record_changes", {"changes": ["'along' became 'across'"]}),)),
    ]
    with OpenAIServer(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        made = run("rewrite", originals, "--out", out, "--model", "openai:gpt-test", "--region", "africa")
        assert made.exit_code == 0, made.output
        assert "1 of 1 told anew" in made.output
        assert run("check", originals, out).exit_code == 0
        read = run("check", originals, out, "--second-opinion", "openai:gpt-test")
    assert read.exit_code == 1 and "'along' became 'across'" in read.output


def test_the_command_makes_variants_and_its_check_finds_what_is_spoiled(originals: Path) -> None:
    out = originals.with_name("out.jsonl")
    assert run("vary", originals, "--out", out, "--region", "asia").exit_code == 0
    first = out.read_bytes()
    assert run("vary", originals, "--out", out, "--region", "asia").exit_code == 0
    assert out.read_bytes() == first
    assert json.loads(run("check", originals, out, "--json").output) == {
        "checked": 1,
        "rejected": 0,
        "changes": [],
    }
    out.write_text(out.read_text(encoding="utf-8").replace("t = 10 s", "t = 10 min"), encoding="utf-8")
    spoiled = run("check", originals, out)
    assert spoiled.exit_code == 1
    assert "1 checked, 1 rejected" in spoiled.output and "10 s is missing" in spoiled.output


def test_the_command_refuses_bad_input_in_one_line(originals: Path) -> None:
    assert run("vary", originals, "--out", originals).exit_code == 2
    other = originals.with_name("other.jsonl")
    problem_files.dump([ASKED.model_copy(update={"id": "rode#0"})], str(other))
    refused = run("check", originals, other)
    assert refused.exit_code == 2 and "did you mean 'ride#0'" in refused.output
