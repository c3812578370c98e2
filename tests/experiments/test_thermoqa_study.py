"""The study of ThermoQA with tools: its page shows what its command makes, and tools do what they should."""

import csv
import io
import os
import re
from pathlib import Path

import pytest

from ansatz.experiments.report import write_report
from ansatz.experiments.results import read_results
from tests.experiments.quiet import ran

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "studies" / "thermoqa.md"
STUDY = ROOT / "experiments" / "configs" / "thermoqa_tools.yaml"
TABLES = {
    "tools_strict": "Score under the strict rule",
    "gain": "Gain over text_only",
    "cures": "Reasoning steps cured",
}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("thermoqa_tools")
    ran(STUDY, folder)
    write_report(read_results(folder), folder)
    return folder


@pytest.mark.parametrize("name", TABLES)
def test_the_page_shows_what_the_command_makes(folder, name):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_thermoqa_study.py."""
    report = (folder / "report.md").read_text(encoding="utf-8")
    made = report.split(f"\n{TABLES[name]}", 1)[1].split("\n\n")[1]
    assert made.startswith("| ")
    page = PAGE.read_text(encoding="utf-8")
    block = re.compile(rf"(<!-- {name}: begin -->\n)(.*?)(<!-- {name}: end -->)", re.DOTALL)
    if os.environ.get("UPDATE_GOLDEN"):
        page = block.sub(lambda match: f"{match[1]}{made}\n{match[3]}", page)
        PAGE.write_text(page, encoding="utf-8")
    assert block.search(page)[2] == f"{made}\n"


@pytest.fixture(scope="module")
def centrepiece(folder):
    """By arm, the row of the tier × arm table under the strict rule."""
    text = (folder / "thermoqa" / "tools_strict.csv").read_text(encoding="utf-8")
    rows = {row.pop("arm"): row for row in csv.DictReader(io.StringIO(text))}
    return {arm: {key: float(value) for key, value in row.items() if value} for arm, row in rows.items()}


def test_property_tools_all_but_solve_tier_1_and_help_tier_3_far_less(centrepiece):
    """What the authors of ThermoQA saw in language models, here by mechanism."""
    tools = centrepiece["fluid_properties"]
    assert tools["tier 1"] >= 95
    assert tools["tier 3"] < 70
    assert tools["Δ tier 1_low"] > tools["Δ tier 3"] > 0


def test_a_calculator_looks_nothing_up(centrepiece):
    shown = centrepiece["calculator"]
    assert shown["Δ tier 1_low"] <= 0 <= shown["Δ tier 1_high"]
    assert shown["Δ tier 3_low"] > 0


def test_the_protocol_and_exact_sums_add_to_the_tools_on_cycles(centrepiece):
    cycles = {arm: row["tier 3"] for arm, row in centrepiece.items()}
    assert cycles["fluid_properties+cycle_protocol"] > cycles["fluid_properties"] + 5
    assert cycles["all"] > cycles["fluid_properties+calculator"] + 5
    assert cycles["all"] == max(cycles.values())


def test_the_share_of_property_steps_falls_from_tier_to_tier(folder):
    text = (folder / "thermoqa" / "gain.csv").read_text(encoding="utf-8")
    share = {
        row["tier"]: float(row["share on property steps"])
        for row in csv.DictReader(io.StringIO(text))
        if row["arm"] == "fluid_properties"
    }
    assert share["1"] == 100
    assert share["1"] > share["2"] > share["3"]
