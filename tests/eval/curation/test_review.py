"""The review queue: decisions are applied, revisions are checked, and faults are named."""

import json

import pytest

from ansatz.errors import InvalidData
from ansatz.eval.curation.gate import gate
from ansatz.eval.curation.review import format_queue_line, read_dispositions
from tests.eval.curation import corpus


@pytest.fixture
def three():
    """Three items with a warning: the reference solution does not produce the key."""
    records = corpus.sound()[:9:3]
    for record in records:
        record["targets"][0]["value"] *= 1.01
    return corpus.candidates(records)


@pytest.fixture
def reviewed(three, tmp_path):
    """Writes decisions into the queue of the three, and reads it back."""
    queued = gate(three)
    assert [each.item.id for each in queued.queued] == [each.item.id for each in three]
    assert not queued.accepted and not queued.go

    def read(**decisions):
        lines = [format_queue_line(each) for each in queued.queued]
        text = "\n".join(json.dumps(line | decisions.get(line["id"], {})) for line in lines)
        (tmp_path / "review.jsonl").write_text(text)
        return read_dispositions(tmp_path / "review.jsonl")

    return read


def test_a_filled_queue_is_applied(three, reviewed):
    one, two, other = (each.item.id for each in three)
    edited = three[2].item.to_fields() | {"targets": corpus.sound()[6]["targets"]}
    rejected, revised = {"disposition": "reject", "comment": "ambiguous"}, {"disposition": "revise"}
    decisions = {one: {"disposition": "accept"}, two: rejected, other: revised | {"item": edited}}
    gated = gate(three, [], reviewed(**decisions))
    assert [each.item.id for each in gated.accepted] == [one, other]
    assert gated.accepted[1].item.targets[0].value == corpus.sound()[6]["targets"][0]["value"]
    [gone] = gated.rejected
    assert (gone.stage, gone.reason, gone.message) == (5, "reviewer", "ambiguous")
    broken = three[1].item.to_fields() | {"targets": []}
    gated = gate(three, [], reviewed(**{one: revised, two: revised | {"item": broken}}))
    assert one in [each.item.id for each in gated.queued], "a revision that is not made waits"
    [gone] = gated.rejected
    assert gone.reason == "failed_repair" and "targets" in gone.message


def test_faults_of_a_review_name_line_and_field(three, reviewed):
    one = three[0].item.id
    with pytest.raises(
        InvalidData, match=r"review.jsonl:1: disposition: 'acept' is not valid; did you mean 'a"
    ):
        reviewed(**{one: {"disposition": "acept"}})
    with pytest.raises(InvalidData, match="has changed since it was queued"):
        gate(three, [], reviewed(**{one: {"disposition": "accept", "sha256": "0"}}))
    with pytest.raises(InvalidData, match=r"no candidate .* reached the review"):
        gate(three[1:], [], reviewed(**{one: {"disposition": "accept"}}))


def test_no_go_names_the_check_and_review_all_queues_all():
    records = corpus.sound()[:30]
    for record in records[::2]:  # a field that no item has is not missing
        record.pop("task_type", None)

    def failing(records):
        return [each.name for each in gate(corpus.candidates(records)).checks if not each.go]

    assert failing(records) == ["field_completeness"]
    assert failing(corpus.sound()[:2]) == ["split_stability"], "of one family"
    assert len(gate(corpus.candidates(corpus.sound()[:4]), [], review_all=True).queued) == 4
