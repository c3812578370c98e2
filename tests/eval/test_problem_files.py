"""Items from JSONL: the published schema, our additions, faithful round trips, and one clear line per fault."""

import json
import math
import string

import numpy
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval import problem_files
from ansatz.eval.problem import (
    ChoiceTarget,
    Entity,
    Formulation,
    Given,
    LabelTarget,
    NumberTarget,
    Problem,
    ReferenceSolution,
    SolutionStep,
    TargetBound,
    Tolerance,
)
from ansatz.eval.validation import InvalidData

PUBLISHED = {  # the fields of the schema's published example, with values of our own
    "id": "L2_0007",
    "version": "v4.0",
    "level": "L2",
    "task_type": "numerical_calc",
    "domains": ["boundary_layer", "aerothermal_heating"],
    "solution_type": "analytical",
    "requires_simulation": False,
    "question": "Air flows over a flat plate. Find delta and Re_x.",
    "given": [
        {"name": "M_inf", "value": 6.0, "unit": "-"},
        {"name": "p_inf", "value": 1197, "unit": "Pa", "description": "pressure"},
    ],
    "targets": [
        {"name": "delta", "unit": "m", "weight": 0.5, "value": 0.012},
        {"name": "Re_x", "unit": "-", "weight": 0.5, "value": 2.5e5},
    ],
    "metadata": {"source_id": "chapter 6", "solution_verified": True},
}


def write(tmp_path, *lines):
    file = tmp_path / "items.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts), encoding="utf-8")
    return str(file)


def changed(**fields):
    return {**PUBLISHED, **fields}


def test_an_item_of_the_published_schema_becomes_a_problem(tmp_path):
    """Blank lines and a byte order mark are passed over."""
    [problem] = problem_files.load(write(tmp_path, "\ufeff", PUBLISHED, "", ""))
    assert (problem.id, problem.family, problem.benchmark) == ("L2_0007", "L2_0007", "items")
    assert problem.question == PUBLISHED["question"]
    assert problem.givens[1] == Given(name="p_inf", value=1197.0, unit="Pa", description="pressure")
    assert problem.targets == (
        NumberTarget(name="delta", unit="m", weight=0.5, value=0.012),
        NumberTarget(name="Re_x", unit="-", weight=0.5, value=2.5e5),
    )
    assert problem.tags == {
        "version": "v4.0",
        "level": "L2",
        "task_type": "numerical_calc",
        "domains": ("boundary_layer", "aerothermal_heating"),
        "solution_type": "analytical",
        "metadata.source_id": "chapter 6",
        "metadata.solution_verified": "true",
    }


words = st.text(string.ascii_letters + ' _.#−é\u2028"\\\n', min_size=1, max_size=12)
names = st.text(string.ascii_lowercase, min_size=1, max_size=6) | st.just("approach")
numbers = st.floats(allow_nan=False, allow_infinity=False)
units = st.sampled_from(["-", "m", "kJ/(kg·K)", "W/m^2", "degC"])
weights = st.floats(0.01, 1)
givens = st.builds(
    Given,
    name=names,
    value=numbers | st.sampled_from(["air", "two words"]),
    unit=units,
    description=words,
)
targets = st.one_of(
    st.builds(
        NumberTarget,
        name=names,
        unit=units,
        weight=weights,
        value=numbers,
        difference=st.booleans(),
        tolerance=st.none() | st.builds(Tolerance, relative=st.floats(0, 1)),
    ),
    st.builds(LabelTarget, name=names, weight=weights, value=words, accepted=st.tuples(words)),
    st.builds(
        ChoiceTarget,
        name=names,
        weight=weights,
        value=st.just("B"),
        options=st.fixed_dictionaries({"B": words}, optional={"A": words}),
    ),
)


def unique(part):
    return part.name


