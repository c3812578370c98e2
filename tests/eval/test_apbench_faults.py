"""What is told of set files, formulas and settings that are wrong."""

import pytest
import yaml

from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.expressions import FormulaError, evaluate
from ansatz.eval.benchmarks.apbench.set_problems import make_problems
from ansatz.eval.benchmarks.apbench.set_template import read_set
from ansatz.eval.validation import InvalidData


@pytest.mark.parametrize(
    "text",
    [
        *("__import__('os')", "sqrt.__class__", "(lambda: 1)()", "[x for x in (1,)]", "sqrt(-1)", "1/0"),
        *("10.0**400", "nothing + 1", "nosuch(1)", "1 +", "sqrt(x=1)", "1j"),
    ],
)
def test_a_formula_is_only_a_formula(text):
    with pytest.raises(FormulaError):
        evaluate(text, {})


GOOD = {
    "title": "A circle",
    "constants": ["mu_Earth"],
    "givens": {"r": {"is": "radius", "unit": "km", "low": 7000, "high": 8000, "step": 10}},
    "content": "A satellite circles at {r}.",
    "assumptions": "two-body motion",
    "questions": [
        {"ask": "Speed?", "level": "L1", "steps": ["v [km/s] = sqrt(mu_Earth/r)"], "answers": {"v": "speed"}},
        {"ask": "Period?", "level": "L1", "steps": ["T [min] = 2*pi*r/v"], "answers": {"T": "period"}},
        {"ask": "Why?", "level": "L1", "message": "Because the Earth pulls at {v}."},
    ],
}
FAULTS = [
    ("constants", ["mu_Erth"], "did you mean 'mu_Earth'"),
    (
        "givens",
        {"r": {"is": "radius", "unit": "kmm", "value": 7000}},
        "givens.r.unit: unit 'kmm' cannot be read",
    ),
    ("givens", {"r": {"is": "radius", "unit": "km"}}, "givens.r: needs exactly one of value"),
    (
        "content",
        "A satellite circles at {rr}.",
        "content: there is no 'rr'; did you mean 'r'",
    ),
    ("assumptions", "", "assumptions: "),
    ("content", "A satellite circles.", "givens.r: no text states it"),
    ("require", ["r > q"], "require[0]: there is no 'q'"),
    ("questions", GOOD["questions"][:2], "questions: "),
    (
        "questions",
        [{**GOOD["questions"][0], "steps": ["v = 3"]}, *GOOD["questions"][1:]],
        "`symbol [unit] = formula`",
    ),
    (
        "questions",
        [{**GOOD["questions"][0], "answers": {"w": "speed"}}, *GOOD["questions"][1:]],
        "answers: there is no 'w' (valid: v)",
    ),
    ("questions", [{**GOOD["questions"][0], "formulas": ["visviva"]}, *GOOD["questions"][1:]], "'vis_viva'"),
    (
        "questions",
        [{**GOOD["questions"][0], "levels": "L1"}, *GOOD["questions"][1:]],
        "levels: there is no such field",
    ),
    ("questions", [*GOOD["questions"], {**GOOD["questions"][0], "ask": "Again?"}], "'v' already has a value"),
]


def written(folder, fields, topic="two_body"):
    file = folder / topic / "circle.yaml"
    file.parent.mkdir()
    file.write_text(yaml.safe_dump(fields), encoding="utf-8")
    return file


def test_a_sound_file_is_read(tmp_path):
    assert read_set(written(tmp_path, GOOD)).name == "circle"


@pytest.mark.parametrize(("field", "value", "message"), FAULTS)
def test_a_faulty_file_is_refused_with_a_line_that_names_the_field(tmp_path, field, value, message):
    with pytest.raises(InvalidData) as refused:
        read_set(written(tmp_path, {**GOOD, field: value}))
    assert message in str(refused.value)
    assert all(line.startswith("two_body/circle.yaml: ") for line in str(refused.value).splitlines())


def test_values_that_cannot_be_drawn_are_told(tmp_path):
    found = read_set(written(tmp_path, {**GOOD, "require": ["r > 2*r"]}))
    with pytest.raises(InvalidData) as refused:
        make_problems(found, 1, 0)
    assert str(refused.value) == (
        "two_body/circle: no feasible instance in 5000 tries; the last failed: require: r > 2*r does not hold"
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"topics": ["lambertt"]}, "did you mean 'lambert'"),
        ({"sets": ["gibs"]}, "did you mean 'gibbs'"),
        ({"path": "nowhere.json"}, "nowhere.json: cannot be read: No such file"),
    ],
)
def test_a_wrong_setting_is_told(settings, message):
    with pytest.raises(InvalidData, match=message):
        load(**settings)


def test_topics_and_sets_choose():
    assert {problem.family for problem in load(sets=["gibbs", "jacobi"])} == {"gibbs", "jacobi"}
    assert {problem.tags["topic"] for problem in load(topics=["lambert"])} == {"lambert"}
