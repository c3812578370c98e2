"""Near-duplicates are found exactly, and variants of a family are not duplicates."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.curation.candidate import parse_candidate
from ansatz.eval.curation.duplicates import (
    are_variants,
    find_similar_pairs,
    jaccard,
    merge_duplicates,
    split_tokens,
)

SETS = st.lists(st.frozensets(st.sampled_from("abcdefghijkl"), max_size=9), max_size=12)


@settings(max_examples=40)
@given(SETS, st.sampled_from([0.3, 0.5, 0.75, 0.85, 1.0]))
def test_exactly_the_similar_pairs_are_found(sets, threshold):
    brute = {
        (first, second)
        for second in range(len(sets))
        for first in range(second)
        if sets[first] and sets[second] and jaccard(sets[first], sets[second]) >= threshold
    }
    assert {(first, second) for first, second, _ in find_similar_pairs(sets, threshold)} == brute


def made(place, question, **fields):
    return parse_candidate({"id": place, "question": question, "answer": "3 K", **fields}, place)


def test_the_most_complete_of_a_group_is_kept():
    text = "A sphere of radius R = 0.5 m flies at V = 6 km/s through thin air at height 60 km; find the heat flux q."
    fuller = [{"name": "R", "value": 0.5, "unit": "m"}]
    candidates = [
        made("a:1", text),
        made("b:9", text.replace("thin ", ""), given=fuller),
        made("a:3", "Find the drag of a cone."),
    ]
    kept, rejected = merge_duplicates(candidates)
    assert [(each.place, each.merged) for each in kept] == [("b:9", ("a:1",)), ("a:3", ())]
    assert [(each.place, each.reason) for each in rejected] == [("a:1", "near_duplicate")]
    assert "duplicates b:9 (Jaccard 0.9" in rejected[0].message


def test_variants_of_a_family_are_kept_and_copies_are_not():
    text = "A sphere of radius R = {} m flies at M = 8 in air of gamma = 1.4 at zero incidence; find the drag coefficient of it."
    one, other = (
        made(f"a:{number}", text.format(radius), family="sphere") for number, radius in enumerate((0.5, 0.7))
    )
    assert are_variants(one, other)
    assert len(merge_duplicates([one, other])[0]) == 2
    assert len(merge_duplicates([one, made("a:2", text.format(0.5), family="sphere")])[0]) == 1
    undeclared = [made(f"a:{number}", text.format(radius)) for number, radius in enumerate((0.5, 0.7))]
    assert len(merge_duplicates(undeclared)[0]) == 1


def test_chinese_is_compared_by_character_without_forms():
    assert split_tokens("求热流 q_w") == {"求", "热", "流", "q_w"}
    assert split_tokens("Find q.\n\nReport your answers as:\nq = ___ W") == split_tokens("Find q.")
    assert json.dumps(sorted(split_tokens("T=3e5"))) == '["3e5", "t"]'
