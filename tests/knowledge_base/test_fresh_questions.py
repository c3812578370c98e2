"""The questions written without sight of the base: they read, they name entries, and they are balanced."""

from __future__ import annotations

from collections import Counter

from ansatz.knowledge_base.evaluation.questions import FILE, Names, Question, read_questions
from ansatz.knowledge_base.library import library

FRESH = FILE.with_name("fresh_questions.jsonl")
DOMAINS = (
    *("newtonian", "shock", "boundary_layer", "heating", "viscous_interaction"),
    *("equilibrium", "nonequilibrium", "radiation", "cycle", "reference"),
)


def questions() -> list[Question]:
    return read_questions(FRESH)


def test_each_domain_has_fifteen_questions() -> None:
    assert Counter(question.domain for question in questions()) == dict.fromkeys(DOMAINS, 15)


def test_ids_number_the_questions_of_a_domain() -> None:
    wanted = [f"fresh-{domain}-{number:02d}" for domain in DOMAINS for number in range(1, 16)]
    assert [question.id for question in questions()] == wanted


def test_no_question_is_asked_twice() -> None:
    assert len({question.question.casefold() for question in questions()}) == len(questions())


def test_gold_and_traps_are_ids_of_entries() -> None:
    known = {entry.id for entry in library()}
    assert {name for question in questions() for name in (*question.gold, *question.traps)} <= known


def test_every_name_resolves_to_itself() -> None:
    names = Names(library())
    for question in questions():
        asked, unmatched = names.resolve(question)
        assert not unmatched
        assert asked.gold == tuple((id,) for id in question.gold)
        assert asked.traps == question.traps


def test_no_trap_is_a_gold_and_none_is_named_twice() -> None:
    for question in questions():
        named = (*question.gold, *question.traps)
        assert len(set(named)) == len(named), question.id


def test_most_questions_have_traps() -> None:
    assert sum(bool(question.traps) for question in questions()) >= 110
