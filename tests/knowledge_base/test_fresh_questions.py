"""The questions written without sight of the base: they read, they name entries, and they are balanced."""

from __future__ import annotations

from collections import Counter

import pytest

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search.evaluation import FILE, Question, read_questions
from ansatz.knowledge_base.search.evaluation.labelled_questions import Names

DOMAINS = (
    *("newtonian", "shock", "boundary_layer", "heating", "viscous_interaction"),
    *("equilibrium", "nonequilibrium", "radiation", "cycle", "reference"),
)
SETS = {
    "fresh": (DOMAINS, 15),
    "everyday": ((*DOMAINS, "physics", "astro"), 5),
    "styles": (DOMAINS, 10),
    "styles_blind": (DOMAINS, 10),
}
STYLES = ("-textbook", "-memo", "-everyday")

each_set = pytest.mark.parametrize("name", SETS)


def questions(name: str) -> list[Question]:
    return read_questions(FILE.with_name(f"{name}_questions.jsonl"))


@each_set
def test_each_domain_has_its_number_of_questions(name: str) -> None:
    domains, count = SETS[name]
    assert Counter(question.domain for question in questions(name)) == dict.fromkeys(domains, count)


@each_set
def test_ids_number_the_questions_of_a_domain(name: str) -> None:
    domains, count = SETS[name]
    wanted = {f"{name}-{domain}-{number:02d}" for domain in domains for number in range(1, count + 1)}
    found = {question.id for question in questions(name)}
    if name.startswith("styles"):
        assert all(id.endswith(STYLES) for id in found)
        found = {id.rpartition("-")[0] for id in found}
    assert found == wanted


@each_set
def test_no_question_is_asked_twice(name: str) -> None:
    assert len({question.question.casefold() for question in questions(name)}) == len(questions(name))


@each_set
def test_gold_and_traps_are_ids_of_entries(name: str) -> None:
    known = {entry.id for entry in library()}
    assert {id for question in questions(name) for id in (*question.gold, *question.traps)} <= known


@each_set
def test_every_name_resolves_to_itself(name: str) -> None:
    names = Names(library())
    for question in questions(name):
        asked, unmatched = names.resolve(question)
        assert not unmatched
        assert asked.gold == tuple((id,) for id in question.gold)
        assert asked.traps == question.traps


@each_set
def test_no_trap_is_a_gold_and_none_is_named_twice(name: str) -> None:
    for question in questions(name):
        named = (*question.gold, *question.traps)
        assert len(set(named)) == len(named), question.id


@each_set
def test_most_questions_have_traps(name: str) -> None:
    asked = questions(name)
    assert sum(bool(question.traps) for question in asked) >= 0.73 * len(asked)
