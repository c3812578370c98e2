"""Items from JSONL: the published schema, our additions, faithful round trips, and one clear line per fault."""

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.benchmarks import items
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import (
    Bound,
    ChoiceTarget,
    Formulation,
    Given,
    LabelTarget,
    NumberTarget,
    Problem,
    ReferenceSolution,
    SolutionStep,
    Tolerance,
)

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
        {"name": "delta", "unit": "m", "weight": 0.5},
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
    [problem] = items.load(write(tmp_path, PUBLISHED))
    assert (problem.id, problem.family, problem.benchmark) == ("L2_0007", "L2_0007", "items")
    assert problem.question == PUBLISHED["question"]
    assert problem.givens[1] == Given(name="p_inf", value=1197.0, unit="Pa", description="pressure")
    assert problem.targets == (
        NumberTarget(name="delta", unit="m", weight=0.5, value=None),
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


def test_our_additions_are_read(tmp_path):
    extended = changed(
        family="plates",
        context="Shared by several items.",
        bounds=[{"target": "Re_x", "low": 0, "reason": "a length and a speed are positive"}],
        reference_solution={
            "formulation": {"given": "g", "find": "f", "approach": "a", "assumptions": "b"},
            "steps": [{"equation": "", "symbol": "x", "expression": "x = 1", "value": 1, "unit": "-"}],
            "trap": "turbulent",
        },
        tags={"tier": "2"},
    )
    [problem] = items.load(write(tmp_path, extended))
    assert problem.family == "plates"
    assert problem.context == "Shared by several items."
    assert problem.reference.formulation.find == "f"
    assert problem.reference.steps[0].value == 1
    assert problem.reference.bounds[0].low == 0
    assert problem.reference.trap == "turbulent"
    assert problem.tags["tier"] == "2"


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path):
    file = tmp_path / "items.jsonl"
    file.write_text("\ufeff\n" + json.dumps(PUBLISHED) + "\n\n", encoding="utf-8")
    assert [problem.id for problem in items.load(str(file))] == ["L2_0007"]


