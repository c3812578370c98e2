"""What is told of set files and settings that are wrong."""

import pytest
import yaml

from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.benchmarks.apbench.problem_set import ProblemSet
from ansatz.eval.benchmarks.templates import make_problems, read_template
from ansatz.eval.validation import InvalidData
from ansatz.knowledge_base.equation import library

GOOD = {
    "title": "A circle",
    "constants": ["mu_Earth"],
    "givens": {"r": {"description": "radius", "unit": "km", "between": [7000, 8000], "step": 10}},
    "context": "A satellite circles at {r} km.",
    "assumptions": "two-body motion",
    "questions": [
        {
            "statement": "Speed?",
            "level": "L1",
            "steps": ["v [km/s] = sqrt(mu_Earth/r)"],
            "targets": {"v": "speed"},
            "formulas": ["circular_speed"],
        },
        {
            "statement": "Period?",
            "level": "L1",
            "steps": ["T [min] = 2*pi*r/v"],
            "targets": {"T": "period"},
            "formulas": ["period"],
        },
        {
            "statement": "Why?",
            "level": "L1",
            "answer": "The Earth pulls at {v} km/s.",
            "formulas": ["period"],
        },
    ],
}
FIRST, *OTHERS = GOOD["questions"]


def changed(**fields):
    return {"questions": [{**FIRST, **fields}, *OTHERS]}


FAULTS = [
    ({"constants": ["mu_Erth"]}, "constants: there is no 'mu_Erth'; did you mean 'mu_Earth'"),
    ({"givens": {"r": {"description": "radius", "unit": "kmm", "value": 7000}}}, "unit 'kmm' cannot be read"),
    ({"givens": {"r": {"description": "radius", "unit": "km"}}}, "givens.r: needs exactly one of between"),
    ({"context": "A satellite circles at {rr} km."}, "'rr' has no value; did you mean 'r'"),
    ({"assumptions": ""}, "assumptions: "),
    ({"require": ["r > q"]}, "'q' has no value"),
    ({"require": ["r > 2*r"]}, "in 5000 tries; the last failed: r > 2*r does not hold"),
    ({"questions": GOOD["questions"][:2]}, "questions: "),
    (changed(steps=["v = 3"]), "`symbol [unit] = formula`"),
    (changed(steps=["v [m/s] = __import__('os')"]), "unknown function '__import__'"),
    (changed(steps=["v [m/s] = sqrt.__class__"]), "'sqrt.__class__' is not allowed in a formula"),
    (changed(steps=["v [m/s] = 10.0**400"]), "has no value there"),
    (changed(targets={"w": "speed"}), "'w' is given by no step (valid: v, T)"),
    (changed(formulas=["visviva"]), "formulas: there is no 'visviva'; did you mean 'vis_viva'"),
    (changed(levels="L1"), "levels: there is no such field"),
    ({"questions": [*GOOD["questions"], {**FIRST, "statement": "Again?"}]}, "'v' already has a value"),
]


def made(folder, fields):
    file = folder / "circle.yaml"
    file.write_text(yaml.safe_dump(fields), encoding="utf-8")
    return make_problems(read_template(file, ProblemSet, "two_body.circle"), 1, 0, library())


def test_a_sound_file_is_read(tmp_path):
    speed, period, why = made(tmp_path, GOOD)
    assert speed.targets[0].value * period.targets[0].value > 0
    assert [step.symbol for step in period.reference.steps] == ["v", "T"]
    assert f"pulls at {speed.targets[0].value:.4g} km/s" in why.targets[0].value


@pytest.mark.parametrize(("fields", "message"), FAULTS)
def test_a_faulty_file_is_refused_with_a_line_that_says_why(tmp_path, fields, message):
    with pytest.raises(InvalidData) as refused:
        made(tmp_path, {**GOOD, **fields})
    assert message in str(refused.value)
    assert "circle" in str(refused.value)


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
