"""Scores of other tools and spreadsheets become runs with report, page and comparison."""

import hashlib
import json

import polars
import pytest

import ansatz as az
from ansatz.errors import InvalidData
from tests.commands import ansatz, one_line

LONG = [
    {"problem": f"p{number}", "model": model, "arm": arm, "value": float(number % 2 or arm == "tools")}
    for number in range(12)
    for model in ("small", "large")
    for arm in ("plain", "tools")
]


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def faults(source, **settings):
    with pytest.raises(InvalidData) as raised:
        az.from_scores(source, "never-written", **settings)
    return str(raised.value).splitlines()


def by_problem(run):
    """The scores by arm and problem; None if missing."""
    return {tuple(row[:2]): row[2] for row in run.attempts().select("arm", "problem", "score").rows()}


@pytest.mark.parametrize("form", ["frame", "rows", "csv", "parquet", "jsonl"])
def test_scores_in_any_form_become_the_same_run(form, tmp_path):
    frame, path = polars.DataFrame(LONG), tmp_path / f"scores.{form}"
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}.get(form, str)(path)
    run = az.from_scores({"frame": frame, "rows": LONG}.get(form, path), tmp_path / "run")
    assert run.counts == {"planned": 48, "scored": 48, "failed": 0}
    deltas = run.deltas().filter(dimension="score")
    assert deltas.select("model", "arm", "estimate", "pairs").rows() == [
        ("small", "tools", 0.5, 12),
        ("large", "tools", 0.5, 12),
    ]
    back = run.contrast("plain", against="tools").filter(dimension="score")
    assert back["estimate"].to_list() == [-0.5, -0.5]


def test_command_makes_a_run_with_report_page_and_ranks(tmp_path):
    table = tmp_path / "scores.csv"
    polars.DataFrame(LONG).write_csv(table)
    done = ansatz("score", "--from", "table", table, "--out", tmp_path / "run", "--baseline", "tools")
    assert done.returncode == 0 and "48 of 48 attempts imported" in done.stdout, done.stderr
    report = az.Run(tmp_path / "run").report()
    text = report.markdown.read_text()
    assert "small reaches 100.0 on score" in text and "### Ranks" in text
    [row] = [line for line in text.splitlines() if line.startswith("| small, tools | 100.0")]
    assert row.endswith("| 1 [1, 1] |")
    assert "imported" in az.Run(tmp_path / "run").view().with_name("data").joinpath("p0.js").read_text()


def test_a_spreadsheet_is_read_right(tmp_path):
    """Percent signs, decimal commas, verdicts, blanks and thousands, as spreadsheets of two countries write them."""
    table = write(
        tmp_path / "scores.csv",
        "problem;plain;tools\np1;0,5;85 %\np2;TRUE;n/a\np3;pass;\np4;12,5 %;1\n",
    )
    run = az.from_scores(table, tmp_path / "run", wide="arm")
    assert by_problem(run) == {
        **{("plain", "p1"): 0.5, ("tools", "p1"): 0.85, ("plain", "p2"): 1.0, ("tools", "p2"): None},
        **{("plain", "p3"): 1.0, ("tools", "p3"): None, ("plain", "p4"): 0.125, ("tools", "p4"): 1.0},
    }


@pytest.mark.parametrize(
    ("text", "wide", "line", "words"),
    [
        ("Results;;\nproblem;model;value\np1;a;1\n", None, "", "scores.csv:2 looks like the heading"),
        ("problem,GPT,\np1,1,0\np2,0,1\n", "model", ":2: column_3", "has no heading"),
        ("problem,model,value\np1,a,1\np2,,1\np3,,1\n", None, ":3: model", "if cells were merged"),
        ("problem,value\np1,0.5\np2,85\np3,90\n", None, ":3: value", "85 is not on the scale 0 to 1 (of 2"),
        ("problem,value\np1,0.5\np2,abc\n", None, ":3: value", "'abc' is not a score"),
        ("problem,value\np1,0.5\np2,1\np1,1\n", None, ":4: problem 'p1'", "already at scores.csv:2"),
        (
            "problem,modle,value\np1,a,1\n",
            None,
            "",
            "did you mean 'model'? Name its field by --field FIELD=modle",
        ),
        (
            "problem_id,modle,GPT\np1,a,1\n",
            None,
            "",
            "no column 'problem' (columns: problem_id, modle, GPT); name it",
        ),
        ("problem,GPT\np1,1\n", None, "", "in a column for each model, use --wide"),
        ("task,value\np1,1\n", None, "", "name it by --field problem=COLUMN"),
        ("problem,value,repeat\np1,1,1\np1,0,1\n", None, ":3: problem 'p1'", "already at scores.csv:2"),
        ("problem,value,family\np1,1,a\np1,0,b\n", None, ":3: family", "differs from 'a'"),
    ],
)
def test_each_fault_of_a_table_is_one_line(tmp_path, text, wide, line, words):
    [fault] = faults(write(tmp_path / "scores.csv", text), wide=wide)
    assert fault.startswith(f"{tmp_path / 'scores.csv'}{line}") and words in fault


