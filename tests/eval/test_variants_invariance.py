"""The invariance check against planted corruptions and faithful retellings."""

from __future__ import annotations

import pytest

from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench.variants import REGIONS, pack, vary
from ansatz.eval.benchmarks.physbench.variants.invariance import check, check_texts
from ansatz.eval.benchmarks.physbench.variants.numerals import in_digits
from ansatz.eval.benchmarks.physbench.variants.unit_spelling import spelled
from ansatz.eval.problem import ChoiceTarget, NumberTarget, Problem
from tests.eval.variant_stories import Story, paraphrases, rates, stories


def _caught(told_stories: tuple[Story, ...]) -> list[bool]:
    """Whether each edit is seen as a change of its own, beside whatever the retelling itself is taken for."""
    found = []
    for story in told_stories:
        told = story.faithful[0]
        before = set(check_texts(story.original, told))
        for edit in story.edits:
            assert edit.old in told, (story.name, edit.old)
            changed = told.replace(edit.old, edit.new)
            found.append(bool(set(check_texts(story.original, changed)) - before))
    return found


def _rejected(told_stories: tuple[Story, ...]) -> list[bool]:
    return [bool(check_texts(story.original, told)) for story in told_stories for told in story.faithful]


@pytest.mark.parametrize("half", ["first_half", "second_half"])
def test_of_the_planted_corruptions_98_percent_are_caught(half: str) -> None:
    caught = _caught(stories(half))
    assert len(caught) > 100
    assert sum(caught) >= 0.98 * len(caught)


@pytest.mark.slow
def test_of_200_faithful_retellings_1_percent_are_rejected_at_most() -> None:
    rejected = _rejected(stories("first_half") + stories("second_half"))
    rejected += [bool(check_texts(original, told)) for original, told in paraphrases()]
    problems = physbench.load(seed=11)[::2]
    for place, problem in enumerate(problems):
        variant = vary(problem, pack(REGIONS[place % 3]), seed=1).problem
        if variant and len(rejected) < 200:
            rejected.append(bool(check_texts(problem.question, variant.question)))
    assert len(rejected) == 200
    assert sum(rejected) <= 2


@pytest.mark.parametrize(
    ("part", "most_rejected", "least_caught"),
    [
        pytest.param("rewritten_third", 0, 100, marks=pytest.mark.slow),
        ("rewritten_fourth", 0, 60),
        pytest.param("rewritten_fifth", 7, 49, marks=pytest.mark.slow),
        pytest.param("rewritten_first", 0, 100, marks=pytest.mark.slow),
        pytest.param("rewritten_second", 0, 100, marks=pytest.mark.slow),
        pytest.param("retellings_development", 5, 50, marks=pytest.mark.slow),
        pytest.param("retellings_held_out_once", 2, 50, marks=pytest.mark.slow),
        pytest.param("retellings_tuned", 3, 134, marks=pytest.mark.slow),
    ],
)
def test_retellings_of_each_part(part: str, most_rejected: int, least_caught: int) -> None:
    """Bars as measured; docs/variants.md says which parts were read while the check was made."""
    rejected, faithful, caught, corrupted = rates(part)
    sizes = {"retellings_tuned": (212, 137), "rewritten_fourth": (60, 60), "rewritten_fifth": (70, 50)}
    assert (faithful, corrupted) == sizes.get(part, (100, 100 if "rewritten" in part else 50))
    assert rejected <= most_rejected
    assert caught >= least_caught


def test_variants_of_the_packs_are_faithful() -> None:
    for problem in physbench.load()[::5]:
        for region in REGIONS:
            variant = vary(problem, pack(region), seed=0).problem
            assert variant is None or check(problem, variant) == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("44 m", "47 m", "number: 44 m is missing"),
        ("horizontally at", "horizontally upwards at", "condition: 'upwards' is new"),
        ("Air resistance is negligible", "Air resistance is not negligible", "air resistance"),
        ("time of fall t_f", "speed of fall t_f", "asked: time became speed"),
        (" and g = 9.8 m/s^2", "", "number: 9.8 m/s^2 is missing"),
    ],
)
def test_the_reason_names_the_change(old: str, new: str, said: str) -> None:
    original = stories("first_half")[0].original
    assert any(said in str(change) for change in check_texts(original, original.replace(old, new)))


@pytest.mark.parametrize(
    ("original", "told", "said"),
    [
        (
            "Supports A and B hold a plank. Pavel stands 1.3 m from A. Find the force.",
            "Supports A and B hold a plank, on which Pavel stands 1.3 m from B. Find the force.",
            "was told of A and is told of B",
        ),
        (
            "By what factor r does it drop (f_a over f_b)?",
            "By what factor r does it drop (f_b over f_a)?",
            "f_b over f_a",
        ),
        ("Find r.\n\nReport your answer as:\nr = ___", "Find r.\n\nReport as:\nr = ___ J", "no unit, now J"),
        ("A nucleus is told without electrons.", "A nucleus is told with its electrons.", "electrons"),
        ("A sealed tank holds gas.", "A sealed tank with a safety valve holds gas.", "'leak' is new"),
        (
            "A hot-air balloon of volume 2200 m^3 floats.",
            "A party balloon of volume 2200 m^3 floats.",
            "a party balloon cannot have a volume",
        ),
        (
            "The cord has two wires. The wires each have an area A = 2 mm^2. Find the resistance of both.",
            "The cord has two wires. The wires together have an area A = 2 mm^2. Find the resistance of both.",
            "each became together",
        ),
    ],
)
def test_changes_of_one_or_two_words_are_seen(original: str, told: str, said: str) -> None:
    assert any(said in str(change) for change in check_texts(original, told))
    assert not check_texts(original, f"{original} ")


