"""The gate: what it stops, what it lets through, and that it loses nothing."""

import gzip
import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from ansatz.agents import ChatClient
from ansatz.eval.benchmarks.tps import load
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.curation.candidates import Rejection
from ansatz.eval.curation.gate import examine, gate, screen, unjudged
from ansatz.eval.curation.gate_files import summary, write_gated
from ansatz.eval.curation.reading import read_candidates, read_line
from ansatz.eval.curation.repair import garbage, repair
from ansatz.eval.curation.solvability import Solvability
from tests.eval import curation_corpus as corpus
from tests.fakes.scripted_model import ScriptedModel

PLANTED = 0.95


def stopped_for(candidate):
    """The reasons for which a candidate is rejected or queued."""
    fixed = repair(candidate)
    if garbage(fixed.question):
        return {"unreadable"}
    judged = examine(fixed, {})
    if isinstance(judged, Rejection):
        return {judged.reason}
    return {note.check for note in judged.candidate.notes if note.severity == "warn"}


@pytest.fixture(scope="module")
def planted():
    return corpus.patterns()


@pytest.mark.parametrize("name", corpus.NAMES)
def test_planted_candidates_are_stopped_for_their_reason(planted, name):
    pattern = planted[name]
    assert len(pattern.records) >= 60
    found = [stopped_for(candidate) for candidate in corpus.candidates(pattern.records)]
    caught = sum(bool(reasons & pattern.reasons) for reasons in found)
    assert caught >= PLANTED * len(found), Counter(map(frozenset, found))


def test_every_sound_item_passes_untouched():
    records = corpus.sound()
    gated = gate(corpus.candidates(records), [])
    assert [each.item.id for each in gated.accepted] == [record["id"] for record in records]
    assert not gated.rejected and not gated.queued and gated.go
    assert not [repair for each in gated.accepted for repair in each.candidate.repairs]
    assert [each.item.problem() for each in gated.accepted] == list(corpus.sound_problems())


@pytest.mark.slow
def test_every_chinese_item_passes_untouched():
    problems = load(set="core", language="zh")
    gated = gate(corpus.candidates([corpus.record(problem) for problem in problems]), [])
    assert len(gated.accepted) == len(problems) and gated.go
    assert not [repair for each in gated.accepted for repair in each.candidate.repairs]


def test_edited_copies_are_merged_into_their_originals():
    copies = corpus.duplicates()
    screened = screen(corpus.candidates([*corpus.sound(), *copies]))
    merged = [each for each in screened.rejected if each.reason == "near_duplicate"]
    assert len(merged) >= PLANTED * len(copies)
    assert {each.id for each in merged} <= {copy["id"] for copy in copies}
    kept = Counter(place for each in screened.passed for place in each.candidate.merged)
    assert kept == Counter(each.place for each in merged)
    sources = [each.item.metadata["merged_from"] for each in screened.passed if each.candidate.merged]
    assert sorted("; ".join(sources).split("; ")) == sorted(kept)


def test_the_funnel_accounts_for_every_line(tmp_path, planted):
    records = [record for pattern in planted.values() for record in pattern.records[:5]]
    records = [{**record, "id": f"c{number}"} for number, record in enumerate(records)]
    lines = [json.dumps(record) for record in [*records, *corpus.sound()[:20]]]
    file = tmp_path / "candidates.jsonl"
    file.write_text(
        "\n".join([*lines, "{not json", "[1, 2]", '{"question": 3}', "", '{"question": "x", "given": 1e999}'])
    )
    read, malformed = read_candidates(file)
    gated = gate(read, malformed)
    total = len(lines) + 4
    assert gated.funnel[0].entered == total
    assert len(gated.accepted) + len(gated.queued) + len(gated.rejected) == total
    for stage, following in zip(gated.funnel, gated.funnel[1:], strict=False):
        assert stage.entered - sum(stage.reasons.values()) == stage.left == following.entered
    assert [each.place for each in malformed] == [
        f"candidates.jsonl:{len(lines) + extra}" for extra in (1, 2, 3, 5)
    ]
    write_gated(gated, tmp_path / "out", [file], 0)
    written = [json.loads(line) for line in (tmp_path / "out" / "rejected.jsonl").read_text().splitlines()]
    assert all(each["stage"] and each["reason"] and each["message"] and each["place"] for each in written)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "not JSON: Expecting property name"),
        (b'{"question": NaN}', "NaN is not a number in JSON"),
        (b'{"question": "find", "given": [{"name": "a", "value": 1e999}]}', "1e999 is too large"),
        (b'"text"', "not an item but a str"),
        (b'{"id": "a"}', "question: is missing or not text"),
        (b'{"question": "find it", "given": [3]}', "given: an entry is a int, not an object"),
        (b'{"question": "find it \xff"}', "not UTF-8 text at byte 22"),
        (b'{"question": "find it \\ud800"}', "half of a surrogate pair"),
        (
            b'{"question": "find it", "targets": [{"name": "T", "value": [1]}]}',
            "targets: T: the value is a list",
        ),
        (b'{"question": "q", "x": ' + b"[" * 30 + b"]" * 30 + b"}", "nested more than 20 levels deep"),
    ],
)
def test_a_line_that_is_no_record_says_why(line, message):
    with pytest.raises(InvalidData, match=r"a\.jsonl:7: ") as caught:
        read_line(line, "a.jsonl:7")
    assert message in str(caught.value)


