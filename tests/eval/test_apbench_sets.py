"""The astrodynamics sets: how many there are, what they say, and every number by a second route."""

import re
from functools import cache
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from ansatz.eval.benchmarks.apbench import load, read_sets
from ansatz.eval.benchmarks.apbench.problem_set import TOPICS, constants, formulas
from ansatz.eval.benchmarks.apbench.reference import FUNCTIONS
from ansatz.eval.benchmarks.apbench.rules import published, strict
from ansatz.eval.judging.request import reference
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget
from ansatz.eval.score import ScoringContext
from ansatz.knowledge_base.equation import Expression, library
from ansatz.quantities.units import quantity
from tests.eval.apbench_second_route.motion import circular, fly
from tests.fakes.transcripts import attempt

SETS = {template.name: template for template in read_sets()}


@cache
def problems(seed=0, instances=1):
    return load(instances=instances, seed=seed)


def si(value, unit):
    return float(quantity(value, unit).to_base_units().magnitude)


def stated_by(problem):
    """The givens as a solver reads them, in SI units, with vectors put together."""
    numbers = {given.name: si(given.value, given.unit) for given in problem.givens}
    for name in [each.removesuffix("_x") for each in numbers if each.endswith("_x")]:
        if f"{name}_z" in numbers:
            numbers[name] = np.array([numbers[f"{name}_{axis}"] for axis in "xyz"])
    return SimpleNamespace(**numbers)


def second_route(problem):
    module = import_module(f"tests.eval.apbench_second_route.{problem.tags['topic']}")
    found = getattr(module, problem.family)(stated_by(problem))
    parts = {}
    for name, value in found.items():
        if isinstance(value, str):
            parts[name] = value
        elif np.ndim(value):
            parts |= {f"{name}_{axis}": float(part) for axis, part in zip("xyz", value, strict=True)}
        else:
            parts[name] = float(value)
    return parts


def disagreements(asked):
    """Answers that a second route, from the last question's givens, does not meet within 0.1 %."""
    recomputed = second_route(asked[-1])
    for problem in asked:
        for target in problem.targets:
            if isinstance(target, NumberTarget):
                other, key = recomputed[target.name], si(target.value, target.unit)
                if not abs(other - key) <= 1e-3 * abs(key):
                    yield f"{problem.id} {target.name}: {key:.8g}, by the second route {other:.8g} (SI)"
            if isinstance(target, ChoiceTarget) and target.options[target.value] != recomputed["choice"]:
                yield f"{problem.id}: {target.options[target.value]}, by the second route {recomputed['choice']}"


def by_instance(seed, instances):
    asked = {}
    for problem in problems(seed, instances):
        asked.setdefault(problem.id.rsplit("-q", 1)[0], []).append(problem)
    return asked


@pytest.mark.parametrize("name", SETS)
def test_every_number_and_choice_agrees_with_a_second_route(name):
    """In two draws: each function of the second route is of the last question's givens."""
    for seed in (0, 1):
        assert not list(disagreements([each for each in problems(seed) if each.family == name]))


def test_there_are_enough_sets_and_questions_on_every_topic():
    asked = problems()
    assert len(SETS) >= 40
    assert len(asked) >= 150
    assert {problem.tags["topic"] for problem in asked} == set(TOPICS)
    assert {problem.tags["kind"] for problem in asked} == {"number", "list", "message", "choice"}
    assert {problem.tags["format"] for problem in asked} == {"numeric", "message"}


def test_a_set_is_asked_in_order_over_one_content():
    for asked in by_instance(0, 2).values():
        assert 3 <= len(asked) <= 5
        assert len({problem.context for problem in asked}) == 1
        for position, problem in enumerate(asked):
            assert problem.benchmark == "apbench"
            assert problem.id.endswith(f"-q{position + 1}") and problem.tags["position"] == str(position + 1)
            assert problem.follows == tuple(each.id for each in asked[:position])


