"""Judges compared with annotators: each statistic, groups by tag, and several judges on the same answers."""

import json
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ansatz.eval.calibration import Label, calibrate, calibrate_by_tag, compare_judges, rank_correlation
from ansatz.eval.statistics import clustered_mean
from ansatz.eval.statistics.agreement import cohen_kappa, gwet_ac
from tests.commands import ansatz, one_line


def labels(*rows, **more):
    """A label for each pair of the judge's and the annotators' scores by dimension."""
    return [
        Label(answer_id=f"a{n}", judge=judge, human=human, **more) for n, (judge, human) in enumerate(rows)
    ]


def many(count=60, bias=0.0, seed=0):
    """One annotator, and a judge that adds a point with the given chance and errs in one of ten answers."""
    rng, found = np.random.default_rng(seed), []
    for number in range(count):
        human = int(rng.integers(0, 3))
        judge = human + (human < 2 and rng.random() < bias) if rng.random() > 0.1 else int(rng.integers(0, 3))
        found.append(
            Label(answer_id=f"a{number}", human={"G1": human}, judge={"G1": judge}, family=f"f{number // 2}")
        )
    return found


def test_statistics_use_the_pairs_of_a_dimension():
    rated = many()
    [found] = calibrate(rated).dimensions
    judge, human = [each.judge["G1"] for each in rated], [each.human[0]["G1"] for each in rated]
    assert (found.dimension, found.answers, found.ratings, found.annotators.value) == ("G1", 60, 60, None)
    assert found.kappa.value == cohen_kappa(judge, human, [0, 1, 2], "quadratic").value
    assert found.ac.value == gwet_ac(list(zip(judge, human, strict=True)), [0, 1, 2], "ordinal").value
    assert found.kappa.low < found.kappa.value < found.kappa.high
    families = np.array([each.family for each in rated])
    assert found.bias == clustered_mean(np.array(judge) - np.array(human), families, seed=0)


def test_several_annotators_count_by_pair_and_by_mean():
    rated = labels(
        ({"G1": 2}, [{"G1": 2}, {"G1": 0}]),
        ({"G1": 1}, [{"G1": 1}, {"G1": 1}]),
        ({"G1": 1}, [{"G1": None}, {"G1": 0}]),
    )
    [found] = calibrate(rated).dimensions
    assert (found.answers, found.ratings) == (3, 5)
    assert found.agreement.full == 3 / 5 and found.agreement.none == 1 / 5
    assert found.bias.estimate == pytest.approx(statistics.fmean([2 - 1, 0, 1 - 0]))
    assert (found.annotators.items, found.annotators.value) == (
        2,
        gwet_ac([[2, 0], [1, 1], [0]], [0, 1, 2]).value,
    )


def test_overall_pools_ratings_and_averages_the_bias():
    found = calibrate(labels(({"G1": 2, "G2": 1}, {"G1": 2, "G2": 0}), ({"G1": 2, "G2": 2}, {"G1": 1})))
    assert (found.overall.answers, found.overall.ratings) == (2, 3)
    assert found.overall.bias.estimate == pytest.approx(statistics.fmean([(2 + 1) / 2 - (2 + 0) / 2, 2 - 1]))
    assert found.overall.leniency.lenient == 2 / 3


def test_undefined_and_imprecise_statistics_are_warnings():
    rated = labels(*(({"G1": 2, "G2": n % 3, "G3": 1}, {"G1": 2, "G2": n % 3, "G4": 1}) for n in range(6)))
    found = calibrate(rated)
    assert [each.dimension for each in found.dimensions] == ["G1", "G2"]
    assert {
        "G3: no answer has a judge's score and a human score",
        "G4: no answer has a judge's score and a human score",
        "fewer than 30 answers, so intervals are wide: G1 6, G2 6",
        "G1: no κ: both raters give every item the same rating, so chance alone would agree",
        "G1: no ρ: the values of one side are all equal",
    } <= set(found.warnings)


def test_a_judge_that_never_differed_has_an_interval():
    """No family of five differs; others might, by two points each (Jeffreys' interval of a share)."""
    [found] = calibrate(labels(*[({"G1": 1}, {"G1": 1})] * 5)).dimensions
    share = stats.beta(0.5, 6)
    assert 2 * share.ppf(0.95) < found.bias.high < 2 * share.ppf(0.975)
    assert (found.bias.estimate, found.bias.low) == pytest.approx((0, -found.bias.high))


def test_a_bias_that_differs_between_arms_shows_by_tag():
    rated = [
        each.model_copy(update={"answer_id": f"{arm}{each.answer_id}", "tags": {"arm": arm}})
        for arm, bias in (("long", 0.5), ("short", 0.0))
        for each in many(200, bias, seed=3)
    ]
    groups = calibrate_by_tag(rated, "arm")
    assert list(groups) == ["long", "short"]
    assert groups["long"].bias.low > groups["short"].bias.high


