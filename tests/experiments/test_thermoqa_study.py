"""The study of ThermoQA with tools: its page shows what its command makes, and tools do what they should."""

import csv
import io
import os
import re
from pathlib import Path

import pytest

from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report import write_report
from tests.experiments.quiet import ran

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "studies" / "thermoqa.md"
STUDY = ROOT / "experiments" / "configs" / "thermoqa_tools.yaml"
TABLES = {
    "tools_strict": "Score under the strict rule",
    "gain": "Gain over text_only",
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


def test_property_tools_all_but_solve_tier_1_and_no_cycle(centrepiece):
    """The offline model looks states up; it works no device or cycle through."""
    tools = centrepiece["fluid_properties"]
    assert tools["tier 1"] >= 95 and tools["Δ tier 1_low"] > 30
    assert max(row["tier 3"] for row in centrepiece.values()) < 5


def test_a_calculator_looks_nothing_up(centrepiece):
    shown = centrepiece["calculator"]
    assert shown["Δ tier 1_low"] <= 0 <= shown["Δ tier 1_high"]
