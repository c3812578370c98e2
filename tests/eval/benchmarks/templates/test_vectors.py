"""Ansatz's sets against values found by other methods (vectors/), and numbers in texts on physics."""

import re
from pathlib import Path

import pytest
import yaml

from ansatz.eval.benchmarks import apbench, physbench, tps
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget

pytestmark = pytest.mark.xdist_group("physbench")

FOLDER = Path(__file__).parent / "vectors"
VECTORS = {
    name: yaml.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    for name in ("tps", "physbench", "apbench")
}
AGREEMENT = 1e-3
ABOUT = 0.05
"""How far from the value "about nine tenths" may be."""

WORDS = {"zero": 0.0, "half": 0.5, "halves": 0.5, "twice": 2.0, "nine tenths": 0.9, "thousandth": 1e-3}
WORDS |= {"thousand": 1e3, "double": 2.0, "hundred": 100.0, "two": 2.0, "three": 3.0, "four": 4.0}
WORDS |= {"five": 5.0, "six": 6.0, "eight": 8.0, "ten": 10.0}
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


@pytest.fixture(scope="module")
def problems():
    """Two of each template."""
    return [one for made in (tps, physbench, apbench) for one in made.load(instances=2, seed=7)]


@pytest.fixture(scope="module")
def conceptual(problems):
    return [problem for problem in problems if problem.tags.get("kind") == "conceptual"]


def _givens(problem):
    return {given.name: given.value for given in problem.givens}


def _vector(problem):
    """The values that other methods found for it; None where its family has none.

    Those of a set of questions are of all that its last one states.
    """
    cases = VECTORS[problem.benchmark].get(problem.family, [])
    found = [case for case in cases if _givens(problem).items() <= case["given"].items()]
    assert found or not cases, f"{problem.id}: no vector for {_givens(problem)}"
    return found[0] if found else None


def _numbers(text):
    """The numbers of a text, each with how near it has to be."""
    for match in NUMBER.finditer(text):
        word, near = match["word"], ABOUT if match["about"] else AGREEMENT
        yield WORDS[word.lower()] if word else float(match["digits"]) / float(match["below"] or 1), near


def _near(value, other, tolerance=AGREEMENT):
    return value == pytest.approx(other, rel=tolerance, abs=0 if value else 1e-9)


def _states(text, answer, most=1):
    """Whether the words stand in a text, or the number is among its first ones."""
    if isinstance(answer, str):
        return re.search(rf"(?<![\w/-]){re.escape(answer)}(?![\w^*])", text) is not None
    return any(_near(value, answer, near) for value, near in list(_numbers(text))[:most])


def _options(problem):
    """Whether each option is right, by its text."""
    return {
        text: letter == target.value
        for target in problem.targets
        if isinstance(target, ChoiceTarget)
        for letter, text in target.options.items()
    }


def _agrees(found, target):
    if isinstance(target, ChoiceTarget):
        return _states(target.options[target.value], found, most=5)
    return found == target.value if isinstance(target.value, str) else _near(target.value, found)


def _texts(problem):
    """Return the texts about the answer, right or wrong."""
    reference = problem.reference
    texts = [reference.text, reference.final_answer, *reference.key_points]
    return [*texts, *reference.misconceptions.values(), *_options(problem)]


@pytest.mark.slow
def test_vectors_are_of_templates_that_there_are(problems):
    """Lines of plain arithmetic are in test_physbench_worked; conceptual questions without one hold no number."""
    families = {name: {one.family for one in problems if one.benchmark == name} for name in VECTORS}
    assert all(set(cases) <= families[name] for name, cases in VECTORS.items())
    assert len(VECTORS["tps"]) >= 100 and set(VECTORS["apbench"]) == families["apbench"]
    assert sum("finds" in cases[0] for cases in VECTORS["physbench"].values()) >= 90


def test_targets_and_wrong_options_agree_with_other_methods(problems):
    wrong, checked = [], 0
    for problem in problems:
        vector = _vector(problem) or {}
        found = vector.get("finds")
        if found is None:
            continue
        for target in problem.targets:
            if isinstance(target, MessageTarget):
                continue
            if not _agrees(found[target.name], target):
                wrong.append(f"{problem.id}: {target.name} = {target.value}, not {found[target.name]}")
            elif isinstance(target, NumberTarget):
                off = target.model_copy(update={"value": 1.003 * target.value})
                assert not _agrees(found[target.name], off), problem.id
                checked += 1
        if "wrong" in vector:
            others = [text for text, is_right in _options(problem).items() if not is_right]
            written = sorted(value for text in others for value, _ in _numbers(text) if value)
            assert written == pytest.approx(vector["wrong"], rel=AGREEMENT, abs=0), problem.id
    assert not wrong, "\n".join(wrong)
    assert checked >= 700


@pytest.mark.slow
def test_other_methods_find_the_answers_of_conceptual_questions(conceptual):
    wrong, checked = [], 0
    for problem in conceptual:
        answer = (_vector(problem) or {}).get("states")
        options = _options(problem) or {problem.reference.text: True}
        checked += answer is not None
        if answer is not None and {text: _states(text, answer) for text in options} != options:
            wrong.append(f"{problem.id}: {answer!r}")
    assert not wrong, "\n".join(wrong)
    assert checked >= 125


def test_numbers_of_conceptual_questions_are_given_or_verified(conceptual):
    wrong, checked = [], 0
    for problem in conceptual:
        known = [value for value in _givens(problem).values() if not isinstance(value, str)]
        known += (_vector(problem) or {}).get("numbers", ())
        written = [number for text in _texts(problem) for number in _numbers(text)]
        written += [(step.value, AGREEMENT) for step in problem.reference.steps]
        strange = [value for value, near in written if not any(_near(value, one, near) for one in known)]
        wrong += [f"{problem.id}: {strange}"] * bool(strange)
        checked += len(written)
    assert not wrong, "\n".join(wrong)
    assert checked >= 400
