"""Two runs compared: verdicts, exit statuses, summary files, and the properties that every comparison has."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ansatz as az
from ansatz.eval.score import Dimension
from ansatz.experiments.comparing.summary_file import read_summary, write_summary
from ansatz.experiments.report.comparisons import compare_arms
from tests.commands import ansatz, one_line
from tests.experiments import rows
from tests.experiments.view_run import write_run

BANDS = (0.0, 0.3, 0.7, 1.0)
SLIPS = Dimension("slips", better="lower")


def results(scores, arms=("baseline",), dimensions=("outcome",), repeats=1, **fields):
    """A run in which arm a has `scores[a][problem]` on every dimension; 1 − that where lower is better."""
    problems = [rows.own_problem(f"p{n:03}#0", f"p{n:03}") for n in range(len(scores[0]))]

    def came_of(problem, _, arm, repeat):
        score = scores[arms.index(arm)][problems.index(problem)]
        if score is None:
            return {"values": {}}
        return {
            "values": {
                name if isinstance(name, str) else name.name: score if isinstance(name, str) else 1 - score
                for name in dimensions
            }
        }

    return rows.tried(problems, came_of, arms=arms, dimensions=dimensions, repeats=repeats, **fields).results


def run(*scores, **how):
    return az.RunSummary.of_results(results(scores, **how))


def file(folder, name, summary):
    path = folder / name
    path.write_text(write_summary(summary), encoding="utf-8")
    return path


RIGHT = [1.0] * 100
HALF = [1.0, 0.0] * 50
LOST = [0.0] * 12 + [1.0] * 88


@pytest.mark.parametrize(
    ("before", "after", "options", "status", "verdict"),
    [
        (RIGHT, LOST, (), 1, "worse"),
        (LOST, RIGHT, (), 0, "better"),
        (HALF, HALF, (), 3, "cannot_tell"),
        (HALF, HALF, ("--margin", "outcome=5"), 0, "no_worse"),
        (RIGHT, LOST, ("--margin", "outcome=30"), 0, "no_worse"),  # a change within the margin is accepted
        (RIGHT[:12], LOST[8:20], ("--margin", "outcome=5"), 3, "cannot_tell"),
    ],
)
def test_exit_status_follows_the_verdict(tmp_path, before, after, options, status, verdict):
    a, b = file(tmp_path, "a.json", run(before)), file(tmp_path, "b.json", run(after))
    done = ansatz("compare", a, b, *options, "--json")
    assert done.returncode == status, done.stderr
    [found] = json.loads(done.stdout)["verdicts"]
    assert found["verdict"] == verdict
    assert found["pairs"] == found["families"] == len(before)
    assert {
        "model",
        "arm",
        "dimension",
        "verdict",
        "estimate",
        "low",
        "high",
        "pairs",
        "families",
    } <= found.keys()
    if verdict == "cannot_tell" and options:
        assert found["further_problems"] > 0


def test_margin_decides_the_dimensions_that_have_one(tmp_path):
    how = {"dimensions": ("outcome", "exact")}
    found = az.compare(run(HALF, **how), run(HALF, **how), margin={"outcome": 5})
    assert [each.verdict for each in found.verdicts] == ["no_worse", "cannot_tell"]
    assert found.status == 0
    assert az.compare(run(HALF, **how), run(HALF, **how)).status == 3


def test_problems_without_a_partner_are_listed_with_the_reason():
    whole = run(HALF)
    changed = dict(list(whole.problems.items())[1:])
    changed["p001#0"] = changed["p001#0"]._replace(question="????")
    changed["p002#0"] = changed["p002#0"]._replace(key="????")
    other = replace(whole, problems=changed, sums=whole.sums[..., 1:], counts=whole.counts[..., 1:])
    found = az.compare(whole, other)
    reasons = {each.name: each.reason for each in found.unpaired}
    assert reasons == {
        "p000#0": "only in A",
        "p001#0": "its question changed",
        "p002#0": "its key or tolerance changed",
    }
    assert found.verdicts[0].pairs == 97


def test_a_problem_scored_in_one_run_only_is_in_no_pair():
    found = az.compare(run(HALF), run([None, *HALF[1:]]))
    assert (found.verdicts[0].pairs, found.verdicts[0].one_run_only) == (99, (1, 0))


def test_arms_of_one_run_are_as_in_the_report():
    """All arms against the baseline on all dimensions: the report's estimates, intervals and pairs."""
    rng = np.random.default_rng(1)
    scores = [rng.choice(BANDS, 30).tolist() for _ in range(3)]
    data = results(
        scores,
        arms=("baseline", "tool", "rag"),
        dimensions=("outcome", "exact", SLIPS),
        repeats=2,
        resamples=2000,
    )
    summary = az.RunSummary.of_results(data)
    found = az.compare(summary, summary, map={"baseline": ["tool", "rag"]})
    assert len(found.verdicts) == 6
    for each in found.verdicts:
        row = compare_arms(data)[each.model[1], each.arm[1], each.dimension.name]
        assert (each.pairs, each.families) == (row.delta.pairs, row.delta.families)
        assert each.estimate == pytest.approx(row.delta.estimate)
        assert (each.low, each.high) == pytest.approx(row.ends)


