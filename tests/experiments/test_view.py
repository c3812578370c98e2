"""The page's folder: what is written, and that nothing else is touched."""

import json
from base64 import b64decode

import numpy as np
import pytest

from ansatz.errors import BadInput
from ansatz.experiments.run import Run
from ansatz.experiments.view import watch, write_view
from tests.commands import ansatz, one_line
from tests.experiments import view_run
from tests.experiments.view_run import PROBLEMS, write_run

pytestmark = pytest.mark.xdist_group("page of a run")


def content(folder, name):
    text = (folder / "data" / f"{name}.js").read_text(encoding="ascii")
    head = f'ansatz.put("{name}",'
    assert text.startswith(head) and text.endswith(")\n")
    return json.loads(json.loads(text[len(head) : -2]))


@pytest.mark.slow
def test_the_page_is_a_pure_function_of_the_run(tmp_path, monkeypatch):
    """Also with answers of five megabytes."""
    monkeypatch.setattr(view_run, "LONG", "x = 1 + 1\n" * 500_000)
    run, files = write_run(tmp_path / "run"), []
    for name in ("one", "two"):
        assert Run(run).view(tmp_path / name) == tmp_path / name / "index.html"
        files.append({p.relative_to(tmp_path / name): p.read_bytes() for p in (tmp_path / name).rglob("*.*")})
    assert files[0] == files[1]


def test_effects_are_those_of_the_library(written_run, written_page):
    about = content(written_page, "overview")
    shown = [(each["dimension"], each["estimate"], each["pairs"], each["p"]) for each in about["effects"]]
    assert shown == Run(written_run).deltas().select("dimension", "estimate", "pairs", "p_adjusted").rows()
    assert about["question"] == (
        "Do calculator and sheet help one and two (simulated) with 16 problems in 16 families of own, "
        "against baseline, asked 3 times each?"
    )


def test_columns_hold_every_attempt(written_run, written_page):
    attempts, problems = content(written_page, "attempts"), content(written_page, "problems")
    frame = Run(written_run).attempts()
    place = np.frombuffer(b64decode(attempts["problem"]), "<u4")
    assert [problems["ids"][at] for at in place] == frame["problem"].to_list()
    outcome = np.frombuffer(b64decode(content(written_page, "d0")), "<f4")
    expected = frame["outcome"].to_numpy()
    np.testing.assert_array_equal(outcome, expected.astype("f4"))
    assert set(attempts["faults"]) == {"arithmetic", "slips"}
    parts = [content(written_page, f"p{number}") for number in sorted(set(problems["part"]))]
    answers = {
        each["row"]: transcript["answer"]
        if "answer" in transcript
        else part["texts"][transcript["messages"][-1]]["content"]
        for part in parts
        for problem in part["problems"]
        for each in problem["attempts"]
        for transcript in [each.get("transcript", {"answer": None})]
    }
    assert [answers[row] for row in range(len(frame))] == frame["answer"].to_list()
    assert problems["tags"]["level"] == {"values": ["L1", "L2"], "of": [[n % 2] for n in range(PROBLEMS)]}


def test_a_folder_that_is_no_page_is_left_alone(written_run, tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(BadInput, match="files that are not a page"):
        write_view(written_run, tmp_path)
    assert "choose another --out" in one_line(ansatz("view", written_run, "--out", tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_page_broken_off_is_written_again(tmp_path, monkeypatch):
    run = write_run(tmp_path / "run", done=20)
    with monkeypatch.context() as broken:
        broken.setattr("ansatz.experiments.view.folder.overview", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            write_view(run, tmp_path / "page")
    write_view(run, tmp_path / "page")
    assert content(tmp_path / "page", "overview")["effects"]


@pytest.mark.slow
def test_a_run_that_lasts_is_written_until_it_is_complete(tmp_path):
    run, page, seen = tmp_path / "run", tmp_path / "page", []
    write_run(run, done=40)

    def meanwhile(seconds):
        seen.append(content(page, "overview")["finished"])
        write_run(run)

    watch(run, page, lambda index: None, meanwhile)
    about = content(page, "overview")
    assert seen and seen[0] < about["finished"] == about["planned"] - about["failed"]
