"""Pages on our studies show what these make, and each switch moves what its mechanism reaches and nothing else."""

import os
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.chapters import benchmark_chapters
from ansatz.experiments.report.text import markdown_table
from tests.experiments.quiet import ran

ROOT = Path(__file__).parents[2]
STUDIES = {
    "tps": ("tps_factorial", "tps_calculator_sheet", "tps_rag_eq", "tps_pa_cot"),
    "retrieval": ("retrieval",),
    "thermoqa": ("thermoqa_tools",),
}
BLOCK = re.compile(r"(<!-- (.*): begin -->\n)(?:.*?)(<!-- \2: end -->)", re.DOTALL)
pytestmark = [pytest.mark.long, pytest.mark.slow]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """By page and the marker there; studies run one after another in one folder, so that no arm is asked twice."""

    @cache
    def made(page):
        folder, found = tmp_path_factory.mktemp(page), {}
        files = [ROOT / "experiments" / "configs" / f"{name}.yaml" for name in STUDIES[page]]
        studies = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in files]
        for file, study in zip(files, studies, strict=True):
            if several := len(studies) > 1:
                assert all(study[key] == studies[0][key] for key in ("problems", "scorers", "seed"))
                file = folder / "study.yaml"
                file.write_text(yaml.safe_dump({**studies[0], "arms": study["arms"]}), encoding="utf-8")
            ran(file, folder / "run")
            sections = [
                each
                for chapter in benchmark_chapters(read_results(folder / "run"))
                for each in chapter.sections
            ]
            for table in (table for section in sections for table in section.tables):
                found[f"{study['name']} {table.name}" if several else table.name] = table
        return found

    return made


def on_page(page, *values):
    """A case that needs the studies of a page: all cases of a page run in one worker."""
    return pytest.param(page, *values, marks=pytest.mark.xdist_group(f"study page {page}"))


@pytest.mark.parametrize("page", [on_page(page) for page in STUDIES])
def test_a_page_shows_what_its_studies_make(tables, page):
    """After an intended change: UPDATE_GOLDEN=1 pytest tests/experiments/test_study_pages.py -m slow."""
    file = ROOT / "docs" / "studies" / f"{page}.md"
    shown = file.read_text(encoding="utf-8")
    made = BLOCK.sub(lambda found: f"{found[1]}{markdown_table(tables(page)[found[2]])}\n{found[3]}", shown)
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(made, encoding="utf-8")
    assert made == shown and len(BLOCK.findall(shown)) > 1


def entry(table, column, row):
    at = [each.name for each in table.columns].index(column)
    [found] = [each for each in table.rows if row in each[:2]]
    return found[at]


@pytest.mark.parametrize(
    ("page", "table", "row", "column", "claim"),
    [
        on_page("tps", "tps_factorial effects_rubric", "calculator", "G4", lambda found: found.low > 0),
        on_page("tps", "tps_factorial effects_rubric", "calculator", "G1", lambda found: abs(found.value) < 0.01),
        on_page("tps", "tps_factorial effects_rubric", "calculation_protocol", "G6", lambda found: found.low > 0),
        on_page("tps", "tps_factorial effects_rubric", "calculation_protocol", "G7", lambda found: found.low > 0),
        on_page("tps", "tps_factorial effects_outcome", "equation_retrieval", "outcome", lambda found: found.low > 0),
        on_page("tps", "tps_factorial effects_outcome", "calculation_protocol", "outcome", lambda found: found.value == 0),
        on_page("tps", "tps_factorial effects_outcome", "calculator × equation_retrieval", "exact", lambda found: found.low > 0),
        on_page("tps", "tps_rag_eq track_c", "rag-eq", "Δ KPI", lambda found: found.low > 0),
        on_page("tps", "tps_rag_eq track_c", "placebo", "Δ KPI", lambda found: found.value == 0),
        on_page("thermoqa", "tools_strict", "fluid_properties", "tier 1", lambda found: found >= 0.95),
        on_page("thermoqa", "tools_strict", "fluid_properties", "Δ tier 1", lambda found: found.low > 0.3),
        on_page("thermoqa", "tools_strict", "fluid_properties", "tier 3", lambda found: found < 0.05),
        on_page("thermoqa", "tools_strict", "calculator", "Δ tier 1", lambda found: found.low <= 0 <= found.high),
    ],
)  # fmt: skip
def test_a_switch_moves_what_its_mechanism_reaches(tables, page, table, row, column, claim):
    """The offline model looks states up and works no cycle through; an exact result may vouch for its formula."""
    assert claim(entry(tables(page)[table], column, row))
