"""The study of physics reasoning: by one command on the offline model, and with a served judge."""

import csv
from pathlib import Path

import pytest
import yaml

from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report import write_report
from tests.experiments.quiet import ran
from tests.experiments.records import records_of
from tests.fakes.behaviours import Answer, Tokens
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.long

STUDY = Path(__file__).parents[2] / "experiments" / "configs" / "physbench.yaml"


def run(study, folder):
    ran(study, folder)
    data = read_results(folder)
    write_report(data, folder)
    return data


def rows(folder, name):
    with (folder / "physbench" / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def table(folder, name):
    return {row["arm"]: row for row in rows(folder, name)}


def full_marks(request):
    """A judge that gives every criterion its full mark, but coherence half."""
    names = request.body["tools"][0]["function"]["parameters"]["properties"]["marks"]["required"]
    marks = {name: {"justification": "seen", "points": 1 if name == "coherence" else 2} for name in names}
    call = ("record_marks", {"marks": marks, "errors": [], "overall": 90})
    return Answer(calls=(call,), tokens=Tokens(input=300, output=60))


@pytest.mark.slow
def test_a_served_judge_scores_every_answer_once(tmp_path):
    with OpenAIServer(full_marks) as server:
        settings = {"base_url": server.base_url, "retry": {"tries": 1}}
        judge = {"name": "openai:judge", "settings": settings, "input_price": 1.0, "output_price": 2.0}
        chosen = {"count": 20, "kinds": ["problem_solving"]}
        study = {
            "name": "judged",
            "models": ["offline:slide-rule"],
            "problems": [{"benchmark": "physbench", "settings": chosen, "limit": 2}],
            "arms": {"answer_template": ["answer_template"]},
            "scorers": {"prefs": {"models": [judge]}},
        }
        file = tmp_path / "study.yaml"
        file.write_text(yaml.safe_dump(study), encoding="utf-8")
        data = run(file, tmp_path / "out")
        asked = len(server.requests)
        run(file, tmp_path / "out")
        assert len(server.requests) == asked  # a second start pays for nothing
    assert asked == 4
    assert data.notes[0].startswith(f"Judge openai:judge: {asked} replies")
    assert "Judgements: 4 ok, 0 ok_partial, 0 failed." in data.notes
    for record in records_of(tmp_path / "out"):
        scores = {score.dimension: score for score in record.scores}
        assert scores["prefs.score"].value == pytest.approx(0.95)
        assert scores["error.prefs.COH"].value == 1.0 and scores["error.prefs.INT"].value == 0.0
    assert "scored by a judge" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    roles = [data.dimension(name).role for name in ("error.prefs.COH", "prefs.coherence")]
    assert roles == ["error", "quality"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("physbench")
    run(STUDY, folder)
    return folder


@pytest.mark.slow
def test_each_intervention_improves_the_stage_it_is_for(folder):
    stages = {
        arm: {name: float(value) for name, value in row.items() if name != "arm" and value}
        for arm, row in table(folder, "stages_problem_solving").items()
    }
    baseline = stages["baseline"]
    for arm in ("answer_template", "formulation_reference", "retrieval", "everything"):
        assert stages[arm]["delta score_low"] > 0
    assert stages["formulation_reference"]["part 1: formulation"] > baseline["part 1: formulation"] + 5
    assert stages["retrieval"]["part 2: solution"] > baseline["part 2: solution"] + 10
    assert stages["calculator"]["part 1: formulation"] == baseline["part 1: formulation"]
    assert stages["calculator"]["part 2: solution"] > baseline["part 2: solution"]
    assert max(stages, key=lambda arm: stages[arm]["score"]) == "everything"


@pytest.mark.slow
def test_arms_change_the_criteria_they_aim_at(folder):
    errors = table(folder, "errors_change")
    assert float(errors["calculator"]["delta CAL"]) < 0 == float(errors["calculator"]["delta INT"])
    assert float(errors["calculator"]["delta CON_low"]) <= 0 <= float(errors["calculator"]["delta CON_high"])
    kept = {arm: float(row["keeps the template"]) for arm, row in table(folder, "template").items()}
    assert {arm for arm, share in kept.items() if share > 99} == {"answer_template", "everything"}
    assert {share for share in kept.values() if share < 99} == {0.0}


@pytest.mark.slow
def test_the_ablation_finds_its_groups(folder):
    assert [(row["without"], row["formulation"]) for row in rows(folder, "formulation")] == [
        (plain, source) for plain in ("baseline", "retrieval") for source in ("none", "self", "reference")
    ]
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert "The scores come from rules, without a language model" in report and "**Simulated.**" in report
