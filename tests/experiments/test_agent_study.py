"""The study of agents, in little: what each switch does to the offline model, and what the report makes of it."""

import pytest

from ansatz.experiments.report import write_report
from ansatz.experiments.study import Study

CONFIG = "experiments/configs/agent.yaml"
ARMS = ["checked", "vote", "critic", "few_shot", "effort", "same_calls"]


def run_study(folder, calculated):
    """Run problems that the offline model calculates at, and two that it reads from a table."""
    whole = Study.from_yaml(CONFIG)
    chosen = [id for id in whole.problems if id.startswith("newtonian.")][:calculated]
    chosen += [id for id in whole.problems if id.startswith("T1-")][:2]
    return whole.only(arms=ARMS, problems=chosen).run(folder)


@pytest.mark.slow
def test_checks_fix_arithmetic_and_matched_calls_do_nothing(tmp_path):
    frame = run_study(tmp_path, 12).attempts()
    by_arm = {arm: frame.filter(arm=arm).sort("problem") for arm in ("baseline", *ARMS)}
    marks = {arm: held["G4"].mean() for arm, held in by_arm.items()}
    assert marks["checked"] > 0.95 > marks["baseline"] and marks["effort"] > marks["baseline"]
    for arm in ("same_calls", "critic", "few_shot"):
        assert by_arm[arm]["outcome"].to_list() == by_arm["baseline"]["outcome"].to_list()
    assert by_arm["same_calls"]["model_calls"].to_list() == by_arm["checked"]["model_calls"].to_list()
    assert by_arm["same_calls"]["tokens"].sum() == pytest.approx(by_arm["checked"]["tokens"].sum(), rel=0.1)
    assert by_arm["checked"]["spoiled"].sum() == 0
    assert set(by_arm["vote"]["model_calls"]) == {5}


def test_the_report_shows_gain_by_cost_the_frontier_and_the_vote(tmp_path):
    write_report(run_study(tmp_path / "run", 5).results, tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "Δ exact per 1,000 tokens" in text and "expected calibration error" in text
    rows = (tmp_path / "spending" / "frontier.csv").read_text().splitlines()
    assert len(rows) == 2 + len(ARMS)
    image = (tmp_path / "spending" / "frontier.png").read_bytes()
    assert image.startswith(b"\x89PNG") and len(image) > 10_000
