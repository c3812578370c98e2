"""The gate: what it rejects and accepts, and that no candidate is lost."""

import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from ansatz.agents.models import connect
from ansatz.eval.curation.candidate import Candidate, Rejection, parse_candidate, read_candidates
from ansatz.eval.curation.gate import examine_candidate, gate, select_unjudged
from ansatz.eval.curation.review import format_queue_line
from ansatz.eval.curation.solvability import request_opinions
from tests.eval.curation import corpus
from tests.fakes.scripted_model import ScriptedModel

PLANTED = 0.95


def stopped_for(found):
    """The reasons for which a record is rejected or queued."""
    judged = examine_candidate(found, {}) if isinstance(found, Candidate) else found
    if isinstance(judged, Rejection):
        return {judged.reason}
    return {note.check for note in judged.notes if note.severity == "warn"}


@pytest.mark.parametrize("name", corpus.PATTERNS)
def test_planted_candidates_are_stopped_with_their_reason(name):
    _, wanted = corpus.PATTERNS[name]
    found = [stopped_for(each) for each in corpus.read(corpus.planted(name))]
    caught = sum(bool(reasons & wanted) for reasons in found)
    assert caught >= PLANTED * len(found) >= PLANTED * 60, Counter(map(frozenset, found))


@pytest.mark.slow
def test_sound_items_pass_and_edited_copies_are_merged():
    sound, copies = corpus.sound(), corpus.duplicates()
    gated = gate(corpus.candidates([*sound, *copies]))
    merged = [each for each in gated.rejected if each.reason == "near_duplicate"]
    assert {each.id for each in merged} <= {copy["id"] for copy in copies}
    assert len(merged) >= PLANTED * len(copies)
    ids = {record["id"] for record in sound}
    passed = [each for each in gated.accepted if each.item.id in ids]
    assert gated.go and not [each for each in passed if each.repairs]
    assert [each.item.to_problem() for each in passed] == list(corpus.sound_problems())
    kept = Counter(place for each in gated.accepted for place in each.merged)
    assert kept == Counter(each.place for each in merged)


def test_the_funnel_accounts_for_every_line(tmp_path):
    records = [record for name in corpus.PATTERNS for record in corpus.planted(name, 5)]
    records = [{**record, "id": f"c{number}"} for number, record in enumerate(records)]
    lines = [json.dumps(record) for record in [*records, *corpus.sound()[:20]]]
    broken = ["{not json", "[1, 2]", '{"question": 3}', "", '{"question": "x", "answer": 1e999}']
    file = tmp_path / "candidates.jsonl"
    file.write_text("\n".join([*lines, *broken, '{"question": "\\ud800"}']))
    passed, malformed = read_candidates(file)
    gated = gate(passed, malformed)
    total = len(lines) + 5
    funnel = gated.funnel()
    assert funnel[0]["entered"] == len(gated.accepted) + len(gated.queued) + len(gated.rejected) == total
    for stage, following in pairwise(funnel):
        left = stage["entered"] - sum(stage["reasons"].values())
        assert left == stage["left"] == following["entered"]
    ends = [each.place for each in malformed][-5:]
    assert ends == [f"candidates.jsonl:{len(lines) + extra}" for extra in (1, 2, 3, 5, 6)]
    gated.write(tmp_path / "out", [file], 0)
    written = [json.loads(line) for line in (tmp_path / "out" / "rejected.jsonl").read_text().splitlines()]
    assert all(each["stage"] and each["reason"] and each["message"] and each["place"] for each in written)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("not JSON: Expecting property name", "not JSON"),
        ({"question": "find it", "answer": "3 blahs"}, "blahs"),
        ({"question": "\ufffd\ufffd\ufffd of the \ufffd flow", "answer": "3 K"}, "characters are unreadable"),
    ],
)
def test_an_invalid_line_is_rejected_with_a_reason(fields, message):
    rejected = parse_candidate(fields, "a.jsonl:7")
    assert isinstance(rejected, Rejection) and (rejected.place, rejected.stage) == ("a.jsonl:7", 1)
    assert message in rejected.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("the Mach number Î² = 40Â°", "the Mach number β = 40°"),
        ("the ﬂow of a ﬁne eﬃcient", "the flow of a fine efficient"),
        ("an area of 5 Å^2 and 3 µm²", None),
        ("壁面温度为 900 K，求热流。(a) 计算", None),
        ("“T = 3OO K” at 25 oC", None),  # perhaps misread; a rule cannot decide
    ],
)
def test_only_wrongly_decoded_text_is_fixed_and_recorded(before, after):
    found = parse_candidate({"id": "ﬁ", "question": before, "answer": "3 K"}, "a:1")
    assert (found.item.id, found.item.question) == ("ﬁ", after or before)
    assert [(each.field, each.before, each.after) for each in found.repairs] == (
        [("question", before, after)] if after else []
    )


