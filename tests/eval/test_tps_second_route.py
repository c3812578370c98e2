"""Every target that a second route reaches agrees with it: conservation laws, quadrature, own root finding."""

import importlib
import pkgutil

import pytest

from ansatz.eval.benchmarks.tps import load
from ansatz.eval.problem import NumberTarget
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
def calculations():
    """Two instances of every template that asks for numbers rather than a closed form."""
    return [problem for problem in load(instances=2, seed=7) if problem.tags["task_type"] != "derivation"]


@pytest.fixture(scope="module")
def problems(calculations):
    return [problem for problem in calculations if problem.family in ROUTES]


def _recompute(problem):
    return ROUTES[problem.family]({given.name: given.value for given in problem.givens})


def _agrees(found, wanted):
    return found == wanted if isinstance(wanted, str) else found == pytest.approx(wanted, rel=AGREEMENT)


def test_routes_are_of_templates_that_there_are(problems):
    assert len(problems) >= 100
    assert {problem.family for problem in problems} == set(ROUTES)  # no route for a template that is gone


@pytest.mark.parametrize("domain", sorted({family.split(".")[0] for family in ROUTES}))
def test_second_route_agrees(problems, domain):
    wrong = []
    for problem in problems:
        if not problem.family.startswith(f"{domain}."):
            continue
        found = _recompute(problem)
        assert set(found) == {target.name for target in problem.targets}, problem.id
        for target in problem.targets:
            if not _agrees(found[target.name], target.value):
                wrong.append(f"{problem.id}: {target.name} = {target.value}, not {found[target.name]}")
    assert not wrong, "\n".join(wrong)


def test_a_wrong_answer_would_not_agree(problems):
    for problem in problems:
        found = _recompute(problem)
        numbers = [target for target in problem.targets if isinstance(target, NumberTarget)]
        assert not all(_agrees(found[target.name], 1.003 * target.value) for target in numbers)