def test_draws_differ_and_do_not_depend_on_how_many_are_made():
    one, three = load(instances=1, sets=["gibbs"]), load(instances=3, sets=["gibbs"])
    other = load(seed=7, sets=["gibbs"])
    assert three[: len(one)] == one
    assert len({problem.context for problem in (*three, *other)}) == 4
    assert len({problem.id for problem in (*three, *other)}) == len(three) + len(other)


def test_every_number_asked_for_is_a_step_of_the_worked_solution_and_not_stated():
    for problem in problems():
        steps = {step.symbol: (step.value, step.unit) for step in problem.reference.steps}
        for target in problem.targets:
            if isinstance(target, NumberTarget):
                assert steps[target.name] == (target.value, target.unit)
                assert target.value != 0
                assert re.search(rf"^Step \d+: {re.escape(target.name)} = ", reference(problem), re.M)
                assert f"{target.name} = ___" in problem.question
                assert f"{target.value:.6g} {target.unit}" not in problem.ask().text, problem.id
        assert problem.tags["formulas"] and problem.reference.text


def test_choices_have_the_right_letter_and_no_letter_is_favoured():
    letters = []
    choosing = [name for name, each in SETS.items() if any(q.choice for q in each.questions)]
    for problem in load(instances=10, sets=choosing):
        for target in problem.targets:
            if isinstance(target, ChoiceTarget):
                assert f"({target.value}) {target.options[target.value]}" in problem.question
                letters.append(target.value)
    assert max(letters.count(letter) for letter in "AB") < 0.5 * len(letters)


def test_messages_are_sentences():
    messages = [t.value for p in problems() for t in p.targets if isinstance(t, MessageTarget)]
    assert len(messages) >= 10
    assert all(len(text.split()) > 10 and text.endswith(".") and "{" not in text for text in messages)


NUMBER = re.compile(r"(?<![\w.^])\d+(?:\.\d+)?|\btwice\b")
RIGHT_ANGLES = {90.0, 180.0}
"""Degrees that mark a case (retrograde, opposite) rather than come out of a calculation."""


def swing_along_the_orbit():
    """Of a slightly eccentric orbit: the swing of its angle about even motion, in eccentricities."""
    e, times = 1e-3, np.linspace(0.1, 3.0, 30)
    start = [1 - e, 0, 0], [0, np.sqrt((1 + e) / (1 - e)), 0]
    places = [fly(1.0, *start, time)[0] for time in times]
    return max(np.arctan2(place[1], place[0]) - time for place, time in zip(places, times, strict=True)) / e


def potential_lost_for_kinetic_gained():
    """Between circular orbits: the potential energy of one, and half the squared speed."""
    high, low = 1.0, 0.999
    return (1 / low - 1 / high) / (circular(1.0, low) ** 2 / 2 - circular(1.0, high) ** 2 / 2)


CLAIMS = {"safety_ellipse": swing_along_the_orbit, "drag_decay": potential_lost_for_kinetic_gained}
"""What a message says of a number that is no given: each says that it is two."""


@pytest.mark.parametrize("name", CLAIMS)
def test_a_number_that_a_message_claims_is_computed(name):
    (message,) = [
        t.value for one in by_instance(0, 1)[f"{name}-0"] for t in one.targets if isinstance(t, MessageTarget)
    ]
    assert "twice" in message
    assert CLAIMS[name]() == pytest.approx(2, rel=1e-3)


def test_every_other_number_of_a_message_or_an_option_is_given_or_a_right_angle():
    strange = []
    for asked in by_instance(0, 2).values():
        known = {one.value for one in asked[-1].givens} | RIGHT_ANGLES
        known |= {2.0} if asked[0].family in CLAIMS else set()
        for problem in asked:
            texts = [target.value for target in problem.targets if isinstance(target, MessageTarget)]
            for target in problem.targets:
                texts += target.options.values() if isinstance(target, ChoiceTarget) else ()
            numbers = {
                2.0 if word == "twice" else float(word) for text in texts for word in NUMBER.findall(text)
            }
            strange += [f"{problem.id}: {number}" for number in numbers - known]
    assert not strange