PARTS = ["name", "value", "unit", "kind", "steps", "symbol", "expression", "x"]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(PARTS), inner, max_size=4),
    max_leaves=6,
)
FIELDS = (
    *("id", "level", "task_type", "domains", "question", "given", "targets", "family", "context"),
    *("gold_equations", "reference_solution", "metadata", "bounds", "other"),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(changes=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4), which=st.integers(0, 9))
def test_no_record_is_lost_or_crashes_the_gate(changes, which):
    record = {**corpus.record(corpus.sound_problems()[which * 7]), **changes}
    found = parse_candidate(record, "a.jsonl:1")
    passed = [found] if isinstance(found, Candidate) else []
    gated = gate(passed, [] if passed else [found])
    assert len(gated.accepted) + len(gated.queued) + len(gated.rejected) == 1
    json.dumps([format_queue_line(each) for each in (*gated.accepted, *gated.queued)], allow_nan=False)


async def test_a_model_judges_items_without_a_reference_solution():
    records = [corpus.bare(problem) for problem in corpus.sound_problems()[:6:2]]
    asked = select_unjudged(corpus.candidates([*records, *corpus.sound()[10:12]]))
    assert [each.item.id for each in asked] == [record["id"] for record in records]
    verdicts = [{"solvable": True, "reason": "all is stated"}, {"solvable": False, "reason": "which table?"}]
    replies = [
        AIMessage("", tool_calls=[{"name": "record_opinion", "args": each, "id": "1"}]) for each in verdicts
    ]
    model = ScriptedModel(replies=[*replies, AIMessage("I cannot tell.")])
    opinions = await request_opinions(connect(model), asked)
    judged = gate(corpus.candidates(records), [], opinions=opinions)
    assert [each.item.id for each in judged.accepted] == [asked[0].item.id, asked[2].item.id]
    notes = [note.message for each in judged.accepted for note in each.notes]
    assert notes[0] == "by a model: all is stated" and "not judged" in notes[1]
    assert [(each.id, each.stage, each.reason, each.message) for each in judged.rejected] == [
        (asked[1].item.id, 4, "not_solvable", "by a model: which table?")
    ]
    seen = model.seen[0][1].text
    assert records[0]["question"][:30] in seen and str(records[0]["targets"][0]["value"]) not in seen


def gated(*records):
    return gate(corpus.candidates(list(records)))


def test_a_figure_without_data_is_not_judged():
    passed = gated(*(corpus.pump(number) for number in range(0, 40, 5)))
    figures = {figure.name: figure for figure in passed.checks}
    assert (figures["solution_verifiability"].value, figures["solution_verifiability"].go) == (None, None)
    assert figures["field_completeness"].value == 1.0, "a field that no item has is no gap"
    written = {each["name"]: each for each in passed.summary()["checks"]}
    assert written["solution_verifiability"]["verdict"] == "not judged"


@pytest.mark.parametrize(
    "changes",
    [{"unit": "m"}, {"unit": "m", "description": ""}, {"unit": "m", "name": "power", "description": ""}],
    ids=str,
)
def test_a_power_in_metres_does_not_pass(changes):
    sound, wrong = gated(corpus.pump(1)), gated(corpus.pump(1, **changes))
    assert (len(sound.accepted), len(wrong.accepted)) == (1, 0)
    assert "power is not measured in m" in str(wrong.queued)
