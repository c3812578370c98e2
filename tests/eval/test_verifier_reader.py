"""The trained reader of sentences: what it is asked, what it says, and that its weights can be made again."""

import subprocess
import sys

import numpy as np
import pytest

from ansatz.eval.rubrics.reader import KINDS, Readings, weights
from ansatz.eval.rubrics.subject import Subject
from ansatz.eval.rubrics.verifier import read, review
from benchmarks.reader import Sentences, fit, load
from tests.eval.faults.corpus import fresh
from tests.eval.heating_answers import GOOD, HEATING, attempt


def test_the_reader_is_asked_only_where_the_words_do_not_tell():
    code = (
        "import sys; from tests.eval.heating_answers import *; from ansatz.eval.rubrics.assumption import check;"
        "from ansatz.eval.rubrics.verifier import read; mark = check(read(HEATING, attempt(GOOD)));"
        "assert mark.points == 2; sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_what_it_finds_is_quoted_with_its_probability():
    found = [
        mark.evidence
        for answer in list(fresh("fresh_third"))[:12]
        for mark in review(answer.problem, answer.transcript).values()
        if "trained reader" in mark.evidence
    ]
    assert found
    assert all(0.6 <= float(each.partition("trained reader, ")[2][:4]) <= 1 for each in found)


def test_chinese_sentences_are_left_to_the_rules():
    working = read(HEATING, attempt("假设边界层为层流，因为雷诺数很小，壁面为冷壁。\n\nq_s = 1244.7 kW/m^2"))
    assert not any(working.readings[0].values())


def test_probabilities_sum_to_one_and_come_out_the_same_again():
    working = read(HEATING, attempt(GOOD))
    first = Readings(working.passages, Subject.of(working))
    again = Readings(working.passages, Subject.of(working))
    for place in range(len(working.passages)):
        assert first[place] == again[place]
        assert sum(first[place].values()) == pytest.approx(1) or not any(first[place].values())


def test_one_of_several_is_likelier_than_the_likeliest():
    working = read(HEATING, attempt(GOOD))
    any_of_them, alone, text = working.readings.at_least_one("reasoned", lambda passage: True)
    assert 0 < alone <= any_of_them < 1
    assert text in [passage.text for passage in working.passages]


def test_the_fit_finds_what_separates_two_kinds():
    """Rows drawn from a known logistic model: its probabilities are found again."""
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(4000, 3))
    true = 1 / (1 + np.exp(-(2 * rows[:, 0] - rows[:, 1])))
    labels = np.where(draw.random(4000) < true, KINDS.index("meaning"), KINDS.index("working"))
    places = np.zeros((4000, 3))
    fitted = fit(Sentences(rows, places, labels, np.full(4000, "one")), penalty=1.0)
    assert np.abs(fitted(rows, places)[:, KINDS.index("meaning")] - true).mean() < 0.02


@pytest.mark.slow
def test_the_stored_weights_are_those_of_the_stored_sentences():
    sentences = load()
    shares = fit(sentences)(sentences.rows, sentences.places)
    assert np.abs(shares - weights()(sentences.rows, sentences.places)).max() < 0.02


@pytest.mark.slow
def test_writers_it_has_not_met_are_read_well():
    """Leaving one writer out: reasoned assumptions and meanings are told from the rest."""
    sentences = load()
    reasoned, meaning = KINDS.index("reasoned"), KINDS.index("meaning")
    for writer in ("fresh", "fresh_second", "fresh_third"):
        left = sentences.writers == writer
        beside = sentences.where(left)
        shares = fit(sentences.where(~left))(beside.rows, beside.places)
        for kind in (reasoned, meaning):
            said = shares.argmax(axis=1) == kind
            assert (said & (beside.labels == kind)).sum() >= 0.7 * (beside.labels == kind).sum(), writer
