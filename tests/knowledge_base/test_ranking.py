"""Rankers one by one: scores for every entry, by words, by meaning, by both, and on condition of the regime."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import snowballstemmer
from rank_bm25 import BM25Okapi

from ansatz.knowledge_base.equation import Library, Predicate, library
from ansatz.knowledge_base.regime import find_contradicted, find_facts
from ansatz.knowledge_base.regime.stated_quantities import find_asking_sentence
from ansatz.knowledge_base.search import (
    BM25,
    Dense,
    PhraseIndex,
    Ranker,
    RegimeAware,
    embed_question,
    find_ranker,
)
from ansatz.knowledge_base.search.encoders import DEFAULT, encode_question, find_encoder
from ansatz.knowledge_base.search.minilm import embed_texts
from ansatz.knowledge_base.search.tokenizing import (
    list_entry_phrases,
    list_entry_terms,
    split_terms,
    weigh_question_terms,
)
from ansatz.knowledge_base.search.word_index import LENGTH, SATURATION


@pytest.fixture(scope="module")
def lexical():
    return BM25(library())


@pytest.mark.parametrize("name", ["bm25", "dense", "hybrid", "regime"])
def test_ranker_scores_every_entry(name):
    ranker = find_ranker(name)(library())
    assert isinstance(ranker, Ranker)
    scores = ranker.scores("standoff distance of the bow shock of a sphere at Mach 8")
    assert scores.shape == (len(library()),)
    assert not np.isnan(scores).any()
    assert np.sum(scores > scores[library().places["shock.standoff.billig_sphere"]]) < 5


def test_word_scores_are_those_of_rank_bm25():
    base, question = Library(list(library())[:40]), "laminar skin friction on a flat plate"
    okapi = BM25Okapi([list_entry_terms(equation) for equation in base], k1=SATURATION, b=LENGTH)
    wanted = sum(weight * okapi.get_scores([term]) for term, weight in weigh_question_terms(question).items())
    assert BM25(base).scores(question) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize(
    ("question", "asking"),
    [
        ("Skin friction at Mach 3", "Skin friction at Mach 3"),
        ("A plate is at 300 K. What is its skin friction? The air is dry.", "What is its skin friction?"),
        ("Air enters at 2.5 kg/s. Find the power. It is adiabatic.", "Find the power."),
        ("What is q? And how much is T?", "And how much is T?"),
        ("A nose of 0.3 m. Heat flux in W/m^2", "Heat flux in W/m^2"),
        ("", ""),
    ],
)
def test_asking_sentence_is_found(question, asking):
    assert find_asking_sentence(question) == asking


def test_asking_sentence_has_more_weight():
    weights = weigh_question_terms("A sphere flies at Mach 8. What is the standoff distance?")
    assert weights["standoff"] == pytest.approx(1)
    assert weights["sphere"] == pytest.approx(2 / 3)
    assert encode_question(find_encoder(DEFAULT), "Heat flux?") == pytest.approx(embed_question("Heat flux?"))


def test_meaning_combines_entry_and_nearest_phrase():
    base, question = Library(list(library())[::200]), "recovery temperature of a turbulent layer"
    of_question = embed_question(question)
    nearest = [max(embed_texts(list_entry_phrases(one)) @ of_question) for one in base]
    assert PhraseIndex(base).scores(question) == pytest.approx(
        Dense(base).scores(question) + nearest, abs=2e-2
    )


@pytest.mark.parametrize(
    "question",
    [
        "Skin friction of a turbulent layer at Mach 4 on a flat plate.",
        "A probe enters the atmosphere of Mars at 5 km/s; its wall is noncatalytic.",
        "Free-molecular flow over a sphere, Kn = 20, T_gas = 900 K.",
        "Steam at 400 C and 3 MPa drives a turbine.",
        "Optically thick gas at 9000 K and 1 atm, laminar, fully catalytic, chi_bar = 8, Re_x = 1e5.",
    ],
)
def test_joint_and_single_judgement_of_conditions_agree(question, lexical):
    base = library()
    scores = RegimeAware(base, lexical).scores(question)
    known = find_facts(question, base)
    for place, equation in enumerate(base):
        contradicted = list(find_contradicted(equation, known))
        assert np.isneginf(scores[place]) == bool(contradicted), equation.id


def test_regime_promotes_and_excludes_entries():
    template = library().get("boundary_layer.wall.shear_stress")
    regime = type(template.regime)(require=(Predicate(var="bl_state", eq="laminar"),))
    twins = [
        template.model_copy(update={"id": "a.a", "regime": type(regime)()}),
        template.model_copy(update={"id": "a.b", "regime": regime}),
    ]
    ranker = RegimeAware(base := Library(twins), BM25(base))
    neutral, affirmed = ranker.scores("Wall shear stress of a laminar layer.")
    assert affirmed > neutral
    neutral, contradicted = ranker.scores("Wall shear stress of a turbulent layer.")
    assert np.isneginf(contradicted) and np.isfinite(neutral)
    assert np.isfinite(ranker.scores("Wall shear stress: laminar or turbulent?")).all()


def test_stems_are_the_same_in_threads():
    endings = ("ation", "ing", "ed", "ally", "iveness", "fulness", "ities", "ments")
    words = [
        f"{stem}{ending}" for stem in ("transplant", "ventilat", "crystall", "magnet") for ending in endings
    ]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(split_terms, words * 5))
    finally:
        sys.setswitchinterval(before)
    alone = [[snowballstemmer.stemmer("english").stemWord(word)] for word in words]
    assert found == alone * 5