references = st.builds(
    ReferenceSolution,
    formulation=st.none()
    | st.builds(Formulation, given=words, find=words, approach=words, assumptions=words),
    steps=st.lists(
        st.builds(
            SolutionStep, equation=st.just(""), symbol=names, expression=words, value=numbers, unit=units
        ),
        max_size=2,
    ).map(tuple),
    trap=words,
)
tags = st.dictionaries(
    st.sampled_from(["level", "task_type", "domains", "version", "tier", "metadata.page", "domain"]),
    st.sampled_from(["L1", "comparison", "x", ""]) | st.lists(words, max_size=2).map(tuple),
)


@st.composite
def problems(draw):
    asked = tuple(draw(st.lists(targets, min_size=1, max_size=3, unique_by=unique)))
    reference = draw(references)
    bound = TargetBound(target=asked[0].name, high=draw(numbers), reason=draw(words))
    return Problem(
        id=draw(names),
        family=draw(names),
        benchmark=draw(names),
        question=draw(words.filter(str.strip)),
        context=draw(words),
        givens=tuple(draw(st.lists(givens, max_size=3, unique_by=unique))),
        targets=asked,
        reference=reference.model_copy(update={"bounds": (bound,)}),
        entities=draw(st.dictionaries(names, st.builds(Entity, text=words, kind=words), max_size=2)),
        follows=tuple(draw(st.lists(names, max_size=2))),
        tags=draw(tags),
    )


@settings(max_examples=80)
@given(st.lists(problems(), min_size=1, max_size=3, unique_by=lambda problem: problem.id))
def test_what_is_written_reads_back_equal(tmp_path_factory, written):
    file = str(tmp_path_factory.mktemp("items") / "items.jsonl")
    problem_files.dump(written, file)
    assert problem_files.load(file) == tuple(written)


TARGET = {"name": "x", "unit": "m", "value": 1}

SYMBOLIC = {"kind": "symbolic", "name": "D", "symbols": ["q", "S"]}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"levl": "L2"}, "levl: there is no such field; did you mean 'level'?"),
        ({"level": "L9"}, "level: 'L9' is not valid; did you mean 'L"),
        ({"question": ""}, "question: must not be empty"),
        ({"given": [{"name": "p", "value": 1, "units": "Pa"}]}, "given[0].unit: is missing"),
        ({"given": [{"name": "p", "value": 1, "unit": "Pascl"}]}, "given[0].unit: unit 'Pascl' cannot be"),
        ({"given": PUBLISHED["given"][:1] * 2}, "given[1].name: 'M_inf' is already given[0]"),
        ({"targets": []}, "targets: must have at least 1 entry"),
        ({"targets": [{**TARGET, "weight": 0}]}, "targets[0].weight: must be greater"),
        ({"targets": [{**TARGET, "wait": 1}]}, "targets[0].wait: there is no such field; did"),
        ({"targets": [{"name": "x", "unit": "m"}]}, "targets[0].value: is missing"),
        ({"targets": [{**TARGET, "value": "1 m"}]}, "targets[0].value: must be a number"),
        ({"targets": [{"kind": "lable", "name": "x"}]}, "targets[0]: 'lable' is not valid; did you mean"),
        ({"steps": []}, "steps: there is no such field; did you mean 'reference_solution.steps'?"),
        ({"answer": "3 m"}, "answer: stands beside targets"),
        ({"targets": [{"kind": "choice", "value": "E", "options": {"A": "rises", "B": "falls"}}]}, "targets[0].value: 'E' is no option (valid: A, B)"),
        ({"targets": [{**SYMBOLIC, "value": "q*(S"}]}, "targets[0].value: "),
        ({"targets": [{**SYMBOLIC, "value": "q*s"}]}, "targets[0].value: 's' is none of the symbols"),
        ({"bounds": [{"target": "Rex", "reason": "r"}]}, "bounds[0].target: 'Rex' is no target; did you mean"),
        ({"gold_equations": ["shock.nothing"]}, "gold_equations[0]: there is no equation 'shock.nothing'"),
    ],
)  # fmt: skip
def test_a_fault_is_named_by_file_line_field_and_nearest_valid_value(tmp_path, fields, message):
    file = write(tmp_path, PUBLISHED, "", changed(**{"id": "other", **fields}))
    with pytest.raises(InvalidData) as raised:
        problem_files.load(file)
    lines = str(raised.value).splitlines()
    assert any(line.startswith(f"{file}:3: {message}") for line in lines), lines
    assert all(line.startswith(f"{file}:3: ") for line in lines)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a",}', "not JSON: "),
        ("[1, 2]", "not an object but a list"),
        ('{"id": NaN}', "not JSON: NaN is not a number in JSON"),
        ("[" * 100_000, "not JSON: "),
        ('{"question": "q?", "answer": "1 m", "answer": "2 m"}', "not JSON: 'answer' is given twice"),
        ('{"question": " ", "answer": "1 m"}', "question: must not be empty"),
        ('{"question": "q?", "value": 1e400, "unit": "m"}', "targets[0].value: must be a "),
        ('{"question": "q?", "value": 1' + "0" * 400 + ', "unit": "m"}', "targets[0].value: must be a "),
    ],
    ids=range(8),
)
def test_a_line_that_is_no_item_says_so(tmp_path, line, message):
    file = write(tmp_path, line)
    with pytest.raises(InvalidData) as raised:
        problem_files.load(file)
    assert str(raised.value).startswith(f"{file}:1: {message}")


