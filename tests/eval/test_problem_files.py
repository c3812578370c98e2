"""Items from JSONL: the published schema, Ansatz's additions, round trips, and one line per fault."""

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.errors import InvalidData
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
from ansatz.eval.problem_files import dump, load, problems

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


def faults(source):
    with pytest.raises(InvalidData) as raised:
        problems(source)
    return str(raised.value).splitlines()


def test_an_item_of_the_published_schema_is_read(tmp_path):
    """Blank lines and a byte-order mark are skipped."""
    [problem] = load(write(tmp_path, "\ufeff", PUBLISHED, "", ""))
    assert (problem.id, problem.family, problem.benchmark) == ("L2_0007", "L2_0007", "file")
    assert problem.question == PUBLISHED["question"]
    assert problem.givens[1] == Given(name="p_inf", value=1197.0, unit="Pa", description="pressure")
    assert problem.targets[1] == NumberTarget(name="Re_x", unit="-", weight=0.5, value=2.5e5)
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
common = {"name": names, "weight": st.floats(0.01, 1)}
targets = st.one_of(
    st.builds(
        NumberTarget,
        unit=units,
        value=numbers,
        difference=st.booleans(),
        tolerance=st.none() | st.builds(Tolerance, relative=st.floats(0, 1)),
        **common,
    ),
    st.builds(LabelTarget, value=words, accepted=st.tuples(words), **common),
    st.builds(ChoiceTarget, value=st.just("B"), options=st.just({"A": "rises", "B": "falls"}), **common),
)
givens = st.builds(Given, name=names, value=numbers | st.sampled_from(["air", "two words"]), unit=units)


def some(parts, **sizes):
    return st.lists(parts, unique_by=lambda part: part.name, **sizes).map(tuple)


written = st.builds(
    Problem,
    id=names,
    family=names,
    benchmark=names,
    question=words.filter(str.strip),
    context=words,
    givens=some(givens, max_size=3),
    targets=some(targets, max_size=2).map(lambda more: (NumberTarget(name="Q", unit="m", value=1), *more)),
    reference=st.builds(
        ReferenceSolution,
        formulation=st.none() | st.builds(Formulation, given=words),
        steps=st.lists(st.builds(SolutionStep, equation=st.just(""), value=numbers), max_size=2).map(tuple),
        trap=words,
        bounds=st.tuples(st.builds(TargetBound, target=st.just("Q"), high=numbers)),
    ),
    entities=st.dictionaries(names, st.builds(Entity, kind=words), max_size=2),
    follows=st.lists(names, max_size=2).map(tuple),
    tags=st.dictionaries(
        st.sampled_from(["level", "task_type", "domains", "version", "tier", "metadata.page", "domain"]),
        st.sampled_from(["L1", "comparison", "x", ""]) | st.lists(words, max_size=2).map(tuple),
    ),
)


@settings(max_examples=80)
@given(st.lists(written, min_size=1, max_size=3, unique_by=lambda problem: problem.id))
def test_written_problems_are_read_back_equal(tmp_path_factory, given):
    file = str(tmp_path_factory.mktemp("items") / "items.jsonl")
    dump(given, file)
    assert load(file) == tuple(given)


TARGET = {"name": "x", "unit": "m", "value": 1}
SYMBOLIC = {"kind": "symbolic", "name": "D", "symbols": ["q", "S"]}
CHOICE = {"kind": "choice", "options": {"A": "rises", "B": "falls"}}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"levl": "L2"}, "levl: there is no such field; did you mean 'level'?"),
        ({"level": "L9"}, "level: 'L9' is not valid; did you mean 'L"),
        ({"question": " "}, "question: must not be empty"),
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
        ({"answer": "3 m"}, "answer: cannot be combined with targets"),
        ({"targets": [{**CHOICE, "value": "E"}]}, "targets[0].value: 'E' is no option (valid: A, B)"),
        ({"targets": [{**SYMBOLIC, "value": "q*(S"}]}, "targets[0].value: "),
        ({"targets": [{**SYMBOLIC, "value": "q*s"}]}, "targets[0].value: 's' is not among the symbols"),
        ({"bounds": [{"target": "Rex", "reason": "r"}]}, "bounds[0].target: 'Rex' is no target; did you mean"),
        ({"gold_equations": ["shock.nothing"]}, "gold_equations[0]: there is no equation 'shock.nothing'"),
        ('{"id": "a",}', "not JSON: "),
        ("[1, 2]", "not an object but a list"),
        ('{"id": NaN}', "not JSON: NaN is not a number in JSON"),
        ("[" * 100_000, "not JSON: "),
        ('{"question": "q?", "answer": "1 m", "answer": "2 m"}', "not JSON: 'answer' is given twice"),
        ('{"question": "q?", "value": 1e400, "unit": "m"}', "value: must be a "),
        ('{"question": "q?", "value": 1' + "0" * 400 + ', "unit": "m"}', "value: must be a "),
    ],
    ids=range(26),
)  # fmt: skip
def test_a_fault_names_file_line_field_and_nearest_value(tmp_path, fields, message):
    """All faults of a file are reported together."""
    line = {**PUBLISHED, "id": "other", **fields} if isinstance(fields, dict) else fields
    file = write(tmp_path, PUBLISHED, "", line, PUBLISHED)
    *lines, last = faults(file)
    assert any(line.startswith(f"{file}:3: {message}") for line in lines), lines
    assert all(line.startswith(f"{file}:3: ") for line in lines)
    assert last == f"{file}:4: id: 'L2_0007' is already {file}:1"


