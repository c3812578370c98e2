"""Handbooks: documents become passages with section and page, an index, and hits or an abstention."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.errors import InvalidData
from ansatz.knowledge_base.handbook import Handbook, HandbookSearch, handbook, index_handbook
from ansatz.knowledge_base.handbook.reading import MOST_BYTES
from tests.knowledge_base.small_pdf import write_pdf

PUMP = "A centrifugal pump needs a net positive suction head above the required one, or it cavitates."
VALVE = "A relief valve opens at the set pressure and closes at the reseating pressure, four percent below."
TEXTS = {
    "notes.md": f"# Machines\n\n## Pumps\n\n{PUMP}\n\n| fluid | head |\n|---|---|\n| water | 3 m |\n\n## Valves\n\n{VALVE}\n",
    "notes.html": f"<h1>Machines</h1><h2>Pumps</h2><p>{PUMP}</p><table><tr><td>water</td><td>3 m</td></tr></table><h2>Valves</h2><p>{VALVE}</p>",
    "notes.tex": rf"\section{{Machines}}\subsection{{Pumps}} {PUMP} \begin{{tabular}}{{ll}} water & 3 m \\ \end{{tabular}} \subsection{{Valves}} {VALVE}",
    "notes.txt": f"Machines\n========\n\nPumps\n-----\n\n{PUMP}\n\nfluid   head\nwater | 3 m\n\nValves\n------\n\n{VALVE}\n",
}


class CountingEncoder:
    """Vectors of letter counts; `texts` are those that were encoded."""

    def __init__(self):
        self.texts = []

    def encode(self, texts):
        self.texts += texts
        return np.array([[1 + text.count(each) for each in "abcdefghij"] for text in texts], dtype=float)


def index(path):
    return index_handbook(path, encoder=None)[0]


def places(made):
    return [(passage.section, passage.page) for passage in made.passages]


@pytest.mark.parametrize("name", TEXTS)
def test_sections_and_rows_of_text_formats(tmp_path, name):
    (tmp_path / name).write_text(TEXTS[name], encoding="utf-8")
    made = index(tmp_path / name)
    assert places(made) == [("Machines > Pumps", None), ("Machines > Valves", None)]
    assert "water | 3 m" in made.passages[0].text


def test_neighbours_decide_between_equal_passages(tmp_path):
    """Of two passages with the same words, that next to a passage about the question comes first."""
    twin = "The limit is 4.7 bar in summer.\n"
    other = "".join(
        f"# Part {name}\n\nThe {name} has a mass of 3 kg.\n\n" for name in ("shaft", "seal", "fan", "rotor")
    )
    (tmp_path / "a.md").write_text(f"{other}# Limit\n\n{twin}", encoding="utf-8")
    (tmp_path / "b.md").write_text(
        f"# Boiler\n\nThe boiler makes steam.\n\n# Limit\n\n{twin}", encoding="utf-8"
    )
    hits = HandbookSearch(index(tmp_path)).search("Which limit has the boiler in summer?", 3, always=True)
    limits = [hit.passage.file for hit in hits if hit.passage.section == "Limit"]
    assert limits == ["b.md", "a.md"]


def test_long_sections_become_balanced_passages(tmp_path):
    """Passages have about 150 words, never cross a heading, and keep a formula whole."""
    formula = r"$$ h = " + " + ".join(f"a_{{{number}}} x" for number in range(60)) + "$$"
    long = " ".join(f"Sentence {number} has just six words." for number in range(80))
    (tmp_path / "a.md").write_text(f"# One\n\n{long}\n\n{formula}\n\n# Two\n\nShort.\n", encoding="utf-8")
    passages = index(tmp_path).passages
    lengths = [len(passage.text.split()) for passage in passages]
    assert all(100 < length < 260 for length in lengths[:-1]) and lengths[-1] == 1
    assert any(formula in passage.text for passage in passages)


def test_search_command_returns_places_or_nothing(tmp_path):
    more = "".join(
        f"## Part {name}\n\nThe {name} has a mass of 3 kg.\n" for name in ("cover", "shaft", "seal")
    )
    (tmp_path / "notes.md").write_text(TEXTS["notes.md"] + more, encoding="utf-8")
    queries = tmp_path / "queries.jsonl"
    rows = [
        {"id": "in", "question": "At which pressure does a relief valve open?"},
        {"id": "out", "question": "Which wine suits grilled salmon?", "gold": []},
    ]
    queries.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    out = str(tmp_path / ".index")
    made = CliRunner().invoke(
        app, ["handbook", "index", str(tmp_path / "notes.md"), "--out", out, "--encoder", "none"]
    )
    assert made.exit_code == 0, made.output
    found = CliRunner().invoke(app, ["handbook", "search", out, "--queries", str(queries), "--json"])
    inside, outside = json.loads(found.stdout)["queries"]
    assert outside == {"id": "out", "hits": []}
    assert inside["hits"][0] == {
        "file": "notes.md",
        "section": "Machines > Valves",
        "page": None,
        "score": inside["hits"][0]["score"],
    }
    shown = CliRunner().invoke(app, ["handbook", "show", out, "--section", "valves"])
    assert VALVE in shown.stdout and PUMP not in shown.stdout


def test_general_questions_near_a_manual_are_refused(tmp_path):
    """A question that is nearer to other engineering texts than to the manual has no hits."""
    parts = {
        "Suction": PUMP,
        "Relief valve": VALVE,
        "Maintenance": "Grease the bearings every 2000 hours. Replace the mechanical seal if it leaks.",
        "Noise": "If the pump is loud, gas may be in the liquid, or the coupling may be misaligned.",
    }
    text = "\n\n".join(f"# {title}\n\n{body}" for title, body in parts.items())
    (tmp_path / "pump.md").write_text(text, encoding="utf-8")
    search = HandbookSearch(index_handbook(tmp_path)[0])
    assert search.search("How often do I have to grease the bearings?")[0].passage.section == "Maintenance"
    assert not search.search("How much power does a pump need for a given head and flow?")


def test_an_edited_index_searches_as_a_new_one(tmp_path):
    """The vectors of tokens, which sort the best passages, are stored, replaced and removed."""
    manual, question = tmp_path / "manual", "At which pressure does the valve close?"
    manual.mkdir()
    (manual / "a.md").write_text(TEXTS["notes.md"], encoding="utf-8")
    index_handbook(manual, tmp_path / "index")
    (manual / "a.md").write_text(TEXTS["notes.md"].replace("four percent", "a tenth"), encoding="utf-8")
    (manual / "b.md").write_text(TEXTS["notes.html"], encoding="utf-8")
    index_handbook(manual, tmp_path / "index")
    edited, new = HandbookSearch.load(tmp_path / "index"), HandbookSearch(index_handbook(manual)[0])
    assert edited.search(question, always=True) == new.search(question, always=True)
    (match,) = new.handbook.index.search(question, 1)
    assert match.score > match.words + match.meaning


def test_an_edit_encodes_only_changed_passages(tmp_path):
    folder, out, encoder = tmp_path / "docs", tmp_path / "index", CountingEncoder()
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text.replace("centrifugal", name), encoding="utf-8")
    index_handbook(folder, out, encoder)
    encoder.texts.clear()
    changed_text = (
        TEXTS["notes.md"].replace("centrifugal", "notes.md").replace("four percent", "five percent")
    )
    (folder / "notes.md").write_text(changed_text, encoding="utf-8")
    (folder / "notes.txt").unlink()
    changed, changes = index_handbook(folder, out, encoder)
    passage, part, headings = encoder.texts[1:4]  # after the probe of the encoder
    assert passage == f"{headings}\n{part}" and "five percent" in part and changes.encoded == 1
    assert {each.file for each in changed.files} == {"notes.md", "notes.html", "notes.tex"}
    assert changed.digest == index(folder).digest  # what an index in one go has


def test_an_interrupted_index_continues(tmp_path, monkeypatch):
    """Readers see the old index until the new one is complete; no passage is encoded twice."""

    class FailingEncoder(CountingEncoder):
        def encode(self, texts):
            if "Machines" in texts[0] and len(self.texts) > 10:
                raise KeyboardInterrupt
            return super().encode(texts)

    folder, out, encoder = tmp_path / "docs", tmp_path / "index", FailingEncoder()
    folder.mkdir()
    monkeypatch.setattr(handbook, "_PART", 2)
    for name, text in TEXTS.items():
        (folder / name).write_text(text.replace("valve", name).replace("centrifugal", name), encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        index_handbook(folder, out, encoder)
    with pytest.raises(InvalidData):
        HandbookSearch.load(out)
    first = list(encoder.texts)
    encoder.texts.clear()
    monkeypatch.setattr(FailingEncoder, "encode", CountingEncoder.encode)
    found, changes = index_handbook(folder, out, encoder)
    assert changes.encoded == 4 and len(found.passages) == 8
    assert not {text for text in first if "notes" in text} & set(encoder.texts)


def test_text_without_sentences_becomes_short_passages(tmp_path):
    """A list of names, and a script without spaces, are not one passage."""
    names = " ".join(f"name{number}" for number in range(1000))
    chinese = "安全阀在设定压力下开启，压力低于设定值时关闭。" * 40
    (tmp_path / "a.txt").write_text(
        f"Names\n=====\n\n{names}\n\nValve\n=====\n\n{chinese}\n", encoding="utf-8"
    )
    passages = index(tmp_path).passages
    assert max(len(each.text.split()) for each in passages if each.section == "Names") <= 200
    assert max(len(each.text) for each in passages if each.section == "Valve") < 500


def test_links_and_hidden_files(tmp_path):
    """A link to a listed file is left out, a linked folder is read once, and a broken link is a fault."""
    folder, shared = tmp_path / "docs", tmp_path / "shared"
    for each, text in ((folder, PUMP), (shared, VALVE), (folder / ".git", "Hidden.")):
        each.mkdir()
        (each / "a.md").write_text(text, encoding="utf-8")
    (folder / "same.md").symlink_to("a.md")
    (folder / "more").symlink_to(shared)
    (folder / "loop").symlink_to(".")
    assert [each.file for each in index(folder).files] == ["a.md", "more/a.md"]
    (folder / "broken.md").symlink_to("missing.md")
    with pytest.raises(InvalidData, match=r"broken\.md"):
        index(folder)


def test_a_folder_that_cannot_be_listed_is_a_fault(tmp_path, monkeypatch):
    """A handbook is never indexed in part without a word."""
    (tmp_path / "a.md").write_text(PUMP, encoding="utf-8")
    (tmp_path / "closed").mkdir()
    scan = os.scandir

    def refuse(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(InvalidData, match="closed: cannot be read"):
        index(tmp_path)


def test_files_without_text_are_logged(tmp_path, caplog):
    for name, text in (("a.md", PUMP), ("empty.md", ""), ("void.md", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [each.file for each in index(tmp_path).files] == ["a.md"]
    assert [record.getMessage() for record in caplog.records] == ["empty.md: has no text"]


def test_a_full_disk_leaves_the_old_index(tmp_path, monkeypatch):
    """The error names the folder, and no file of the failed attempt stays."""
    (tmp_path / "a.md").write_text(PUMP, encoding="utf-8")
    out = tmp_path / "index"
    index_handbook(tmp_path / "a.md", out, None)
    names = sorted(each.name for each in out.iterdir())
    (tmp_path / "a.md").write_text(VALVE, encoding="utf-8")

    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)  # of the manifest, which is last
    with pytest.raises(OSError, match="index cannot be written") as failure:
        index_handbook(tmp_path / "a.md", out, None)
    assert failure.value.filename == str(out)
    assert sorted(each.name for each in out.iterdir()) == names
    assert Handbook.load(out).passages[0].text == PUMP


def test_other_users_can_read_an_index(tmp_path):
    """The files have the permissions that the umask leaves, not those of a temporary folder."""
    document = tmp_path / "a.md"
    document.write_text(PUMP, encoding="utf-8")
    index_handbook(document, tmp_path / "index", None)
    (tmp_path / "plain").mkdir()
    modes = {each.stat().st_mode for each in (tmp_path / "index").iterdir() if each.is_dir()}
    assert modes == {(tmp_path / "plain").stat().st_mode}


FAULTS = {
    "pipe.md": lambda path: os.mkfifo(path),
    "scanned.pdf": lambda path: write_pdf(path, [[], [], []]),
    "locked.pdf": lambda path: write_pdf(path, [[(10, PUMP)]], encrypted=True),
    "broken.pdf": lambda path: path.write_bytes(b"%PDF-1.4 nothing"),
    "latin.txt": lambda path: path.write_bytes("Größe".encode("latin-1")),
    "copy.md": lambda path: path.write_text(TEXTS["notes.md"], encoding="utf-8"),
    "large.txt": lambda path: os.truncate(path, MOST_BYTES + 1) if path.touch() is None else None,
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_file_is_one_line_and_changes_nothing(tmp_path, name):
    folder, out = tmp_path / "docs", tmp_path / "index"
    folder.mkdir()
    (folder / "notes.md").write_text(TEXTS["notes.md"], encoding="utf-8")
    index_handbook(folder, out, None)
    FAULTS[name](folder / name)
    with pytest.raises(InvalidData) as fault:
        index_handbook(folder, out, None)
    assert "\n" not in str(fault.value) and name in str(fault.value)
    assert [each.file for each in HandbookSearch.load(out).handbook.files] == ["notes.md"]


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InvalidData, match="no document"):
        index(tmp_path)


def test_a_failed_first_index_leaves_no_folder(tmp_path):
    FAULTS["broken.pdf"](tmp_path / "broken.pdf")
    with pytest.raises(InvalidData):
        index_handbook(tmp_path / "broken.pdf", tmp_path / "index", None)
    assert not (tmp_path / "index").exists()


def test_an_index_of_another_version_is_renewed(tmp_path):
    (tmp_path / "notes.md").write_text(TEXTS["notes.md"], encoding="utf-8")
    out = tmp_path / "index"
    index_handbook(tmp_path / "notes.md", out, None)
    manifest = json.loads((out / "index.json").read_text(encoding="utf-8"))
    (out / "index.json").write_text(json.dumps({**manifest, "format": 1}), encoding="utf-8")
    with pytest.raises(InvalidData, match="format 1"):
        HandbookSearch.load(out)
    assert index_handbook(tmp_path / "notes.md", out, None)[1].added == 2
    assert len(HandbookSearch.load(out).handbook.passages) == 2


def test_words_of_other_scripts_are_found_whole(tmp_path):
    texts = {
        "Wärme": "Der Wärmeübergang an der Wand hängt von der Strömung ab.",
        "Wand": "Die Wand ist aus Stahl und wird jährlich geprüft.",
        "Насос": "Насос с теплообменником работает без перерыва.",
        "阀门": "安全阀在设定压力下开启。",
        "मान": "पंप की दक्षता बहुत अच्छी है।",
    }
    (tmp_path / "notes.md").write_text(
        "\n".join(f"# {title}\n\n{text}\n" for title, text in texts.items()), encoding="utf-8"
    )
    search = HandbookSearch(index(tmp_path))
    questions = ["WARMEUBERGANG", "jährlich geprüft", "теплообменником", "安全阀何时开启？", "पंप की दक्षता?"]
    assert [search.search(each, 1, always=True)[0].passage.section for each in questions] == list(texts)