words = st.text(string.ascii_letters + ' _.#−é\u2028"\\\n', min_size=1, max_size=12)
names = st.text(string.ascii_lowercase, min_size=1, max_size=6)
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
        value=st.none() | numbers,
        tolerance=st.none() | st.builds(Tolerance, relative=st.floats(0, 1)),
    ),
    st.builds(LabelTarget, name=names, weight=weights, value=words, accepted=st.tuples(words)),
    st.builds(
        ChoiceTarget,
        name=names,
        weight=weights,
        value=words,
        options=st.dictionaries(names, words, max_size=2),
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
    bound = Bound(target=asked[0].name, high=draw(numbers), reason=draw(words))
    return Problem(
        id=draw(names),
        family=draw(names),
        benchmark=draw(names),
        question=draw(words),
        context=draw(words),
        givens=tuple(draw(st.lists(givens, max_size=3, unique_by=unique))),
        targets=asked,
        reference=reference.model_copy(update={"bounds": (bound,)}),
        tags=draw(tags),
    )


@settings(max_examples=80, deadline=None)
@given(st.lists(problems(), min_size=1, max_size=3, unique_by=lambda problem: problem.id))
def test_what_is_written_reads_back_equal(tmp_path_factory, written):
    file = str(tmp_path_factory.mktemp("items") / "items.jsonl")
    items.dump(written, file)
    assert items.load(file) == tuple(written)


def test_what_is_read_can_be_written_in_the_published_schema(tmp_path):
    file = write(tmp_path, PUBLISHED)
    loaded = items.load(file)
    items.dump(loaded, file)
    assert items.load(file) == loaded
    line = json.loads((tmp_path / "items.jsonl").read_text(encoding="utf-8"))
    assert line["targets"][0] == {"name": "delta", "unit": "m", "weight": 0.5}
    assert line["level"] == "L2"
    assert line["metadata"]["source_id"] == "chapter 6"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"levl": "L2"}, "levl: there is no such field; did you mean 'level'?"),
        ({"level": "L9"}, "level: 'L9' is not valid; did you mean 'L"),
        (
            {"task_type": "numeric_calc"},
            "task_type: 'numeric_calc' is not valid; did you mean 'numerical_calc'?",
        ),
        ({"question": ""}, "question: must not be empty"),
        (
            {"given": [{"name": "p", "value": 1, "units": "Pa"}]},
            "given[0].units: there is no such field; did",
        ),
        ({"given": [{"name": "p", "value": 1, "units": "Pa"}]}, "given[0].unit: is missing"),
        (
            {"given": [{"name": "p", "value": 1, "unit": "Pascl"}]},
            "given[0].unit: unit 'Pascl' cannot be read",
        ),
        ({"given": [{"name": "p", "value": None, "unit": "Pa"}]}, "given[0].value: "),
        ({"given": PUBLISHED["given"][:1] * 2}, "given[1].name: 'M_inf' is already given[0]"),
        ({"targets": []}, "targets: must have at least 1 entry"),
        (
            {"targets": [{"name": "x", "unit": "m", "weight": 0}]},
            "targets[0].weight: must be greater",
        ),
        (
            {"targets": [{"name": "x", "unit": "m", "wait": 1}]},
            "targets[0].wait: there is no such field; did",
        ),
        (
            {"targets": [{"name": "x", "unit": "mm/", "weight": 1}]},
            "targets[0].unit: unit 'mm/' cannot be read",
        ),
        (
            {"targets": [{"kind": "lable", "name": "x"}]},
            "targets[0]: 'lable' is not valid; did you mean 'label'?",
        ),
        ({"targets": ["x"]}, "targets[0]: "),
        (
            {"bounds": [{"target": "Rex", "reason": "r"}]},
            "bounds[0].target: 'Rex' is no target; did you mean 'Re_x'",
        ),
        ({"gold_equations": ["shock.nothing"]}, "gold_equations[0]: there is no equation 'shock.nothing'"),
        ({"id": ""}, "id: must not be empty"),
    ],
)
def test_a_fault_is_named_by_file_line_field_and_nearest_valid_value(tmp_path, fields, message):
    file = write(tmp_path, PUBLISHED, "", changed(**{"id": "other", **fields}))
    with pytest.raises(InvalidData) as raised:
        items.load(file)
    lines = str(raised.value).splitlines()
    assert any(line.startswith(f"{file}:3: {message}") for line in lines), lines
    assert all(line.startswith(f"{file}:3: ") for line in lines)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a",}', "not JSON: "),
        ("[1, 2]", "not an item but a list"),
        ('{"id": NaN}', "not JSON: NaN is not a number in JSON"),
        ("[" * 100_000, "not JSON: "),
    ],
)
def test_a_line_that_is_no_item_says_so(tmp_path, line, message):
    file = write(tmp_path, line)
    with pytest.raises(InvalidData) as raised:
        items.load(file)
    assert str(raised.value).startswith(f"{file}:1: {message}")


def test_all_faults_of_a_file_are_reported_together(tmp_path):
    file = write(tmp_path, changed(level="L7", id="a"), "{", PUBLISHED, PUBLISHED)
    with pytest.raises(InvalidData) as raised:
        items.load(file)
    assert [line.split(": ")[0] for line in str(raised.value).splitlines()] == [
        f"{file}:1",
        f"{file}:2",
        f"{file}:4",
    ]
    assert "id: 'L2_0007' is already on line 3" in str(raised.value)


def test_a_file_that_cannot_be_read_says_why(tmp_path):
    with pytest.raises(InvalidData, match="No such file"):
        items.load(str(tmp_path / "nowhere.jsonl"))
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "\xe9"}')
    with pytest.raises(InvalidData, match="not UTF-8 text at byte 8"):
        items.load(str(tmp_path / "latin.jsonl"))
    with pytest.raises(InvalidData, match="there is no item in it"):
        items.load(write(tmp_path, ""))
