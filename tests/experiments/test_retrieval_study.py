"""The study of rankers: its file is one, and the page shows what it makes."""

import os
import re
from pathlib import Path

import pytest

from ansatz.experiments.design.resolution import arm_of
from ansatz.experiments.design.study_file import read
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.chapters import chapters
from ansatz.experiments.report.text import markdown_table
from tests.experiments.quiet import ran

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "experiments" / "configs" / "retrieval.yaml"
PAGE = ROOT / "docs" / "studies" / "retrieval.md"
TABLES = ("track_a", "track_b", "track_c")


def test_the_file_is_a_study_of_arms_that_differ_in_their_retrieval_alone():
    study = read(STUDY)
    plans = {arm: arm_of(arm, switches).plan for arm, switches in study.all_arms().items()}
    assert len({repr(plan) for plan in plans.values()}) == len(plans) == 8
    switches = {name for arm in study.all_arms().values() for name in arm}
    assert switches == {"equation_retrieval"}


@pytest.mark.slow
def test_the_page_shows_what_the_study_makes(tmp_path):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_retrieval_study.py -m slow."""
    ran(STUDY, tmp_path / "run")
    made = {
        table.name: markdown_table(table)
        for chapter in chapters(read_results(tmp_path / "run"))
        for section in chapter.sections
        for table in section.tables
    }
    page = PAGE.read_text(encoding="utf-8")
    for name in TABLES:
        block = re.compile(rf"(<!-- {name}: begin -->\n)(.*?)(<!-- {name}: end -->)", re.DOTALL)
        assert block.search(page), name
        page = block.sub(lambda match, name=name: f"{match[1]}{made[name]}\n{match[3]}", page)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page, encoding="utf-8")
    assert page == PAGE.read_text(encoding="utf-8")