def test_all_faults_of_a_file_are_reported_together(tmp_path):
    file = write(tmp_path, changed(level="L7", id="a"), "{", PUBLISHED, PUBLISHED)
    with pytest.raises(InvalidData) as raised:
        problem_files.load(file)
    places = [line.split(": ")[0] for line in str(raised.value).splitlines()]
    assert places == [f"{file}:1", f"{file}:2", f"{file}:4"]
    assert f"id: 'L2_0007' is already {file}:3" in str(raised.value)


def test_a_file_that_cannot_be_read_says_why(tmp_path):
    with pytest.raises(InvalidData, match="No such file"):
        problem_files.load(str(tmp_path / "nowhere.jsonl"))
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "\xe9"}')
    with pytest.raises(InvalidData, match="not UTF-8 text at byte 8"):
        problem_files.load(str(tmp_path / "latin.jsonl"))
    with pytest.raises(InvalidData, match="there is no problem in it"):
        problem_files.load(write(tmp_path, ""))


# Problems from Python objects

PUMP = "A pump lifts 12 L/s of water by 9 m at 70 % efficiency. Shaft power?"


def test_a_pair_is_a_problem_with_one_target():
    [problem] = problem_files.problems([(PUMP, "1.51 kW")])
    assert problem.targets == (NumberTarget(name="answer", unit="kW", value=1.51),)
    assert problem.id == problem.family == "a-pump-lifts-12-l-s-of-water-by-" + problem.id[-6:]
    assert problem_files.problems([(PUMP, "1510 W")])[0].id == problem.id, "an id hangs on the question"
    assert problem_files.problems([(PUMP + " ", "1.51 kW")])[0].id != problem.id


