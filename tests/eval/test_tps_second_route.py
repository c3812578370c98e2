"""Every target that a second route reaches agrees with it: conservation laws, quadrature, own root finding."""

import importlib

import pytest

from ansatz.eval.benchmarks.templates import make_problems, read_templates
from ansatz.eval.benchmarks.tps import FOLDER
from ansatz.eval.benchmarks.tps.tps_template import DOMAINS, TPSTemplate
from ansatz.eval.problem import NumberTarget
from ansatz.knowledge_base.equation import library

AGREEMENT = 1e-3


ROUTES = {
    f"{domain}.{name}": route
    for domain in DOMAINS
    for name, route in vars(importlib.import_module(f"tests.eval.tps_second_route.{domain}")).items()
    if (FOLDER / domain / f"{name}.yaml").exists() and route.__module__.endswith(domain)
}


@pytest.fixture(scope="module")
def problems():
    """Two instances of every template that has a route, and what the route finds."""
    templates, _ = read_templates(FOLDER, TPSTemplate)
    chosen = [template for template in templates if template.id in ROUTES]
    assert len(chosen) == len(ROUTES) == 69
    made = [problem for template in chosen for problem in make_problems(template, 2, 7, library())]
    return [(problem, _recompute(problem)) for problem in made]


def _recompute(problem):
    return ROUTES[problem.family]({given.name: given.value for given in problem.givens})


def _agrees(found, wanted):
    return found == wanted if isinstance(wanted, str) else found == pytest.approx(wanted, rel=AGREEMENT)


@pytest.mark.parametrize("domain", sorted({family.split(".")[0] for family in ROUTES}))
def test_second_route_agrees(problems, domain):
    wrong = []
    for problem, found in problems:
        if not problem.family.startswith(f"{domain}."):
            continue
        assert set(found) == {target.name for target in problem.targets}, problem.id
        for target in problem.targets:
            if not _agrees(found[target.name], target.value):
                wrong.append(f"{problem.id}: {target.name} = {target.value}, not {found[target.name]}")
    assert not wrong, "\n".join(wrong)


def test_a_wrong_answer_would_not_agree(problems):
    for problem, found in problems:
        numbers = [target for target in problem.targets if isinstance(target, NumberTarget)]
        assert not all(_agrees(found[target.name], 1.003 * target.value) for target in numbers)