def test_other_spellings_of_the_schema_are_read():
    line = {
        "problem": "A wall at T_w = 900 K of emissivity 0.8 radiates. Find q.",
        "difficulty": "L1",
        "givens": {"T_w": "900 K", "eps": 0.8},
        "target": "q",
        "page": 12,
    }
    read = read_line(json.dumps(line).encode(), "a.jsonl:1")
    assert read.given == [{"name": "T_w", "value": 900.0, "unit": "K"}, {"name": "eps", "value": 0.8}]
    assert read.targets == [{"name": "q"}]
    assert read.fields["level"] == "L1" and read.fields["metadata"] == {"page": "12"}
    assert read.id == "a.jsonl:1"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "value", "unit", "kind", "steps", "symbol", "expression", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=6,
)
FIELDS = (
    "id",
    "level",
    "task_type",
    "domains",
    "question",
    "given",
    "targets",
    "family",
    "context",
    "gold_equations",
    "reference_solution",
    "metadata",
    "bounds",
    "other",
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(changes=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4), which=st.integers(0, 9))
def test_no_record_makes_the_gate_fail_or_disappears(changes, which):
    record = {**corpus.record(corpus.sound_problems()[which * 7]), **changes}
    line = json.dumps(record).encode()
    try:
        read = [read_line(line, "a.jsonl:1")]
    except InvalidData:
        return  # a rejection with its reason: see the test of lines that are no record
    gated = gate(read, [])
    assert len(gated.accepted) + len(gated.queued) + len(gated.rejected) == 1
    for each in gated.accepted:
        json.dumps(each.item.model_dump(mode="json"), allow_nan=False)
    for each in gated.queued:
        json.dumps(each.line(), allow_nan=False)


@pytest.mark.parametrize(
    "saved", [lambda text: text.encode("utf-16"), lambda text: gzip.compress(text.encode())]
)
def test_candidates_are_read_however_they_were_saved(tmp_path, saved):
    (tmp_path / "file").write_bytes(saved('{"id": "x", "question": "Find q."}\n'))
    [candidate], rejected = read_candidates(tmp_path / "file")
    assert (candidate.fields["id"], rejected) == ("x", [])


async def test_a_model_judges_what_no_reference_solution_shows():
    records = [corpus.bare(problem) for problem in corpus.sound_problems()[:6:2]]
    asked = unjudged(corpus.candidates([*records, *corpus.sound()[10:12]]))
    assert [each.id for each in asked] == [record["id"] for record in records]
    said = [{"solvable": True, "reason": "all is stated"}, {"solvable": False, "reason": "which table?"}]
    replies = [
        AIMessage("", tool_calls=[{"name": "record_opinion", "args": each, "id": "1"}]) for each in said
    ]
    model = ScriptedModel(replies=[*replies, AIMessage("I cannot tell.")])
    opinions = await Solvability(ChatClient(model)).opinions(asked)
    judged = gate(corpus.candidates(records), [], opinions=opinions)
    assert [each.item.id for each in judged.accepted] == [asked[0].id, asked[2].id]
    notes = [note.message for each in judged.accepted for note in each.candidate.notes]
    assert notes[0] == "by a model: all is stated" and "not judged" in notes[1]
    assert [(each.id, each.stage, each.reason, each.message) for each in judged.rejected] == [
        (asked[1].id, 4, "not_solvable", "by a model: which table?")
    ]
    seen = model.seen[0][1].text
    assert records[0]["question"][:30] in seen and str(records[0]["targets"][0]["value"]) not in seen


def pump(number, **changes):
    head = 5 + number
    power = 998 * 9.81 * 0.012 * head / 0.7
    target = {"name": "P", "unit": "W", "value": round(power, 1), "description": "shaft power"}
    return {
        "id": f"pump.{number}",
        "question": (
            f"A pump lifts Q = 0.012 m^3/s of water of density rho = 998 kg/m^3 by H = {head} m. "
            "Gravity is g = 9.81 m/s^2 and the efficiency eta = 0.7. Find the shaft power P."
        ),
        "given": [
            {"name": "Q", "value": 0.012, "unit": "m^3/s"},
            {"name": "rho", "value": 998, "unit": "kg/m^3"},
            {"name": "H", "value": head, "unit": "m"},
            {"name": "g", "value": 9.81, "unit": "m/s^2"},
            {"name": "eta", "value": 0.7, "unit": "-"},
        ],
        "targets": [{**target, **changes}],
        "level": "L1",
    }


def gated(*records):
    return gate([read_line(json.dumps(each).encode(), f"a.jsonl:{n}") for n, each in enumerate(records)], [])


def test_what_a_set_has_none_of_is_not_judged():
    passed = gated(*(pump(number) for number in range(0, 40, 5)))
    figures = {figure.name: figure for check in passed.checks for figure in check.figures}
    assert (figures["solution_verifiability"].value, figures["solution_verifiability"].go) == (None, None)
    assert figures["field_completeness"].value == 1.0, "a field that no item has is no gap"
    written = {each["name"]: each for check in summary(passed)["checks"] for each in check["figures"]}
    assert written["solution_verifiability"]["verdict"] == "not judged"


@pytest.mark.parametrize(
    "changes",
    [{"unit": "m"}, {"unit": "m", "description": ""}, {"unit": "m", "name": "power", "description": ""}],
    ids=str,
)
def test_a_power_in_metres_does_not_pass(changes):
    sound, wrong = gated(pump(1)), gated(pump(1, **changes))
    assert (len(sound.accepted), len(wrong.accepted)) == (1, 0)
    assert "power is not measured in m" in str(wrong.queued)


def test_a_target_without_a_value_does_not_pass():
    record = pump(1)
    del record["targets"][0]["value"]
    [rejection] = gated(record).rejected
    assert rejection.message == "targets[0].value: is missing"
