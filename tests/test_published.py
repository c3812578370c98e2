"""Published results: their scores are read without running anything, and their pages show what the scores give."""

import importlib
import io
import subprocess
import zipfile
from pathlib import Path

import pytest

from examples.published import clone, engdesign, jeebench, page, spreadsheet

ROOT = Path(__file__).parent.parent
NAMES = ("chembench", "engdesign", "fembench", "jeebench", "mathcoder", "psebench", "thermoqa")


def check_page(name, folder, monkeypatch):
    """Write a page to another folder, and compare it with the stored one."""
    monkeypatch.setattr(page, "STUDIES", folder)
    monkeypatch.setattr(page, "PICTURES", folder / "pictures")
    module = importlib.import_module(f"examples.published.{name}")
    written = module.write_page(module.SET.run(folder / name))
    assert written.read_text() == (ROOT / "docs" / "studies" / written.name).read_text()


def test_page_is_what_the_stored_scores_give(tmp_path, monkeypatch):
    check_page("fembench", tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "fembench"])
def test_every_page_is_what_the_scores_give(name, tmp_path, monkeypatch):
    check_page(name, tmp_path, monkeypatch)


def test_stored_scores_are_small():
    files = sorted((ROOT / "examples" / "published").glob("*.csv"))
    assert [each.stem for each in files] == list(NAMES)
    assert sum(each.stat().st_size for each in files) <= 550_000


def test_a_log_is_parsed_and_never_executed(tmp_path):
    """A literal may contain calls; only the wanted fields are read, and the last record counts."""
    trap = f"open({str(tmp_path / 'run')!r}, 'w')"
    old = "{'response': 0, 'passed': False, 'score': 1}"
    log = f"{{'response': Answer(x={trap}), 'passed': np.True_, 'score': np.float64(62.5), 'completion_tokens': 7}}"
    assert engdesign.read_log(f"{old}\n{log}") == {"score": 62.5, "passed": True, "completion_tokens": 7}
    assert engdesign.read_log('{"passed": false, "score": null}')["score"] is None
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("kind", "right", "found", "score"),
    [
        ("MCQ", "B", "B", 1.0),
        ("MCQ", "B", "BC", 0.0),
        ("MCQ(multiple)", "ABC", "AB", 0.5),
        ("MCQ(multiple)", "ABC", "AD", 0.0),
        ("Numeric", "1.50", "1.509", 1.0),
        ("Integer", "7", "None", 0.0),
    ],
)
def test_jeebench_scores_follow_the_publishers_rule(kind, right, found, score):
    assert jeebench.score(kind, right, found) == score


def test_files_of_a_clone_are_read_at_its_commit(tmp_path):
    def git(*arguments):
        return subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        ).stdout.decode()

    git("init", "-q")
    (tmp_path / "scores.json").write_text('{"a": 1}')
    git("add", ".")
    git("commit", "-qm", "one")
    (tmp_path / "scores.json").write_text("changed since")
    found = clone.Clone(tmp_path, git("rev-parse", "HEAD").strip())
    assert found.list("scores") == ["scores.json"] and found.json("scores.json") == {"a": 1}
    with pytest.raises(clone.MissingFile):
        found.read("other.json")
    found.close()


def test_cells_of_a_spreadsheet_are_read():
    content = io.BytesIO()
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with zipfile.ZipFile(content, "w") as book:
        sheet = f'<sheet name="Scores" sheetId="1" xmlns:r="{link}" r:id="rId1"/>'
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}"><sheets>{sheet}</sheets></workbook>')
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
        )
        book.writestr("xl/sharedStrings.xml", f'<sst xmlns="{main}"><si><t>model</t></si></sst>')
        cells = '<c r="A1" t="s"><v>0</v></c><c r="C1"><v>0.5</v></c><c r="AA1" t="inlineStr"><is><t>x</t></is></c>'
        book.writestr(
            "xl/worksheets/sheet1.xml",
            f'<worksheet xmlns="{main}"><sheetData><row>{cells}</row></sheetData></worksheet>',
        )
    [row] = spreadsheet.read_sheet(content.getvalue(), "Scores")
    assert (row[0], row[1], row[2], row[26]) == ("model", None, 0.5, "x")


def test_first_result_of_the_readme_is_on_its_page():
    readme = (ROOT / "README.md").read_text()
    shown = [line for line in readme[: readme.index("## The demo")].splitlines() if line.startswith("|")]
    text = (ROOT / "docs" / "studies" / "tools-chembench.md").read_text()
    assert len(shown) == 4 and all(line in text for line in shown)
