"""TPBench: records are read, programs assembled, faults reported; failures that are not the answer's are unscored."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.errors import InfrastructureError, InvalidData, SandboxUnavailable, StudyError
from ansatz.eval.benchmarks.tpbench import load
from ansatz.eval.benchmarks.tpbench.assembly import NoProgram, assemble
from ansatz.eval.benchmarks.tpbench.records import read_signature
from ansatz.eval.benchmarks.tpbench.score import TPBenchScore
from ansatz.eval.score import ScoringContext
from ansatz.experiments.design.plugins import load as plugin
from ansatz.experiments.design.resolution import resolve_settings
from ansatz.experiments.design.study_file import StudyFile
from ansatz.experiments.study import Study
from ansatz.sandbox import Sandbox, isolation
from tests.fakes.transcripts import attempt

HEADER = "def omega(omega0: float, c: float, I: float, t: np.ndarray) -> np.ndarray:\n"
RECORD = {
    "problem_id": "Damped Rotor",
    "domain": "Classical Mechanics",
    "difficulty_level": "3 - easy grad",
    "problem": "A rotor $I \\dot\\omega = -c\\,\\omega$ starts at $\\omega_0$. Find $\\omega(t)$.",
    "solution": "Separate the variables.",
    "answer": "$\\boxed{\\omega_0 e^{-ct/I}}$",
    "code_answer_requirements": f"Answer in \\texttt{{python}}.\n\\begin{{python}}\n{HEADER}    pass\n\\end{{python}}",
    "reference_implementation": f"\\begin{{python}}\n{HEADER}    return omega0*np.exp(-c*t/I)\n\\end{{python}}",
}
RIGHT = "```python\nimport numpy as np\ndef omega(omega0, c, I, t):\n    return omega0/np.exp(c*t/I)\n```"


def written(folder, content, name="records.json"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def problem(folder, reference=RECORD["reference_implementation"], **changed):
    """The problem of RECORD, where a reference may be the body of its function."""
    if not reference.startswith("\\begin"):
        reference = f"def omega(omega0, c, I, t):\n    {reference}"
    return load(path=written(folder, [{**RECORD, "reference_implementation": reference, **changed}]))[0]


async def score(problem, answer=RIGHT, stop="answered", **settings):
    [found] = await TPBenchScore(**settings).score(ScoringContext(problem, attempt(answer, stop)))
    return found


LINES = f"{json.dumps(RECORD)}\n\n{json.dumps({**RECORD, 'problem_id': 'Second', 'title': None})}\n"


@pytest.mark.parametrize(("name", "content"), [("a.json", [RECORD]), ("a.jsonl", LINES)])
def test_public_records_are_read(tmp_path, name, content):
    found = load(path=written(tmp_path, content, name))[0]
    assert (found.id, found.tags["level"]) == ("tpbench-damped-rotor", "3")
    [target] = found.targets
    assert (target.name, target.parameters, target.drawn) == ("omega", ("omega0", "c", "I", "t"), True)
    assert RECORD["problem"] in found.question and "def omega" in found.question


def test_stated_inputs_follow_the_signature(tmp_path):
    inputs = [[1, 2, 3, [0, 1]], {"omega0": "-1+2j", "c": 1, "I": 2, "t": [0.5]}]
    [target] = problem(tmp_path, test_inputs=inputs).targets
    assert not target.drawn
    assert (target.inputs[0]["omega0"], target.inputs[0]["t"]["$"]) == (1.0, "array")
    assert target.inputs[1]["omega0"] == {"$": "complex", "v": [-1.0, 2.0]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "records.json:1: not JSON"),
        ("[]", "records.json: has no records"),
        ("{}", "records.json: must be a list of records, not a dict"),
        ([3], "record 1: not a record but a int"),
        ([{**RECORD, "problem": ""}], "record 1: problem: is missing"),
        ([{"problem": "x"}, {**RECORD, "difficulty_level": "PhD"}], "record 2: difficulty_level: 'PhD' is not valid (valid: 1, 2"),
        ([RECORD, RECORD], "record 2: problem_id: there is another 'tpbench-damped-rotor' above"),
        ([{**RECORD, "reference_implementation": "def omega(:"}], "reference_implementation: exception: SyntaxError"),
        ([{**RECORD, "reference_implementation": "def other(x):\n    return x"}], "reference_implementation: signature mismatch"),
        ([{**RECORD, "test_inputs": [{"omega": 1}]}], "test_inputs: the parameters of omega: 'omega' is not valid"),
        ([{**RECORD, "test_inputs": [[1, 2]]}], "test_inputs: 2 values for the parameters omega0, c, I, t"),
        ([{**RECORD, "test_inputs": [[1, 2, "many", [1]]]}], "test_inputs: I: 'many' is no number"),
        ([{**RECORD, "relative_tolerance": "small"}], "relative_tolerance: must be a number, not 'small'"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_and_the_place(tmp_path, content, message):
    with pytest.raises(InvalidData) as caught:
        load(path=written(tmp_path, content))
    assert message in str(caught.value) and str(tmp_path) in str(caught.value)


def test_levels_and_domains_choose_problems():
    chosen = load(levels=[4, 5], domains=["cosmology"])
    assert {problem.tags["level"] for problem in chosen} == {"4", "5"}
    assert {problem.tags["domain"] for problem in chosen} == {"cosmology"}
    with pytest.raises(InvalidData, match="domains: 'cosmologie' is not valid; did you mean 'cosmology'"):
        load(domains=["cosmologie"])
    with pytest.raises(InvalidData, match="levels"):
        load(levels=["6"])


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("def f(x: float, n: int = 2) -> float: pass", "f", {"x": "float", "n": "int"}),
        ("def find\\_delta(a:float)->Tuple[float, float]:", "find_delta", {"a": "float"}),
        (
            "Implement\n  def g(\n    a: np.ndarray,\n    b,\n  ) -> complex:",
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


NESTED = "def f(x):\n    return " + "(" * 5000 + "x" + ")" * 5000


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("`" * 90_000, "no code"),
        ("```python\n" + "`" * 90_000 + "x", "no code"),
        ("```" + " " * 90_000 + "x", "no code"),
        (f"```python\n{NESTED}\n```", "exception"),
        ("```python\n" + "x = 1\n" * 40_000 + "```", "exception"),
    ],
    ids=["marks", "marks in code", "blanks", "nested beyond measure", "too long"],
)
def test_what_is_long_beyond_measure_is_read_in_linear_time(text, outcome):
    assert assemble(text, "f", ["x"]).outcome == outcome


@pytest.mark.parametrize(
    ("answer", "value", "message"),
    [
        (RIGHT, 1.0, "correct: 12 of 12 inputs agree"),
        (RIGHT.replace("omega0/", "0.5*omega0/"), 0.0, "0 of 12 inputs agree"),
        ("", 0.0, "no code: no function omega in 0 blocks of code"),
    ],
)
async def test_a_score_is_one_or_zero_with_the_outcome_in_its_evidence(tmp_path, answer, value, message):
    found = await score(problem(tmp_path), answer, "answered" if answer else "model_calls")
    assert (found.dimension, found.value) == ("auto", value)
    assert found.evidence.endswith(message)


@pytest.mark.parametrize(
    ("reference", "inputs", "message"),
    [
        ("return 1/0", [], "finite value at only 0 inputs"),
        ("return t*float('nan')", [], "finite value at only 0 inputs"),
        ("return 'text'", [], "finite value at only 0 inputs"),
        ("return [1/I]", [[1, 1, 0, [1]]], "ZeroDivisionError"),  # a chosen input has to have a value
    ],
)
async def test_a_reference_that_fails_leaves_every_answer_unscored(tmp_path, reference, inputs, message):
    found = await score(problem(tmp_path, reference, test_inputs=inputs))
    assert found.value is None and message in found.evidence


async def test_drawn_inputs_outside_the_domain_are_left_out(tmp_path):
    [target] = problem(tmp_path, "return t*(omega0 - 1)**0.5 if omega0 > 1 else 1/0").targets
    expected = await TPBenchScore().run_reference(target)
    assert 3 <= len(expected.inputs) < 12 and all(each["omega0"] > 1 for each in expected.inputs)


async def test_an_infrastructure_fault_is_not_a_wrong_answer(tmp_path, monkeypatch):
    with pytest.raises(InfrastructureError, match="did not finish"):
        await score(problem(tmp_path, "while True: pass", test_inputs=[[1, 1, 1, [1]]]), timeout_seconds=0.3)

    async def broken(*args):
        raise InfrastructureError("the worker died")

    monkeypatch.setattr(Sandbox, "call", broken)
    with pytest.raises(InfrastructureError, match="the worker died"):
        await score(problem(tmp_path))


def test_too_little_isolation_refuses_a_study_but_not_its_report(monkeypatch):
    def refuse(minimum, level):
        raise SandboxUnavailable(f"model-written code cannot be isolated at level {minimum} here")

    monkeypatch.setattr(isolation, "require", refuse)
    model = {"name": "openai:gpt-5.2", "settings": {"base_url": "http://127.0.0.1:9"}}
    study = {"name": "s", "models": [model], "problems": ["tpbench"], "scorers": {"tpbench": {}}}
    with pytest.raises(StudyError, match="cannot be isolated at level landlock here"):
        Study(**resolve_settings(StudyFile.model_validate(study), Path()))
    assert plugin("ansatz.scorers", "tpbench", {}).dimensions[0].name == "auto"
