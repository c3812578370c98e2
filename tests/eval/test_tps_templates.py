"""Every template that ships: it makes sound problems for any seed, and together they cover the field."""

import math
import re
from functools import cache

import pytest

from ansatz.eval import problem_files
from ansatz.eval.benchmarks import tps
from ansatz.eval.benchmarks.templates import library_faults, make_problems, read_templates
from ansatz.eval.benchmarks.templates.library_check import numbers_of, trap_error
from ansatz.eval.benchmarks.tps.tps_template import DOMAINS, LEVELS, TPSTemplate
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.knowledge_base.equation import Library

TEMPLATES, FAULTS = read_templates(tps.FOLDER, TPSTemplate)
every_template = pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e-?\d+)?"


@cache
def library():
    return Library.read()


@cache
def _problems(id):
    template = next(template for template in TEMPLATES if template.id == id)
    return [problem for seed in (0, 1) for problem in make_problems(template, 1, seed, library())]


def problems(template):
    return _problems(template.id)


def test_every_file_is_a_valid_template():
    assert FAULTS == []


@every_template
def test_it_fits_the_knowledge_base(template):
    assert list(library_faults(template, library())) == []


@every_template
def test_its_question_states_every_number_exactly_once(template):
    for problem in problems(template):
        prose = problem.question.split("\n\nReport your answers as:\n")[0]
        for given in problem.givens:
            if isinstance(given.value, str):
                continue
            unit = "" if given.unit == "-" else f" {re.escape(given.unit)}"
            stated = re.findall(
                rf"(?<!\w){re.escape(given.name)} = ({NUMBER}){unit}(?![\w/^])", " ".join(prose.split())
            )
            assert [float(number) for number in stated] == [given.value], (problem.id, given.name)
        assert "{" not in problem.question


@every_template
def test_its_answers_are_finite_and_within_their_bounds(template):
    for problem in problems(template):
        values = {target.name: target.value for target in problem.targets if target.kind == "number"}
        assert all(math.isfinite(value) for value in values.values())
        for bound in problem.reference.bounds:
            slack = 1e-9 * abs(values.get(bound.target, 0))
            assert bound.low is None or bound.low - slack <= values.get(bound.target, math.inf)
            assert bound.high is None or values.get(bound.target, -math.inf) <= bound.high + slack


@every_template
def test_its_formulation_tells_no_result(template):
    for problem in problems(template):
        formulation = problem.reference.formulation
        told = re.findall(NUMBER, f"{formulation.approach} {formulation.assumptions}")
        assert not {f"{step.value:.3g}" for step in problem.reference.steps} & set(told)
        assert "=" not in formulation.find


@every_template
def test_its_trap_leads_clearly_astray(template):
    for problem in problems(template):
        numbers = numbers_of(problem)
        errors = [trap_error(template, numbers, library().get(id)) for id in template.trap.equations]
        assert all(error is None or abs(error) > 0.1 for error in errors)


def test_the_same_seed_makes_the_same_bytes():
    for template in TEMPLATES[::10]:
        again = make_problems(template, 1, 0, library())
        assert again[0].model_dump_json() == problems(template)[0].model_dump_json()


def test_the_set_covers_every_domain_at_every_level():
    covered = {(template.domains[0], template.level) for template in TEMPLATES}
    assert covered == {(domain, level) for domain in DOMAINS for level in LEVELS}


def test_the_set_survives_a_file(tmp_path):
    made = tps.load(instances=1, domains=["shock"])
    problem_files.dump(made, str(tmp_path / "tps.jsonl"))
    assert problem_files.load(str(tmp_path / "tps.jsonl")) == made


def test_domains_and_levels_choose_among_the_problems():
    chosen = tps.load(instances=1, domains=["heating"], levels=["L1", "L3"])
    assert {problem.tags["domain"] for problem in chosen} == {"heating"}
    assert {problem.tags["level"] for problem in chosen} == {"L1", "L3"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"domains": ["heatin"]}, "did you mean 'heating'"), ({"levels": ["L6"]}, "levels: 'L6' is not valid")],
)
def test_an_unknown_choice_is_refused(settings, message):
    with pytest.raises(InvalidData, match=message):
        tps.load(**settings)