@pytest.mark.parametrize(
    ("original", "told"),
    [
        ("A train slows from 30 m/s to rest.", "A train slows from 30 m/s to a standstill."),
        ("Find the frequency f.", "Find the number of turns per second, f."),
        (
            "There is no rubbing and no air resistance.",
            "Air resistance does not count, nor is there rubbing.",
        ),
        ("Three signals have f_1 = 2 Hz, f_2 = 3 Hz and f_3 = 5 Hz.", "f_1 = 2 Hz, f_2 = 3 Hz, f_3 = 5 Hz."),
        ("It takes 27.3 days for one revolution.", "A revolution takes it 27.3 days."),
        ("In a vacuum it falls.", "Without any air it falls."),
    ],
)
def test_other_words_for_the_same_are_no_change(original: str, told: str) -> None:
    assert check_texts(original, told) == ()


def test_a_number_that_a_new_thing_cannot_have_is_a_change() -> None:
    original = "A 2.0 kg melon hangs on a spring. It swings up and down. Find its weight."
    assert not check_texts(original, original.replace("melon", "pumpkin"))
    changes = check_texts(original, original.replace("melon", "honeybee"))
    assert [str(change) for change in changes] == ["object: a honeybee cannot have a mass of 2 kg"]
    assert not check_texts(original, original.replace("2.0 kg melon", "toy car of 2.0 kg"))


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("metres per second", "m/s"),
        ("m s^-1", "m/s"),
        ("J kg^-1 K^-1", "J/K/kg"),
        ("joules per kilogram per kelvin", "J/K/kg"),
        ("newton metres", "N*m"),
        ("square centimetres", "cm^2"),
        ("metres per second squared", "m/s^2"),
        ("degrees Celsius", "°C"),
        ("revolutions per minute", "rev/min"),
        ("kilowatt-hours", "h*kW"),
    ],
)
def test_units_have_one_spelling(written: str, canonical: str) -> None:
    assert spelled(written) == canonical
    assert not check_texts(f"It is 7 {written} there.", f"There it is seven {written}.") or "^" in written


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("after five seconds", "after 5 seconds"),
        ("one and a half hours", "1.5 hours"),
        ("a hundred and twenty metres", "120 metres"),
        ("twenty-five kilograms", "25 kilograms"),
        ("One day, Tom", "One day, Tom"),
        ("two blocks", "two blocks"),
    ],
)
def test_values_in_words_are_read(words: str, digits: str) -> None:
    assert in_digits(words) == digits


def test_roles_are_told_by_the_words_around() -> None:
    original = "A 2 kg cat chases a 3 kg dog. Find the total weight."
    assert not check_texts(original, "A 3 kg dog is chased by a 2 kg cat. Find the total weight.")
    assert check_texts(original, "A 3 kg cat chases a 2 kg dog. Find the total weight.")


def _choice() -> tuple[Problem, ChoiceTarget]:
    problem = next(each for each in physbench.load() if each.tags["format"] == "multiple_choice")
    target = problem.targets[0]
    assert isinstance(target, ChoiceTarget)
    return problem, target


def _with_target(problem: Problem, **changes: object) -> Problem:
    return problem.model_copy(update={"targets": (problem.targets[0].model_copy(update=changes),)})


def test_the_same_key_with_options_in_another_order_is_a_change() -> None:
    problem, target = _choice()
    letters = list(target.options)
    turned = dict(zip(letters, [*list(target.options.values())[1:], target.options[letters[0]]], strict=True))
    assert {change.kind for change in check(problem, _with_target(problem, options=turned))} == {"options"}


def test_the_key_must_stay() -> None:
    problem, target = _choice()
    other = next(letter for letter in target.options if letter != target.value)
    assert any(change.kind == "answer" for change in check(problem, _with_target(problem, value=other)))
    numeric = next(each for each in physbench.load() if isinstance(each.targets[0], NumberTarget))
    first = numeric.targets[0]
    assert isinstance(first, NumberTarget) and first.value is not None
    for changes in ({"value": first.value * 1.01}, {"unit": "furlong"}, {"weight": 0.123}):
        targets = (first.model_copy(update=changes), *numeric.targets[1:])
        assert check(numeric, numeric.model_copy(update={"targets": targets}))


def test_another_family_or_given_is_a_change() -> None:
    problem = next(each for each in physbench.load() if each.givens)
    assert check(problem, problem.model_copy(update={"family": "another"}))
    assert check(problem, problem.model_copy(update={"givens": problem.givens[1:]}))
    assert check(problem, problem) == ()
