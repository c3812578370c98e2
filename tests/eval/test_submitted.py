"""Problems and answers of strangers: read where their meaning is plain, told where it is not."""

import json
from pathlib import Path

import pytest

from ansatz.eval.benchmarks.items import dump, load
from ansatz.eval.benchmarks.tps import load as load_tps
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import MessageTarget, NumberTarget, Problem
from ansatz.eval.submitted.answers import Answer, read_answers
from ansatz.eval.submitted.names import EquationNames
from ansatz.eval.submitted.problems import read_problems
from ansatz.eval.submitted.score import verdicts
from ansatz.eval.verifier.verifier import review
from ansatz.knowledge_base.library import library

PROBLEM = {
    "id": "A1",
    "question": "Air of density rho = 1.2 kg/m^3 moves at V = 100 m/s. Find the dynamic pressure q.",
    "given": [
        {"name": "rho", "value": 1.2, "unit": "kg/m^3"},
        {"name": "V", "value": 100, "unit": "m/s"},
    ],
    "targets": [{"name": "q", "unit": "Pa", "weight": 1.0, "value": 6000.0}],
}
RIGHT = "q = 0.5*rho*V^2 = 0.5*1.2*100^2 = 6000 Pa"
SYMBOLS_ONLY = "q = 0.5*rho*V^2\n\nq = 6100 Pa"
WRONG = "q = rho*V^3/2 = 1.2*100^3/2 = 600000 Pa"


def write(folder: Path, *lines) -> Path:
    file = folder / "file.jsonl"
    file.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines))
    return file


def one(folder, **changes):
    read = read_problems(write(folder, {**PROBLEM, **changes}))
    assert read.faults == ()
    return read.found["A1"], [line.split("file.jsonl:1: ")[1] for line in read.warnings]


def g1(problem, text):
    return review(problem, Answer("a", problem.id, text).transcript())["G1"].points


def test_our_own_items_are_read_as_our_own_reader_reads_them(tmp_path):
    problems = load_tps(instances=1, seed=3)[::6]
    dump(problems, str(tmp_path / "items.jsonl"))
    read = read_problems(tmp_path / "items.jsonl")
    assert (read.faults, read.warnings) == ((), ())
    assert tuple(read.found.values()) == load(str(tmp_path / "items.jsonl"))


