"""Conceptual questions of the physics set: every number in them is given or found along a second route."""

import importlib
import pkgutil
import re
from itertools import chain

import pytest

from ansatz.eval.benchmarks.physbench import load, templates
from ansatz.eval.problem import ChoiceTarget
from tests.eval import physbench_second_route
from tests.eval.physbench_second_route.concept import Concept

AGREEMENT = 1e-3
ABOUT = 0.05
"""How far from the value "about nine tenths" may be."""

WORDS = {
    "zero": 0.0,
    "half": 0.5,
    "halves": 0.5,
    "twice": 2.0,
    "nine tenths": 0.9,
    "thousandth": 1e-3,
    "thousand": 1e3,
    "double": 2.0,
    "hundred": 100.0,
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "five": 5.0,
    "six": 6.0,
    "eight": 8.0,
    "ten": 10.0,
}
NUMBER = re.compile(
    r"(?P<about>about )?"
    r"(?:(?<![\w^.])(?P<digits>-?\d+(?:\.\d+)?(?:e-?\d+)?)(?:/(?P<below>\d+))?"
    r"|(?<!the )(?<!of )(?<!between )\b(?P<word>" + "|".join(WORDS) + r")\b(?!-li))",
    re.IGNORECASE,
)
"""A number, fraction or number word.

Left out are exponents of formulas, names such as n_1, half-lives, and words that count things of the story
("the two forces"), which say nothing that could be wrong.
"""


def _concepts():
    found = {}
    for module in pkgutil.iter_modules(
        physbench_second_route.__path__, f"{physbench_second_route.__name__}."
    ):
        found |= getattr(importlib.import_module(module.name), "CONCEPTS", {})
    return found


CONCEPTS = _concepts()


@pytest.fixture(scope="module")
def problems():
    return load(instances=4, seed=7, kinds=("conceptual",))


@pytest.fixture(scope="module")
def found(problems):
    return {
        problem.id: CONCEPTS[problem.family]({given.name: given.value for given in problem.givens})
        for problem in problems
        if problem.family in CONCEPTS
    }


def _options(problem):
    return {
        target.options[letter]: letter == target.value
        for target in problem.targets
        if isinstance(target, ChoiceTarget)
        for letter in target.options
    }


def _texts(problem):
    """What is said of the answer, right or wrong."""
    reference = problem.reference
    return [
        reference.text,
        reference.final_answer,
        *reference.key_points,
        *reference.misconceptions.values(),
        *_options(problem),
    ]


def _numbers(text):
    """The numbers of a text, each with how near it has to be."""
    for match in NUMBER.finditer(text):
        word, near = match["word"], ABOUT if match["about"] else AGREEMENT
        yield WORDS[word.lower()] if word else float(match["digits"]) / float(match["below"] or 1), near


def _written(problem):
    values = [number for text in _texts(problem) for number in _numbers(text)]
    return values + [(step.value, AGREEMENT) for step in problem.reference.steps]


def _near(value, other, tolerance):
    return value == pytest.approx(other, rel=tolerance, abs=0 if value else 1e-9)


def _uncovered(problem, concept):
    """Numbers that are neither given nor found along the second route."""
    known = [given.value for given in problem.givens if not isinstance(given.value, str)]
    known += concept.numbers if concept else ()
    return [value for value, near in _written(problem) if not any(_near(value, one, near) for one in known)]


def _says(text, answer):
    """Whether the words stand in a text, or the number comes first in it."""
    if isinstance(answer, str):
        return re.search(rf"(?<![\w/-]){re.escape(answer)}(?![\w^*])", text) is not None
    return any(_near(value, answer, near) for value, near in list(_numbers(text))[:1])


def _finds(problem, answer):
    """Whether the right option says it and no other does; whether an answer in words says it."""
    options = _options(problem)
    if not options:
        return _says(problem.reference.text, answer)
    return {text: _says(text, answer) for text in options} == options


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It falls to 1/8 of v_1 = -2.5e-3 m/s^2.", [0.125, -2.5e-3]),
        ("Half of it, about nine tenths, after a half-life of carbon-14", [0.5, 0.9, 14]),
        ("The two forces between two bodies; two figures, 4cm", [2, 4]),
    ],
)
def test_numbers_are_read_from_texts(text, expected):
    assert [value for value, _ in _numbers(text)] == expected


def test_every_conceptual_template_has_a_second_route_or_no_number(problems):
    conceptual = {template.id for template in templates() if template.kind == "conceptual"}
    assert {problem.family for problem in problems} == conceptual
    assert set(CONCEPTS) <= conceptual  # no route for a template that is gone
    without = [problem for problem in problems if problem.family not in CONCEPTS]
    told = {problem.id: numbers for problem in without if (numbers := _written(problem))}
    assert not told


def test_every_number_of_a_conceptual_question_is_given_or_recomputed(problems, found):
    wrong = {
        problem.id: values for problem in problems if (values := _uncovered(problem, found.get(problem.id)))
    }
    assert not wrong


def test_the_second_route_finds_the_answer(problems, found):
    wrong = [
        f"{problem.id}: {found[problem.id].answer!r}"
        for problem in problems
        if problem.id in found and not _finds(problem, found[problem.id].answer)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_further_draws_agree(seed):
    for problem in load(instances=20, seed=seed, kinds=("conceptual",)):
        if problem.family in CONCEPTS:
            concept = CONCEPTS[problem.family]({given.name: given.value for given in problem.givens})
            assert not _uncovered(problem, concept), problem.question
            assert _finds(problem, concept.answer), problem.question


def test_no_route_finds_a_number_that_is_written_nowhere(problems, found):
    written = {problem.id: [value for value, _ in _written(problem)] for problem in problems}
    spare = {
        name: [one for one in concept.numbers if not any(_near(value, one, ABOUT) for value in written[name])]
        for name, concept in found.items()
    }
    assert not any(chain.from_iterable(spare.values())), {name: one for name, one in spare.items() if one}


def test_a_wrong_number_would_be_found(problems, found):
    """Had a route found a number 0.3 % off, the number that is written would not be covered."""
    checked = 0
    for problem in problems:
        concept = found.get(problem.id, Concept(""))
        written = [value for value, near in _written(problem) if near == AGREEMENT]
        for number in concept.numbers:
            others = [given.value for given in problem.givens if not isinstance(given.value, str)]
            others += [one for one in concept.numbers if one is not number]
            alone = not any(_near(number, one, AGREEMENT) for one in others)
            if alone and any(_near(value, number, AGREEMENT) for value in written):
                off = Concept(concept.answer, (*others, 1.003 * number + 0.003 * (abs(number) < 1e-9)))
                assert _uncovered(problem, off), f"{problem.id}: {number}"
                checked += 1
    assert checked >= 100
