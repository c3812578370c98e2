"""A judge beside people: each column of the comparison by hand, several raters, and groups."""

import json
import statistics

import numpy as np
import pytest
from scipy import stats

from ansatz.eval.calibration import Label, agreement_on_order, calibrate, groups_by_tag, read_labels
from ansatz.eval.statistics import clustered_mean
from ansatz.eval.statistics.agreement import cohen_kappa, gwet_ac


def label(name, human, judge, **more):
    return Label(answer_id=name, human=human, judge=judge, **more)


def many(count=60, bias=0.0, seed=0):
    """Answers by one person and a judge that adds a point with the given chance, and errs in one of ten."""
    rng, labels = np.random.default_rng(seed), []
    for number in range(count):
        human = int(rng.integers(0, 3))
        judge = human + (human < 2 and rng.random() < bias) if rng.random() > 0.1 else int(rng.integers(0, 3))
        labels.append(label(f"a{number}", {"G1": human}, {"G1": int(judge)}, family=f"f{number // 2}"))
    return labels


def test_a_dimension_has_the_statistics_of_its_pairs():
    labels = many()
    found = calibrate(labels).dimensions[0]
    judge, human = [each.judge["G1"] for each in labels], [each.human[0]["G1"] for each in labels]
    assert (found.dimension, found.answers, found.ratings) == ("G1", 60, 60)
    assert found.kappa.value == cohen_kappa(judge, human, [0, 1, 2], "quadratic").value
    assert found.ac.value == gwet_ac(list(zip(judge, human, strict=True)), [0, 1, 2], "ordinal").value
    assert found.kappa.low < found.kappa.value < found.kappa.high
    apart, families = np.array(judge) - np.array(human), np.array([each.family for each in labels])
    expected = clustered_mean(apart.astype(float), families, seed=0)
    assert found.bias == expected
    assert found.agreement.full == found.leniency.correct
    assert found.people.value is None


def test_several_raters_count_pair_by_pair_and_by_their_mean():
    labels = [
        label("a", [{"G1": 2}, {"G1": 0}], {"G1": 2}),
        label("b", [{"G1": 1}, {"G1": 1}], {"G1": 1}),
        label("c", [{"G1": None}, {"G1": 0}], {"G1": 1}),
    ]
    found = calibrate(labels).dimensions[0]
    assert (found.answers, found.ratings) == (3, 5)
    assert found.agreement.full == 3 / 5 and found.agreement.none == 1 / 5
    assert found.bias.estimate == pytest.approx(statistics.fmean([2 - 1, 0, 1 - 0]))
    assert found.people.items == 2
    assert found.people.value == gwet_ac([[2, 0], [1, 1], [0]], [0, 1, 2]).value


def test_overall_pools_ratings_but_takes_the_bias_of_each_answers_mean():
    labels = [
        label("a", {"G1": 2, "G2": 0}, {"G1": 2, "G2": 1}),
        label("b", {"G1": 1}, {"G1": 2, "G2": 2}),
    ]
    found = calibrate(labels).overall
    assert (found.answers, found.ratings) == (2, 3)
    assert found.bias.estimate == pytest.approx(statistics.fmean([(2 + 1) / 2 - (2 + 0) / 2, 2 - 1]))
    assert found.leniency.lenient == 2 / 3


def test_what_is_thin_or_undefined_is_said():
    labels = [
        label(f"a{n}", {"G1": 2, "G2": n % 3, "G4": 1}, {"G1": 2, "G2": n % 3, "G3": 1}) for n in range(6)
    ]
    found = calibrate(labels)
    text = "\n".join(found.warnings)
    assert "G3: no answer has a score of both sides" in text
    assert "G4: no answer has a score of both sides" in text
    assert "fewer than 30 answers, so intervals are wide: G1 6, G2 6" in text
    assert "G1: no κ: both raters give every item the same rating" in text
    assert "G1: no ρ: the values of one side are all equal" in text
    assert [each.dimension for each in found.dimensions] == ["G1", "G2"]


@pytest.mark.parametrize("answers", [5, 62])
def test_a_judge_that_never_differed_may_yet_do_so(answers):
    """None of n families differ: some might, by two points each (Jeffreys' interval of a share)."""
    bias = calibrate([label(f"a{n}", {"G1": 1}, {"G1": 1}) for n in range(answers)]).dimensions[0].bias
    assert bias.estimate == 0
    unseen = stats.beta(0.5, answers + 1)
    assert 2 * unseen.ppf(0.95) < bias.high < 2 * unseen.ppf(0.975)
    assert bias.low == pytest.approx(-bias.high)


def test_a_bias_that_differs_between_arms_shows_by_tag():
    labels = [
        each.model_copy(update={"answer_id": f"{arm}{each.answer_id}", "tags": {"arm": arm}})
        for arm, bias in (("long", 0.5), ("short", 0.0))
        for each in many(200, bias, seed=3)
    ]
    groups = groups_by_tag(labels, "arm")
    assert list(groups) == ["long", "short"]
    assert groups["long"].bias.low > groups["short"].bias.high
    with pytest.raises(ValueError, match=r"no label has the tag 'model' \(tags: arm\)"):
        groups_by_tag(labels, "model")


def test_the_order_of_models_by_judge_and_by_people():
    means = {"x": (0, 0), "y": (1, 2), "z": (2, 1)}
    labels = [
        label(f"{name}{n}", {"G1": people}, {"G1": judge}, tags={"model": name})
        for name, (people, judge) in means.items()
        for n in range(3)
    ]
    assert agreement_on_order(labels, "model").value == pytest.approx(0.5)


def test_labels_are_read_as_they_were_written(tmp_path):
    rows = [
        {"answer_id": "a", "human": {"G1": 2, "G2": None}, "judge": {"G1": 1}},
        {
            "answer_id": "b",
            "human": [{"G1": 0}, {"G1": 1}],
            "judge": {"G1": None},
            "family": "f",
            "tags": {"arm": "x"},
        },
    ]
    file = tmp_path / "labels.jsonl"
    file.write_text("\ufeff" + "\n\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    first, second = read_labels([file])
    assert (first.human, first.judge, first.family) == (({"G1": 2, "G2": None},), {"G1": 1}, None)
    assert (second.human, second.family, second.tags) == (({"G1": 0}, {"G1": 1}), "f", {"arm": "x"})
