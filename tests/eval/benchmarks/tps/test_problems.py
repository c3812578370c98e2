"""The 420 items on thermal protection: their counts, what every one has, and what docs/tps.md shows of them."""

import math
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks import tps
from ansatz.eval.benchmarks.templates import make_problems, read_templates
from ansatz.eval.benchmarks.tps.core import DOMAIN_COUNTS, LEVEL_COUNTS, allocate
from ansatz.eval.benchmarks.tps.template import DOMAINS, LEVELS, TPSTemplate
from ansatz.knowledge_base.equation import library

pytestmark = pytest.mark.xdist_group("tps")

TEMPLATES = read_templates(tps.FOLDER, TPSTemplate)
NUMBER = r"(?<![A-Za-z_\d.])[-+]?\d+(?:\.\d+)?(?:e-?\d+)?"


@cache
def core_set(language="en"):
    return tps.load(set="core", language=language)


def counts(tag):
    return Counter(problem.tags[tag] for problem in core_set())


def test_it_has_the_published_counts_and_every_template():
    assert counts("level") == LEVEL_COUNTS and counts("domain") == DOMAIN_COUNTS
    assert counts("level") == {"L1": 170, "L2": 120, "L3": 80, "L4": 50}
    assert counts("task_type") == {"numerical_calc": 300, "derivation": 60, "comparison": 60}
    families = Counter(problem.family for problem in core_set())
    assert set(families) == {template.id for template in TEMPLATES}
    assert len(families) >= 140 and max(families.values()) <= 5
    assert len({problem.id for problem in core_set()}) == 420
    assert len({problem.question for problem in core_set()}) == 420
    covered = {(template.domains[0], template.level) for template in TEMPLATES}
    assert covered == {(domain, level) for domain in DOMAINS for level in LEVELS}


def test_the_seed_chooses_numbers_and_template_counts():
    first, other = (tps.load(instances=1, domains=["shock"], seed=seed) for seed in (0, 1))
    assert not {problem.question for problem in other} & {problem.question for problem in first}
    asked = allocate(TEMPLATES, 1)
    assert asked != allocate(TEMPLATES, 0)
    levels = {template.id: template.level for template in TEMPLATES}
    assert sum((Counter({levels[id]: count}) for id, count in asked.items()), Counter()) == LEVEL_COUNTS


def test_settings_choose_within_it_and_unknown_ones_are_refused():
    chosen = tps.load(set="core", domains=["shock"], levels=["L1"])
    wanted = [each for each in core_set() if (each.tags["domain"], each.tags["level"]) == ("shock", "L1")]
    assert list(chosen) == wanted
    for settings, message in (
        ({"domains": ["heatin"]}, "did you mean 'heating'"),
        ({"levels": ["L6"]}, "levels: 'L6' is not valid"),
        ({"language": "fr"}, "language: 'fr' is not valid"),
    ):
        with pytest.raises(InvalidData, match=message):
            tps.load(**settings)


def test_templates_that_cannot_meet_the_margins_are_refused():
    few = [template for template in TEMPLATES if template.domains[0] != "shock"]
    with pytest.raises(InvalidData, match=r"^core set: the templates cannot give the counts"):
        allocate(few, 0)


def test_every_item_has_finite_answers_that_its_steps_give():
    for problem in core_set():
        steps = {step.symbol: step.value for step in problem.reference.steps}
        assert all(math.isfinite(value) for value in steps.values()), problem.id
        assert math.fsum(target.weight for target in problem.targets) == pytest.approx(1), problem.id
        for target in problem.targets:
            if target.kind == "number":
                assert target.value == steps[target.name], problem.id


def test_every_question_states_each_number_exactly_once():
    for problem in core_set():
        prose = " ".join(problem.question.split("\n\nReport your answers as:\n")[0].split())
        assert "{" not in problem.question
        for given in problem.givens:
            if isinstance(given.value, str):
                words = re.split(r"[_\s]+", given.value.lower())
                assert all(word in prose.lower() for word in words), (problem.id, given.name)
            else:
                unit = "" if given.unit == "-" else f" {re.escape(given.unit)}"
                stated = re.findall(rf"(?<!\w){re.escape(given.name)} = ({NUMBER}){unit}(?![\w/^])", prose)
                assert [float(number) for number in stated] == [given.value], (problem.id, given.name)


def test_no_formulation_tells_a_result():
    for problem in core_set():
        formulation = problem.reference.formulation
        numbers = re.findall(NUMBER, f"{formulation.approach} {formulation.assumptions}")
        assert not {f"{step.value:.3g}" for step in problem.reference.steps} & set(numbers), problem.id
        assert "=" not in formulation.find, problem.id


def test_every_item_has_equations_traps_and_bounds():
    for problem in core_set():
        reference = problem.reference
        assert reference.gold_equations and reference.trap and reference.formulation, problem.id
        assert problem.tags["metadata.references"], problem.id
        assert not set(reference.gold_equations) & set(reference.trap_equations), problem.id
        bounds = {bound.target: bound for bound in reference.bounds}
        for target in problem.targets:
            if target.kind == "number":
                bound = bounds[target.name]
                assert bound.reason, problem.id
                assert (bound.low, bound.high) != (None, None), (problem.id, target.name)


@pytest.mark.slow
def test_every_item_says_the_same_numbers_in_both_languages():
    for english, chinese in zip(core_set(), core_set("zh"), strict=True):
        assert sorted(re.findall(NUMBER, english.question, re.ASCII)) == sorted(
            re.findall(NUMBER, chinese.question, re.ASCII)
        ), english.id
        assert re.search("[\u4e00-\u9fff]", chinese.question), english.id
        assert chinese.targets == english.targets
        assert chinese.givens == english.givens


GUIDE = (Path(__file__).parents[4] / "docs" / "tps.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", GUIDE, re.DOTALL)


def test_the_study_and_template_of_the_guide_work():
    study, text = (
        next(text for kind, text in BLOCKS if kind == "yaml" and text.startswith(start))
        for start in ("problems", "id:")
    )
    [source] = yaml.safe_load(study)["problems"]
    made = tps.load(**{**source["settings"], "domains": source["where"]["domain"]})
    chosen = [one for one in made if one.tags["task_type"] in source["where"]["task_type"]]
    assert chosen
    assert all(one.tags["domain"] == "radiation" and one.tags["language"] == "zh" for one in chosen)
    template = TPSTemplate.model_validate(yaml.safe_load(text))
    assert len(make_problems(template, 2, 0, library(), "zh")) == 2


def test_the_guide_counts_every_level_domain_and_task_type():
    counted = re.findall(r"^\| (\w+) \|.*\| (\d+) \|$", GUIDE, re.MULTILINE)
    assert {name: int(count) for name, count in counted} == counts("level") | counts("domain") | counts(
        "task_type"
    )


def test_the_knudsen_number_of_a_sphere_fits_its_density():
    [family] = [each for each in TEMPLATES if each.id == "newtonian.orbiting_sphere_drag"]
    for problem in make_problems(family, 40, 3, library(), "en"):
        given = {each.name: each.value for each in problem.givens}
        molecule = (
            given["gamma"] * 1.380649e-23 * given["T_inf"] / given["a_inf"] ** 2
        )  # kg, from a = sqrt(gamma k T/m)
        mean_free_path = molecule / (given["rho_inf"] * math.sqrt(2) * math.pi * 0.37e-9**2)
        assert given["Kn"] == pytest.approx(mean_free_path / math.sqrt(4 * given["A_f"] / math.pi), rel=0.02)