def test_every_formula_and_constant_of_the_catalogues_is_used_and_has_a_source():
    assert {id for each in SETS.values() for q in each.questions for id in q.formulas} == set(formulas())
    assert {name for each in SETS.values() for name in each.constants} == set(constants())
    assert all(constant.source for constant in constants().values())


def test_formulas_name_equations_that_the_knowledge_base_has():
    named = {equation for formula in formulas().values() for equation in formula.equations}
    assert not [equation for equation in named if equation not in library()]
    gold = {equation for problem in problems() for equation in problem.reference.gold_equations}
    assert gold == named and len(gold) > 60


# Worked examples of textbooks: Vallado 2013, examples 2-1 and 2-5; Curtis 2014, examples 5.1 and 5.2; and
# the Lagrange points of the Earth and the Moon, at mu = 0.012150585, as widely tabulated.
VALLADO = "vector(6524834, 6862875, 6448296), vector(4901.327, 5533.756, -1976.341)"
CURTIS = "3.986e14, vector(5000000, 10000000, 2100000), vector(-14600000, 2500000, 7000000), 3600"
GIBBS = "3.986e14, vector(-294320, 4265100, 5986700), vector(-1365500, 3637600, 6346800), vector(-2940300, 2473700, 6555800)"
EXAMPLES = [
    ("eccentric_anomaly(235.4*pi/180, 0.4)*180/pi", 220.512074),
    (f"norm(eccentricity_vector(3.986004418e14, {VALLADO}))", 0.832853),
    (f"inclination({VALLADO})*180/pi", 87.870),
    (f"ascending_node({VALLADO})*180/pi", 227.898),
    (f"argument_of_pericentre(3.986004418e14, {VALLADO})*180/pi", 53.38),
    (f"true_anomaly(3.986004418e14, {VALLADO})*180/pi", 92.335),
    (f"component(lambert_departure({CURTIS}), 1)", -5992.49),
    (f"component(lambert_departure({CURTIS}), 3)", 3245.64),
    (f"component(lambert_arrival({CURTIS}), 2)", -4196.62),
    (f"component(gibbs_velocity({GIBBS}), 1)", -6217.4),
    (f"component(gibbs_velocity({GIBBS}), 3)", 1599.0),
    ("collinear_point(0.012150585, 1)", 0.836915),
    ("collinear_point(0.012150585, 2)", 1.155682),
    ("collinear_point(0.012150585, 3)", -1.005063),
]


@pytest.mark.parametrize(("formula", "published"), EXAMPLES)
def test_reference_functions_meet_worked_examples(formula, published):
    assert Expression.parse(formula, FUNCTIONS)({}) == pytest.approx(published, rel=1e-4)


def reported(problem):
    """An answer in the form that the question asks for, with six digits of every key."""
    if isinstance(problem.targets[0], ChoiceTarget):
        return f"Answer: {problem.targets[0].value}"
    units = ["" if target.unit == "-" else target.unit for target in problem.targets]
    return "\n".join(f"{t.name} = {t.value:.6g} {u}" for t, u in zip(problem.targets, units, strict=True))


@pytest.mark.parametrize("topic", TOPICS)
async def test_the_keys_reported_as_asked_earn_full_credit(topic):
    for problem in load(topics=[topic]):
        if not isinstance(problem.targets[0], MessageTarget):
            text = reported(problem)
            assert all(each.right for rule in (published, strict) for each in rule(problem, text)), problem.id
            scores = await Outcome().score(ScoringContext(problem, attempt(text)))
            assert [score.value for score in scores if score.value is not None][:2] == [1, 1], problem.id
            assert scores[2].value in (None, 1), problem.id
