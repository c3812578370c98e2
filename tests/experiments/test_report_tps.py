"""The chapter on TPS-CalcBench: its tables against hand counts, its rules, and the files as kept."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from ansatz.eval.benchmarks.tps.chapter import tier_of
from ansatz.experiments.report.text import chapter_markdown
from tests.experiments.tps_input import ITEMS, marks, row, tables, tps_run

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def data():
    return tps_run()


@pytest.fixture(scope="module")
def noisy():
    return tps_run(noisy=True)


@pytest.mark.parametrize("name", ["tps.md", "tps_noisy.md"])
def test_the_chapters_are_as_kept(name, data, noisy):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_report_tps.py, and read the diff."""
    chapters = (noisy if name == "tps_noisy.md" else data).chapters
    made = "\n\n".join(block for chapter in chapters for block in chapter_markdown(chapter)) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        (GOLDEN / name).write_text(made, encoding="utf-8")
    assert made == (GOLDEN / name).read_text(encoding="utf-8")


def test_track_a_counts_bands_by_weight_and_what_is_not_stated_as_wrong(data):
    steady = row(data, "track_a", arm="steady, zero-shot")
    exact = [number for number in range(ITEMS) if number % 4 == 0]
    near = [number for number in range(ITEMS) if number % 4 and number % 3 == 0]
    assert steady["exact"].value == pytest.approx(len(exact) / ITEMS)
    assert steady["acceptable"] == pytest.approx(len(near) / ITEMS)
    # T, a quarter of the weight, has an unknown unit where 5 divides the number: read in its own
    assert steady["units right"].value == pytest.approx(1 - 0.25 * 5 / ITEMS)
    silent = row(data, "track_a", arm="silent, zero-shot")
    assert silent["Pred OK"] == pytest.approx(16 / 24)
    shares = [silent["exact"].value, silent["acceptable"], silent["order-correct"], silent["wrong"]]
    assert sum(shares) == pytest.approx(1)
    assert silent["wrong"] >= 8 / 24


def test_a_failed_attempt_is_no_wrong_answer_but_no_prediction_either(data):
    both = row(data, "track_a", arm="steady, both")
    assert (both["attempts"], both["failed"]) == (24, 1)
    assert both["exact"].value == pytest.approx(1)
    assert both["Pred OK"] == pytest.approx(23 / 24)


def test_reviews_end_as_they_did_and_cover_the_readable_answers(data):
    verifier = row(data, "reviews", arm="steady, zero-shot", reviewer="verifier")
    assert [verifier[name] for name in ("ok", "ok_partial", "failed", "no answer")] == [20, 4, 0, 0]
    judge = row(data, "reviews", arm="silent, zero-shot", reviewer="judge")
    readable = [number for number in range(ITEMS) if number % 3]
    lost = sum(number % 6 == 5 for number in readable)
    assert [judge[name] for name in ("ok", "failed", "no answer")] == [16 - lost, lost, 8]
    assert row(data, "track_b", arm="silent, zero-shot", reviewer="judge")["coverage"] == 1 - lost / 16


def test_the_kpi_is_over_readable_reviewed_answers_and_the_other_counts_silence_as_zero(data):
    found = row(data, "track_c", arm="silent, sheet", reviewer="verifier")
    kpi = [marks(number, {"retrieval"}, False)["kpi"] for number in range(ITEMS)]
    readable = [value for number, value in enumerate(kpi) if number % 3]
    assert found["KPI"].value == pytest.approx(sum(readable) / 16)
    assert found["KPI of all items"] == pytest.approx(sum(readable) / 24)


def test_who_answers_too_little_has_no_rank_and_the_reason_stands_there(data):
    found = tables(data, "track_c")
    for each in found:
        if each["arm"].startswith("silent"):
            assert each["rank"] is None
            assert each["not ranked because"] == "only 67% readable answers, below 80%"
    by_verifier = [each for each in found if each["reviewer"] == "verifier" and each["rank"]]
    ranks = [each["rank"] for each in by_verifier]
    assert [each.value for each in ranks] == [1, 2, 3, 4, 4]  # placebo and zero-shot share the last
    assert all(each.low <= each.value <= each.high for each in ranks)
    assert (ranks[3].low, ranks[3].high) == (ranks[4].low, ranks[4].high)
    kpis = [each["KPI"].value for each in by_verifier]
    assert kpis == sorted(kpis, reverse=True)


@pytest.mark.parametrize(
    ("published", "tier"),
    [
        (0.81, "frontier"),
        (0.80, "strong"),
        (0.62, "strong"),
        (0.61, "unnamed"),
        (0.50, "unnamed"),
        (0.49, "low"),
    ],
)
def test_tiers_are_cut_as_published(published, tier):
    assert tier_of(published) == tier


def test_quadrants_add_up_and_count_what_they_say(data):
    for each in tables(data, "quadrants"):
        assert sum(each[name].value for name in ("HH", "HL", "LH", "LL")) == pytest.approx(1)
    found = row(data, "quadrants", arm="steady, zero-shot", reviewer="verifier")
    high = [n for n in range(ITEMS) if marks(n, set(), False)["kpi_published"] >= 0.7]
    near = [n for n in range(ITEMS) if n % 4 == 0 or n % 3 == 0]
    assert found["HH"].value == pytest.approx(len(set(high) & set(near)) / ITEMS)
    assert found["HL"].value == pytest.approx(len(set(near) - set(high)) / ITEMS)


def test_errors_stay_out_of_the_deltas_and_show_in_the_chapter(data):
    assert not any(comparison.dimension.name.startswith("error.") for comparison in data.comparisons)
    found = row(data, "errors", arm="steady, zero-shot")
    assert found["formula"].value == pytest.approx(8 / 24)
    told = [number for number in range(ITEMS) if number % 8 != 7]
    invented = [number for number in told if number % 3 == 0 and number % 2 == 0]
    assert found["hallucination"].value == pytest.approx(len(invented) / len(told))
    gone = row(data, "hallucination", arm="steady, sheet")
    assert gone["reduction"].value == pytest.approx(1)


def test_a_judges_own_tags_are_counted_over_the_answers_it_reviewed(data):
    found = row(data, "errors_judge", arm="steady, sheet")
    told = [number for number in range(ITEMS) if number % 6 != 5]
    invented = [number for number in told if number % 3 == 0]
    assert found["told"] == len(told)
    assert found["hallucination"].value == pytest.approx(len(invented) / len(told))
    assert found["unit"].value == 0


def test_noise_is_reported_only_where_a_run_has_both_and_the_tracks_keep_to_sound_items(data, noisy):
    titles = [section.title for section in data.chapters[0].sections]
    assert "Sensitivity to noise" not in titles
    assert row(noisy, "track_a", arm="steady, sheet")["attempts"] == ITEMS
    pair = row(noisy, "noise_pairs_process", arm="steady, zero-shot")
    assert pair["Δ G2"].value == pytest.approx(0.5)
    assert pair["Δ G2"].n == ITEMS // 2
    kpi = row(noisy, "noise_kpi", arm="steady, sheet", reviewer="verifier")
    assert kpi["KPI, sound"] > kpi["KPI, all"]
    assert kpi["Δ KPI"].value == pytest.approx(kpi["KPI, sound"] - kpi["KPI, all"])


def test_a_run_without_reviewers_has_track_a_alone(data):
    bare = replace(
        data, dimensions=("tokens",), cells=tuple(c for c in data.cells if c.dimension == "tokens")
    )
    [chapter] = bare.chapters
    assert [section.title for section in chapter.sections] == ["Track A: outcome"]
