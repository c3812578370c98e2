"""The review queue: decisions come back, revisions are made, and faults of a review are named."""

import copy
import json

import pytest

from ansatz.eval.data.gate import gate
from ansatz.eval.data.review import queue_line, read_dispositions
from ansatz.eval.validation import InvalidData
from tests.eval import data_corpus as corpus


def review_file(path, gated, **decisions):
    lines = []
    for queued in gated.queued:
        line = queue_line(queued)
        line |= decisions.get(line["id"], {})
        lines.append(json.dumps(line))
    path.write_text("\n".join(lines))
    return read_dispositions(path)


@pytest.fixture
def three():
    """Three items with a warning: the reference solution does not arrive at the key."""
    records = corpus.sound()[:9:3]
    for record in records:
        record["targets"][0]["value"] *= 1.01
    return corpus.candidates(records)


def test_a_filled_queue_comes_back(tmp_path, three):
    queued = gate(three, [])
    assert len(queued.queued) == 3 and not queued.accepted and not queued.go
    one, two, other = (each.item.id for each in queued.queued)
    line = queue_line(queued.queued[2])
    edited = copy.deepcopy(line["item"])
    edited["targets"] = corpus.sound()[6]["targets"]
    given_back = review_file(
        tmp_path / "review.jsonl",
        queued,
        **{
            one: {"disposition": "accept"},
            two: {"disposition": "reject", "comment": "ambiguous"},
            other: {"disposition": "revise", "item": edited},
        },
    )
    gated = gate(three, [], given_back)
    assert [each.item.id for each in gated.accepted] == [one, other]
    assert gated.accepted[1].item.targets[0].value == corpus.sound()[6]["targets"][0]["value"]
    assert [(each.stage, each.reason, each.message) for each in gated.rejected] == [
        (5, "reviewer", "ambiguous")
    ]


def test_a_revision_that_is_not_made_waits_and_a_bad_one_is_rejected(tmp_path, three):
    queued = gate(three, [])
    one, two, _ = (each.item.id for each in queued.queued)
    broken = {**queue_line(queued.queued[1])["item"], "targets": []}
    given_back = review_file(
        tmp_path / "review.jsonl",
        queued,
        **{one: {"disposition": "revise"}, two: {"disposition": "revise", "item": broken}},
    )
    gated = gate(three, [], given_back)
    assert [each.reason for each in gated.rejected] == ["failed_repair"]
    assert "targets" in gated.rejected[0].message
    assert one in [each.item.id for each in gated.queued]


def test_faults_of_a_review_name_line_and_field(tmp_path, three):
    queued = gate(three, [])
    one = queued.queued[0].item.id
    with pytest.raises(
        InvalidData, match=r"review.jsonl:1: disposition: 'acept' is not valid; did you mean 'accept'"
    ):
        review_file(tmp_path / "review.jsonl", queued, **{one: {"disposition": "acept"}})
    stale = review_file(tmp_path / "review.jsonl", queued, **{one: {"disposition": "accept", "sha256": "0"}})
    with pytest.raises(InvalidData, match="has changed since it was queued"):
        gate(three, [], stale)
    with pytest.raises(InvalidData, match=r"no candidate .* came as far as the review"):
        gate(
            three[1:], [], review_file(tmp_path / "review.jsonl", queued, **{one: {"disposition": "accept"}})
        )


def test_no_go_names_the_check_that_failed_and_review_all_queues_sound_items_too():
    records = corpus.sound()[:30]
    for record in records[::2]:  # what no item has would be no gap
        record.pop("task_type", None)
    figures = gate(corpus.candidates(records), []).checks
    assert [(each.check, each.name) for each in figures if not each.go] == [
        ("data_quality", "field_completeness")
    ]
    assert len(gate(corpus.candidates(corpus.sound()[:4]), [], review_all=True).queued) == 4
    one_family = [each for each in gate(corpus.candidates(corpus.sound()[:2]), []).checks if not each.go]
    assert [figure.name for figure in one_family] == ["split_stability"]
