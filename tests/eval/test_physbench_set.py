"""The physics set: its shares, its worked solutions, its second route, and what it says of faulty files."""

import importlib
import json
import pkgutil
import re
from collections import Counter

import pytest
import yaml

from ansatz.eval.benchmarks import items
from ansatz.eval.benchmarks.physbench import FOLDER, load, templates
from ansatz.eval.benchmarks.physbench.__main__ import main
from ansatz.eval.benchmarks.physbench.allocation import COGNITIVE_COUNTS, KIND_COUNTS, TOPIC_COUNTS, apportion
from ansatz.eval.benchmarks.physbench.consistency import arithmetic_faults
from ansatz.eval.benchmarks.physbench.instance import make_problems
from ansatz.eval.benchmarks.physbench.reading import read_template
from ansatz.eval.benchmarks.physbench.structure import solution_text
from ansatz.eval.benchmarks.physbench.template import COGNITIVE, KNOWLEDGE, Template
from ansatz.eval.benchmarks.physbench.wording import article
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.outcome import judge
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget
from ansatz.knowledge_base.library import library
from tests.eval import physbench_second_route

AGREEMENT = 1e-3


def _routes():
    """The route of each template, from all modules of the folder that have any."""
    found = {}
    for module in pkgutil.iter_modules(
        physbench_second_route.__path__, f"{physbench_second_route.__name__}."
    ):
        found |= getattr(importlib.import_module(module.name), "ROUTES", {})
    return found


ROUTES = _routes()
TOPICS = sorted({family.split(".")[0] for family in ROUTES})


@pytest.fixture(scope="module")
def problems():
    return load(instances=2, seed=7)


@pytest.fixture(scope="module")
def core():
    return load()


def _is_computed(template):
    """Whether a template asks for numbers, or for an option that they decide."""
    return bool(template.targets) or template.kind == "problem_solving"


def _recompute(problem):
    return ROUTES[problem.family]({given.name: given.value for given in problem.givens})


def _agrees(found, target):
    """Whether a number, a word, or the text of the right option is what the second route found."""
    if isinstance(target, ChoiceTarget):
        text = target.options[target.value]
        if isinstance(found, str):
            return re.search(rf"(?<![\w/]){re.escape(found)}(?!\d)", text) is not None
        numbers = [float(one) for one in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]
        return any(one == pytest.approx(found, rel=AGREEMENT, abs=0) for one in numbers)
    if isinstance(target.value, str):
        return found == target.value
    return found == pytest.approx(target.value, rel=AGREEMENT, abs=0)


def test_the_set_has_the_shares_of_the_paper(core):
    assert len(core) >= 300
    assert len({problem.family for problem in core}) >= 100
    assert len({problem.question for problem in core}) == len(core)
    topics = Counter(problem.tags["topic"] for problem in core)
    assert topics == apportion(TOPIC_COUNTS, len(core))
    conceptual = sum(problem.tags["kind"] == "conceptual" for problem in core) / len(core)
    assert conceptual == pytest.approx(KIND_COUNTS["conceptual"] / sum(KIND_COUNTS.values()), abs=0.02)
    levels = Counter(problem.tags["cognitive"] for problem in core)
    for level in COGNITIVE:
        share = COGNITIVE_COUNTS[level] / sum(COGNITIVE_COUNTS.values())
        assert levels[level] / len(core) == pytest.approx(share, abs=0.03), level
    types = Counter(problem.tags["knowledge"] for problem in core)
    for knowledge, share in zip(KNOWLEDGE, (0.070, 0.236, 0.694), strict=True):  # table 3 of the paper
        assert types[knowledge] / len(core) == pytest.approx(share, abs=0.05), knowledge
    assert sum(problem.tags["format"] == "multiple_choice" for problem in core) >= 30


