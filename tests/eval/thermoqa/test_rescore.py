"""`ansatz benchmark thermoqa rescore` as a person types it: scores, tables, and one line for whatever is amiss."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa import load
from ansatz.eval.benchmarks.thermoqa.generate import generate
from ansatz.eval.benchmarks.thermoqa.questions import load_with_places
from ansatz.eval.benchmarks.thermoqa.rescore import (
    by_agreement,
    lacks_reference_state,
    read_responses,
    take_max,
)
from ansatz.eval.benchmarks.thermoqa.score import problem_score, published
from ansatz.eval.benchmarks.thermoqa.stated_values import Reading
from ansatz.eval.benchmarks.thermoqa.steps import unit_aware
from ansatz.eval.benchmarks.validation import InvalidData
from tests.commands import ansatz
from tests.eval.thermoqa.cases import DATA, PUBLISHED, QUESTION, changed, number, objects, problem, write
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer

RIGHT = "h_f = 417.5 kJ/kg\nPhase: wet steam"


def rescore(questions, responses, *options):
    files = ("--questions", questions, "--responses", responses)
    return ansatz("benchmark", "thermoqa", "rescore", *files, *options)


def answers(folder, *lines):
    file = folder / "responses.jsonl"
    file.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return file


def test_text_and_extracted_values_are_scored_beside_each_other(tmp_path):
    extracted = {"h_f": "417.9", "phase_name": "two-phase", "h_g_kJ_kg": 5}
    file = answers(
        tmp_path, {"id": "Q-1", "response_text": "h_f = 417.5 kPa\nPhase: wet steam", "extracted": extracted}
    )
    done = rescore(write(tmp_path, QUESTION), file, "--json")
    assert (
        done.stderr == f"{file}:1: extracted.h_g_kJ_kg: Q-1 does not ask for it; did you mean 'h_f_kJ_kg'?\n"
    )
    found = json.loads(done.stdout)
    assert list(found)[:4] == ["tier", "n", "published", "strict"]
    assert (found["tier"], found["n"]) == (1, 1)
    assert found["published"] == {"from_text": 1.0, "from_text_unit_blind": 1.0, "from_extracted": 1.0}
    assert found["strict"] == {"from_text": 0.5, "from_text_unit_blind": 1.0, "from_extracted": 1.0}
    first, second = found["items"]
    assert {name: first[name] for name in ("id", "key", "from_text", "from_extracted", "strict", "strict_status")} == {
        "id": "Q-1", "key": "h_f_kJ_kg", "from_text": True, "from_extracted": True, "strict": False, "strict_status": "out_of_tolerance",
    }  # fmt: skip
    assert (second["key"], second["value"], second["strict"]) == ("phase_name", "wet_steam", True)
    assert found["ids"] == {"missing": 0, "unknown": 0, "duplicate": 0}


def test_ids_that_are_missing_unknown_or_double_get_a_line_each(tmp_path):
    lines = [{"id": id, "response_text": RIGHT} for id in ("Q-1", "Q-1", "Q-l")]
    file = answers(tmp_path, *lines)
    questions = write(tmp_path, QUESTION, changed("id", "Q-2"))
    done = rescore(questions, file)
    assert done.stderr.splitlines() == [
        f"{questions}:2: id: 'Q-2' has no response",
        f"{file}:3: id: 'Q-l' is not among the questions; did you mean 'Q-2'?",
        f"{file}:2: id: 'Q-1' has an answer before this one, which counts",
    ]
    assert "1 answers; ids: 1 missing, 1 unknown, 1 duplicate" in done.stdout
    assert "wet_steam" in done.stdout and "1.0000" in done.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", ":1: not JSON"),
        ({"response_text": ""}, ":1: id: is missing"),
        ({"id": 5, "response_text": ""}, ":1: id: must be text, not 5"),
        ({"id": "Q-1", "response_txt": ""}, ":1: response_text is missing; did you mean 'response_txt'?"),
        ({"id": "Q-1", "response_text": "", "extracted": [1]}, ":1: extracted: must be an object"),
        (
            {"id": "Q-1", "response_text": "", "extracted": {"h_f_kJ_kg": "hot"}},
            ":1: extracted.h_f_kJ_kg: must be a number, not 'hot'",
        ),
    ],
)
def test_a_line_that_cannot_be_used_is_refused(tmp_path, line, message):
    asked = load_with_places(str(write(tmp_path, QUESTION)))
    file = answers(tmp_path, line)
    with pytest.raises(InvalidData) as refused:
        read_responses(file, asked)
    assert str(refused.value).startswith(f"{file}{message}")


def test_the_command_refuses_files_in_one_line(tmp_path):
    questions = write(tmp_path, QUESTION)
    absent = rescore(questions, tmp_path / "absent.jsonl")
    line = f"ansatz: {tmp_path}/absent.jsonl: No such file or directory\n"
    assert (absent.returncode, absent.stderr, absent.stdout) == (2, line, "")
    strange = rescore(questions, answers(tmp_path, {"id": "Z", "response_text": ""}))
    assert strange.returncode == 2
    assert ": no line answers a question of " in strange.stderr.splitlines()[-1]


def test_a_model_may_extract_as_well_and_is_combined_in_three_ways(tmp_path):
    """The second answer's extraction fails, so that our own reading is left."""
    copied = {"h_f": {"value": 417.5, "unit": "kJ/kg"}, "phase": None}
    text = "At this pressure the table lists four hundred, or 417.5 kJ/kg.\nPhase: wet steam"
    file = answers(tmp_path, {"id": "Q-1", "response_text": text})
    options = ("--extractor", "openai:gpt-test", "--json", "--base-url")
    with OpenAIServer([Answer(calls=(("record_values", copied),))] * 2) as server:
        found = json.loads(rescore(write(tmp_path, QUESTION), file, *options, server.base_url).stdout)
    assert found["extractor"] == {"ok": 1, "failed": 0, "values not in the text": 0}
    scores = {way: found["strict"][way] for way in ("from_text", "first_pass", "agreement", "take_max")}
    assert scores == {"from_text": 0.5, "first_pass": 0.5, "agreement": 1.0, "take_max": 1.0}
    done = rescore(write(tmp_path, QUESTION), file, "--extractor", "offline:slide-rule")
    assert "extractor: the reply holds no call of record_values" in done.stderr
    assert "extractor: 0 ok, 1 failed" in done.stdout


