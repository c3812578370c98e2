"""`ansatz data`: gate, split and fine-tuning set as a person types them."""

import json

import pytest
from typer.testing import CliRunner

from ansatz.cli import app
from tests.commands import ansatz
from tests.eval import data_corpus as corpus


def run(*arguments):
    return CliRunner().invoke(app, ["data", *map(str, arguments)])


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Forty sound items, two planted ones, a copy, one without values, one in a wrong unit, a broken line."""
    folder = tmp_path_factory.mktemp("data")
    planted = corpus.patterns(2)
    records = [*corpus.sound()[:40], *planted["garbage"][0][:1], *planted["unit"][0][:1]]
    review = corpus.pump(4, unit="m")
    unvalued = next(each for each in corpus.sound()[40:] if each["task_type"] == "numerical_calc")
    unvalued["targets"] = [
        {key: part for key, part in target.items() if key != "value"} for target in unvalued["targets"]
    ]
    lines = [json.dumps(record) for record in [*records, {**records[0], "id": "copy"}, unvalued, review]]
    (folder / "candidates.jsonl").write_text("\n".join([*lines, "{broken"]))
    return folder


@pytest.fixture(scope="module")
def gated(mixed):
    return run("gate", mixed / "candidates.jsonl", "--out", mixed / "out")


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_gate_shows_its_funnel_and_writes_every_line(mixed, gated):
    assert gated.exit_code == 0, gated.output
    for said in (
        "go: yes",
        "accepted: 40",
        "awaiting_review: 1",
        "rejected: 5",
        "near_duplicate 1",
        "malformed 1",
    ):
        assert said in gated.output
    out = mixed / "out"
    found = [(each["reason"], each["place"]) for each in lines(out / "rejected.jsonl")]
    assert found == [
        ("unreadable", "candidates.jsonl:41"),
        ("schema", "candidates.jsonl:42"),
        ("schema", "candidates.jsonl:44"),
        ("malformed", "candidates.jsonl:46"),
        ("near_duplicate", "candidates.jsonl:43"),
    ]
    manifest = json.loads((out / "manifest.json").read_text())
    assert set(manifest["files"]) == {file.name for file in out.iterdir()} - {"manifest.json"}
    assert manifest["go"] and len(manifest["sources"]["candidates.jsonl"]) == 64
    provenance = {each["id"]: each for each in lines(out / "provenance.jsonl")}
    assert provenance[corpus.sound()[0]["id"]]["merged"] == ["candidates.jsonl:43"]


def test_the_same_candidates_give_the_same_bytes(mixed, gated, tmp_path):
    run("gate", mixed / "candidates.jsonl", "--out", tmp_path)
    assert all(file.read_bytes() == (tmp_path / file.name).read_bytes() for file in (mixed / "out").iterdir())


def test_a_review_is_filled_in_and_taken_back(mixed, gated, tmp_path):
    queue = lines(mixed / "out" / "review.jsonl")
    assert [(each["disposition"], bool(each["annotations"])) for each in queue] == [("", True)]
    queue[0]["disposition"] = "accept"
    (tmp_path / "filled.jsonl").write_text(json.dumps(queue[0]))
    done = run("gate", mixed / "candidates.jsonl", "--review", tmp_path / "filled.jsonl", "--json")
    assert "warning: candidates.jsonl:" in done.stderr
    assert "not JSON" in done.stderr
    figures = json.loads(done.stdout)
    assert (figures["accepted"], figures["awaiting_review"], figures["rejected"]) == (41, 0, 5)
    assert [check["verdict"] for check in figures["checks"]] == ["go"] * 5


def test_no_go_is_exit_status_3(mixed, tmp_path):
    file = tmp_path / "few.jsonl"
    file.write_text(json.dumps(corpus.sound()[0]))
    done = ansatz("data", "gate", file)
    assert done.returncode == 3, done.stderr
    assert "go: no" in done.stdout and max(map(len, done.stdout.splitlines())) < 160
    rows = [line.split() for line in done.stdout.splitlines()]
    [row] = [row for row in rows if row[:2] == ["experimental_reproducibility", "split_stability"]]
    assert row[-1] == "no-go"


def test_accepted_items_are_split_and_seed_the_fine_tuning_set(mixed, gated, tmp_path):
    accepted = mixed / "out" / "accepted.jsonl"
    done = run("split", accepted, "--out", tmp_path / "split", "--seed", 3, "--ratio", "50/25/25", "--json")
    counts = json.loads(done.output)["counts"]
    assert counts == {
        part: len(lines(tmp_path / "split" / f"{part}.jsonl")) for part in ("train", "dev", "test")
    }
    assert "train" in run("split", accepted, "--out", tmp_path / "split").output
    few = tmp_path / "few.jsonl"
    few.write_text("".join(accepted.read_text().splitlines(keepends=True)[:16]))
    held = run("split", few, "--out", tmp_path / "few", "--ratio", "70/15/15", "--seed", 1, "--json").output
    told = run("dfa", "--items", few, "--out", tmp_path / "dfa", "--ratio", "70/15/15", "--seed", 1).output
    figures = json.loads((tmp_path / "dfa" / "manifest.json").read_text())
    assert figures["split"]["train_items"] == json.loads(held)["counts"]["train"]
    assert figures["examples"] == len(lines(tmp_path / "dfa" / "openai" / "train.jsonl")) > 5
    assert figures["leakage"]["test_families"] == [] and "leakage: test_families none, near_" in told
    assert f"examples: {figures['examples']}" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gate", "nowhere.jsonl"], "ansatz: nowhere.jsonl: No such file"),
        (["dfa", "--items", "plain.jsonl"], "no item of the train part names, in gold_equations"),
        (["split", "nowhere.jsonl", "--out", "x"], "ansatz: nowhere.jsonl: No such file"),
        (["split", "nowhere.jsonl", "--out", "x", "--ratio", "60/40"], "--ratio: '60/40' is not three shares"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = ({"question": f"How long are {n} rods of 2 m?", "answer": f"{2 * n} m"} for n in range(1, 9))
    (tmp_path / "plain.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in plain))
    done = ansatz("data", *arguments)
    assert done.returncode == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1