@pytest.mark.parametrize(
    "changes",
    [
        {"given": {"rho": {"value": 1.2, "unit": "kg/m^3"}, "V": {"value": 100, "unit": "m/s"}}},
        {"domains": "newtonian"},
        {"metadata": {"source": {"chapter": 6}}},
        {"targets": {"q": {"unit": "Pa", "value": "6000"}}},
        {"bounds": {"q": [0, 1e5]}},
        {"bounds": [{"name": "q", "min": 0, "max": 1e5}]},
        {"bounds": [{"name": "q", "min": 0, "max": 100, "unit": "kPa"}]},
        {"bounds": [["q", 0, 1e5]]},
        {"bounds": [["q", [0, 1e5]]]},
        {"bounds": [0, 1e5]},
        {"bounds": {"low": 0, "high": 1e5}},
        {"bounds": {"q": {"min": "0 Pa", "max": "100 kPa"}}},
        {"given": ["rho = 1.2 kg/m^3", "V = 100 m/s"]},
        {"given": {"rho": "1.2 kg/m³", "V": "$100\\,\\mathrm{m/s}$"}},
        {"targets": {"q": "6000 Pa"}},
        {"targets": [{"name": "q", "value": "6 kPa", "unit": "Pa"}]},
        {"targets": ["q = 6,000 Pa"]},
        {"targets": [{"name": "q", "value": 6000, "unit": "Pa", "tolerance": "2%"}]},
        {"version": 4},
        {"targets": [{"symbol": "q", "units": "Pa", "expected": 6000}]},
        {"reference_solution": None},
        {"gold_equations": "dynamic pressure"},
        {"gold_equations": [{"name": "Dynamic Pressure"}]},
    ],
    ids=lambda changes: json.dumps(changes)[:40],
)
def test_other_ways_to_write_the_same_are_read_without_a_word(tmp_path, changes):
    problem, warnings = one(tmp_path, **changes)
    assert warnings == []
    assert problem.givens[1].value == 100 and problem.targets[0].value == 6000.0
    assert all((bound.low, bound.high) == (0, 1e5) for bound in problem.reference.bounds)
    assert len(problem.reference.bounds) == ("bounds" in changes)
    assert problem.reference.gold_equations in ((), ("newtonian.pressure.dynamic",))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sauce": 1}, "sauce: there is no such field (valid: id, version,"),
        ({"leve": "L1"}, "leve: there is no such field; did you mean 'level'?"),
        ({"level": "hard"}, "level: 'hard' is not valid (valid: L1, L2, L3, L4); it is left out"),
        ({"tags": 7}, "tags: must be an object, not 7; it is left out"),
        ({"bounds": [{"target": "Q", "low": 0}]}, "bounds[0].target: 'Q' is no target; did you mean 'q'?"),
        ({"bounds": {"q": [1e5, 0]}}, "bounds[0].low: is 100000, above the high of 0; it is left out"),
        ({"bounds": [{"target": "q", "low": 0, "unit": "m"}]}, "bounds[0].low: must be a number, not '0 m'"),
        ({"bounds": [{"target": "q", "low": "x"}]}, "bounds[0].low: must be a number, not 'x'"),
        (
            {"given": [{"name": "rho", "value": 1.2, "unit": "kgm"}]},
            "given[0].unit: unit 'kgm' cannot be read",
        ),
        ({"gold_equations": ["dynamik pressure law"]}, "gold_equations[0]: no entry is called"),
        ({"targets": [{"name": "q", "value": 3.0}]}, "targets[0].unit: is missing"),
        (
            {"targets": [{"name": "q", "value": 3.0, "unit": "千帕"}]},
            "targets[0].unit: '千帕' is read as kPa",
        ),
        (
            {"targets": [{"name": "q", "value": 3.0, "unit": "Pa", "x": 1}]},
            "targets[0].x: there is no such field",
        ),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_what_is_odd_is_told_and_left_out(tmp_path, changes, said):
    problem, warnings = one(tmp_path, **changes)
    [line] = warnings
    assert line.startswith(said)
    assert len(problem.targets) == 1 and problem.reference.bounds == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON: Expecting property name"),
        ("[1]", "not an object but a list"),
        ('{"id": NaN}', "not JSON: NaN is not a number in JSON"),
        ('{"id": "x"}', "question: is missing"),
        ({**PROBLEM, "targets": []}, "targets: "),
        ({**PROBLEM, "question": ""}, "question: "),
        ({**PROBLEM, "id": None}, "id: is missing"),
        (
            {**PROBLEM, "targets": [{"name": "q", "unit": "Paa"}]},
            "targets[0].unit: unit 'Paa' cannot be read: unknown 'Paa'; did you mean 'Pa'?",
        ),
        (
            {**PROBLEM, "targets": [{"name": "q", "unit": "Pa", "value": "lots"}]},
            "targets[0].value: must be a number, not 'lots'",
        ),
        (
            {**PROBLEM, "targets": [{"name": "q", "unit": "Pa", "kind": "numbr"}]},
            "targets[0]: 'numbr' is not valid; did you mean 'number'?",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_refused_with_its_place_and_the_rest_is_kept(tmp_path, line, said):
    file = write(tmp_path, {**PROBLEM, "id": "first"}, line, {**PROBLEM, "id": "last"})
    read = read_problems(file)
    assert list(read.found) == ["first", "last"]
    assert any(each.startswith(f"{file}:2: {said}") for each in read.faults), read.faults


def test_an_id_given_twice_is_refused(tmp_path):
    read = read_problems(write(tmp_path, PROBLEM, PROBLEM))
    assert len(read.found) == 1
    assert read.faults[0].endswith(f"file.jsonl:2: id: 'A1' already stands at {tmp_path}/file.jsonl:1")


def test_a_list_in_json_will_do_and_a_missing_file_will_not(tmp_path):
    (tmp_path / "list.json").write_text(json.dumps([PROBLEM, {**PROBLEM, "id": 2}], indent=1))
    assert list(read_problems(tmp_path / "list.json").found) == ["A1", "2"]
    with pytest.raises(InvalidData, match="No such file"):
        read_problems(tmp_path / "absent")


# Equations in plain words


@pytest.mark.parametrize(
    "changes",
    [
        {"gold_equations": ["dynamic pressure"]},
        {"gold_equations": ["newtonian.pressure.dynamic"]},
        {"gold_equations": ["the head of Bernoulli's cousin"], "reference_solution": RIGHT},
        {"reference_solution": f"We take\n$q = \\frac{{1}}{{2}} \\rho V^2$. So {RIGHT}."},
        {"reference_solution": {"steps": [{"expression": "q = 0.5*rho*V**2", "value": 6000, "unit": "Pa"}]}},
        {"reference_solution": {"steps": [{"step": 1, "formula": RIGHT}]}},
        {"reference_solution": [{"formula": "q = 0.5*rho*V^2", "result": "6.0 kPa"}]},
        {"reference_solution": [{"equation": "q = \\frac{1}{2} \\rho V^2", "value": 6000, "units": "Pa"}]},
        {"reference_solution": {"gold_equations": ["dynamic pressure"], "text": ""}},
        {"reference_solution": [RIGHT]},
    ],
    ids=["name", "id", "unknown name", "words", "steps", "other steps", "results", "latex", "inside", "list"],
)
def test_the_right_formula_is_recognised_however_the_problem_names_it(tmp_path, changes):
    problem, _ = one(tmp_path, **changes)
    assert g1(problem, RIGHT) == 2
    assert g1(problem, SYMBOLS_ONLY) == 2
    assert g1(problem, WRONG) == 0


def test_an_equation_that_cannot_be_recognised_by_form_is_by_its_value(tmp_path):
    problem, _ = one(tmp_path, gold_equations=["the head of Bernoulli's cousin"])
    assert g1(problem, RIGHT) == 2
    assert g1(problem, WRONG) == 0


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("Sutton–Graves correlation", {"heating.sutton_graves.earth"}),
        ("the Stefan-Boltzmann law of radiation", set()),
        ("Stefan-Boltzmann", {"radiation.blackbody_emissive_power"}),
        ("dynamic pressure", {"newtonian.pressure.dynamic"}),
        ("newtonian.pressure.dynamic", {"newtonian.pressure.dynamic"}),
        ("formula", set()),
        ("flow", set()),
    ],
)
def test_a_name_may_be_told_by_its_words(name, ids):
    assert ids <= set(EquationNames(library()).find(name).ids)
    assert bool(ids) == bool(EquationNames(library()).find(name).ids)


