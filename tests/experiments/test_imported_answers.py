"""Answers of other tools become runs. The tools themselves wrote the files in imported_answers/."""

import json
from pathlib import Path

import polars
import pytest

import ansatz as az
from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.thermoqa.generate import generate
from ansatz.experiments.imported_answers import read_imported_answers
from tests.commands import ansatz, one_line
from tests.experiments.planted_run import write_planted_run
from tests.experiments.planted_transcripts import plant

QUESTION, KEY = "A pump lifts 12 L/s of water by 9 m at 70 % efficiency. Shaft power?", "1.51 kW"


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def jsonl(folder):
    row = {"problem_id": "pump", "question": QUESTION, "target": KEY}
    good = [{**row, "text": "answer = 1.51 kW"}, {**row, "text": "answer = 1.51 kW"}]
    return [
        lines(folder / "plain.jsonl", [{**row, "text": "answer = 3 kW"}] * 2),
        lines(folder / "helped.jsonl", good),
    ]


REAL = Path(__file__).parent / "imported_answers"


def test_published_files_of_thermoqa_become_a_run(tmp_path):
    """The file's name states model and run; each model is an arm."""
    asked = list(generate((1,), seed=4, counts=[3]))
    questions = lines(tmp_path / "questions.jsonl", [json.loads(each.line()) for each in asked])
    rows = [{"id": each.id, "response_text": "I do not know.", "latency_s": 2.0} for each in asked]
    right = "\n".join(f"{each.name} = {each.value} {each.unit}" for each in asked[0].problem().targets)
    (tmp_path / "names").mkdir()
    files = [
        lines(tmp_path / "names" / "tier1-responses-gpt-9-run2.jsonl", [{**rows[0], "response_text": right}]),
        lines(tmp_path / "names" / "tier1-responses-other-run1.jsonl", rows),
    ]
    problems = f"thermoqa:questions={questions}"
    options = ("--problems", problems, "--scorer", "thermoqa", "--out", tmp_path / "run")
    done = ansatz("score", "--from", "thermoqa", *files, *options)
    assert done.returncode == 0 and "4 of 4 answers scored" in done.stdout, done.stderr
    attempts = az.Run(tmp_path / "run").attempts().select("arm", "repeat", "published", "strict").rows()
    assert sorted(attempts) == [("gpt-9", 1, 1.0, 1.0), *[("other", 0, 0.0, 0.0)] * 3]
    wrong = ansatz("score", "--from", "thermoqa", *files, "--problems", "thermoqe:questions=x.jsonl")
    assert "there is no benchmark 'thermoqe'; did you mean 'thermoqa'" in one_line(wrong)


@pytest.mark.parametrize(
    ("kind", "pattern", "arms", "model"),
    [
        ("lm-eval", "lm_eval/stand-in/samples_*.jsonl", ["pumps_plain", "pumps_si"], "stand-in"),
        ("promptfoo", "promptfoo/results.json", ["plain", "si"], "stand-in"),
        ("inspect", "inspect/*.json", ["plain", "si"], "openai/stand-in"),
    ],
)
def test_files_that_the_tools_wrote_become_a_run(kind, pattern, arms, model, tmp_path):
    """Three pumps twice under two prompts; the plain one is 1,000 times too high for one of them."""
    done = ansatz("score", "--from", kind, *sorted(REAL.glob(pattern)), "--out", tmp_path / "run")
    assert done.returncode == 0 and "12 of 12 answers scored, 0 failed" in done.stdout, done.stderr
    attempts = az.Run(tmp_path / "run").attempts()
    assert sorted(attempts["arm"].unique()) == arms and attempts["model"].unique().to_list() == [model]
    assert sorted(attempts["problem"].unique()) == ["booster", "ideal", "lift"]
    wrong = attempts.filter(polars.col("exact") < 1).select("arm", "problem", "repeat").rows()
    assert sorted(wrong) == [(arms[0], "lift", 0), (arms[0], "lift", 1)]
    if kind == "lm-eval":  # it reports no counts and no times
        assert attempts["tokens"].null_count() == attempts["seconds"].null_count() == 12
        report = ansatz("report", tmp_path / "run").stdout
        assert (
            "Cost: unknown tokens.\n" in report
            and "Resources" not in (tmp_path / "run/report.md").read_text()
        )
    else:
        assert attempts["input_tokens"].to_list() == [10] * 12