@pytest.mark.parametrize(
    "fields",
    [
        (PUMP, "1.51 kW"),
        [PUMP, {"value": 1.51, "unit": "kW"}],
        {"question": PUMP, "answer": "1.51 kW"},
        {"question": PUMP, "answer": 1.51, "unit": "kW"},
        {"question": PUMP, "value": 1.51, "unit": "kW"},
        {"question": PUMP, "targets": [{"value": 1.51, "unit": "kW"}]},
    ],
    ids=str,
)
def test_all_forms_of_a_problem_are_one_problem_also_as_lines_of_a_file(tmp_path, fields):
    [expected] = problem_files.problems([(PUMP, "1.51 kW")])
    assert problem_files.problems([fields]) == (expected,)
    if isinstance(fields, dict):
        assert problem_files.problems(write(tmp_path, fields)) == (expected,)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([(PUMP, "B")], "problems[0]: answer: 'B' is not a number with a unit, such as '6800 m/s'; a choice"),
        ([(PUMP, "1 kW", "2 kW")], "problems[0]: must be a question and its answer, not 3 things"),
        ([3], "problems[0]: must be a pair, a dict or a Problem, not a int"),
        ([(PUMP, "1 kW"), (PUMP, "2 kW")], "problems[1]: id: 'a-pump-lifts"),
        ([(PUMP, float("nan"))], "problems[0]: targets[0].value: must be a finite number, not nan"),
        ([{"question": PUMP}], "problems[0]: targets: is missing"),
        ([{"question": PUMP, "answer": "1 kW", "value": 1}], "problems[0]: answer: stands beside value"),
        ([{"question": PUMP, "answer": "1 kW", "unit": "W"}], "problems[0]: answer: has the unit kW, beside"),
        ([{"question": PUMP, "answer_": "1 kW", "value": 1, "unit": "W"}], "problems[0]: answer_: there is no such field; did you mean 'answer'?"),
        ([], "problems: there is none"),
        ({"question": PUMP}, "problems: must be a list, a frame or a path, not a dict"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_problem_is_named_by_its_place(source, message):
    with pytest.raises(InvalidData) as raised:
        problem_files.problems(source)
    assert str(raised.value).startswith(message)


class Pandas(list):
    """As pandas.DataFrame gives its rows: a missing cell is NaN."""

    columns = property(lambda self: list(self[0]))

    def to_dict(self, orient):
        assert orient == "records"
        return [{name: math.nan if cell is None else cell for name, cell in row.items()} for row in self]


class Dataset(list):
    """As a Hugging Face Dataset gives its rows."""

    @property
    def column_names(self):
        return list(self[0])


@pytest.mark.parametrize("frame", [polars.DataFrame, Pandas, Dataset])
def test_rows_of_frames_and_datasets_are_problems(frame):
    rows = [
        {"id": 7, "question": PUMP, "value": numpy.float64(1.51), "unit": "kW", "level": "L1"},
        {"id": 8, "question": "Another?", "value": numpy.float64(2.0), "unit": "-", "level": None},
    ]
    first, second = problem_files.problems(frame(rows))
    assert (first.id, first.targets[0].value, first.tags) == ("7", 1.51, {"level": "L1"})
    assert (second.id, second.targets[0].unit, second.tags) == ("8", "-", {})


# Differences of temperature


@pytest.mark.parametrize(
    ("target", "difference"),
    [
        ({"name": "LMTD", "unit": "K"}, True),
        ({"name": "dT_lm", "unit": "K", "description": "log-mean temperature difference"}, True),
        ({"name": "approach", "unit": "°C"}, True),
        ({"name": "x", "unit": "°C", "description": "pinch"}, True),
        ({"name": "x", "unit": "K", "description": "subcooling at the condenser outlet"}, True),
        ({"name": "LMTD", "unit": "K", "difference": False}, False),
        ({"name": "T_2", "unit": "K", "description": "temperature after the superheater"}, False),
        ({"name": "T_p", "unit": "°C", "description": "pinch point temperature"}, False),
        ({"name": "LMTD", "unit": "m"}, False),
        ({"name": "dT_dx", "unit": "K/m", "description": "temperature drop"}, False),
    ],
    ids=str,
)
def test_a_difference_of_temperatures_is_told_by_its_name_and_said(caplog, target, difference):
    [problem] = problem_files.problems([{"question": "?", "targets": [{"value": 34.8, **target}]}])
    assert problem.targets[0].difference is difference
    said = "problems[0]: targets[0]: " in caplog.text
    assert said is (difference and "difference" not in target)