def test_several_tiers_are_told_apart(tmp_path):
    made = list(generate((1, 2, 3), seed=3, counts=(3, 3, 3)))
    questions = tmp_path / "questions.jsonl"
    questions.write_text("\n".join(each.line() for each in made), encoding="utf-8")
    keys = [{"id": each.id, "response_text": told(each)} for each in made]
    found = json.loads(rescore(questions, answers(tmp_path, *keys), "--json").stdout)
    assert (found["tier"], found["n"]) == ([1, 2, 3], 9)
    assert found["strict"]["from_text"] == found["published"]["from_text"] == 1.0
    tiers = [(each["tier"], each["n"], each["strict"]["from_text"]) for each in found["tiers"]]
    assert tiers == [(1, 3, 1), (2, 3, 1), (3, 3, 1)]
    assert {each["by"] for each in found["groups"]} == {"category", "component", "cycle", "depth", "fluid"}


def told(question):
    targets = question.problem().targets
    return "\n".join(f"{target.name} = {target.value} {getattr(target, 'unit', '')}" for target in targets)


@PUBLISHED
def test_a_published_run_is_reproduced():
    """Tier 2, with its open reference states; the rule itself is compared for all tiers in test_published.py."""
    questions, responses = "tier2-questions.jsonl", "tier2-responses-gpt-5.4-run1.jsonl"
    found = json.loads(rescore(DATA / questions, DATA / responses, "--json").stdout)
    assert found["published"]["from_extracted"] == pytest.approx(0.9104, abs=5e-5)
    assert found["published"]["from_text"] == pytest.approx(0.9104, abs=5e-5)
    stored = objects(responses)
    theirs = {(each["id"], one["key"]): one["passed"] for each in stored for one in each["scores"]}
    assert {(item["id"], item["key"]): item["from_extracted"] for item in found["items"]} == theirs
    scores = {each["id"]: each["question_score"] for each in stored}
    for question in found["questions"]:
        assert question["published"]["from_extracted"] == pytest.approx(scores[question["id"]], abs=1e-12)
    open_states = [each for each in load(str(DATA)) if lacks_reference_state(each)]
    assert {(each.tags["tier"], each.tags["fluid"]) for each in open_states} == {("2", "R134a")}
    assert len(open_states) == 10


ASKED = problem(number("h1", 100.0), number("h2", 200.0))


@pytest.mark.parametrize(
    ("first", "second", "agreed", "best"),
    [
        ((90, "kJ/kg"), None, 90, 90),
        (None, (90, "kJ/kg"), 90, 90),
        ((90, "kJ/kg"), (100, "kJ/kg"), 90, 100),
        ((100, "kJ/kg"), (90, "kJ/kg"), 100, 100),
        ((90, "kJ/kg"), (91, "kJ/kg"), 90, 91),
        ((90, "kPa"), (91, "kJ/kg"), 91, 91),
        ((0.1, "MJ/kg"), (100, "kJ/kg"), 0.1, 100),
    ],
)
def test_what_is_kept_of_two_readings(first, second, agreed, best):
    read = [{"h1": Reading(*each, "")} if each else {} for each in (first, second)]
    assert by_agreement(ASKED, *read)["h1"].value == agreed
    assert take_max(ASKED, *read)["h1"].value == best


readings = st.dictionaries(
    st.sampled_from(["h1", "h2"]),
    st.builds(Reading, st.floats(50, 300), st.sampled_from(["", "kJ/kg", "MJ/kg", "kPa"]), st.just("")),
)


def score(readings):
    return problem_score(ASKED, published(ASKED, unit_aware(ASKED, readings)))


@given(readings, readings)
@settings(max_examples=40)
def test_take_max_never_scores_less_than_either_and_agreement_needs_no_key(first, second):
    assert score(take_max(ASKED, first, second)) >= max(score(first), score(second))
    other_key = problem(number("h1", 5.0), number("h2", 7.0))
    assert by_agreement(ASKED, first, second) == by_agreement(other_key, first, second)