def test_a_run_compared_with_itself_is_unchanged(tmp_path):
    folder = write_run(tmp_path / "run")
    found = az.compare(folder, folder)
    assert found.status == 0 and found.verdicts
    assert all(each.is_unchanged and each.arm[0] == each.arm[1] for each in found.verdicts)
    part = az.compare(f"{folder}@baseline", folder)
    assert {each.arm for each in part.verdicts} == {("baseline", "baseline")} and part.unpaired


def test_a_stopped_arm_has_the_level_of_its_analysis(tmp_path):
    """The summary stores the level, and the comparison uses it for interval, bounds and p."""
    before, after = run(RIGHT), run(LOST)
    [model] = before.models
    stopped = file(tmp_path, "a.json", replace(before, levels={(model, "baseline"): 0.9999}))
    [plain], [found] = (az.compare(each, after).verdicts for each in (before, stopped))
    assert (plain.verdict, found.verdict) == ("worse", "cannot_tell")
    assert (plain.level, found.level) == (pytest.approx(0.95), pytest.approx(0.9999))
    assert found.low < plain.low and found.most > plain.most
    assert "99.99 %" in str(az.compare(stopped, after)) and "Interim" not in str(az.compare(before, after))
    unscored = replace(after, sums=after.sums * np.nan, counts=after.counts * 0)
    assert "Interim" not in str(az.compare(before, unscored))


def test_further_problems_decide_in_four_of_five_cases():
    """The further problems are drawn from the observed ones, so that the estimate is right."""
    change = np.array([-1.0] * 4 + [1.0] * 1 + [0.0] * 45)

    def judge(changes, margin):
        return az.compare(run((changes < 0) * 1.0), run((changes > 0) * 1.0), margin=margin).verdicts[0]

    first = judge(change, {"outcome": 8})
    assert first.verdict == "cannot_tell" and first.further
    rng = np.random.default_rng(3)
    larger = (np.append(change, rng.choice(change, first.further)) for _ in range(16))
    decided = [judge(each, {"outcome": 8}).verdict != "cannot_tell" for each in larger]
    assert 0.6 <= np.mean(decided) <= 0.9
    unchanged = np.array([-1.0, 1.0] * 3 + [0.0] * 30)  # no number of problems shows a change of zero
    assert judge(unchanged, {}).further is None and judge(unchanged, {"outcome": 5}).further


SCORES = st.lists(st.tuples(*[st.sampled_from([*BANDS, None])] * 4), min_size=1, max_size=12)
SWAPPED = {"better": "worse", "worse": "better", "cannot_tell": "cannot_tell"}


def rotate(summary, by):
    ids = list(summary.problems)
    order = [*range(by, len(ids)), *range(by)]
    return replace(
        summary,
        problems={ids[at]: summary.problems[ids[at]] for at in order},
        sums=summary.sums[..., order],
        counts=summary.counts[..., order],
    )


@given(SCORES, st.integers(0, 11))
@settings(max_examples=6)
def test_comparison_is_symmetric_and_ignores_the_order(scores, by):
    columns = [list(each) for each in zip(*scores * 3, strict=True)]
    how = {"arms": ("baseline", "tool"), "dimensions": ("outcome", SLIPS)}
    a, b = run(*columns[:2], **how), run(*columns[2:], **how)
    forth, back = az.compare(a, b), az.compare(b, a)
    turned = az.compare(rotate(a, by % len(a.problems)), b)
    assert turned.to_json()["verdicts"] == forth.to_json()["verdicts"]
    for one, other in zip(forth.verdicts, back.verdicts, strict=True):
        assert other.verdict == SWAPPED[one.verdict]
        for left, right in ((one.estimate, other.estimate), (one.low, other.high), (one.least, other.most)):
            assert left == (None if right is None else pytest.approx(-right))


