"""Templates of the physics set: options, entities, articles, and what is said of faulty files and settings."""

import re
from collections import Counter

import pytest
import yaml

from ansatz.eval.benchmarks.physbench import FOLDER, load, templates
from ansatz.eval.benchmarks.physbench.physbench_template import PhysBenchTemplate
from ansatz.eval.benchmarks.templates import make_at_most, read_template
from ansatz.eval.benchmarks.templates.consistency import arithmetic_faults
from ansatz.eval.benchmarks.templates.story import article
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import ChoiceTarget
from ansatz.knowledge_base.equation import library


@pytest.fixture(scope="module")
def problems():
    return load(instances=2, seed=7)


def test_the_right_option_is_at_every_letter_about_equally_often(problems):
    four = [
        problem.targets[0].value
        for problem in problems
        if isinstance(problem.targets[0], ChoiceTarget) and len(problem.targets[0].options) == 4
    ]
    share = Counter(four)
    expected = len(four) / 4
    assert len(four) > 60
    assert (
        sum((share[letter] - expected) ** 2 / expected for letter in "ABCD") < 16.27
    )  # chi squared, p = 0.001


def test_a_template_with_few_values_gives_fewer_questions():
    by_id = {template.id: template for template in templates()}
    assert len(make_at_most(by_id["mechanics.which_newton_law"], 9, 0, library())) == 3
    assert len(make_at_most(by_id["mechanics.pick_the_vector"], 9, 0, library())) == 1
    weightless = make_at_most(by_id["mechanics.weightless_in_orbit"], 40, 0, library())
    assert len(weightless) == len({problem.givens for problem in weightless}) == 11  # 350 to 450 km in tens
    with pytest.raises(InvalidData, match="too few questions for 50000"):
        load(count=50000)


def test_options_differ_and_wrong_ones_name_misconceptions(problems):
    for problem in problems:
        for target in problem.targets:
            if isinstance(target, ChoiceTarget):
                assert len(set(target.options.values())) == len(target.options), problem.id
                letters = set(problem.reference.misconceptions)
                assert letters and letters <= set(target.options) - {target.value}, problem.id


def test_entities_stand_in_the_question_(problems):
    marked = [problem for problem in problems if problem.entities]
    assert len(marked) > 100
    names = {given.name for problem in marked for given in problem.givens}
    for problem in marked:
        for entity in problem.entities.values():
            assert entity.text in problem.question, problem.id
            results = {step.symbol for step in problem.reference.steps}
            assert set(entity.quantities.values()) <= names | results, problem.id


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("van", "a"),
        ("apple", "an"),
        ("ice cube", "an"),
        ("unicycle", "a"),
        ("hourglass", "an"),
        ("umbrella", "an"),
    ],
)
def test_the_article_goes_by_sound(noun, expected):
    assert article(noun) == expected


GOOD = (FOLDER / "mechanics" / "braking_distance.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "kind: problem_solving",
            "kind: problem_solvin",
            "kind: 'problem_solvin' is not valid.*problem_solving",
        ),
        ("cognitive: apply", "cognitive: aply", "cognitive: 'aply' is not valid.*apply"),
        ("m = {m} kg", "m = {m} g", r"statement: must say '\{m\} kg' exactly once"),
        ("along {place}", "along {plce}", r"statement: \{plce\} is no given, entity or word.*place"),
        ("speed: v_0", "speed: v_o", r"entities.object.quantities.speed: 'v_o' has no value.*v_0"),
        ("v_0**2/(2*a)", "v_0**2/(2*b)", r"steps\[0\].expression: 'b' has no value"),
        ("weight: 0.6", "weight: 0.5", "targets: the weights add up to 0.9, not 1"),
        ("gives: d", "gives: D", "targets.d: no step gives it.*D"),
        ("knowledge: procedural", "knowlege: procedural", "knowlege: there is no such field.*knowledge"),
        ("    title", "    titel", "titel: there is no such field|title: is missing"),
        ("{place}", "the road", r"statement: \{place\} is missing"),
        ("statement: >", "statement: [", "not YAML"),
    ],
)
def test_a_faulty_template_is_named_with_its_field(tmp_path, old, new, message):
    assert old in GOOD or old == "    title"
    text = GOOD.replace("  - title", "  - titel") if old == "    title" else GOOD.replace(old, new)
    file = tmp_path / "mechanics" / "braking_distance.yaml"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidData, match=message) as error:
        read_template(file, PhysBenchTemplate, "mechanics.braking_distance")
    assert all(line.startswith("mechanics/braking_distance.yaml: ") for line in str(error.value).splitlines())


@pytest.mark.parametrize(
    ("expression", "unit", "message"),
    [
        ("v*t", "km", None),
        ("v*t", "m", "inputs are in units that do not give m"),
        ("v/t", "km", "is .*length.*time"),
        ("v + t", "km", "against"),
        ("t*sin(theta)", "h", "theta is in degrees"),
        ("t*sin(theta*pi/180)", "h", None),
        ("asin(q)", "deg", "result is in radians"),
        ("asin(q)*180/pi", "deg", None),
    ],
)
def test_arithmetic_in_clashing_units_is_found(expression, unit, message):
    fields = yaml.safe_load(GOOD)
    given = {"v": "km/h", "t": "h", "theta": "deg", "q": "-"}
    fields["givens"] = {
        name: {"unit": each, "value": 0.5, "description": "x"} for name, each in given.items()
    }
    step = {"title": "x", "reasoning": "x", "expression": expression, "gives": "out", "unit": unit}
    fields |= {"steps": [step], "targets": {}, "bounds": {}, "entities": {}}
    template = PhysBenchTemplate.model_validate(fields)
    found = list(arithmetic_faults(template, dict.fromkeys(given, 0.5)))
    assert re.search(message, found[0]) if message else not found, found


def test_arithmetic_of_every_template_is_in_its_units():
    faults = []
    for template in templates():
        problem = make_at_most(template, 1, 3, library())[0]
        numbers = {given.name: given.value for given in problem.givens if isinstance(given.value, float)}
        numbers |= {step.symbol: step.value for step in problem.reference.steps}
        faults += [f"{template.id}: {fault}" for fault in arithmetic_faults(template, numbers)]
    assert not faults, "\n".join(faults)
