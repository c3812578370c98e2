"""Repair of texts, and near-duplicates."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.curation.candidates import Candidate
from ansatz.eval.curation.duplicates import are_variants, jaccard, merge_duplicates, similar_pairs, tokens
from ansatz.eval.curation.mojibake import mend_mojibake
from ansatz.eval.curation.repair import garbage, repair


def mended(text, **givens):
    given = [{"name": name, "value": value, "unit": "-"} for name, value in givens.items()]
    candidate = Candidate("a.jsonl:1", {"id": "a", "question": text, "given": given})
    fixed = repair(candidate)
    return fixed.question, [each.rule for each in fixed.repairs]


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("Ｔ＝３００ Ｋ", "T=300 K", "full_width"),
        ("the ﬂow of a ﬁne eﬃcient", "the flow of a fine efficient", "ligature"),
        ("hyper\u00adsonic", "hypersonic", "invisible_character"),
        ("T\u00a0=\u2009300 K", "T = 300 K", "special_space"),
        ("hyper-\nsonic flow", "hypersonic flow", "broken_word"),
        ("Re = 3.2 × 10 5 here", "Re = 3.2 × 10^5 here", "lost_superscript"),
        ("p = 2 x 10 -3 Pa", "p = 2 x 10^-3 Pa", "lost_superscript"),
        ("rho = 3.1×10−4 kg", "rho = 3.1×10^-4 kg", "lost_superscript"),
        ("a speed of 300 rn/s there", "a speed of 300 m/s there", "misread_metre"),
        ("q = 5 W/rn^2", "q = 5 W/m^2", "misread_metre"),
        ("at 25 oC it", "at 25 °C it", "misread_degree"),
        ("the Mach number Î² = 40Â°", "the Mach number β = 40°", "mojibake"),
        ("the pressure342 of the gas", "the pressure of the gas", "page_number"),
        ("Find q.\n  217\nThe wall is cold.", "Find q.\nThe wall is cold.", "page_number"),
    ],
)
def test_damage_is_mended_and_recorded(before, after, rule):
    assert mended(before) == (after, [rule])


@pytest.mark.parametrize(
    ("before", "after", "givens", "rule"),
    [
        (
            "A shock angle 3 = 40 deg and M = 8",
            "A shock angle beta = 40 deg and M = 8",
            {"beta": 40.0, "M": 8.0},
            "misread_symbol",
        ),
        ("with p_w = 0.05 kg/m^3", "with rho_w = 0.05 kg/m^3", {"rho_w": 0.05}, "misread_symbol"),
        ("T = 3OO K", "T = 300 K", {"T": 300.0}, "misread_digit"),
        ("gamma = l.4 and", "gamma = 1.4 and", {"gamma": 1.4}, "misread_digit"),
        ("Re = 2.5×105 there", "Re = 2.5×10^5 there", {"Re": 2.5e5}, "lost_superscript"),
    ],
)
def test_what_the_givens_prove_is_mended(before, after, givens, rule):
    assert mended(before, **givens) == (after, [rule])


@pytest.mark.parametrize(
    ("text", "givens"),
    [
        ("A plate of 2.5×105 mm", {"L": 7.0}),  # may be a product: no given proves a power
        ("x = 3 and p = 40 Pa", {"beta": 40.0, "gamma": 40.0}),  # two givens could be meant
        ("n = 40 there", {"n": 40.0}),
        ("gas = O2 is dissociated", {}),
        ("an area of 5 Å² and 3 µm²", {}),
        ("壁面温度为 900 K,求热流。(a) 计算", {}),
        ("10² m and 10⁵ Pa, 4·10⁻³", {}),
        ("NO2 and CO2 at station B12 of wing747", {}),
        ("T2 = T1*(1 + 2*gamma)", {}),
        ("M = 8 at x/L = 0.5, 3×4 panels", {"M": 8.0}),
    ],
)
def test_sound_text_is_left_alone(text, givens):
    assert mended(text, **givens) == (text, [])


# Without accented letters: "é" before two such signs may itself be a Chinese character decoded wrongly.
@given(st.text(alphabet="βγρθμτ×·°±²³−–’“”½∞≤≥→ 0123456789abcxyz计算温度", min_size=1, max_size=60))
def test_text_decoded_wrongly_comes_back(text):
    wrong = text.encode("utf-8").decode("latin-1")
    assert mend_mojibake(wrong) == text
    assert mend_mojibake(text) == text or any(sign in text for sign in "½±²³·°×")


def test_every_field_is_mended_but_ids():
    fields = {
        "id": "ﬁ",
        "question": "Find x.",
        "given": [{"name": "T", "value": 1.0, "unit": "°C", "description": "ﬂow"}],
    }
    fixed = repair(Candidate("a:1", fields))
    assert fixed.id == "ﬁ" and fixed.given[0]["description"] == "flow"
    assert [(each.rule, each.field) for each in fixed.repairs] == [("ligature", "given[0].description")]


@pytest.mark.parametrize(
    "text", ["\ufffd\ufffd\ufffd of the \ufffd flow", "Th# fl@w ov#r th# w#ng h@s a sp##d of f@ur h#ndred"]
)
def test_garbage_is_told(text):
    assert garbage(text)
    assert garbage("The flow over the wing has a speed of 400 m/s; find $\\rho_\\infty$ and R^2.") is None


SETS = st.lists(st.frozensets(st.sampled_from("abcdefghijkl"), max_size=9), max_size=12)


@given(SETS, st.sampled_from([0.3, 0.5, 0.75, 0.85, 1.0]))
def test_prefix_filtering_finds_exactly_the_similar_pairs(sets, threshold):
    brute = {
        (first, second)
        for second in range(len(sets))
        for first in range(second)
        if sets[first] and sets[second] and jaccard(sets[first], sets[second]) >= threshold
    }
    assert {(first, second) for first, second, _ in similar_pairs(sets, threshold)} == brute


def made(place, question, **fields):
    return Candidate(place, {"id": place, "question": question, "given": [], "targets": [], **fields})


def test_the_most_complete_of_a_group_stays_with_the_places_of_the_others():
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
    assert "as b:9 (Jaccard 0.9" in rejected[0].message


def test_variants_of_a_declared_family_stay_and_copies_of_one_do_not():
    text = "A sphere of radius R = {} m flies at M = 8 in air of gamma = 1.4 at zero incidence; find the drag coefficient of it."
    one, other = (
        made(f"a:{number}", text.format(radius), family="sphere") for number, radius in enumerate((0.5, 0.7))
    )
    assert are_variants(one, other)
    assert len(merge_duplicates([one, other])[0]) == 2
    assert len(merge_duplicates([one, made("a:2", text.format(0.5), family="sphere")])[0]) == 1
    undeclared = [made(f"a:{number}", text.format(radius)) for number, radius in enumerate((0.5, 0.7))]
    assert len(merge_duplicates(undeclared)[0]) == 1


def test_chinese_is_compared_by_character_and_the_answer_form_is_left_out():
    assert tokens("求热流 q_w") == {"求", "热", "流", "q_w"}
    assert tokens("Find q.\n\nReport your answers as:\nq = ___ W") == tokens("Find q.")
    assert json.dumps(sorted(tokens("T=3e5"))) == '["3e5", "t"]'