def test_logs_of_inspect_come_back_with_equal_scores(tmp_path):
    asked = [("Air is at p = 101325 Pa and T = 300 K. Its density?\n\nanswer = ___ kg/m^3", "1.1766 kg/m^3")]
    arms = {"calculator": az.Calculator()}
    study = az.Study(
        "pumps", models="offline:slide-rule", problems=asked, arms=arms, scorers=az.Outcome(), repeats=2
    )
    first = study.run(tmp_path / "first")
    assert ansatz("export", first.folder, "--to", "inspect", "--out", tmp_path / "logs").returncode == 0
    done = ansatz("score", "--from", "inspect", tmp_path / "logs", "--out", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    assert "simulated" in ansatz("report", tmp_path / "again").stdout
    equal(
        az.Run(tmp_path / "again"),
        first,
        ["arm", "repeat", "outcome", "exact", "input_tokens", "output_tokens"],
    )


def test_tool_calls_of_imported_logs_reach_the_funnel(tmp_path):
    """A run is exported as logs of Inspect; the same uses are found in the imported logs."""
    planted = [*plant()][::4]
    first = az.Run(write_planted_run(tmp_path / "first", planted))
    assert ansatz("export", first.folder, "--to", "inspect", "--out", tmp_path / "logs").returncode == 0
    done = ansatz("score", "--from", "inspect", tmp_path / "logs", "--out", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    again = az.Run(tmp_path / "again")
    columns = ["problem", "source", "number", "use", "in_answer", "redundant", "recovered"]
    in_conversation = first.tool_calls().filter(polars.col("result").is_not_null())
    assert again.tool_calls().select(columns).equals(in_conversation.select(columns))
    assert set(again.tool_use()["offered"]) == {None}  # logs do not state which tools were offered


def test_conversations_of_json_lines_reach_the_funnel(tmp_path):
    """The question and the answer are those of the conversation."""
    call = {"id": "1", "function": {"name": "python", "arguments": {"code": "print(9.81 * 12 * 9 / 700)"}}}
    messages = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "1.5138"},
        {"role": "assistant", "content": "The shaft power is 1.51 kW."},
    ]
    failed = [*messages[:2], {**messages[2], "content": "no such tool", "status": "error"}, messages[3]]
    row = {"problem_id": "pump", "target": KEY}
    file = lines(tmp_path / "tools.jsonl", [{**row, "messages": messages}, {**row, "messages": failed}])
    done = ansatz("score", "--from", "jsonl", file, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    calls = az.Run(tmp_path / "run").tool_calls()
    assert calls.select("source", "use", "decisive").rows() == [
        ("python", "used", True),
        ("python", "failed", False),
    ]
    assert calls["recovered"].to_list() == [None, "by hand"]


def equal(one, other, columns):
    frames = [run.attempts().select(columns).sort(columns) for run in (one, other)]
    assert frames[0].equals(frames[1])


def test_tables_of_our_own_come_back_with_equal_scores(tmp_path):
    """An attempt that failed, without an answer, is none to score."""
    first, problems = tmp_path / "first", tmp_path / "problems.jsonl"
    done = ansatz("score", "--from", "jsonl", *jsonl(tmp_path), "--out", first)
    assert done.returncode == 0 and "4 of 4 answers scored, 0 failed" in done.stdout, done.stderr
    run = az.Run(first)
    assert (run["helped"]["outcome"].to_list(), run["plain"]["repeat"].to_list()) == ([1.0, 1.0], [0, 1])
    [delta] = run.deltas().filter(polars.col("dimension") == "exact").to_dicts()
    assert delta["arm"] == "helped" and delta["estimate"] == 1.0
    assert ansatz("report", first).returncode == 0 and "index.html" in ansatz("view", first).stdout
    assert ansatz("export", first, "--to", "jsonl", "--out", tmp_path / "tables").returncode == 0
    table = tmp_path / "tables" / "attempts.jsonl"
    with table.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"problem": "pump", "arm": "plain", "state": "error", "answer": None}) + "\n")
    lines(problems, [{"id": "pump", "question": QUESTION, "answer": KEY}])
    options = ("--problems", problems, "--baseline", "plain", "--out", tmp_path / "again")
    done = ansatz("score", "--from", "jsonl", table, *options)
    assert done.returncode == 0 and "4 of 4 answers scored" in done.stdout, done.stderr
    again = az.Run(tmp_path / "again")
    equal(again, run, ["model", "arm", "problem", "repeat", "outcome", "exact", "seconds", "input_tokens"])


def test_repeats_that_are_stated_as_seeds_are_numbered(tmp_path):
    row = {"problem_id": "pump", "text": "1 kW"}
    other = row | {"problem_id": "other"}
    rows = [
        row | {"repeat": 20261123},
        row,
        row | {"repeat": 7},
        row,
        other | {"repeat": 20261123},
        other,
    ]
    file = lines(tmp_path / "a.jsonl", rows)
    assert [each.repeat for each in read_imported_answers("jsonl", [file])] == [1, 2, 0, 3, 1, 0]


ONCE = {"problem_id": "pump", "text": "1 kW", "question": "How much?", "target": "1 kW", "repeat": 0}


@pytest.mark.parametrize(
    ("kind", "rows", "message"),
    [
        ("jsonl", [{"problem_id": "pump"}], "a.jsonl:1: text: is missing"),
        (
            "jsonl",
            [ONCE | {"messages": [{"role": "user", "content": "?"}, {"role": "tol"}]}],
            "a.jsonl:1: messages[1].role: 'tol' is not valid; did you mean 'tool'",
        ),
        ("inspct", [], "did you mean 'inspect'"),
        ("jsonl", [ONCE, ONCE], "'pump' by imported under a, repeat 0: this attempt is in the files twice"),
        ("jsonl", [{**ONCE, "arm": "two\nlines"}], "a name must be text in one line"),
        ("jsonl", [], "a.jsonl: there is no answer to score"),
        ("jsonl", [{"problem_id": "pump", "text": "1 kW"}], "give --problems"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, kind, rows, message):
    file = lines(tmp_path / "a.jsonl", rows)
    assert message in one_line(ansatz("score", "--from", kind, file, "--out", tmp_path / "run"))


def test_a_binary_log_is_converted_first(tmp_path):
    (tmp_path / "a.eval").write_bytes(b"PK\x03\x04\xff")
    assert "`inspect log convert`" in one_line(ansatz("score", "--from", "inspect", tmp_path / "a.eval"))


@pytest.mark.parametrize("kind", ["inspect", "promptfoo"])
def test_deep_json_of_another_tool_is_one_line(tmp_path, kind):
    (tmp_path / "log.json").write_text("[" * 200_000)
    with pytest.raises(InvalidData, match="nested too deeply"):
        read_imported_answers(kind, [tmp_path / "log.json"])