@pytest.mark.parametrize("count", [7, 50, 316, 1000])
def test_apportioned_counts_add_up_and_stay_near_their_shares(count):
    found = apportion(TOPIC_COUNTS, count)
    whole = sum(TOPIC_COUNTS.values())
    assert sum(found.values()) == count
    assert all(abs(found[topic] - count * share / whole) < 1 for topic, share in TOPIC_COUNTS.items())


def test_every_problem_has_a_worked_solution(problems):
    for problem in problems:
        reference = problem.reference
        assert all(reference.formulation.model_dump().values()), problem.id
        assert reference.final_answer, problem.id
        if problem.tags["kind"] == "conceptual":
            assert reference.text and len(reference.key_points) >= 2, problem.id
        else:
            assert reference.steps, problem.id
        for step in reference.steps:
            assert step.title and step.reasoning and step.general_formula, problem.id
            assert re.search(r"\d", step.substitution), problem.id
        assert "{" not in problem.question + solution_text(problem), problem.id


def test_the_reference_answer_is_scored_as_right(problems):
    wrong = []
    for problem in problems:
        if isinstance(problem.targets[0], MessageTarget):
            continue
        answer = "\n".join(
            f"{target.name} = {target.value}"
            + (f" {target.unit}" if isinstance(target, NumberTarget) else "")
            for target in problem.targets
        )
        for text in (answer, f"Final Answer: {problem.reference.final_answer}"):
            verdicts = judge(problem.targets, text)
            if not all(verdict.exact for verdict in verdicts):
                wrong += [f"{problem.id}: {text!r}: {verdict.evidence}" for verdict in verdicts]
    assert not wrong, "\n".join(wrong)


def test_every_computed_answer_has_a_second_route():
    computed = {template.id for template in templates() if _is_computed(template)}
    assert len(computed) >= 80
    assert computed - set(ROUTES) == set()
    assert set(ROUTES) <= {template.id for template in templates()}  # no route for a template that is gone


@pytest.mark.parametrize("topic", TOPICS)
def test_second_route_agrees(problems, topic):
    wrong = []
    for problem in problems:
        if problem.tags["topic"] != topic or problem.family not in ROUTES:
            continue
        found = _recompute(problem)
        assert set(found) == {target.name for target in problem.targets}, problem.id
        for target in problem.targets:
            if not _agrees(found[target.name], target):
                wrong.append(f"{problem.id}: {target.name} = {target.value}, not {found[target.name]}")
    assert not wrong, "\n".join(wrong)


def test_a_wrong_number_would_not_agree(problems):
    numeric = [problem for problem in problems if isinstance(problem.targets[0], NumberTarget)]
    assert len(numeric) >= 100
    for problem in numeric:
        target = problem.targets[0]
        off = target.model_copy(update={"value": 1.003 * target.value})
        assert not _agrees(_recompute(problem)[target.name], off), problem.id


def test_problems_depend_on_seed_and_index_alone(problems):
    again = load(instances=3, seed=7)
    assert {one.id: one for one in problems}.items() <= {one.id: one for one in again}.items()
    other = {problem.id: problem for problem in load(instances=1, seed=8)}
    numeric = [
        problem for problem in problems if problem.id in other and problem.tags["kind"] != "conceptual"
    ]
    assert sum(other[problem.id].givens != problem.givens for problem in numeric) > 0.9 * len(numeric)


def test_the_right_option_is_at_every_letter_about_equally_often():
    choices = [problem for seed in range(4) for problem in load(instances=2, seed=seed, kinds=["conceptual"])]
    four = [
        problem.targets[0].value
        for problem in choices
        if isinstance(problem.targets[0], ChoiceTarget) and len(problem.targets[0].options) == 4
    ]
    share = Counter(four)
    expected = len(four) / 4
    assert len(four) > 100
    assert (
        sum((share[letter] - expected) ** 2 / expected for letter in "ABCD") < 16.27
    )  # chi squared, p = 0.001


