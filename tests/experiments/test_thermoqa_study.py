"""The study of ThermoQA with tools: its page shows what its command makes, and tools do what they should."""

import asyncio
import os
import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from ansatz.experiments.launch import launch
from ansatz.experiments.report import write_report
from ansatz.experiments.results import read_results

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "studies" / "thermoqa.md"
STUDY = ROOT / "experiments" / "configs" / "thermoqa_tools.yaml"
TABLES = {
    "tools_strict": "Score under the strict rule",
    "gain": "Gain over text_only",
    "cures": "Reasoning steps cured",
}
pytestmark = pytest.mark.slow


class Quiet:
    def begin(self, total, done):
        return nullcontext()

    def advance(self, state):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("thermoqa_tools")
    asyncio.run(launch(STUDY, folder, None, Quiet()))
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