def test_summary_file_has_scores_and_no_texts(tmp_path):
    summary = run(
        [0.1, None, 1.0],
        [1 / 3, 0.7, 0.0],
        arms=("baseline", "tool"),
        dimensions=("outcome", "exact"),
        repeats=3,
    )
    path = file(tmp_path, "a.json", summary)
    read = read_summary(path)
    for name in ("name", "models", "arms", "baseline", "problems", "planned", "finished", "primary", "seed"):
        assert getattr(read, name) == getattr(summary, name)
    assert np.array_equal(read.sums, summary.sums) and np.array_equal(read.counts, summary.counts)
    assert [*read.dimensions] == [*summary.dimensions]
    assert "?" not in path.read_text()  # the question of every problem
    assert az.compare(summary, path).to_json()["verdicts"][0]["estimate"] == 0


def test_summary_of_300_problems_and_three_arms_is_small():
    rng = np.random.default_rng(2)
    scores = [rng.choice(BANDS, 300).tolist() for _ in range(3)]
    text = write_summary(
        run(*scores, arms=("baseline", "tool", "rag"), dimensions=("outcome", "exact", "kpi"))
    )
    assert len(text) <= 20_000
    assert len(text.splitlines()) > 300  # a line for each problem


def spoil(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"ansatz_summary": 1', '"ansatz_summary": 2'),
        ('"sha256"', '"sum"'),
        (" 1", " 0"),
        ('"problems"', '"prob'),
        ("ansatz_summary", "other"),
    ],
)
def test_a_summary_that_cannot_be_used_is_refused(tmp_path, old, new):
    a, b = file(tmp_path, "a.json", run(HALF)), file(tmp_path, "b.json", run(HALF))
    spoil(a, old, new)
    assert "a.json" in one_line(ansatz("compare", a, b))


def test_runs_that_cannot_be_compared_are_refused(tmp_path):
    summary = replace(run(HALF), scorers={"Outcome": "1"})
    a = file(tmp_path, "a.json", summary)
    others = {
        "scorer Outcome": replace(summary, scorers={"Outcome": "2"}),
        "no problem": replace(summary, problems={f"x{id}": each for id, each in summary.problems.items()}),
        "key or tolerance": replace(
            summary, problems={id: each._replace(key="????") for id, each in summary.problems.items()}
        ),
        "no dimension": replace(summary, dimensions={"other": Dimension("other")}),
        "scales": replace(summary, dimensions={"outcome": replace(SLIPS, name="outcome")}),
    }
    for reason, other in others.items():
        assert reason in one_line(ansatz("compare", a, file(tmp_path, "b.json", other)))


@pytest.mark.parametrize(
    ("options", "nearest"),
    [
        (("--margin", "outcom=2"), "outcome"),
        (("--margin", "outcome=200"), "0–100"),
        (("--margin", "outcome"), "DIMENSION=X"),
        (("--map", "baselin=baseline"), "baseline"),
        (("--arm", "baselin"), "baseline"),
        (("--primary", "outcom"), "outcome"),
        (("--json", "--markdown"), "not both"),
    ],
)
def test_a_wrong_option_is_one_line_with_the_valid_value(tmp_path, options, nearest):
    a, b = file(tmp_path, "a.json", run(HALF)), file(tmp_path, "b.json", run(HALF))
    assert nearest in one_line(ansatz("compare", a, b, *options))


def read_page(folder, name):
    text = (folder / "data" / f"{name}.js").read_text()
    return json.loads(json.loads(text.partition(",")[2].rpartition(")")[0]))


@pytest.mark.slow
def test_page_shows_the_answers_of_two_runs_side_by_side(tmp_path):
    run_folder = write_run(tmp_path / "run")
    baseline = tmp_path / "baseline.json"
    assert ansatz("summary", run_folder, "--out", baseline).returncode == 0
    for a, texts in ((f"{run_folder}@baseline", 2), (f"{baseline}@baseline", 1)):
        done = ansatz("view", a, f"{run_folder}@calculator", "--out", tmp_path / "page")
        assert done.returncode == 0, done.stderr
        overview = read_page(tmp_path / "page", "overview")
        assert [each["name"] for each in overview["arms"]] == ["A: pumps", "B: pumps"]
        assert len(overview["verdicts"]) == 2  # two models
        assert overview["effects"][0]["verdict"] in overview["verdicts"][0]
        parts = [
            read_page(tmp_path / "page", each.stem) for each in (tmp_path / "page" / "data").glob("p?.js")
        ]
        [problem] = [each for part in parts for each in part["problems"] if each["id"] == "pump.2#0"]
        answered = [bool(each["transcript"]["messages"]) for each in problem["attempts"]]
        assert sorted(answered) == ([True] * 12 if texts == 2 else [False] * 2 + [True] * 6)


def test_page_needs_a_run_folder(tmp_path):
    a, b = file(tmp_path, "a.json", run(HALF)), file(tmp_path, "b.json", run(RIGHT))
    assert "run folder" in one_line(ansatz("view", a, b, "--out", tmp_path / "page"))
