"""Every target that a second route reaches agrees with it: conservation laws, quadrature, own root finding."""

import importlib
import pkgutil

import pytest

from ansatz.eval.benchmarks.templates import make_problems, read_templates
from ansatz.eval.benchmarks.tps import FOLDER
from ansatz.eval.benchmarks.tps.tps_template import TPSTemplate
from ansatz.eval.problem import NumberTarget
from ansatz.knowledge_base.equation import library
from tests.eval import tps_second_route

AGREEMENT = 1e-3


def _routes():
    """The route of each template, from all modules of the folder that have any."""
    found = {}
    for module in pkgutil.iter_modules(tps_second_route.__path__, f"{tps_second_route.__name__}."):
        found |= getattr(importlib.import_module(module.name), "ROUTES", {})
    return found


ROUTES = _routes()


@pytest.fixture(scope="module")
def problems():
    """Two instances of every template that has a route, and what the route finds."""
    templates, _ = read_templates(FOLDER, TPSTemplate)
    chosen = [template for template in templates if template.id in ROUTES]
    assert {template.id for template in chosen} == set(ROUTES)  # no route for a template that is gone
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
