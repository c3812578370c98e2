"""A study of TPS-CalcBench subset down: it reports tracks and factorial, and takes people's labels."""

import json
from pathlib import Path

import pytest
import yaml

from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report import write_report
from ansatz.experiments.report.chapters import benchmark_chapters
from tests.commands import ansatz, one_line
from tests.experiments.quiet import ran

FACTORIAL = Path(__file__).parents[2] / "experiments" / "configs" / "tps_factorial.yaml"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The factorial file on six problems of one domain, as a user would subset it down."""
    folder = tmp_path_factory.mktemp("small")
    study = yaml.safe_load(FACTORIAL.read_text(encoding="utf-8"))
    few = {"instances": 1, "domains": ["radiation"]}
    study["problems"] = [{"benchmark": "tps", "settings": few, "limit": 6}]
    kept = ("zero-shot", "calc", "pa-cot", "calc+pa-cot")  # retrieval would load an embedding model
    study["arms"] = {arm: study["arms"][arm] for arm in kept}
    study["arms"]["calc"] = [
        {"calculator": {"isolation": "landlock"}}
    ]  # the default, written out: the same switch
    file = folder / "study.yaml"
    file.write_text(yaml.safe_dump(study), encoding="utf-8")
    ran(file, folder / "run")
    data = read_results(folder / "run")
    return data, write_report(data, folder / "run")


@pytest.mark.slow
def test_a_small_study_reports_tracks_and_factorial(small):
    data, files = small
    assert [chapter.name for chapter in benchmark_chapters(data)] == ["tps", "factorial", "tools"]
    report = files.markdown.read_text(encoding="utf-8")
    for title in (
        "Track A: outcome",
        "Track C: composite",
        "### Errors",
        "Effects and interactions",
        "Where the gain comes from",
    ):
        assert title in report
    figures = [
        (each.name, figure.name)
        for each in benchmark_chapters(data)
        for s in each.sections
        for figure in s.figures
    ]
    for chapter, figure in figures:
        assert (files.markdown.parent / chapter / f"{figure}.png").stat().st_size > 1000


def test_the_command_reads_labels_and_refuses_unknown_ones(small, tmp_path):
    data, files = small
    labels = [
        {"answer_id": f"{arm}/{id}", "human": {"G1": 2, "G7": 0}, "tags": {"arm": arm, "problem": id}}
        for arm in data.arms
        for id in data.problems
    ]

    def reported():
        file = tmp_path / "labels.jsonl"
        file.write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")
        return ansatz("report", files.markdown.parent, "--labels", file, "--json")

    [chapter] = [each for each in json.loads(reported().stdout)["chapters"] if each["name"] == "judge_error"]
    [row] = [each for each in chapter["sections"][0]["tables"]["corrected_G7"] if each["arm"] == "pa-cot"]
    assert row["plain"] > 0 and row["corrected"] == 0  # to these people the protocol interprets nothing
    labels[0]["tags"]["arm"] = "zero-shoot"
    assert "did you mean 'zero-shot'?" in one_line(reported())
