"""What a study cannot show is reported before the first request, with what would change it, and in its report."""

import json
import logging

import pytest

import ansatz as az
from ansatz.experiments.report.stop_reasons import list_warnings
from ansatz.experiments.view.overview import overview
from tests.commands import ansatz

pytestmark = pytest.mark.long


MANY = "".join(["{", *(f"a{n}: {{with_prompt: {{text: '{n}'}}}}, " for n in range(40)), "}"])
FORMULATION = {"given": "a", "find": "b", "approach": "c", "assumptions": "d"}


def write_study(folder, *, problems=20, families=4, arms="{calculator: calculator}", model="openai:gpt-5.2"):
    """Write a study of problems from a CSV, in `families` families; None leaves the column out."""
    heading = "question,answer" + (",family" if families else "")
    rows = [
        f"How much is {n} m?,{n} m" + (f",f{n % families}" if families else "")
        for n in range(1, problems + 1)
    ]
    (folder / "p.csv").write_text("\n".join([heading, *rows]))
    (folder / "study.yaml").write_text(
        f"name: s\nmodels: ['{model}']\narms: {arms}\nscorers: [outcome]\n"
        "problems: [{benchmark: file, settings: {path: p.csv}}]\n"
    )
    return folder / "study.yaml"


def warnings_of(folder, **settings):
    return az.Study.from_yaml(write_study(folder, **settings)).warnings


def test_few_families_are_reported_before_any_request(tmp_path, monkeypatch):
    """`plan` and `--dry-run` report it without a key; leaving `family` out keeps its promise."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    path = write_study(tmp_path)
    [line] = az.Study.from_yaml(path).warnings
    assert line.startswith("Warning: 4 families: no difference can be significant below 6 families; if the")
    promised = float(line.split("20 families would show effects above ")[1].split()[0])
    planned = ansatz("plan", path, "--json")
    assert json.loads(planned.stdout)["warnings"] == [line], planned.stderr
    shown = ansatz("plan", path).stdout
    assert "Warning: 4 families" in shown and "none" in shown
    assert line in ansatz("run", path, "--dry-run").stdout
    without = az.Study.from_yaml(write_study(tmp_path, families=None)).plan()
    assert without.warnings == ()
    assert without.detections[0].together * 100 == pytest.approx(promised, abs=0.05)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"families": 1}, "Warning: all 20 problems are in one family: no difference can be significant"),
        ({"families": None, "problems": 1}, "Warning: there is one problem: no difference can be significant below 6 families; add at least 5 problems"),
        ({"families": None, "problems": 5}, "Warning: 5 families: no difference can be significant below 6 families; add at least 1 problem"),
        ({"families": 6, "arms": MANY},
         "Warning: the smallest effect this study could detect is larger than the whole scale (0–100) on exact; 2 times the problems"),
        ({"families": None, "arms": "{shown: {formulation: {source: reference}}, calculator: calculator}"},
         "Warning: shown sends the same requests as baseline for every problem, so it cannot differ"),
    ],
    ids=["one family", "one problem", "five problems", "many arms", "inert arm"],
)  # fmt: skip
def test_each_obstacle_is_one_line(tmp_path, monkeypatch, settings, message):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    [line] = warnings_of(tmp_path, **settings)
    assert line.startswith(message)


def test_an_arm_that_differs_in_one_problem_is_not_inert(tmp_path):
    path = write_study(tmp_path, families=None, arms="{shown: {formulation: {source: reference}}}")
    fields = {"question": "How?", "answer": "1 m", "reference_solution": {"formulation": FORMULATION}}
    (tmp_path / "p.jsonl").write_text(json.dumps(fields))
    extra = "problems: [{benchmark: file, settings: {path: p.jsonl}}, "
    path.write_text(
        path.read_text().replace("problems: [", extra).replace("openai:gpt-5.2", "offline:slide-rule")
    )
    assert az.Study.from_yaml(path).warnings == ()


async def test_warnings_and_plan_work_in_a_running_loop(tmp_path):
    study = az.Study.from_yaml(write_study(tmp_path, model="offline:slide-rule"))
    assert study.plan().warnings == study.warnings != ()


def test_a_run_logs_and_its_report_repeats_the_warnings(tmp_path, caplog):
    arms = "{shown: {formulation: {source: reference}}, tool: calculator}"
    study = az.Study.from_yaml(write_study(tmp_path, arms=arms, model="offline:slide-rule", problems=8))
    with caplog.at_level(logging.WARNING):
        run = study.run(tmp_path / "run", progress=False)
    assert [line for line in caplog.messages if line.startswith("Warning:")] == list(study.warnings)
    *_, few, inert = list_warnings(run.results)
    assert few.startswith("Warning: 4 families: no difference can be significant below 6 families")
    assert inert == study.warnings[1]
    assert overview(run.results)["warnings"] == list_warnings(run.results)
    assert inert not in " ".join(list_warnings(run.results.with_baseline("tool")))
    assert (
        few in " ".join(str(run).split())
        and few.removeprefix("Warning:") in run.report().markdown.read_text()
    )
