"""Labels of a run: the page in a real Chromium, the files that it exports, and what reads them."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.errors import BadInput, InvalidData
from ansatz.eval.calibration import read_labels
from ansatz.experiments.labelling.commands import (
    LabelRequest,
    describe_status,
    write_adjudication,
    write_final,
    write_pages,
)
from ansatz.experiments.labelling.sample import draw_sample, read_sample, weigh_doubt
from tests.experiments import view_run
from tests.experiments.test_page import CHROMIUM, FLAGS
from tests.experiments.view_run import ARMS

needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on this machine (apt-get install chromium)"
)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A run with an answer of 1 MB."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(view_run, "LONG", "x = 1 + 1\n" * 100_000)
        return view_run.write_run(tmp_path_factory.mktemp("labels") / "run")


@pytest.fixture
def run(stored, tmp_path):
    return Path(shutil.copytree(stored, tmp_path / "run"))


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def opened(browser):
    page = browser.new_page()
    page.faults = []
    page.on("console", lambda message: page.faults.append(message.text))
    page.on("pageerror", lambda failure: page.faults.append(str(failure)))
    yield page
    assert page.faults == [] and page.evaluate("window.broken") is None
    page.close()


def invoke(*arguments):
    return CliRunner().invoke(app, arguments)


def read_page(file):
    """The data of a page."""
    text = file.read_text()
    return json.loads(text.partition('id="data">')[2].partition("</script>")[0])


def label(page, scores, rubric=None):
    """Write the file that a page would download, with one score for each of its first answers."""
    content = read_page(page)
    lines = [
        {"answer_id": item["id"], "human": {each["name"]: score for each in content["criteria"]},
         "annotator": content["annotator"], "rubric": rubric or content["rubric"], "seconds": 20,
         **({"adjudicates": True} if content["adjudicates"] else {})}
        for item, score in zip(content["items"], scores, strict=False)
    ]  # fmt: skip
    file = page.parent / content["file"]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file


@needs_browser
def test_thirty_answers_are_labelled_by_keys(run, opened):
    """Scores, undo, a skip, a note, a reload in the middle, and the export; report and calibration read it."""
    [page] = write_pages(run, LabelRequest(("outcome",), annotators=("ann",))).pages
    opened.on("dialog", lambda dialog: dialog.accept("unreadable"))
    opened.goto(f"file://{page}")
    for key in ("2", "0", "U", "1", "s", "n"):
        opened.keyboard.press(key)
    for number in range(12):
        opened.keyboard.press(str(number % 3))
    opened.reload()
    assert opened.text_content("#done") == "15 labelled"
    for number in range(15):
        opened.keyboard.press(str(number % 3))
    with opened.expect_download() as download:
        opened.keyboard.press("d")
    assert download.value.suggested_filename == "labels-ann.jsonl"
    file = run / "labels" / download.value.suggested_filename
    download.value.save_as(file)
    labels = read_labels([file])
    assert len(labels) == 30 and [each.human[0]["outcome"] for each in labels[:3]] == [2, 1, None]
    assert labels[2].skipped == labels[3].note == "unreadable"
    calibrated = json.loads(invoke("judge", "calibrate", str(file), "--run", str(run), "--json").stdout)
    assert calibrated["answers"] == 30 and calibrated["dimensions"][0]["answers"] == 29
    assert invoke("report", str(run), "--labels", str(file)).exit_code == 0
    assert "30 answers scored by annotators" in (run / "report.md").read_text()


def test_a_page_reveals_neither_arm_nor_model(tmp_path):
    """No name is anywhere in the data of the page; distinct names, because some are ordinary words."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(view_run, "LONG", "")
        changed.setattr(view_run, "MODELS", ("vendor-model-x", "vendor-model-y"))
        run = view_run.write_run(tmp_path / "run")
    [page] = write_pages(run, LabelRequest(("outcome",), number=60, findings=True)).pages
    data = json.dumps(read_page(page))
    assert len(read_page(page)["items"]) > 30
    assert not [name for name in ("vendor-model-x", "vendor-model-y", *ARMS, "run_python") if name in data]