def test_rank_correlation_of_models_by_judge_and_annotators():
    means = {"x": (0, 0), "y": (2, 1), "z": (1, 2)}
    rated = [
        label.model_copy(update={"answer_id": name})
        for name, (judge, human) in means.items()
        for label in labels(({"G1": judge}, {"G1": human}), tags={"model": name})
    ]
    assert rank_correlation(rated, "model").value == pytest.approx(0.5)


# Several judges

SCORES = st.sampled_from([0.0, 1.0, 2.0])


def sheet(rows):
    """Labels from rows of a judge's and an annotator's scores on two criteria."""
    return labels(*(({"x": j1, "y": j2}, {"x": h1, "y": h2}) for j1, j2, h1, h2 in rows))


@pytest.mark.slow
@given(st.lists(st.tuples(*[SCORES] * 6), min_size=3, max_size=20))
def test_judges_are_ordered_by_equal_scores_then_leniency(rows):
    scores = {"one": [row[:4] for row in rows], "other": [(*row[4:], *row[2:4]) for row in rows]}
    found = compare_judges({name: sheet(own) for name, own in scores.items()})
    gaps = {name: [gap for a, b, x, y in own for gap in (a - x, b - y)] for name, own in scores.items()}
    level = {name: statistics.fmean(gap == 0 for gap in own) for name, own in gaps.items()}
    lenient = {name: statistics.fmean(gap > 0 for gap in own) for name, own in gaps.items()}
    for each in found.judges:
        assert each.leniency.correct == pytest.approx(level[each.dimension])
        assert each.leniency.lenient == pytest.approx(lenient[each.dimension])
    first, second = (each.dimension for each in found.judges)
    assert (-level[first], lenient[first]) <= (-level[second], lenient[second])
    assert found.leads[second].estimate == pytest.approx(level[first] - level[second])


def test_judges_are_compared_on_the_same_scores_and_families():
    every = sheet([(1.0, 1.0, 1.0, 1.0)] * 5)
    some = [
        each.model_copy(update={"judge": {"y": 2.0, "x": None if n else 2.0}, "family": f"f{n // 2}"})
        for n, each in enumerate(every[2:])
    ]
    found = compare_judges({"every": every, "some": some})
    assert (found.answers, found.leads["some"].estimate) == (3, 1.0)
    assert [(each.ratings, each.bias.families) for each in found.judges] == [(4, 2), (4, 2)]
    with pytest.raises(ValueError, match="no answer has scores of every judge"):
        compare_judges({"one": every[:2], "other": every[2:]})
    with pytest.raises(ValueError, match="a0: a judge's file has human scores"):
        compare_judges(
            {"one": every, "other": [each.model_copy(update={"human": each.human * 2}) for each in every]}
        )


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """The command on 40 answers in 20 families with one annotator, a careful judge and a lenient one."""
    folder = tmp_path_factory.mktemp("choice")
    scores = {
        "ann": lambda n: n % 3,
        "careful": lambda n: n % 3 if n % 8 else 1,
        "kind": lambda n: min(2, n % 3 + n % 2),
    }
    for name, score in scores.items():
        field = "human" if name == "ann" else "judge"
        rows = [{"answer_id": f"a{n}", field: {"G1": score(n)}, "family": f"f{n // 2}"} for n in range(40)]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    judges = [f"--judge={name}={folder / name}.jsonl" for name in ("kind", "careful")]
    return lambda *more: ansatz("judge", "calibrate", folder / "ann.jsonl", *judges, *more)


def test_command_lists_judges_and_the_first_ones_leads(command):
    done = command()
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.split()]
    found = [row for row in rows if row[0] in ("careful", "kind") and row[1] != "against"]
    assert [row[0] for row in found] == ["careful", "kind", "careful", "kind", "kind"]
    assert found[-1][1].endswith("*")  # significant
    content = json.loads(command("--json").stdout)
    assert [each["dimension"] for each in content["judges"]] == ["careful", "kind"]
    assert content["leads"]["kind"]["low"] > 0


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (["--judge", "careful"], "--judge: 'careful' is not NAME=FILE"),
        (["--judge", "none=absent.jsonl"], "absent.jsonl"),
        (["--judge", "kind=other.jsonl"], "--judge: two judges have the same name"),
        (["--by", "arm"], "--by compares one judge"),
    ],
)
def test_bad_judges_are_refused_in_one_line(command, more, fault):
    assert fault in one_line(command(*more))
