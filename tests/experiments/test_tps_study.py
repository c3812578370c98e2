"""The studies of TPS-CalcBench: every file runs, a small one reports all it should, the page shows what they make."""

import json
import os
import re
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.experiments.design.resolution import arm_of
from ansatz.experiments.design.study_file import read
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report import write_report
from ansatz.experiments.report.chapters import chapters
from ansatz.experiments.report.text import markdown_table
from tests.experiments.quiet import ran

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "experiments" / "configs"
PAGE = ROOT / "docs" / "studies" / "tps.md"
STUDIES = ("tps_calculator_sheet", "tps_rag_eq", "tps_pa_cot", "tps_factorial", "tps_noise")
SHOWN = {  # tables on the page, by study
    "tps_factorial": (
        "effects_outcome",
        "effects_rubric",
        "parts_outcome",
        "shares",
        "kpi_by_level",
        "quadrants",
    ),
    "tps_calculator_sheet": ("track_a", "track_c", "gain_G1_by_level"),
    "tps_rag_eq": ("track_c", "hallucination", "gain_kpi_by_domain"),
    "tps_pa_cot": ("track_b", "track_c"),
}


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_file_is_one_and_says_that_it_is_simulated(name):
    study = read(CONFIGS / f"{name}.yaml")
    assert study.name == name
    assert study.baseline == "zero-shot"
    assert {each for each, _ in study.scorers} == {"outcome", "rubric", "errors"}
    plans = {arm: arm_of(arm, switches).plan for arm, switches in study.all_arms().items()}
    assert len({repr(plan) for plan in plans.values()}) == len(plans)
    assert "not an LLM" in (CONFIGS / f"{name}.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The factorial file on three problems of one domain, as a user would cut it down."""
    folder = tmp_path_factory.mktemp("small")
    study = yaml.safe_load((CONFIGS / "tps_factorial.yaml").read_text(encoding="utf-8"))
    study["problems"] = [
        {"benchmark": "tps", "settings": {"instances": 1, "domains": ["radiation"]}, "limit": 3}
    ]
    kept = ("zero-shot", "calc", "pa-cot", "calc+pa-cot")  # retrieval would load an embedding model
    study["arms"] = {arm: study["arms"][arm] for arm in kept}
    study["arms"]["calc"] = [{"calculator": {"isolation": "L2"}}]  # the default, written out: the same switch
    file = folder / "study.yaml"
    file.write_text(yaml.safe_dump(study), encoding="utf-8")
    ran(file, folder / "run")
    data = read_results(folder / "run")
    return data, write_report(data, folder / "run")


def test_a_small_study_reports_tracks_and_factorial(small):
    data, files = small
    assert [chapter.name for chapter in chapters(data)] == ["tps", "factorial"]
    report = files.markdown.read_text(encoding="utf-8")
    for title in (
        "Track A: outcome",
        "Track C: composite",
        "### Errors",
        "Effects and interactions",
        "Whose gain it is",
    ):
        assert title in report
    for chapter in chapters(data):
        for section in chapter.sections:
            for figure in section.figures:
                assert (files.markdown.parent / chapter.name / f"{figure.name}.png").stat().st_size > 1000


def report(folder, labels, tmp_path):
    file = tmp_path / "labels.jsonl"
    file.write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")
    return CliRunner().invoke(app, ["report", str(folder), "--labels", str(file), "--json"])


def test_the_command_takes_labels_and_refuses_those_that_fit_nothing(small, tmp_path):
    data, files = small
    folder = files.markdown.parent
    labels = [
        {"answer_id": f"{arm}/{id}", "human": {"G1": 2, "G7": 0}, "tags": {"arm": arm, "problem": id}}
        for arm in data.arms
        for id in data.problems
    ]
    done = report(folder, labels, tmp_path)
    assert done.exit_code == 0
    [chapter] = [each for each in json.loads(done.stdout)["chapters"] if each["name"] == "judge_error"]
    [row] = [each for each in chapter["sections"][0]["tables"]["corrected_G7"] if each["arm"] == "pa-cot"]
    assert row["plain"] > 0 and row["corrected"] == 0  # to these people the protocol interprets nothing
    labels[0]["tags"]["arm"] = "zero-shoot"
    refused = report(folder, labels, tmp_path)
    assert refused.exit_code == 2
    assert "did you mean 'zero-shot'?" in refused.output


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The tables of all studies, run one after another in one folder, so that no arm is asked twice."""
    folder = tmp_path_factory.mktemp("tps")
    studies = {name: yaml.safe_load((CONFIGS / f"{name}.yaml").read_text(encoding="utf-8")) for name in SHOWN}
    first = studies["tps_factorial"]
    tables = {}
    for name, study in studies.items():
        assert all(study[key] == first[key] for key in ("problems", "scorers", "seed"))
        file = folder / "study.yaml"
        file.write_text(yaml.safe_dump({**first, "arms": study["arms"]}), encoding="utf-8")
        ran(file, folder / "run")
        for chapter in chapters(read_results(folder / "run")):
            for section in chapter.sections:
                tables |= {(name, table.name): table for table in section.tables}
    return tables


@pytest.mark.slow
def test_the_page_shows_what_the_studies_make(made):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_tps_study.py -m slow."""
    page = PAGE.read_text(encoding="utf-8")
    for study, names in SHOWN.items():
        for name in names:
            text = markdown_table(made[study, name])
            block = re.compile(
                rf"(<!-- {study} {name}: begin -->\n)(.*?)(<!-- {study} {name}: end -->)", re.DOTALL
            )
            assert block.search(page), (study, name)
            page = block.sub(lambda match, text=text: f"{match[1]}{text}\n{match[3]}", page)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page, encoding="utf-8")
    assert page == PAGE.read_text(encoding="utf-8")


def entry(made, study, name, column, **where):
    table = made[study, name]
    at = {column.name: place for place, column in enumerate(table.columns)}
    [row] = [row for row in table.rows if all(row[at[key]] == value for key, value in where.items())]
    return row[at[column]]


@pytest.mark.slow
def test_each_switch_lifts_what_its_mechanism_reaches(made):
    def effect(name, of, table="effects_rubric"):
        return entry(made, "tps_factorial", table, of, effect=name)

    assert effect("calculator", "G4").low > 0
    assert abs(effect("calculator", "G1").value) < 0.01  # an exact result may vouch for its formula
    assert effect("equation_retrieval", "outcome", "effects_outcome").low > 0
    assert effect("calculation_protocol", "G6").low > 0 and effect("calculation_protocol", "G7").low > 0
    assert effect("calculation_protocol", "outcome", "effects_outcome").value == 0
    assert (
        effect("calculator × equation_retrieval", "exact", "effects_outcome").low > 0
    )  # a right formula, then exactly


@pytest.mark.slow
def test_retrieval_beats_the_fixed_sheet_and_a_placebo_does_nothing(made):
    gains = {
        arm: entry(made, "tps_rag_eq", "track_c", "Δ KPI", arm=arm) for arm in ("rag-eq", "sheet", "placebo")
    }
    assert gains["rag-eq"].low > 0 and gains["rag-eq"].value > gains["sheet"].value
    assert gains["placebo"].value == 0
