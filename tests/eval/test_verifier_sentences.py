"""What single sentences are worth to the verifier: assumptions, checks and meanings in many words, and none."""

from pathlib import Path

import pytest
import yaml

from ansatz.eval.rubrics.verifier import review
from tests.eval.faults.corpus import problem
from tests.eval.heating_answers import HEATING, attempt

CASES = yaml.safe_load(Path(__file__).with_name("verifier_sentences.yaml").read_text(encoding="utf-8"))


def place(bare, dimension, sentence):
    """The bare answer with a sentence before the calculation, or, of a check or a meaning, behind it."""
    order = [sentence, bare["calculation"]] if dimension == "G6" else [bare["calculation"], sentence]
    return "\n\n".join([bare["givens"], *order, bare["final"]])


def judged(case, dimension, sentence):
    asked = HEATING if case["problem"] == "capsule" else problem(case["problem"], 0)
    return review(asked, attempt(place(case, dimension, sentence)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["problem"])
def test_sentences_earn_their_marks(case):
    wrong = []
    for dimension, by_points in case["sentences"].items():
        for points, sentences in by_points.items():
            for sentence in sentences:
                mark = judged(case, dimension, sentence)[dimension]
                if mark.points != points:
                    wrong.append((dimension, points, mark, sentence))
    assert not wrong


def test_a_bare_answer_earns_none_of_them():
    for case in CASES:
        found = judged(case, "G6", "")
        assert (found["G5"].points, found["G6"].points, found["G7"].points) == (1, 0, 0), case["problem"]
