"""The invariance check against planted corruptions and faithful retellings."""

from __future__ import annotations

import pytest

from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench.variants import REGIONS, pack, vary
from ansatz.eval.benchmarks.physbench.variants.invariance import check, check_texts
from ansatz.eval.problem import ChoiceTarget, NumberTarget, Problem
from tests.eval.variant_corruptions import DEVELOPMENT, HELD_OUT, STORIES, Story
from tests.eval.variant_paraphrases import FAITHFUL


def _caught(stories: tuple[Story, ...]) -> list[bool]:
    """Whether each edit is seen as a change of its own, beside whatever the retelling itself is taken for."""
    found = []
    for story in stories:
        told = story.faithful[0]
        before = set(check_texts(story.original, told))
        for _, old, new in story.edits:
            assert old in told, (story.name, old)
            found.append(bool(set(check_texts(story.original, told.replace(old, new))) - before))
    return found


def _rejected(stories: tuple[Story, ...]) -> list[bool]:
    return [bool(check_texts(story.original, told)) for story in stories for told in story.faithful]


@pytest.mark.parametrize("stories", [DEVELOPMENT, HELD_OUT], ids=["development", "held out"])
def test_of_the_planted_corruptions_98_percent_are_caught(stories: tuple[Story, ...]) -> None:
    caught = _caught(stories)
    assert len(caught) > 100
    assert sum(caught) >= 0.98 * len(caught)


def test_of_200_faithful_retellings_1_percent_are_rejected_at_most() -> None:
    rejected = _rejected(STORIES)
    rejected += [bool(check_texts(original, told)) for original, told in FAITHFUL]
    problems = physbench.load(seed=11)[::2]
    for place, problem in enumerate(problems):
        variant = vary(problem, pack(REGIONS[place % 3]), seed=1).problem
        if variant and len(rejected) < 200:
            rejected.append(bool(check_texts(problem.question, variant.question)))
    assert len(rejected) == 200
    assert sum(rejected) <= 2


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
    original = DEVELOPMENT[0].original
    assert any(said in str(change) for change in check_texts(original, original.replace(old, new)))


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
