"""The learnt matrix: its slope against differences, and what it does for questions it has not seen."""

import numpy as np
import pytest

from ansatz.knowledge_base.equation import Library, UnknownEquation, library
from ansatz.knowledge_base.search import learning
from ansatz.knowledge_base.search.evaluation import Pair, held_out
from ansatz.knowledge_base.search.learning import Lesson, learn, unit_rows, whole_lesson, with_pairs


@pytest.fixture
def lesson():
    rng = np.random.default_rng(1)
    wanted, confusable = np.array([0, 1, 2, 0, 3, 1]), [[4], [], [0], [], []]
    return Lesson(rng.normal(size=(6, 5)), wanted, rng.normal(size=(5, 5)), confusable)


def loss(matrix, lesson, rows, choices):
    """The mean over questions of minus the logarithm of the right entry's share, one question at a time."""
    found = []
    for row in rows:
        asked, entries = matrix @ lesson.asked[row], [matrix @ each for each in lesson.entries[choices]]
        cosines = [asked @ each / np.linalg.norm(asked) / np.linalg.norm(each) for each in entries]
        near = np.array(cosines) / learning._TEMPERATURE
        found.append(np.log(np.sum(np.exp(near))) - near[choices.index(lesson.wanted[row])])
    return np.mean(found)


def test_the_slope_is_that_of_the_loss_with_confusable_entries_among_the_choices(lesson):
    matrix, rows = np.eye(5) + 0.1 * np.random.default_rng(2).normal(size=(5, 5)), np.array([0, 1, 5])
    slope = learning._slope(matrix, lesson, rows, np.ones((3, 5)))
    for place in [(0, 0), (1, 3), (4, 2)]:
        step = np.zeros((5, 5))
        step[place] = 1e-6
        difference = [loss(matrix + sign * step, lesson, rows, [0, 1, 4]) for sign in (1, -1)]
        assert slope[place] == pytest.approx((difference[0] - difference[1]) / 2e-6, rel=1e-3, abs=1e-6)


def test_the_same_seed_gives_the_same_matrix(lesson):
    assert np.array_equal(learn(lesson, 3, epochs=2), learn(lesson, 3, epochs=2))
    assert not np.array_equal(learn(lesson, 3, epochs=2), learn(lesson, 4, epochs=2))


def test_a_matrix_is_kept_as_half_floats(tmp_path):
    learning.store(np.full((3, 3), 0.1, dtype=np.float32), tmp_path / "one.npz")
    assert (learning.learned(tmp_path / "one.npz") == np.float32(np.float16(0.1))).all()
    assert learning.FILE.stat().st_size < 300_000


def test_held_out_families_are_found_better_after_learning():
    base = Library([one for one in library() if one.domain in ("newtonian", "radiation")])
    *domains, whole = held_out(base, whole_lesson(base), [0])
    assert {row["domain"] for row in domains} <= {"newtonian", "radiation"}
    assert sum(row["phrases"] for row in domains) == whole["phrases"] > 100
    assert float(whole["among 5, after"]) > float(whole["among 5, before"])


def pair(right, wrong):
    return Pair(id="p", question="What is the pressure?", gold_equation=right, rejected_equation=wrong)


def test_further_questions_are_learnt_with_what_they_reject():
    base = Library([one for one in library() if one.domain == "newtonian"])
    right, wrong = list(base)[5].id, list(base)[9].id
    lesson = whole_lesson(base)
    more = with_pairs(lesson, base, [pair(right, wrong)])
    assert len(more.asked) == len(lesson.asked) + 1
    assert more.wanted[-1] == 5 and 9 in more.confusable[5]
    with pytest.raises(UnknownEquation):
        with_pairs(lesson, base, [pair("newtonian.none", "")])


def test_the_shipped_matrix_brings_the_phrases_nearer_to_their_entries():
    lesson, rows, matrix = whole_lesson(library()), slice(0, None, 50), learning.learned()

    def found(matrix):
        near = unit_rows(lesson.asked[rows] @ matrix.T) @ unit_rows(lesson.entries @ matrix.T).T
        return np.mean(near.argmax(axis=1) == lesson.wanted[rows])

    assert found(matrix) > 1.5 * found(np.eye(len(matrix), dtype=np.float32))