def test_a_name_taken_by_its_words_is_told(tmp_path):
    problem, warnings = one(tmp_path, gold_equations=["equation of dynamic pressure"])
    assert problem.reference.gold_equations == ("newtonian.pressure.dynamic",)
    assert warnings == [
        "gold_equations[0]: 'equation of dynamic pressure' is taken for newtonian.pressure.dynamic"
    ]
    assert (g1(problem, RIGHT), g1(problem, WRONG)) == (2, 0)


def test_a_numeric_solution_alone_still_tells_the_right_value(tmp_path):
    problem, _ = one(
        tmp_path, gold_equations=["a head of steam"], reference_solution="q = 0.5*1.2*100^2 = 6000 Pa"
    )
    assert (g1(problem, RIGHT), g1(problem, WRONG)) == (2, 0)


def test_named_equations_are_evaluated_one_after_the_other(tmp_path):
    problem, _ = one(
        tmp_path,
        gold_equations=["dynamic pressure", "newtonian.force.lift"],
        given=[
            *PROBLEM["given"],
            {"name": "S", "value": 2, "unit": "m^2"},
            {"name": "C_L", "value": 0.5, "unit": "-"},
        ],
    )
    steps = {step.equation: step.value for step in problem.reference.steps}
    assert steps["newtonian.pressure.dynamic"] == pytest.approx(6000.0)


def test_an_equation_that_contradicts_the_key_is_no_step(tmp_path):
    targets = [{"name": "q", "unit": "Pa", "value": 5000.0}]
    problem, _ = one(tmp_path, gold_equations=["dynamic pressure"], targets=targets)
    [step] = problem.reference.steps
    assert (step.equation, step.value) == ("newtonian.pressure.dynamic", 5000.0)


# Answers


def test_answers_are_read_and_all_others_listed(tmp_path):
    problem, _ = one(tmp_path)
    good = {"answer_id": 7, "problem_id": "A1", "text": "q = 1 Pa", "model": "x"}
    file = write(
        tmp_path,
        good,
        {"answer_id": "b", "problem_id": "A1", "text": None},
        {"answer_id": "c", "problem_id": "A11", "text": ""},
        {"answer_id": "d", "problem_id": "A1", "txt": "q"},
        {**good, "answer_id": "7"},
        {**good, "answer_id": ["e"]},
        "oops",
    )
    read = read_answers(file, {"A1": problem})
    assert [(each.answer_id, each.text) for each in read.found] == [("7", "q = 1 Pa"), ("b", "")]
    assert read.found[1].transcript().stop == "empty"
    [unknown] = read.unknown
    assert (
        unknown
        == f"{file}:3: problem_id: 'A11' is not among the problems; did you mean 'A1'?; answer 'c' is not scored"
    )
    assert [each.split(": ", 1)[1] for each in read.faults] == [
        "text: is missing; did you mean 'txt'?",
        f"answer_id: '7' already stands at {file}:1",
        "answer_id: must be text, not ['e']",
        "not JSON: Expecting value at column 1",
    ]
    assert len(read.warnings) == 1


def test_targets_without_a_key_have_no_verdict():
    targets = (
        NumberTarget(name="q", unit="Pa", weight=1.0),
        MessageTarget(name="why", weight=1.0, value="because"),
        NumberTarget(name="p", unit="Pa", weight=1.0, value=10.0),
    )
    problem = Problem(id="p", family="p", benchmark="b", question="?", targets=targets)
    found = verdicts(problem, "q = 3 Pa and p = 10.5 Pa")
    assert found["q"] is None and found["why"] is None
    assert (found["p"].stated, found["p"].stated_unit, found["p"].band) == (10.5, "Pa", "acceptable")