def test_rows_of_equal_number_are_repeats(tmp_path):
    rows = [{"problem": f"p{n % 3}", "value": n % 2, "tokens": "1,200", "dollars": 0.5} for n in range(6)]
    run = az.from_scores(rows, tmp_path / "run")
    found = run.attempts().sort("problem", "repeat").select("problem", "repeat", "score", "tokens", "dollars")
    assert found.rows()[:2] == [("p0", 0, 0.0, 1200.0, 0.5), ("p0", 1, 1.0, 1200.0, 0.5)]


def test_table_without_arms_compares_its_models(tmp_path):
    rows = [
        {"problem": n, "gpt": 1, "claude": n % 2, "family": n // 2, "tags.level": "L1"} for n in range(12)
    ]
    run = az.from_scores(rows, tmp_path / "run", wide="model", baseline="claude")
    assert run.deltas().filter(dimension="score").select("arm", "estimate").rows() == [("gpt", 0.5)]
    assert {problem.family for problem in run.results.problem_list} == {str(n) for n in range(6)}
    assert run.results.problem_list[0].tags == {"level": "L1"}


def test_an_export_of_a_run_can_be_imported(tmp_path):
    """Amounts and failed attempts come back as what they are."""
    rows = [{**row, "seconds": 2.0, "state": "error" if row["problem"] == "p0" else "scored"} for row in LONG]
    run = az.from_scores(rows, tmp_path / "run")
    assert run.counts["failed"] == 4
    done = ansatz("export", run.folder, "--to", "parquet", "--out", tmp_path / "tables")
    assert done.returncode == 0, done.stderr
    again = az.from_scores(tmp_path / "tables" / "scores.parquet", tmp_path / "again")
    assert again.deltas().equals(run.deltas()) and again.counts == run.counts


def test_answers_are_stored_if_the_table_has_them(tmp_path):
    rows = [{"problem": "p1", "question": "Power?", "value": 1, "text": "P = 2 kW"}]
    run = az.from_scores(rows, tmp_path / "run")
    [row] = run.attempts().to_dicts()
    assert (row["question"], row["answer"], row["stop"]) == ("Power?", "P = 2 kW", "answered")
    assert json.loads(row["messages"]) == [{"role": "assistant", "content": "P = 2 kW"}]


def test_a_board_shows_runs_with_ranks_and_hashes(tmp_path):
    """A table of models has its models as systems. The page holds no markup of names."""
    models = [{"problem": n, "<b>gpt": 1, "claude": n % 2} for n in range(12)]
    az.from_scores(LONG, tmp_path / "tools")
    az.from_scores(models, tmp_path / "models", wide="model")
    runs = (tmp_path / "tools", tmp_path / "models")
    done = ansatz("board", *runs, "--out", tmp_path / "site", "--json")
    assert done.returncode == 0, done.stderr
    tools, compared = json.loads(done.stdout)["sets"]
    assert [(row["model"], row["arm"]) for row in compared["standings"]] == [("<b>gpt", ""), ("claude", "")]
    first = tools["standings"][0]
    assert (first["arm"], first["mean"], first["rank"], first["rank_high"]) == ("tools", 100.0, 1, 1)
    page = (tmp_path / "site" / "index.html").read_text()
    assert "&lt;b&gt;gpt" in page and "<b>" not in page
    manifest = (tmp_path / "site" / tools["manifest"]).read_bytes()
    assert hashlib.sha256(manifest).hexdigest() == tools["manifest_sha256"] and tools["scores_sha256"] in page
    assert "choose another --out" in one_line(ansatz("board", runs[0], "--out", runs[1]))
