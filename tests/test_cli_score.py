"""`ansatz score` with rules or a judge, as a table and as JSON."""

import json

import pytest

from tests.commands import ansatz, one_line
from tests.eval.judging.judge_cases import marks
from tests.fakes.behaviours import Answer, Failure
from tests.fakes.openai_server import OpenAIServer

NAMES = [f"G{n}" for n in range(1, 9)]
STEP = {
    "equation": "newtonian.pressure.dynamic",
    "symbol": "q",
    "expression": "q = 0.5*rho*V**2",
    "value": 6000.0,
    "unit": "Pa",
}
PROBLEM = {
    "id": "A1",
    "question": "Air of density rho = 1.2 kg/m^3 moves at V = 100 m/s. Find the dynamic pressure q.",
    "targets": [{"name": "q", "unit": "Pa", "value": 6000.0}],
    "given": [{"name": "rho", "value": 1.2, "unit": "kg/m^3"}, {"name": "V", "value": 100, "unit": "m/s"}],
    "gold_equations": ["newtonian.pressure.dynamic"],
    "reference_solution": {"steps": [STEP]},
}
RIGHT = "q = 0.5*rho*V^2 = 0.5*1.2*100^2 = 6000 Pa"
WRONG = "q = rho*V^3/2 = 1.2*100^3/2 = 600000 Pa"


def write(folder, *lines):
    file = folder / "file.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return file


@pytest.fixture
def files(tmp_path):
    (tmp_path / "p").mkdir()
    problems = write(tmp_path / "p", PROBLEM)
    answers = write(
        tmp_path,
        {"answer_id": "good", "problem_id": "A1", "text": f"{RIGHT}\n\nq = 6 kPa"},
        {"answer_id": "bad", "problem_id": "A1", "text": WRONG},
        {"answer_id": "none", "problem_id": "A1", "text": ""},
    )
    return "--problems", problems, "--answers", answers


def test_scores_of_every_answer_as_json_and_table(files):
    done = ansatz("score", *files, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads(done.stdout)
    assert list(content) == ["answers"]
    good, bad, none = content["answers"]
    assert " ".join(good) == "answer_id problem_id targets dimensions kpi kpi_published reasons"
    assert (good["answer_id"], good["problem_id"]) == ("good", "A1")
    assert good["targets"] == {"q": {"value": 6.0, "unit": "kPa", "band": "exact", "unit_ok": True}}
    assert bad["targets"]["q"]["band"] == "wrong"
    assert none["targets"]["q"] == {"value": None, "unit": None, "band": "wrong", "unit_ok": False}
    assert [list(each["dimensions"]) for each in content["answers"]] == [NAMES] * 3
    assert (good["dimensions"]["G1"], bad["dimensions"]["G1"], none["dimensions"]["G1"]) == (2, 0, 0)
    assert good["kpi"] > 60 > bad["kpi"] > none["kpi"] == 0
    lines = ansatz("score", *files).stdout.splitlines()
    assert lines[0].split() == ["answer", "problem", "targets", *NAMES, "kpi", "kpi_published"]
    assert [line.split()[0] for line in lines][1:] == ["good", "bad", "none", "mean"]
    assert lines[1].split()[:4] == ["good", "A1", "1", "exact"]


def test_answers_that_cannot_be_scored_are_listed(files):
    answers = files[3]
    with answers.open("a") as file:
        file.write(json.dumps({"answer_id": "lost", "problem_id": "B", "text": "q = 1 Pa"}) + "\n")
    done = ansatz("score", *files, "--json")
    assert done.returncode == 1 and len(json.loads(done.stdout)["answers"]) == 3
    assert f"{answers}:4: problem_id: 'B' is not among the problems" in done.stderr
    with answers.open("a") as file:
        file.write("{\n")
    assert ansatz("score", *files).returncode == 2, "a line that cannot be read is bad input"
    answers.write_text("")
    assert f"{answers}: there is no answer to score" in one_line(ansatz("score", *files))


def test_a_served_model_judges(files):
    def script(request):
        judged = Answer(calls=(("record_marks", marks("21021021")),))
        return Failure(400, "no") if WRONG in request.text else judged

    with OpenAIServer(script) as server:
        asked = ("--judge", "openai:judge", "--grounded", "--base-url", server.base_url)
        done = ansatz("score", *files, *asked, "--json")
        assert len(server.requests) == 2  # no answer, no question
    assert done.returncode == 1
    assert "bad: openai:judge rejected the request" in done.stderr
    good, bad, none = json.loads(done.stdout)["answers"]
    assert list(good["dimensions"].values()) == [2, 1, 0, 2, 1, 0, 2, 1]
    assert good["kpi_published"] == pytest.approx(100 * (0.2 + 0.075 + 0.15 + 0.05 + 0.1 + 0.05))
    assert good["kpi"] == pytest.approx(100 * (0.2 + 0.075 + 0.15))  # faults on G2 and G3
    assert bad["kpi"] is None and set(bad["dimensions"].values()) == {None}
    assert bad["targets"]["q"]["band"] == "wrong" and none["kpi"] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--grounded",), "--grounded is for models"),
        (("--judge", "verifier", "--judge", "openai:x"), "the verifier cannot be a member of a panel"),
        (("--judge", "offline:slide-rule"), "is not a language model and cannot judge"),
        (("--scorer", "outcome"), "or give both --problems and --answers"),
        (("--judge", "gpt-5"), "names no provider; write provider:model"),
    ],
)
def test_impossible_judges_are_refused(files, options, message):
    assert message in one_line(ansatz("score", *files, *options))