def test_an_unreadable_file_is_reported(tmp_path):
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "\xe9"}')
    [missing], [latin] = faults(tmp_path / "nowhere.jsonl"), faults(tmp_path / "latin.jsonl")
    assert missing.endswith("No such file or directory") and latin.endswith(
        "not UTF-8 text at byte 8; save the file as UTF-8"
    )
    assert faults(write(tmp_path, "")) == [f"{tmp_path}/items.jsonl: there is no problem in it"]


# Problems from Python objects

PUMP = "A pump lifts 12 L/s of water by 9 m at 70 % efficiency. Shaft power?"


@pytest.mark.parametrize(
    "fields",
    [
        [PUMP, {"value": 1.51, "unit": "kW"}],
        {"question": PUMP, "answer": "1.51 kW"},
        {"question": PUMP, "answer": 1.51, "unit": "kW"},
        {"question": PUMP, "value": 1.51, "unit": "kW"},
        {"question": PUMP, "targets": [{"value": 1.51, "unit": "kW"}]},
    ],
    ids=str,
)
def test_all_forms_of_a_problem_are_equal(tmp_path, fields):
    pair, other = problems([(PUMP, "1.51 kW"), (PUMP + " ", "1.51 kW")])
    assert pair.targets == (NumberTarget(name="answer", unit="kW", value=1.51),)
    assert pair.id == pair.family == "a-pump-lifts-12-l-s-of-water-by-" + pair.id[-6:] != other.id
    assert problems([fields]) == (pair,)
    if isinstance(fields, dict):
        assert problems(write(tmp_path, fields)) == (pair,)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([(PUMP, "B")], "problems[0]: answer: 'B' is a letter without `options`"),
        ([(PUMP, "kW")], "problems[0]: answer: 'kW' is a unit without a number"),
        ([(PUMP, "P = 1.5 kW")], "problems[0]: answer: 'P = 1.5 kW' is not a number with a unit"),
        ([(PUMP, "12 kmm")], "problems[0]: answer: unit 'kmm' cannot be read: unknown 'kmm'; did you mean 'mm'?"),
        ([(PUMP, "1,51 kW")], "problems[0]: answer: '1,51 kW' is not a number with a unit, such as '6800 m/s'; write a decimal point: 1.51 kW"),
        ([(PUMP, "5±1 m")], "problems[0]: answer: '5±1 m' is not a number with a unit"),
        ([{"question": PUMP, "unit": "kW"}], "problems[0]: answer: is empty; write the right value"),
        ([(PUMP, "The drag of the plate rises slowly.")], "problems[0]: answer: 'The drag"),
        ([(PUMP, "the drag of the plate rises")], "problems[0]: answer: has 6 words, a label has at most 5"),
        ([(PUMP, True)], "problems[0]: answer: must be a quantity such as '1.51 kW', a word, or a target, not True"),
        ([(PUMP, "NaN")], "problems[0]: answer: must be a finite number, not nan"),
        ([{"question": PUMP, "answer": "wet", "unit": "K"}], "problems[0]: unit: is K, but the answer 'wet' is a word"),
        ([{"question": PUMP, "answer": "C", "options": ["up", "down"]}], "problems[0]: answer: 'C' is no option (valid: A, B)"),
        ([{"question": PUMP, "answer": 1, "options": ["up", "down"]}], "problems[0]: answer: 1 is no option; write its letter: B if positions start from 0, A if positions start from 1"),
        ([{"question": PUMP, "answer": "2", "options": ["up", "down"]}], "problems[0]: answer: '2' is no option; write its letter: B if positions start from 1"),
        ([{"question": PUMP, "answer": 7, "options": ["up", "down"]}], "problems[0]: answer: 7 is no option (valid: A, B)"),
        ([{"question": PUMP, "answer": "A", "options": "up"}], "problems[0]: options: must be a list, or an object"),
        ([{"question": PUMP, "answer": "1 m", "tolerance": 5}], "problems[0]: tolerance: must be a share from 0 to 1, such as 0.05 for 5 %, not 5"),
        ([{"question": PUMP, "answer": "1 m", "tolerance": "some"}], "problems[0]: tolerance: must be a share such as 0.05"),
        ([{"question": PUMP, "answer": "wet", "tolerance": 0.05}], "problems[0]: tolerance: there is no such field"),
        ([{"question": PUMP, "value": 3}], "problems[0]: unit: is missing"),
        ([{"question": PUMP, "answer": {"value": 3}}], "problems[0]: answer.unit: is missing"),
        ([(PUMP, "1 kW", "2 kW")], "problems[0]: must be a question and its answer, not 3 things"),
        ([3], "problems[0]: must be a pair, a dict or a Problem, not a int"),
        ([(PUMP, "1 kW"), (PUMP, "2 kW")], "problems[1]: id: 'a-pump-lifts"),
        ([(PUMP, float("nan"))], "problems[0]: answer: must be a finite number, not nan"),
        ([{"question": PUMP}], "problems[0]: answer: is missing; write answer, value and unit, or targets"),
        ([{"question": PUMP, "answer": "1 kW", "value": 1}], "problems[0]: answer: cannot be combined with value"),
        ([{"question": PUMP, "answer": "1 kW", "unit": "W"}], "problems[0]: answer: has the unit kW, but the field unit has W"),
        ([{"question": PUMP, "answer_": "1 kW"}], "problems[0]: answer_: there is no such field; did you mean 'answer'?"),
        ([], "problems: there is no problem in it"),
        ({"question": PUMP}, "problems: must be a list, a frame or a path, not a dict"),
    ],
    ids=str,
)  # fmt: skip
def test_an_invalid_problem_is_named_by_its_place(source, message):
    assert any(line.startswith(message) for line in faults(source))