def test_a_template_with_few_values_gives_fewer_questions():
    by_id = {template.id: template for template in templates()}
    assert len(make_problems(by_id["mechanics.which_newton_law"], 9, 0, library())) == 3
    assert len(make_problems(by_id["mechanics.pick_the_vector"], 9, 0, library())) == 1
    weightless = make_problems(by_id["mechanics.weightless_in_orbit"], 40, 0, library())
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


def test_entities_stand_in_the_question_and_can_be_renamed(problems):
    marked = [problem for problem in problems if problem.entities]
    assert len(marked) > 100
    names = {given.name for problem in marked for given in problem.givens}
    for problem in marked:
        for entity in problem.entities.values():
            assert entity.text in problem.question, problem.id
            results = {step.symbol for step in problem.reference.steps}
            assert set(entity.quantities.values()) <= names | results, problem.id
    template = next(one for one in templates() if one.id == "mechanics.braking_distance")
    plain, renamed = (
        make_problems(template, 1, 0, library(), words)[0] for words in (None, {"object": "ice-cream truck"})
    )
    assert "drives an ice-cream truck" in renamed.question
    assert (
        renamed.question.replace("an ice-cream truck", "a delivery van").replace(
            "ice-cream truck", "delivery van"
        )
        == plain.question
    )
    assert renamed.targets == plain.targets


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


def test_topics_and_kinds_choose_within_the_set(core):
    chosen = load(topics=["mechanics"], kinds=["conceptual"])
    assert chosen == tuple(
        one for one in core if (one.tags["topic"], one.tags["kind"]) == ("mechanics", "conceptual")
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"topics": ["mechanic"]}, "topics: 'mechanic' is not valid.*mechanics"),
        ({"kinds": ["concept"]}, "kinds: 'concept' is not valid.*conceptual"),
        ({"count": 3}, "count: must be 7 or more"),
        ({"instances": 0}, "instances: must be 1 or more, not 0"),
        ({"path": "no/such.jsonl"}, "no/such.jsonl: No such file"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(InvalidData, match=message):
        load(**settings)


def test_a_file_of_questions_loads_back(core, tmp_path):
    file = tmp_path / "questions.jsonl"
    items.dump(core, str(file))
    assert load(path=str(file)) == core
    lines = file.read_text(encoding="utf-8").splitlines()
    fields = json.loads(lines[0])
    fields["reference_solution"]["steps"] = [{"equation": "physics.dynamics.newton_secnd"}]
    file.write_text("\n".join([json.dumps(fields), *lines[1:3]]), encoding="utf-8")
    with pytest.raises(
        InvalidData, match=r"questions.jsonl:1: reference_solution.steps\[0\].symbol: is missing"
    ):
        load(path=str(file))


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
        read_template(file, "mechanics.braking_distance")
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
    template = Template.model_validate(fields)
    found = list(arithmetic_faults(template, dict.fromkeys(given, 0.5)))
    assert re.search(message, found[0]) if message else not found, found


def test_arithmetic_of_every_template_is_in_its_units():
    faults = []
    for template in templates():
        problem = make_problems(template, 1, 3, library())[0]
        numbers = {given.name: given.value for given in problem.givens if isinstance(given.value, float)}
        numbers |= {step.symbol: step.value for step in problem.reference.steps}
        faults += [f"{template.id}: {fault}" for fault in arithmetic_faults(template, numbers)]
    assert not faults, "\n".join(faults)


def test_the_command_checks_counts_and_exports(tmp_path, capsys):
    assert main(["check", "introduction", "--instances", "1", "--solutions"]) == 0
    shown = capsys.readouterr().out
    assert "Substitution: " in shown and " templates, 0 failures" in shown
    assert main(["count", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["questions"] >= 300
    assert main(["export", str(tmp_path / "set.jsonl"), "--count", "20"]) == 0
    assert len(load(path=str(tmp_path / "set.jsonl"))) == 20
    assert main(["count", "--count", "2"]) == 1
    assert "count: must be 7 or more" in capsys.readouterr().err
