"""TPBench: records are read, values are compared by one rule, faults are told."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.agents import InfrastructureError
from ansatz.eval.benchmarks.tpbench import load
from ansatz.eval.benchmarks.tpbench.assembly import NoProgram, assemble
from ansatz.eval.benchmarks.tpbench.inputs import read_signature
from ansatz.eval.benchmarks.tpbench.score import TPBenchScore
from ansatz.eval.score import ScoringContext
from ansatz.eval.validation import InvalidData
from ansatz.experiments.design.plugins import load as plugin
from ansatz.experiments.design.resolution import settings_of
from ansatz.experiments.design.study_error import StudyError
from ansatz.experiments.design.study_file import StudyFile
from ansatz.experiments.study import Study
from ansatz.sandbox import Sandbox, SandboxUnavailable, isolation
from tests.fakes.transcripts import attempt

RECORD = {
    "problem_id": "Damped Rotor",
    "domain": "Classical Mechanics",
    "difficulty_level": "2",
    "problem": "A rotor $I \\dot\\omega = -c\\,\\omega$ starts at $\\omega_0$. Find $\\omega(t)$.",
    "solution": "Separate the variables.",
    "answer": "$\\boxed{\\omega_0 e^{-ct/I}}$",
    "code_answer_requirements": (
        "Provide the answer as \\texttt{python} code. Implement the following function\n"
        "\\begin{python}\ndef omega(omega0: float, c: float, I: float, t: np.ndarray) -> np.ndarray:\n    pass\n\\end{python}"
    ),
    "reference_implementation": (
        "\\begin{python}\ndef omega(omega0: float, c: float, I: float, t: np.ndarray) -> np.ndarray:\n"
        "    return omega0*np.exp(-c*t/I)\n\\end{python}"
    ),
}
RIGHT = "```python\nimport numpy as np\ndef omega(omega0, c, I, t):\n    return omega0/np.exp(c*t/I)\n```"
HALF = RIGHT.replace("omega0/", "0.5*omega0/")


def written(folder, content, name="records.json"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


LINES = f"{json.dumps(RECORD)}\n\n{json.dumps({**RECORD, 'problem_id': 'Second', 'title': None})}\n"


@pytest.mark.parametrize(("name", "content"), [("a.json", [RECORD]), ("a.jsonl", LINES)])
def test_public_records_are_read(tmp_path, name, content):
    problem = load(path=written(tmp_path, content, name))[0]
    assert problem.tags["level"] == "2"
    assert problem.id == "tpbench-damped-rotor"
    target = problem.targets[0]
    assert (target.name, target.parameters, target.drawn) == ("omega", ("omega0", "c", "I", "t"), True)
    assert RECORD["problem"] in problem.question and "def omega" in problem.question


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "records.json:1: not JSON"),
        ("[]", "records.json: there is no record in it"),
        ("{}", "records.json: must be a list of records, not a dict"),
        ([3], "record 1: not a record but a int"),
        ([{**RECORD, "problem": ""}], "record 1: problem: is missing"),
        ([{**RECORD, "difficulty_level": "PhD"}], "difficulty_level: 'PhD' is not valid (valid: 1, 2, 3, 4, 5)"),
        ([RECORD, RECORD], "record 2: problem_id: there is another 'tpbench-damped-rotor' above"),
        ([{**RECORD, "reference_implementation": "def omega(:"}], "reference_implementation: exception: SyntaxError"),
        ([{**RECORD, "reference_implementation": "def other(x):\n    return x"}], "reference_implementation: signature mismatch"),
        ([{**RECORD, "test_inputs": [{"omega": 1}]}], "test_inputs: the parameters of omega: 'omega' is not valid"),
        ([{**RECORD, "test_inputs": [[1, 2]]}], "test_inputs: 2 values for the parameters omega0, c, I, t"),
        ([{**RECORD, "test_inputs": [[1, 2, "many", [1]]]}], "test_inputs: I: 'many' is no number"),
        ([{**RECORD, "relative_tolerance": "small"}], "relative_tolerance: must be a number, not 'small'"),
        ([{"problem": "x"}, {**RECORD, "difficulty_level": "9"}], "record 2: difficulty_level: '9' is not valid"),
    ],
)  # fmt: skip
def test_a_faulty_file_is_told_with_its_place(tmp_path, content, said):
    with pytest.raises(InvalidData) as caught:
        load(path=written(tmp_path, content))
    assert said in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_levels_and_domains_choose_problems():
    chosen = load(levels=[4, 5], domains=["cosmology"])
    assert {problem.tags["level"] for problem in chosen} == {"4", "5"}
    assert {problem.tags["domain"] for problem in chosen} == {"cosmology"}
    with pytest.raises(InvalidData, match="domains: 'cosmologie' is not valid; did you mean 'cosmology'"):
        load(domains=["cosmologie"])
    with pytest.raises(InvalidData, match="levels"):
        load(levels=["6"])


def test_stated_inputs_follow_the_signature(tmp_path):
    record = {
        **RECORD,
        "difficulty_level": "3 - easy grad",
        "test_inputs": [[1, 2, 3, [0, 1]], {"omega0": "-1+2j", "c": 1, "I": 2, "t": [0.5]}],
    }
    problem = load(path=written(tmp_path, [record]))[0]
    target = problem.targets[0]
    assert problem.tags["level"] == "3" and not target.drawn
    assert target.inputs[0]["omega0"] == 1.0
    assert target.inputs[0]["t"]["$"] == "array"
    assert target.inputs[1]["omega0"] == {"$": "complex", "v": [-1.0, 2.0]}


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("def f(x: float, n: int = 2) -> float: pass", "f", {"x": "float", "n": "int"}),
        ("def find\\_delta(a:float)->Tuple[float, float]:", "find_delta", {"a": "float"}),
        (
            "Implement\n  def g(\n    a: np.ndarray,\n    b,\n  ) -> complex:\n    pass",
            "g",
            {"a": "np.ndarray", "b": ""},
        ),
        ("def answer() -> float: pass", "answer", {}),
    ],
)
def test_signatures_are_read_from_text(text, name, parameters):
    signature = read_signature(text)
    assert (signature.name, signature.parameters) == (name, parameters)


PIECES = st.sampled_from(
    ["```python\n", "```\n", "~~~", "def f(x):\n", "    return x\n", "x = 1\n", "\\begin{python}", "\\end{python}",
     "    ", "> ", "\t", "import os\n", "if __name__ == '__main__':\n", "f = lambda x: x\n", "class A:\n", "text ", "é\x00\n"]
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_text_breaks_the_extraction(text):
    found = assemble(text, "f", ["x"])
    assert isinstance(found, NoProgram) or compile(found.source, "<assembled>", "exec")


def test_long_runs_of_marks_are_read_in_linear_time():
    for text in ("`" * 100_000, "```python\n" + "`" * 100_000 + "x", "```" + " " * 100_000 + "x"):
        assert isinstance(assemble(text, "f", ["x"]), NoProgram)


def test_a_block_nested_beyond_measure_is_an_exception_of_the_answer():
    answer = "```python\ndef f(x):\n    return " + "(" * 5000 + "x" + ")" * 5000 + "\n```"
    assert assemble(answer, "f", ["x"]).outcome == "exception"
    assert assemble("```python\n" + "x = 1\n" * 40_000 + "```", "f", ["x"]).outcome == "exception"


async def test_a_score_is_one_or_zero_with_the_outcome_in_its_evidence(tmp_path):
    problem = load(path=written(tmp_path, [RECORD]))[0]
    scorer = TPBenchScore()
    [right] = await scorer.score(ScoringContext(problem, attempt(RIGHT)))
    [wrong] = await scorer.score(ScoringContext(problem, attempt(HALF)))
    [empty] = await scorer.score(ScoringContext(problem, attempt("", "model_calls")))
    assert (right.dimension, right.value, right.evidence) == ("auto", 1.0, "correct: 12 of 12 inputs agree")
    assert (wrong.value, wrong.evidence.split(":")[0]) == (0.0, "wrong value")
    assert "0 of 12 inputs agree" in wrong.evidence
    assert (empty.value, empty.evidence) == (0.0, "no code: no function omega in 0 blocks of code")


@pytest.mark.parametrize("value", ["1/0", "t*float('nan')", "'text'"])
async def test_a_reference_that_fails_leaves_every_answer_unscored(tmp_path, value):
    reference = f"def omega(omega0, c, I, t):\n    return {value}"
    problem = load(path=written(tmp_path, [{**RECORD, "reference_implementation": reference}]))[0]
    [score] = await TPBenchScore().score(ScoringContext(problem, attempt(RIGHT)))
    assert score.value is None
    assert "finite value at only 0 inputs" in score.evidence


async def test_drawn_inputs_outside_the_domain_are_left_out(tmp_path):
    reference = "import numpy as np\ndef omega(omega0, c, I, t):\n    return t*float(np.sqrt(omega0 - 1)) if omega0 > 1 else 1/0"
    problem = load(path=written(tmp_path, [{**RECORD, "reference_implementation": reference}]))[0]
    expected = await TPBenchScore().expected(problem.targets[0])
    assert 3 <= len(expected.inputs) < 12
    assert all(each["omega0"] > 1 for each in expected.inputs)


async def test_a_chosen_input_at_which_the_reference_fails_is_a_fault_of_the_problem(tmp_path):
    record = {
        **RECORD,
        "test_inputs": [[1, 1, 0, [1]]],
        "reference_implementation": "def omega(omega0, c, I, t):\n    return [1/I]",
    }
    [score] = await TPBenchScore().score(
        ScoringContext(load(path=written(tmp_path, [record]))[0], attempt(RIGHT))
    )
    assert score.value is None and "ZeroDivisionError" in score.evidence


async def test_a_fault_of_the_sandbox_is_not_a_wrong_answer(tmp_path, monkeypatch):
    async def broken(*args):
        raise InfrastructureError("the worker died")

    problem = load(path=written(tmp_path, [RECORD]))[0]
    monkeypatch.setattr(Sandbox, "call", broken)
    with pytest.raises(InfrastructureError):
        await TPBenchScore().score(ScoringContext(problem, attempt(RIGHT)))


async def test_a_reference_that_is_cut_off_is_a_fault_of_the_machine(tmp_path):
    reference = "def omega(omega0, c, I, t):\n    while True: pass"
    problem = load(
        path=written(
            tmp_path, [{**RECORD, "reference_implementation": reference, "test_inputs": [[1, 1, 1, [1]]]}]
        )
    )[0]
    with pytest.raises(InfrastructureError, match="did not finish"):
        await TPBenchScore(timeout_seconds=0.3).score(ScoringContext(problem, attempt(RIGHT)))


def test_a_machine_that_isolates_too_little_ends_a_study_before_it_starts_but_not_its_report(monkeypatch):
    def refuse(minimum, level):
        raise SandboxUnavailable(f"model-written code cannot be isolated at {minimum} here")

    monkeypatch.setattr(isolation, "require", refuse)
    study = {
        "name": "s",
        "models": [{"name": "openai:gpt-5.2", "settings": {"base_url": "http://127.0.0.1:9"}}],
        "problems": ["tpbench"],
        "scorers": {"tpbench": {}},
    }
    with pytest.raises(StudyError, match="cannot be isolated at L2 here"):
        Study(**settings_of(StudyFile.model_validate(study), Path()))
    assert plugin("ansatz.scorers", "tpbench", {}).dimensions[0].name == "auto"