@needs_browser
def test_hostile_answers_are_shown_as_text(run, opened):
    """Scripts, direction marks and a megabyte: nothing runs, marks are visible, the page stays usable."""
    [page] = write_pages(run, LabelRequest(("outcome",), number=60)).pages
    places = {item["id"]: place for place, item in enumerate(read_page(page)["items"])}
    hostile = [
        place
        for item, place in zip(read_page(page)["items"], places.values(), strict=True)
        if "<script>" in item["question"] or len(item["answer"]) > 9e5
    ]
    assert len(hostile) > 1
    opened.goto(f"file://{page}")
    for place in hostile:
        opened.evaluate(f"go({place})")
        assert opened.query_selector("#main script, #main img") is None
    assert "‹U+202E›" in opened.evaluate(
        "sheets(data.items.find((each) => each.question.includes('<script>'))).map((each) => each.textContent).join()"
    )


@pytest.mark.slow
def test_two_annotators_disagree_and_a_third_decides(run, tmp_path):
    first, second = write_pages(run, LabelRequest(("outcome",), annotators=("ann", "bob"), double=1)).pages
    label(first, [2] * 30)
    ids = [item["id"] for item in read_page(first)["items"]]
    content = read_page(second)
    label(second, [0 if ids.index(item["id"]) < 5 else 2 for item in content["items"]])
    status = describe_status(run, ())
    assert [each["labels"] for each in status["annotators"]] == [30, 30] and len(status["disagreements"]) == 5
    [page] = write_adjudication(run, (), (), None, ())
    items = read_page(page)["items"]
    assert len(items) == 5 and items[0]["given"] == "outcome: 0, 2" and "ann" not in json.dumps(items)
    label(page, [1] * 5)
    assert write_final(run, (), tmp_path / "final.jsonl") == 30
    final = read_labels([tmp_path / "final.jsonl"])
    assert sorted(each.human[0]["outcome"] for each in final if len(each.human) == 1) == [1] * 5
    assert all(each.tags["arm"] in ARMS and each.judge for each in final if each.judge)
    with pytest.raises(InvalidData, match="no two annotators disagree"):
        list(write_adjudication(run, (), (), None, ()))


def test_labels_of_changed_criteria_are_refused(run):
    [page] = write_pages(run, LabelRequest(("outcome",), annotators=("ann",))).pages
    file = label(page, [2] * 3)
    other = file.with_name("labels-bob.jsonl")
    other.write_text(file.read_text().replace(read_page(page)["rubric"], "0" * 64))
    with pytest.raises(InvalidData, match="criteria of outcome have changed") as refused:
        describe_status(run, ())
    assert str(refused.value).startswith(f"{other}:1: rubric")


def test_labels_belong_to_answers_not_to_runs(run, stored, tmp_path):
    """A run with the same answers reads them; one without is refused in one line."""
    [page] = write_pages(run, LabelRequest(("outcome",), annotators=("ann",))).pages
    file = label(page, [2] * 30)
    assert describe_status(stored, (file,))["answers"] == 30
    smaller = view_run.write_run(tmp_path / "smaller", done=6)
    with pytest.raises(InvalidData, match="no answer of"):
        describe_status(smaller, (file,))


@pytest.mark.slow
def test_every_answer_has_the_stated_probability():
    """Over 1,500 draws, plain and by size; arms and families are drawn in proportion in each."""
    ids, strata = [str(each) for each in range(40)], [(each % 4, each // 8) for each in range(40)]
    sizes = np.r_[np.full(8, 9.0), np.ones(32)]
    for given in (None, sizes):
        counts = np.zeros(40)
        for seed in range(1500):
            drawn, chances = draw_sample(ids, strata, 12, seed, given)
            assert len(set(drawn)) == 12
            arms = np.bincount([int(each) % 4 for each in drawn], minlength=4)
            assert given is not None or (arms == 3).all()
            counts[[int(each) for each in drawn]] += 1
        assert counts / 1500 == pytest.approx([chances[id] for id in ids], abs=0.05)
    doubt = weigh_doubt([np.array([[1, 1], [0, 1], [1, np.nan], [0.5, 0.5]])])
    assert doubt[1] == doubt[2] == max(doubt) > doubt[3] > doubt[0] > 0


def test_probabilities_of_two_draws_are_combined(run):
    write_pages(run, LabelRequest(("outcome",), number=10))
    write_pages(run, LabelRequest(("outcome",), number=10))  # the same draw again
    write_pages(run, LabelRequest(("outcome",), number=20, pick="doubtful"))
    first, second = read_sample(run).draws
    id = next(iter(second.probabilities))
    expected = 1 - (1 - 10 / first.total) * (1 - second.probabilities[id])
    assert read_sample(run).probability(id) == pytest.approx(expected)
    with pytest.raises(BadInput, match="did you mean 'outcome'"):
        write_pages(run, LabelRequest(("outcom",)))
