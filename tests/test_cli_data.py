"""The commands `ansatz data gate` and `ansatz data split`, and the fine-tuning set."""

import json

import pytest

from tests.commands import ansatz, one_line
from tests.eval.curation import corpus


def run(*arguments):
    return ansatz("data", *arguments)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Forty sound items, two planted ones, a copy, one without values, one in a wrong unit, a broken line."""
    folder = tmp_path_factory.mktemp("data")
    records = [*corpus.sound()[:40], *corpus.planted("garbage", 1), *corpus.planted("unit", 1)]
    review = corpus.pump(4, unit="m")
    unvalued = next(each for each in corpus.sound()[40:] if each["task_type"] == "numerical_calc")
    for target in unvalued["targets"]:
        del target["value"]
    lines = [json.dumps(record) for record in [*records, {**records[0], "id": "copy"}, unvalued, review]]
    (folder / "candidates.jsonl").write_text("\n".join([*lines, "{broken"]))
    return folder


@pytest.fixture(scope="module")
def gated(mixed):
    return run("gate", mixed / "candidates.jsonl", "--out", mixed / "out")


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_gate_shows_its_funnel_and_writes_every_line(mixed, gated, tmp_path):
    assert gated.returncode == 0, gated.stderr
    for text in (
        "go: yes",
        "accepted: 40",
        "awaiting_review: 1",
        "rejected: 5",
        "near_duplicate 1",
        "malformed 1",
    ):
        assert text in gated.stdout
    out = mixed / "out"
    found = [(each["place"].partition(":")[2], each["reason"]) for each in lines(out / "rejected.jsonl")]
    assert found == [
        ("41", "unreadable"),
        ("42", "schema"),
        ("44", "schema"),
        ("46", "malformed"),
        ("43", "near_duplicate"),
    ]
    manifest = json.loads((out / "manifest.json").read_text())
    assert set(manifest["files"]) == {file.name for file in out.iterdir()} - {"manifest.json"}
    assert manifest["go"] and len(manifest["sources"]["candidates.jsonl"]) == 64
    provenance = {each["id"]: each for each in lines(out / "provenance.jsonl")}
    assert provenance[corpus.sound()[0]["id"]]["merged"] == ["candidates.jsonl:43"]
    run("gate", mixed / "candidates.jsonl", "--out", tmp_path)
    assert all(file.read_bytes() == (tmp_path / file.name).read_bytes() for file in out.iterdir())


def test_a_filled_review_is_applied(mixed, gated, tmp_path):
    queue = lines(mixed / "out" / "review.jsonl")
    assert [(each["disposition"], bool(each["annotations"])) for each in queue] == [("", True)]
    queue[0]["disposition"] = "accept"
    (tmp_path / "filled.jsonl").write_text(json.dumps(queue[0]))
    done = run("gate", mixed / "candidates.jsonl", "--review", tmp_path / "filled.jsonl", "--json")
    assert "warning: candidates.jsonl:" in done.stderr and "not JSON" in done.stderr
    figures = json.loads(done.stdout)
    assert (figures["accepted"], figures["awaiting_review"], figures["rejected"]) == (41, 0, 5)
    assert [check["verdict"] for check in figures["checks"]] == ["go"] * 5


def test_no_go_is_exit_status_3(mixed, tmp_path):
    file = tmp_path / "few.jsonl"
    file.write_text(json.dumps(corpus.sound()[0]))
    done = run("gate", file)
    assert done.returncode == 3, done.stderr
    assert "go: no" in done.stdout and max(map(len, done.stdout.splitlines())) < 160
    rows = [line.split() for line in done.stdout.splitlines()]
    [row] = [row for row in rows if row[:2] == ["experimental_reproducibility", "split_stability"]]
    assert row[-1] == "no-go"


@pytest.mark.slow
def test_accepted_items_are_split_and_make_a_tuning_set(mixed, gated, tmp_path):
    accepted, few = mixed / "out" / "accepted.jsonl", tmp_path / "few.jsonl"
    few.write_text("".join(accepted.read_text().splitlines(keepends=True)[:16]))
    same = ("--ratio", "70/15/15", "--seed", 1)
    counts = json.loads(run("split", few, "--out", tmp_path / "split", *same, "--json").stdout)["counts"]
    assert counts == {
        part: len(lines(tmp_path / "split" / f"{part}.jsonl")) for part in ("train", "dev", "test")
    }
    printed = ansatz("benchmark", "tps", "dfa", "--items", few, "--out", tmp_path / "dfa", *same).stdout
    figures = json.loads((tmp_path / "dfa" / "manifest.json").read_text())
    assert figures["split"]["train_items"] == counts["train"]
    assert figures["examples"] == len(lines(tmp_path / "dfa" / "openai" / "train.jsonl")) > 5
    assert figures["leakage"]["test_families"] == [] and "leakage: test_families none, near_" in printed
    assert f"examples: {figures['examples']}" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["data", "gate", "nowhere.jsonl"], "ansatz: nowhere.jsonl: No such file"),
        (["benchmark", "tps", "dfa", "--items", "plain.jsonl"], "no item of the train split has a gold equation"),
        (["data", "split", "nowhere.jsonl", "--out", "x"], "ansatz: nowhere.jsonl: No such file"),
        (["data", "split", "nowhere.jsonl", "--out", "x", "--ratio", "60/40"], "--ratio: '60/40' is not three shares"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = ({"question": f"How long are {n} rods of 2 m?", "answer": f"{2 * n} m"} for n in range(1, 9))
    (tmp_path / "plain.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in plain))
    assert message in one_line(ansatz(*arguments))
