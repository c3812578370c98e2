"""The hard set: its size, its keys by second methods, its traps, and the faults of templates."""

import re
from collections import Counter
from functools import cache

import pytest

from ansatz.eval.benchmarks import hard
from tests.eval.benchmarks.hard.second_methods import FACTORS, METHODS, recompute

pytestmark = pytest.mark.xdist_group("hard")

AGREEMENT = 2e-3


@cache
def problems(seed=0, instances=4):
    return hard.load(instances=instances, seed=seed)


def find_wrong(problem):
    """Return the targets that a second method finds otherwise."""
    givens = {each.name: each.value for each in problem.givens}
    units = {each.name: each.unit for each in problem.givens}
    found = recompute(problem.family, givens, units)
    return [
        f"{problem.id}: {target.name} = {target.value:.6g}, not {found[target.name] / FACTORS[target.unit]:.6g}"
        for target in problem.targets
        if found[target.name] / FACTORS[target.unit] != pytest.approx(target.value, rel=AGREEMENT)
    ]


def test_the_set_has_150_problems_over_four_domains():
    counts = Counter(template.domain for template in hard.templates())
    assert set(counts) == set(hard.DOMAINS) and 4 * counts.total() >= 150 and min(counts.values()) >= 10
    assert {kind for template in hard.templates() for kind in template.kinds} == set(hard.KINDS)
    assert {template.id for template in hard.templates()} == set(METHODS)


def test_second_methods_find_the_keys():
    wrong = [line for problem in problems(seed=1, instances=1) for line in find_wrong(problem)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_second_methods_find_all_keys():
    wrong = [line for problem in problems() for line in find_wrong(problem)]
    assert not wrong, "\n".join(wrong)


def test_every_problem_has_steps_and_a_trap_that_is_wrong():
    for problem in problems(seed=1, instances=1):
        assert len(problem.reference.steps) >= 5, problem.id
        for trap in problem.reference.traps:
            errors = [abs(trap.values[each.name] / each.value - 1) for each in problem.targets]
            assert max(errors) > 0.1, (problem.id, trap.name)


def test_no_statement_names_a_law_of_its_solution():
    named = re.compile(
        r"Bernoulli|Rayleigh|Joukowsky|Hohmann|Lambert|Kepler|Biot|Knudsen|Stefan|Fourier|choke", re.I
    )
    assert not [each.id for each in problems(seed=1, instances=1) if named.search(each.question)]


def first(family):
    """The first problem of a family, with its givens in SI units and its keys."""
    problem = next(each for each in problems(seed=1, instances=1) if each.family == family)
    givens = {each.name: each.value * FACTORS[each.unit] for each in problem.givens}
    return givens, {each.name: each.value * FACTORS[each.unit] for each in problem.targets}


def test_moist_air_agrees_with_real_moist_air():
    """The ideal mixture of the statement against the virial equations of ASHRAE RP-1485."""
    from CoolProp.CoolProp import HAPropsSI, PropsSI

    given, key = first("cycles.plateau_cooler")

    def get(name, T, share):
        return HAPropsSI(name, "T", T, "R", share, "P", given["p"])

    before = {name: get(name, given["T_1"], given["phi_1"]) for name in "HWV"}
    taken_up = get("W", given["T_1"] - key["dT"], given["phi_2"]) - before["W"]
    gained = get("H", given["T_1"] - key["dT"], given["phi_2"]) - before["H"]
    assert gained == pytest.approx(taken_up * PropsSI("H", "T", given["T_w"], "Q", 0, "Water"), abs=200)
    assert given["V"] / before["V"] * taken_up == pytest.approx(key["mdot"], rel=4e-3)


def test_a_pseudo_pure_refrigerant_agrees_with_its_components():
    """R410A by its own equation of state against the mixture model of R32 and R125."""
    from CoolProp.CoolProp import PropsSI

    given, key = first("cycles.coldest_heat_pump")
    mixture = "HEOS::R32[0.697615]&R125[0.302385]"
    p = PropsSI("P", "T", key["T_e"], "Q", 1, mixture)
    density = PropsSI("D", "P", p, "T", key["T_e"] + given["dT"], mixture)
    hot, cold = (PropsSI("H", "P", given["p_c"], "T", given[name], mixture) for name in ("T_m", "T_3"))
    assert given["eta_v"] * density * (hot - cold) == pytest.approx(key["q"], rel=2e-3)