DRAG = ChoiceTarget(name="answer", value="B", options={"A": "rises", "B": "falls"})
LOSS = NumberTarget(name="answer", unit="kW", value=4.2, tolerance=Tolerance(relative=0.05))


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
def test_a_temperature_difference_is_inferred_and_logged(caplog, target, difference):
    [problem] = problems([{"question": "?", "targets": [{"value": 34.8, **target}]}])
    assert problem.targets[0].difference is difference
    is_logged = "problems[0]: targets[0]: " in caplog.text
    assert is_logged is (difference and "difference" not in target)


def test_equal_notes_on_rows_are_one_line(caplog):
    problems(
        [{"question": f"{n}?", "targets": [{"name": "LMTD", "value": n, "unit": "K"}]} for n in range(9)]
    )
    assert len(caplog.messages) == 1 and caplog.messages[0].endswith("(9 rows)")


@pytest.mark.parametrize(
    ("fields", "target"),
    [
        ({"answer": "laminar"}, LabelTarget(name="answer", value="laminar")),
        ({"answer": "two-phase  mixture", "unit": "-"}, LabelTarget(name="answer", value="two-phase mixture")),
        ({"answer": "B", "options": ["rises", "falls"]}, DRAG),
        ({"answer": "falls", "options": {"A": "rises", "B": "falls"}}, DRAG),
        ({"answer": "(b)", "options": ["rises", "falls"]}, DRAG),
        ({"answer": "Falls ", "options": ["rises", "falls"]}, DRAG),
        ({"answer": 2, "options": ["1", "2"]}, ChoiceTarget(name="answer", value="B", options={"A": "1", "B": "2"})),
        ({"answer": "1", "options": {"1": "up", "2": "down"}}, ChoiceTarget(name="answer", value="1", options={"1": "up", "2": "down"})),
        ({"answer": "4.2 kW", "tolerance": 0.05}, LOSS),
        ({"answer": "4.2", "unit": "kW", "tolerance": "5 %"}, LOSS),
        ({"value": 4.2, "unit": "kW", "tolerance": {"relative": 0.05}}, LOSS),
        ({"targets": [{"value": 4.2, "unit": "kW", "tolerance": 0.05}]}, LOSS),
    ],
    ids=str,
)  # fmt: skip
def test_an_answer_is_a_label_a_choice_or_a_number(fields, target):
    [problem] = problems([{"question": "How?", **fields}])
    assert problem.targets == (target,)


def test_a_blank_names_the_target_wherever_it_is():
    alone, inline = problems([("Find it.\nh = ___ kJ/kg", "5 kJ/kg"), ("What is h = ___ kJ/kg?", "5 kJ/kg")])
    assert alone.targets == inline.targets == (NumberTarget(name="h", unit="kJ/kg", value=5),)
